//! The engine as one thing: a position, settings, a table, and searches that run here or in the background.
//!
//! The protocol, suites and matches all use this. It does no input and no output.

mod last_word;
mod opening_book;
mod player;
mod position;
mod rng;
mod scale;
mod settings;
mod strength;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

pub use opening_book::{BookAnswer, OpeningBook};
pub use player::Player;
pub use position::Position;
pub use scale::{Expectation, ScoreScale};
pub use settings::Settings;
pub use strength::{Level, Strength};

use alfiere_syzygy::Tablebases;

use self::last_word::LastWord;
use self::player::SearchContext;
use self::rng::SeededRng;
use crate::eval::{AnyEvaluator, Evaluator, NetworkChoice};
use crate::platform::{Background, in_background, on_large_stack};
use crate::search::{Allocation, Answer, Control, Job, Limits, Outcome, ProbeRules, Reporter, Table, ThreadData};

type Thinker = ThreadData<AnyEvaluator>;

/// A chess engine.
pub struct Engine {
    position: Position,
    settings: Settings,
    network: NetworkChoice,
    tablebases: Arc<Tablebases>,
    rng: SeededRng,
    table: Arc<Table>,
    /// That of limited strength, once it was needed; empty at the start of each search.
    limited_table: Option<Arc<Table>>,
    /// One for each thread; elsewhere while a search runs in the background.
    thread_data: Vec<Thinker>,
    running: Option<Running>,
}

struct Running {
    control: Arc<Control>,
    thread: Background<Vec<Thinker>>,
}

impl Engine {
    /// An engine at the start of a game.
    pub fn new() -> Self {
        let settings = Settings::default();
        let (table, _) = Table::new(settings.hash_mib);
        let mut engine = Self {
            position: Position::default(),
            rng: SeededRng::new(settings.seed),
            settings,
            network: NetworkChoice::default(),
            tablebases: Arc::default(),
            table: Arc::new(table),
            limited_table: None,
            thread_data: Vec::new(),
            running: None,
        };
        engine.fit_minds();
        engine
    }

    /// The position that the next search is about.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Sets the position that the next search is about.
    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    /// How the engine is set.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes settings; a running search is stopped first. Says what became of the table if its size changed.
    pub fn configure(&mut self, settings: Settings) -> Option<Allocation> {
        self.finish();
        let resized = settings.hash_mib != self.settings.hash_mib;
        if settings.player != self.settings.player {
            self.thread_data.clear();
            // Its scores are another player's.
            self.clear_table();
        }
        if settings.seed != self.settings.seed {
            self.rng = SeededRng::new(settings.seed);
        }
        if settings.effective_contempt() != self.settings.effective_contempt()
            || settings.probe_rules != self.settings.probe_rules
        {
            // Scores in the table are of draws as they were liked, or counted, before.
            self.clear_table();
        }
        self.settings = settings;
        self.fit_minds();
        resized.then(|| {
            // The old table goes before the new one comes: both may not fit.
            drop(std::mem::replace(&mut self.table, Arc::new(Table::new(Table::MIN_MIB).0)));
            let (table, allocation) = Table::new(self.settings.hash_mib);
            self.table = Arc::new(table);
            allocation
        })
    }

    /// The network that evaluates, unless the player judges by none.
    pub fn network(&self) -> Option<NetworkChoice> {
        self.settings.player.network_of(&self.network)
    }

    /// Evaluates with another network from now on, with an embedded one as each player has it; what was learnt with the old
    /// one is forgotten. The player `perceptron` keeps its own.
    pub fn set_network(&mut self, network: NetworkChoice) {
        self.finish();
        self.network = network;
        self.thread_data.clear();
        self.fit_minds();
        self.clear_table();
    }

    /// Asks other endgame tables from now on; what earlier ones said is forgotten.
    pub fn set_tablebases(&mut self, tablebases: Tablebases) {
        self.finish();
        self.tablebases = Arc::new(tablebases);
        self.clear_table();
    }

