//! One game between two players. Legality, time and result are checked here, independent of what the players report.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use alfiere_chess::board::{Board, KeyHistory};
use alfiere_chess::game::{
    Adjudicator, Clock, EndReason, Fault, GameRecord, GameResult, GameRules, Limit, PlayedMove, SearchReport,
    end_by_rules,
};
use alfiere_chess::movegen::{CastlingNotation, parse_uci_move};
use alfiere_chess::openings::Opening;
use alfiere_chess::types::{Color, Move};

use super::player::{GameView, MoveLimits, PlayError, Player, excerpt};

/// The settings shared by all games of a match.
#[derive(Clone, Copy, Debug)]
pub struct GameSettings {
    pub rules: GameRules,
    /// Tolerance for overstepping the time.
    pub margin: Duration,
    /// Maximum time for a move without a time limit.
    pub patience: Duration,
    pub notation: CastlingNotation,
}

/// Endgames whose result with best play is known, such as those of Syzygy tables.
pub trait EndgameAdjudicator: fmt::Debug + Send + Sync {
    /// The result of the position with best play, with its halfmove clock and the fifty-move rule; `None` if unknown.
    fn result(&self, board: &Board) -> Option<GameResult>;
}

/// A player in one game, with its search limit.
pub struct Participant<'a> {
    pub player: &'a mut dyn Player,
    pub limit: Limit,
}

/// Plays a game to its end; `None` if the match was stopped.
///
/// `participants` are White and Black. With `endgames`, a game ends after the first move of a player to a position that they
/// know. A fault of a player loses the game and is not an error.
pub fn play_game(
    opening: &Opening,
    mut participants: [Participant<'_>; 2],
    settings: &GameSettings,
    endgames: Option<&dyn EndgameAdjudicator>,
    stop: &AtomicBool,
) -> Option<GameRecord> {
    let mut game = RunningGame::new(opening, settings, endgames);
    for side in [Color::White, Color::Black] {
        if let Err(error) = participants[side.index()].player.new_game(settings.notation, stop) {
            return game.finish_by_error(side, error);
        }
    }
    let mut clocks = [0, 1].map(|side| match participants[side].limit {
        Limit::Clock(control) => Some(Clock::new(control)),
        _ => None,
    });
    loop {
        if let Some((result, reason)) = game.end_by_rules() {
            return Some(game.finish(result, reason));
        }
        let side = game.board.side_to_move();
        let participant = &mut participants[side.index()];
        let limits = MoveLimits {
            limit: participant.limit,
            clock: clocks[side.index()],
            opponent_clock: clocks[(!side).index()],
            margin: settings.margin,
            patience: settings.patience,
        };
        let reply = match participant.player.choose(&game.view, &limits, stop) {
            Ok(reply) => reply,
            Err(error) => return game.finish_by_error(side, error),
        };
        if let Some(clock) = &mut clocks[side.index()] {
            clock.spend(reply.time);
        }
        let Ok(mv) = parse_uci_move(&game.board, &reply.text) else {
            let fault = Fault::IllegalMove { text: excerpt(&reply.text), fen: game.board.to_fen() };
            return game.finish_by_error(side, fault.into());
        };
        if let Some((result, reason)) = game.play(mv, reply.report, Some(reply.time)) {
            return Some(game.finish(result, reason));
        }
    }
}

struct RunningGame<'a> {
    endgames: Option<&'a dyn EndgameAdjudicator>,
    view: GameView,
    board: Board,
    keys: KeyHistory,
    moves: Vec<PlayedMove>,
    adjudicator: Adjudicator,
    max_plies: u32,
}

impl<'a> RunningGame<'a> {
    fn new(opening: &Opening, settings: &GameSettings, endgames: Option<&'a dyn EndgameAdjudicator>) -> Self {
        let view = GameView { start: opening.start.clone(), moves: Vec::new(), notation: settings.notation };
        let mut game = Self {
            endgames,
            view,
            board: opening.start.clone(),
            keys: KeyHistory::new(),
            moves: Vec::new(),
            adjudicator: Adjudicator::new(settings.rules),
            max_plies: settings.rules.max_plies,
        };
        for &mv in &opening.moves {
            game.play(mv, SearchReport::default(), None);
        }
        game
    }

    /// Plays a legal move, and returns the result if the game is over: the rules of chess take precedence over
    /// adjudication.
    fn play(&mut self, mv: Move, report: SearchReport, time: Option<Duration>) -> Option<(GameResult, EndReason)> {
        let side = self.board.side_to_move();
        let fullmove = u32::from(self.board.fullmove_number());
        let reported_score = report.reported_score;
        self.keys.push(&self.board);
        self.board.play(mv);
        self.view.moves.push(mv);
        self.moves.push(PlayedMove { mv, report, time });
        time?;
        if let Some(end) = self.end_by_rules() {
            return Some(end);
        }
        if let Some(result) = self.endgames.and_then(|endgames| endgames.result(&self.board)) {
            return Some((result, EndReason::EndgameTables));
        }
        let result = self.adjudicator.observe(side, reported_score, fullmove)?;
        Some((result, EndReason::Adjudication))
    }

