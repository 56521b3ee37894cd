//! Plays one game: a balanced start position, moves with scores, a result.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use alfiere_arena::player::{GameView, MoveLimits, PlayError, Player as _};
use alfiere_arena::uci_player::UciPlayer;
use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::{Adjudicator, Fault, GameResult, Limit, ReportedScore};
use alfiere_chess::movegen::{CastlingNotation, parse_uci_move};
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Move};
use alfiere_data::{GameRecord, Label, Ply, Row, RowResult, rank_of};
use alfiere_search::engine::{Engine, Position};
use alfiere_search::genfens::StartPositions;
use alfiere_search::search::{Control, Limits, Silent};

use super::settings::{DatagenSettings, PlayerChoice};
use crate::game_loop::{Step, best_or_random, by_rules, by_scores, play_game};
use crate::pool::Stop;

pub(super) enum PlayedGame {
    /// The game was played; `key` is the hash key of its start position.
    Game { record: Box<GameRecord>, key: u64 },
    /// No random walk led to a balanced start position.
    NoStart,
    /// The only start position is not balanced, an earlier game has it, or the last move was random.
    Dropped,
}

/// Plays game `number`. `is_known` returns true if an earlier game started from the position with this key.
pub(super) fn play(
    number: u64,
    settings: &DatagenSettings,
    starts: &StartPositions,
    player: &mut Player,
    is_known: impl Fn(u64) -> bool,
    stop: &AtomicBool,
) -> Result<PlayedGame, PlayError> {
    let place = number * settings.shard.count() as u64 + settings.shard.index() as u64;
    let mut random = Random::for_part(settings.seed, place);
    let found = starts.find(place, &mut random, |board| search_start(board, settings, player, stop))?;
    let Some((start, searched)) = found else {
        return Ok(if settings.random_plies.max > 0 { PlayedGame::NoStart } else { PlayedGame::Dropped });
    };
    let key = start.key();
    if is_known(key) {
        return Ok(PlayedGame::Dropped);
    }
    let record = Game::new(&start, settings, random).play(&start, searched, player, stop)?;
    Ok(if record.plies.is_empty() { PlayedGame::Dropped } else { PlayedGame::Game { record: Box::new(record), key } })
}

/// Searches a start position; `None` unless it is balanced.
fn search_start(
    board: &Board,
    settings: &DatagenSettings,
    player: &mut Player,
    stop: &AtomicBool,
) -> Result<Option<SearchResult>, PlayError> {
    // Rows cannot represent Chess960 castling rights, so such positions are rejected.
    if Row::of_board(board).to_board().as_ref().map(Board::key) != Ok(board.key()) {
        return Ok(None);
    }
    let game = view(board);
    player.new_game(&game, stop)?;
    let searched = player.search(&game, board, &KeyHistory::new(), stop)?;
    let is_balanced = searched.reported_score.centipawns().abs() <= settings.max_opening_cp;
    Ok((is_balanced && !matches!(searched.reported_score, ReportedScore::Mate(_))).then_some(searched))
}

struct Game<'a> {
    settings: &'a DatagenSettings,
    view: GameView,
    random: Random,
    adjudicator: Adjudicator,
    /// One move in this many is random.
    noise: Option<u32>,
    /// The game after its last random move: before it, the result says nothing about a position.
    record: GameRecord,
}

impl<'a> Game<'a> {
    fn new(start: &Board, settings: &'a DatagenSettings, mut random: Random) -> Self {
        let plies = Vec::with_capacity(160);
        let record = GameRecord { start: Row::of_board(start), result: RowResult::Unknown, plies };
        let noise = random.chance(settings.noise).then_some(settings.noise_every);
        let adjudicator = Adjudicator::new(settings.rules);
        Self { settings, view: view(start), random, adjudicator, noise, record }
    }

    /// Plays the game to its end; `first` is the search of the start position.
    fn play(
        mut self,
        start: &Board,
        first: SearchResult,
        player: &mut Player,
        stop: &AtomicBool,
    ) -> Result<GameRecord, PlayError> {
        let mut first = Some(first);
        let start = (start.clone(), KeyHistory::new());
        let outcome = play_game(start, self.settings.rules.max_plies, by_rules, |board, keys| {
            if stop.load(Ordering::Relaxed) {
                return Err(PlayError::Stopped);
            }
            let searched = first.take().map_or_else(|| player.search(&self.view, board, keys, stop), Ok)?;
            Ok(self.step(board, searched))
        });
        self.record.result = outcome?.into();
        Ok(self.record)
    }