    /// Forgets everything learnt in earlier games; the position stays.
    pub fn new_game(&mut self) {
        self.finish();
        self.clear_table();
        self.thread_data.iter_mut().for_each(ThreadData::clear);
        self.rng.next_game();
    }

    /// Empties the table.
    pub fn clear_table(&mut self) {
        self.finish();
        self.table.clear(self.settings.threads);
    }

    /// Searches the position and returns when done. Limits that wait for a stop must not be used here.
    ///
    /// # Errors
    /// If the system has no thread to give.
    pub fn search(&mut self, limits: &Limits, reporter: &mut dyn Reporter) -> std::io::Result<Outcome> {
        self.finish();
        let control = Control::new(limits.answer);
        let chance = self.rng.roll();
        let (level, table) = self.level_and_table(limits);
        let work = Work {
            position: &self.position,
            settings: &self.settings,
            level,
            chance,
            tablebases: &self.tablebases,
            table: &table,
            game_seed: self.rng.of_game(),
            control: &control,
        };
        let thread_data = &mut self.thread_data;
        on_large_stack(|| work.run(thread_data, limits, reporter))
    }

    /// Starts a search in the background; one that still runs is stopped first. It answers even if it panics, with the
    /// best move that it had found. In WebAssembly, where nothing runs in the background, it has answered on return.
    ///
    /// # Errors
    /// If the system has no thread to give; nothing is searched then.
    pub fn go(&mut self, limits: Limits, mut reporter: impl Reporter + 'static) -> std::io::Result<()> {
        self.finish();
        let control = Arc::new(Control::new(limits.answer));
        let (level, table) = self.level_and_table(&limits);
        let mut thread_data = std::mem::take(&mut self.thread_data);
        let (position, settings) = (self.position.clone(), self.settings.clone());
        let tablebases = Arc::clone(&self.tablebases);
        let (shared_control, game_seed) = (Arc::clone(&control), self.rng.of_game());
        let chance = self.rng.roll();
        let spawned = in_background(move || {
            let work = Work {
                position: &position,
                settings: &settings,
                level,
                chance,
                tablebases: &tablebases,
                table: &table,
                game_seed,
                control: &shared_control,
            };
            let mut last_word = LastWord::new(&mut reporter);
            // A panic leaves minds and table unfinished, not unsound: the minds are dropped, and entries of the table are
            // checked when they are read.
            let run = catch_unwind(AssertUnwindSafe(|| work.run(&mut thread_data, &limits, &mut last_word)));
            if let Err(panic) = run {
                shared_control.wait_for_leave(limits.answer);
                last_word.answer(&*panic, position.board());
                thread_data.clear();
            }
            thread_data
        });
        match spawned {
            Ok(thread) => {
                self.running = Some(Running { control, thread });
                Ok(())
            }
            Err(error) => {
                self.fit_minds();
                Err(error)
            }
        }
    }

    /// Asks the background search to answer now; nothing happens if there is none.
    pub fn stop(&self) {
        if let Some(running) = &self.running {
            running.control.stop();
        }
    }

    /// Tells the background search that the expected move was played.
    pub fn ponder_hit(&self) {
        if let Some(running) = &self.running {
            running.control.ponder_hit();
        }
    }