    fn end_by_rules(&self) -> Option<(GameResult, EndReason)> {
        let too_long =
            || (self.moves.len() as u32 >= self.max_plies).then_some((GameResult::Draw, EndReason::MaxPlies));
        end_by_rules(&self.board, &self.keys).or_else(too_long)
    }

    fn finish(self, result: GameResult, reason: EndReason) -> GameRecord {
        GameRecord { start: self.view.start, moves: self.moves, result, reason }
    }

    fn finish_by_error(self, side: Color, error: PlayError) -> Option<GameRecord> {
        match error {
            PlayError::Stopped => None,
            PlayError::Fault(fault) => Some(self.finish(GameResult::Win(!side), EndReason::Fault(side, fault))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::player::Reply;
    use super::*;

    /// A player with a fixed list of moves.
    struct Script(Vec<&'static str>);

    impl Player for Script {
        fn new_game(&mut self, _: CastlingNotation, _: &AtomicBool) -> Result<(), PlayError> {
            Ok(())
        }

        fn choose(&mut self, game: &GameView, _: &MoveLimits, _: &AtomicBool) -> Result<Reply, PlayError> {
            let text = self.0[(game.moves.len() / 2) % self.0.len()];
            Ok(Reply { text: text.to_owned(), report: SearchReport::default(), time: Duration::from_millis(1) })
        }
    }

    fn play(
        fen: &str,
        [white, black]: [&[&'static str]; 2],
        max_plies: u32,
        endgames: Option<&dyn EndgameAdjudicator>,
    ) -> GameRecord {
        let opening = Opening { start: Board::from_fen(fen).expect("valid"), moves: Vec::new() };
        let settings = GameSettings {
            rules: GameRules { draw: None, resign: None, max_plies },
            margin: Duration::ZERO,
            patience: Duration::from_secs(1),
            notation: CastlingNotation::Standard,
        };
        let (mut white, mut black) = (Script(white.to_vec()), Script(black.to_vec()));
        let participants = [
            Participant { player: &mut white, limit: Limit::Depth(1) },
            Participant { player: &mut black, limit: Limit::Depth(1) },
        ];
        play_game(&opening, participants, &settings, endgames, &AtomicBool::new(false)).expect("not stopped")
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn games_end_by_the_rules() {
        let white = GameResult::Win(Color::White);
        let black = GameResult::Win(Color::Black);
        for (fen, whites, blacks, result, reason) in [
            (START, &["f2f3", "g2g4"][..], &["e7e5", "d8h4"][..], black, EndReason::Checkmate),
            (START, &["g1f3", "f3g1"], &["g8f6", "f6g8"], GameResult::Draw, EndReason::Threefold),
            ("7k/8/4Q3/8/8/8/8/K7 w - - 0 1", &["e6f7"], &[""], GameResult::Draw, EndReason::Stalemate),
            ("7k/8/8/8/8/8/1p6/K7 w - - 0 1", &["a1b2"], &[""], GameResult::Draw, EndReason::InsufficientMaterial),
            ("7k/8/8/8/8/8/1R6/K7 w - - 99 80", &["b2b3"], &[""], GameResult::Draw, EndReason::FiftyMoves),
            // A mate on the hundredth ply takes precedence over the fifty-move rule.
            ("7k/R7/8/8/8/8/1R6/K7 w - - 99 80", &["b2b8"], &[""], white, EndReason::Checkmate),
        ] {
            let record = play(fen, [whites, blacks], 100, None);
            assert_eq!((record.result, record.reason), (result, reason), "{fen}");
        }
        let shuffling = play(START, [&["g1f3", "f3g1"], &["g8f6", "f6g8"]], 5, None);
        assert_eq!(shuffling.reason, EndReason::MaxPlies);
    }

    /// All positions with a pawn that has moved are won by White.
    #[derive(Debug)]
    struct MovedPawns;

    impl EndgameAdjudicator for MovedPawns {
        fn result(&self, board: &Board) -> Option<GameResult> {
            (!board.to_fen().contains("PPPPPPPP")).then_some(GameResult::Win(Color::White))
        }
    }

    #[test]
    fn games_end_in_known_endgames() {
        let record = play(START, [&["g1f3", "e2e4"], &["b8c6"]], 100, Some(&MovedPawns));
        assert_eq!((record.result, record.reason), (GameResult::Win(Color::White), EndReason::EndgameTables));
        assert_eq!(record.moves.len(), 3);
        // The rules take precedence, and a known start position is played.
        let record = play("7k/8/8/8/8/8/1p6/K7 w - - 0 1", [&["a1b2"], &[""]], 100, Some(&MovedPawns));
        assert_eq!(record.reason, EndReason::InsufficientMaterial);
    }

    #[test]
    fn illegal_moves_lose() {
        for (moves, part) in [("e2e5", "illegal move \"e2e5\""), ("", "illegal move")] {
            let record = play(START, [&[moves], &["e7e5"]], 100, None);
            assert_eq!(record.result, GameResult::Win(Color::Black));
            assert!(record.reason.to_string().contains(part), "{}", record.reason);
        }
        let long = play(START, [&["e".repeat(100_000).leak()], &["e7e5"]], 100, None).reason.to_string();
        assert!(long.len() < 400 && long.contains("eee ...\""), "{long}");
    }
}
