//! The engine as a facade: a position, settings, a table, and searches that run here or in the background.
//!
//! UCI, analysis and the page use it. It does no input or output.

mod opening_book;
mod player;
mod scale;
mod search_run;
mod settings;
mod strength;
#[cfg(test)]
mod tests;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use alfiere_syzygy::Tablebases;

use self::search_run::{PanicFallback, SearchRun};
use self::settings::{has_room_for_thread, max_threads};
use self::strength::SeededRng;
use crate::eval::{AnyEvaluator, Evaluator, NetworkChoice};
use crate::platform::{Background, in_background, on_large_stack};
use crate::search::{Allocation, Control, Limits, Reporter, SearchMode, SearchResult, Table, ThreadData};

pub use opening_book::{BookAnswer, OpeningBook};
pub use player::Player;
pub use scale::{ScoreScale, WdlPermille};
pub use search_run::Position;
pub use settings::{ReducedSetting, Settings};
pub use strength::{Rating, Strength};

pub struct Engine {
    position: Position,
    settings: Settings,
    network: NetworkChoice,
    tablebases: Arc<Tablebases>,
    rng: SeededRng,
    table: Arc<Table>,
    /// A search may have written to the table.
    is_table_used: bool,
    /// The table of limited strength, made when it is first needed; cleared before each search.
    limited_table: Option<Arc<Table>>,
    /// One for each thread; empty while a search runs in the background.
    thread_data: Vec<ThreadData<AnyEvaluator>>,
    running: Option<Running>,
}