    /// Records the position with its search result and chooses a move.
    fn step(&mut self, board: &Board, searched: SearchResult) -> Step {
        let best = searched.best;
        let mv = best_or_random(board, best, self.noise, &mut self.random);
        self.view.moves.push(mv);
        if mv != best {
            let mut next = board.clone();
            next.play(mv);
            self.record.start = Row::of_board(&next);
            self.record.plies.clear();
            // The score before a random move says nothing about the position after it.
            self.adjudicator = Adjudicator::new(self.settings.rules);
            return Step::Play(mv, None);
        }
        let (side, rank) = (board.side_to_move(), Some(rank_of(board, mv)));
        self.record.plies.push(Ply { label: searched.label(side), played: rank, best: rank });
        let ruling = match searched.reported_score {
            ReportedScore::Mate(moves) if self.settings.mate_ends => {
                Some(GameResult::Win(if moves > 0 { side } else { !side }))
            }
            score => by_scores(&mut self.adjudicator, board, score),
        };
        Step::Play(mv, ruling)
    }
}

/// Time after which an external engine counts as hanging.
const PATIENCE: Duration = Duration::from_mins(2);
/// Additional time allowed for a move with fixed move time.
const MARGIN: Duration = Duration::from_secs(5);

pub(super) enum Player {
    BuiltIn {
        engine: Box<Engine>,
        control: Arc<Control>,
        nodes: u64,
        hard_nodes: u64,
    },
    /// An external UCI engine.
    Program {
        process: Box<UciPlayer>,
        limit: Limit,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SearchResult {
    pub(super) best: Move,
    /// Its score, from the side to move's point of view.
    pub(super) reported_score: ReportedScore,
}

impl SearchResult {
    /// The score from White's point of view.
    pub(super) fn label(self, side: Color) -> Label {
        Label::of_reported_score(self.reported_score, side)
    }
}

/// A game without moves, as external engines see it.
fn view(start: &Board) -> GameView {
    GameView { start: start.clone(), moves: Vec::new(), notation: CastlingNotation::Standard }
}

impl Player {
    /// Starts a player whose searches end when `stop` is set.
    pub(super) fn start(settings: &DatagenSettings, stop: &Stop) -> Result<Self, PlayError> {
        Ok(match &settings.player {
            PlayerChoice::BuiltIn { network, hash_mib } => {
                let mut engine = Box::new(Engine::new());
                let hash_mib = *hash_mib;
                engine.configure(alfiere_search::engine::Settings {
                    hash_mib,
                    ..alfiere_search::engine::Settings::default()
                });
                engine.set_network(network.network.clone());
                let DatagenSettings { nodes, hard_nodes, .. } = *settings;
                let control = Arc::default();
                stop.watch(&control);
                Self::BuiltIn { engine, control, nodes, hard_nodes }
            }
            PlayerChoice::Program { spec, .. } => Self::Program {
                process: Box::new(UciPlayer::start(spec, stop.flag())?),
                limit: spec.limit.unwrap_or(Limit::Nodes(settings.nodes)),
            },
        })
    }

    fn new_game(&mut self, game: &GameView, stop: &AtomicBool) -> Result<(), PlayError> {
        match self {
            Self::BuiltIn { engine, .. } => {
                engine.new_game();
                Ok(())
            }
            Self::Program { process, .. } => process.new_game(game.notation, stop),
        }
    }

    /// Searches the current position of a game, which is `board` after positions with these keys.
    fn search(
        &mut self,
        game: &GameView,
        board: &Board,
        keys: &KeyHistory,
        stop: &AtomicBool,
    ) -> Result<SearchResult, PlayError> {
        match self {
            Self::BuiltIn { engine, control, nodes, hard_nodes } => {
                engine.set_position(Position::after(keys.clone(), board.clone()));
                let limits = Limits::soft_nodes(*nodes, *hard_nodes);
                control.next_search();
                let outcome = engine
                    .search_under(control, &limits, &mut Silent)
                    .map_err(|error| Fault::NoStart(format!("cannot spawn the search thread: {error}")))?;
                if control.is_stopped() {
                    return Err(PlayError::Stopped);
                }
                let reported_score = match outcome.score.moves_to_mate() {
                    Some(moves) => ReportedScore::Mate(moves),
                    None => ReportedScore::Centipawns(outcome.score.value()),
                };
                let none = || Fault::Crash("it found no move".to_owned());
                Ok(SearchResult { best: outcome.best.ok_or_else(none)?, reported_score })
            }
            Self::Program { process, limit } => ask(process, *limit, game, board, stop),
        }
    }
}

fn ask(
    process: &mut UciPlayer,
    limit: Limit,
    game: &GameView,
    board: &Board,
    stop: &AtomicBool,
) -> Result<SearchResult, PlayError> {
    let limits = MoveLimits { limit, clock: None, opponent_clock: None, margin: MARGIN, patience: PATIENCE };
    let reply = process.choose(game, &limits, stop)?;
    let text = reply.text;
    let best =
        parse_uci_move(board, &text).map_err(|_| Fault::IllegalMove { text: text.clone(), fen: board.to_fen() })?;
    let silent = || Fault::Crash(format!("it gave no score with its move {text} in {}", board.to_fen()));
    Ok(SearchResult { best, reported_score: reply.report.reported_score.ok_or_else(silent)? })
}