    /// Whether a background search has not answered yet.
    pub fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.thread.is_finished())
    }

    /// Waits until the background search has answered by itself.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            self.thread_data = running.thread.join().unwrap_or_default();
            // A search that panicked has lost its minds: new ones are made.
            self.fit_minds();
        }
    }

    /// Stops the background search and waits for its answer.
    pub fn finish(&mut self) {
        self.stop();
        self.wait();
    }

    /// The static evaluation of the position in centipawns, for the side to move.
    pub fn evaluate(&mut self) -> i32 {
        let mut evaluator = self.evaluator();
        evaluator.reset(self.position.board());
        evaluator.evaluate(self.position.board())
    }

    fn evaluator(&self) -> AnyEvaluator {
        self.settings.player.judge(&self.network)
    }

    /// What a search is limited to, and the table for it. A weaker player forgets what was not in sight last time, so its
    /// table is emptied for each search; it is made once, because memory may be short in the middle of a game.
    fn level_and_table(&mut self, limits: &Limits) -> (Option<Level>, Arc<Table>) {
        let level = self.settings.effective_level().filter(|_| is_play(limits));
        if level.is_none() {
            return (None, Arc::clone(&self.table));
        }
        let table = self.limited_table.get_or_insert_with(|| Arc::new(Table::new(LIMITED_TABLE_MIB).0));
        table.clear(1);
        (level, Arc::clone(table))
    }

    /// Makes one mind for each thread.
    fn fit_minds(&mut self) {
        self.thread_data.truncate(self.settings.threads);
        while self.thread_data.len() < self.settings.threads {
            let evaluator = self.evaluator();
            self.thread_data.push(ThreadData::new(evaluator));
        }
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The table of a weaker player, in MiB: enough for the few positions that he looks at.
const LIMITED_TABLE_MIB: usize = 2;

/// Whether a move is wanted, and not the truth about a position.
fn is_play(limits: &Limits) -> bool {
    limits.answer != Answer::WhenStopped && limits.mate.is_none()
}

/// What one search needs besides minds and limits.
struct Work<'a> {
    position: &'a Position,
    settings: &'a Settings,
    /// None for full strength.
    level: Option<Level>,
    chance: u64,
    tablebases: &'a Tablebases,
    table: &'a Table,
    game_seed: u64,
    control: &'a Control,
}

impl Work<'_> {
    fn run(&self, thread_data: &mut [Thinker], limits: &Limits, reporter: &mut dyn Reporter) -> Outcome {
        let job = Job {
            board: self.position.board(),
            keys: self.position.keys(),
            limits,
            lines: self.settings.lines,
            contempt: ScoreScale::of(self.position.board()).inner(self.settings.effective_contempt()),
            move_overhead: self.settings.move_overhead,
            tunables: &self.settings.tunables,
            tablebases: self.tablebases,
            probe_rules: self.settings.probe_rules,
            table: self.table,
            strength_limit: None,
            control: self.control,
        };
        let context = SearchContext { beam: self.settings.beam, chance: self.chance };
        match self.level {
            Some(level) => self.run_limited(level, thread_data, context, &job, reporter),
            None => self.settings.player.think(thread_data, context, &job, reporter),
        }
    }

    /// One thread, and without endgame tables: a weaker player knows no endgame by heart, and does not depend on the machine.
    fn run_limited(
        &self,
        level: Level,
        thread_data: &mut [Thinker],
        context: SearchContext,
        job: &Job<'_>,
        reporter: &mut dyn Reporter,
    ) -> Outcome {
        let strength_limit = level.strength_limit(job.board, self.game_seed);
        let limits = level.limit(job.limits, job.lines);
        let probe_rules = ProbeRules { men: 0, ..job.probe_rules };
        let job = Job { limits: &limits, strength_limit: Some(&strength_limit), probe_rules, ..*job };
        self.settings.player.think(&mut thread_data[..1], context, &job, reporter)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Silent;

    #[test]
    fn a_weaker_player_keeps_its_table_and_forgets_what_was_in_it() {
        let mut engine = Engine::new();
        let strength = Strength { limited: true, elo: Level::HIGHEST, ..Strength::default() };
        engine.configure(Settings { strength, seed: 1, ..Settings::default() });
        let limits = Limits::nodes(50_000);
        let (level, table) = engine.level_and_table(&limits);
        assert_eq!(level, Some(Level::HIGHEST));
        engine.search(&limits, &mut Silent).expect("a thread");
        assert!(table.permille_full() > 0 && engine.table.permille_full() == 0);
        let (_, again) = engine.level_and_table(&limits);
        assert!(Arc::ptr_eq(&table, &again) && again.permille_full() == 0);
        let (level, full) = engine.level_and_table(&Limits { mate: Some(2), ..Limits::default() });
        assert!(level.is_none() && Arc::ptr_eq(&full, &engine.table));
    }
}