struct Running {
    control: Arc<Control>,
    thread: Background<Vec<ThreadData<AnyEvaluator>>>,
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
            is_table_used: false,
            limited_table: None,
            thread_data: Vec::new(),
            running: None,
        };
        engine.fit_thread_data();
        engine
    }

    pub fn position(&self) -> &Position {
        &self.position
    }

    pub fn set_position(&mut self, position: Position) {
        self.position = position;
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the settings after stopping a running search. Returns what the system could not provide: with less memory
    /// than is asked for, the table and the number of threads become smaller.
    pub fn configure(&mut self, settings: Settings) -> Vec<ReducedSetting> {
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
            // Scores in the table depend on the old contempt or probe rules.
            self.clear_table();
        }
        self.settings = settings;
        let mut reduced = Vec::new();
        if resized {
            // The old table is freed first, because both may not fit in memory.
            drop(std::mem::replace(&mut self.table, Arc::new(Table::new(Table::MIN_MIB).0)));
            let (table, Allocation { requested, obtained }) = Table::new(self.settings.hash_mib);
            self.table = Arc::new(table);
            self.is_table_used = false;
            if obtained < requested {
                reduced.push(ReducedSetting::Hash { requested, obtained });
            }
        }
        reduced.extend(self.fit_thread_data());
        reduced
    }

    /// The network of the player; `None` if it uses none.
    pub fn network(&self) -> Option<NetworkChoice> {
        self.settings.player.network_of(&self.network)
    }

    /// Replaces the network and clears everything learned with the old one. With an embedded choice each player uses
    /// its own embedded network; the players `kaggle` and `perceptron` always do.
    pub fn set_network(&mut self, network: NetworkChoice) {
        self.finish();
        self.network = network;
        self.thread_data.clear();
        self.fit_thread_data();
        self.clear_table();
    }

    /// Replaces the endgame tables and clears the transposition table.
    pub fn set_tablebases(&mut self, tablebases: impl Into<Arc<Tablebases>>) {
        self.finish();
        self.tablebases = tablebases.into();
        self.clear_table();
    }

    /// Starts a new game: clears the transposition table and the histories, keeps the position.
    pub fn new_game(&mut self) {
        self.finish();
        self.clear_table();
        self.thread_data.iter_mut().for_each(ThreadData::clear);
        self.rng.next_game();
    }

    /// Empties the table. One that is empty is not touched: that could take a minute.
    pub fn clear_table(&mut self) {
        self.finish();
        if std::mem::take(&mut self.is_table_used) {
            self.table.clear(self.settings.threads);
        }
    }

    /// Searches the position and returns when done. Limits that wait for a stop must not be used here.
    ///
    /// # Errors
    /// If the search thread cannot be spawned.
    pub fn search(&mut self, limits: &Limits, reporter: &mut dyn Reporter) -> std::io::Result<SearchResult> {
        self.search_under(&Control::new(limits.mode), limits, reporter)
    }

    /// [`Self::search`], which `control` can stop from another thread.
    ///
    /// # Errors
    /// If the search thread cannot be spawned.
    pub fn search_under(
        &mut self,
        control: &Control,
        limits: &Limits,
        reporter: &mut dyn Reporter,
    ) -> std::io::Result<SearchResult> {
        self.finish();
        let random = self.rng.next_number();
        let (level, table) = self.level_and_table(limits);
        let work = SearchRun {
            position: &self.position,
            settings: &self.settings,
            level,
            random,
            tablebases: &self.tablebases,
            table: &table,
            game_seed: self.rng.game_seed(),
            control,
        };
        let thread_data = &mut self.thread_data;
        on_large_stack(|| work.run(thread_data, limits, reporter))
    }

    /// Starts a search in the background; one that still runs is stopped first. It answers even if it panics, with the
    /// best move that it had found. In WebAssembly, where nothing runs in the background, it has answered on return.
    ///
    /// # Errors
    /// If the search thread cannot be spawned; nothing is searched then.
    pub fn go(&mut self, limits: Limits, mut reporter: impl Reporter + 'static) -> std::io::Result<()> {
        self.finish();
        let control = Arc::new(Control::new(limits.mode));
        let (level, table) = self.level_and_table(&limits);
        let mut thread_data = std::mem::take(&mut self.thread_data);
        let (position, settings) = (self.position.clone(), self.settings.clone());
        let tablebases = Arc::clone(&self.tablebases);
        let (shared_control, game_seed) = (Arc::clone(&control), self.rng.game_seed());
        let random = self.rng.next_number();
        let spawned = in_background(move || {
            let work = SearchRun {
                position: &position,
                settings: &settings,
                level,
                random,
                tablebases: &tablebases,
                table: &table,
                game_seed,
                control: &shared_control,
            };
            let mut panic_fallback = PanicFallback::new(&mut reporter);
            // A panic leaves thread data and table unfinished, not unsound: thread data are dropped, and entries of the table are
            // checked when they are read.
            let run = catch_unwind(AssertUnwindSafe(|| work.run(&mut thread_data, &limits, &mut panic_fallback)));
            if let Err(panic) = run {
                shared_control.wait_until_answer_allowed(limits.mode);
                panic_fallback.answer(&*panic, position.board());
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
                self.fit_thread_data();
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

    /// Waits until the background search has answered by itself.
    pub fn wait(&mut self) {
        if let Some(running) = self.running.take() {
            self.thread_data = running.thread.join().unwrap_or_default();
            // A search that panicked has lost its thread data: new ones are made.
            self.fit_thread_data();
        }
    }

    /// Stops the background search and waits for its answer.
    pub fn finish(&mut self) {
        self.stop();
        self.wait();
    }

    /// The static evaluation of the position in internal units, for the side to move.
    pub fn evaluate(&mut self) -> i32 {
        let mut evaluator = self.evaluator();
        evaluator.reset(self.position.board());
        evaluator.evaluate(self.position.board())
    }

    fn evaluator(&self) -> AnyEvaluator {
        self.settings.player.evaluator(&self.network)
    }

    /// The level of a search, and its table. The table of limited strength is cleared before each search, so that the player
    /// sees no more than it just searched; it is made only once, because memory may be short in the middle of a game.
    fn level_and_table(&mut self, limits: &Limits) -> (Option<Rating>, Arc<Table>) {
        let level = self.settings.effective_level().filter(|_| is_play(limits));
        if level.is_none() {
            self.is_table_used = true;
            return (None, Arc::clone(&self.table));
        }
        let table = self.limited_table.get_or_insert_with(|| Arc::new(Table::new(LIMITED_TABLE_MIB).0));
        table.clear(1);
        (level, Arc::clone(table))
    }

    /// Adapts the thread data to the number of threads, or to fewer where these would not help or not fit in memory.
    fn fit_thread_data(&mut self) -> Option<ReducedSetting> {
        let requested = self.settings.threads;
        let most = requested.min(max_threads());
        self.thread_data.truncate(most);
        while self.thread_data.len() < most
            && (self.thread_data.is_empty() || has_room_for_thread(self.thread_data.len()))
        {
            let evaluator = self.evaluator();
            self.thread_data.push(ThreadData::new(evaluator));
        }
        self.settings.threads = self.thread_data.len();
        (self.settings.threads < requested)
            .then_some(ReducedSetting::Threads { requested, obtained: self.settings.threads })
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

/// Size of the table of limited strength in MiB: enough for its few nodes.
const LIMITED_TABLE_MIB: usize = 2;

/// Whether the search is for a move to play, not for analysis.
fn is_play(limits: &Limits) -> bool {
    limits.mode != SearchMode::Infinite && limits.mate.is_none()
}
