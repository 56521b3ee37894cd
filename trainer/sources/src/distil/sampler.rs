//! An evaluator that samples the positions it evaluates.

use alfiere_chess::board::Board;
use alfiere_chess::random::Random;
use alfiere_chess::types::{Color, Move};
use alfiere_data::{Label, MAX_CENTIPAWNS, Row};
use alfiere_search::eval::{AnyEvaluator, Evaluator};
use alfiere_teacher::Evaluator as TeacherEvaluator;
use serde::{Deserialize, Serialize};

/// Positions whose static evaluation is far from the score of the game are kept less often: there a search only needs
/// to distinguish winning from losing.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Window {
    /// Half width of the window around the score of the last move, in internal units.
    pub units: i32,
    /// Of the positions outside the window, one in this many is kept, relative to those inside.
    pub outside: u32,
}

/// Evaluates for the search, and labels some of the positions with the teacher's evaluation.
pub(super) struct Sampler<'a> {
    evaluator: AnyEvaluator,
    teacher: TeacherEvaluator<'a>,
    /// One position in this many is kept.
    every: u32,
    window: Option<Window>,
    /// The score of the game from White's point of view, if known.
    score: Option<i32>,
    numbers: Random,
    rows: Vec<Row>,
}

impl<'a> Sampler<'a> {
    pub(super) fn new(
        evaluator: AnyEvaluator,
        teacher: TeacherEvaluator<'a>,
        every: u32,
        window: Option<Window>,
    ) -> Self {
        Self { evaluator, teacher, every, window, score: None, numbers: Random::new(0), rows: Vec::new() }
    }

    /// Starts a game; the sampling depends only on `seed`.
    pub(super) fn begin(&mut self, seed: u64) {
        self.numbers = Random::new(seed);
        self.score = None;
    }

    /// Centres the window on a score from White's point of view, in internal units.
    pub(super) fn centre(&mut self, score: i32) {
        self.score = Some(score);
    }

    /// Takes the rows collected since the last call.
    pub(super) fn take_rows(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.rows)
    }

    fn is_wanted(&mut self, board: &Board, value: i32) -> bool {
        let (Some(window), Some(score)) = (self.window, self.score) else { return true };
        let for_white = if board.side_to_move() == Color::White { value } else { -value };
        (for_white - score).abs() <= window.units || self.numbers.below(u64::from(window.outside)) == 0
    }

    fn keep(&mut self, board: &Board) {
        let value = self.teacher.evaluate(board);
        let for_white = if board.side_to_move() == Color::White { value } else { -value };
        let limit = i32::from(MAX_CENTIPAWNS);
        self.rows.push(Row::of_board(board).with_label(Label::Centipawns(for_white.clamp(-limit, limit) as i16)));
    }
}

impl Evaluator for Sampler<'_> {
    fn reset(&mut self, board: &Board) {
        self.evaluator.reset(board);
    }

    fn play(&mut self, board: &mut Board, mv: Move) {
        self.evaluator.play(board, mv);
    }

    fn undo(&mut self) {
        self.evaluator.undo();
    }

    fn evaluate(&mut self, board: &Board) -> i32 {
        let value = self.evaluator.evaluate(board);
        if self.numbers.below(u64::from(self.every)) == 0 && !board.in_check() && self.is_wanted(board, value) {
            self.keep(board);
        }
        value
    }
}

/// Everything the rows depend on. A copy is stored with the files, so that files with different settings are not mixed.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct DistilSettings {
    /// Hash of the teacher's file.
    pub teacher: String,
    /// Hash of the playing network.
    pub player: String,
    /// Random seed of all games.
    pub seed: u64,
    pub shard_rows: usize,
    /// Minimum and maximum number of nodes per move.
    pub nodes: [u32; 2],
    /// Of the positions that searches evaluate, one in this many is kept.
    pub every: u32,
    pub games: GameRules,
    /// Which of the evaluated positions are kept more often.
    pub window: Option<Window>,
}

/// How games start and end.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRules {
    /// Hashes of the opening files; none for the initial position.
    pub openings: Vec<String>,
    /// Hashes of the files of root positions that are searched instead of playing games; none if games are played.
    pub roots: Vec<String>,
    /// Minimum and maximum number of random moves after the opening.
    pub random_plies: [u32; 2],
    /// Share of games in which one move in twelve is random, so that unbalanced positions also occur.
    pub stumbles: f64,
    /// Score in internal units beyond which a game is ended as decided.
    pub decided: i32,
    /// Score in internal units within which a long game is ended as a draw; 0 disables this rule.
    pub drawn: i32,
}

impl Default for GameRules {
    /// Games from the initial position with random first moves and stumbles in half of them, played almost to the end.
    fn default() -> Self {
        Self { openings: Vec::new(), roots: Vec::new(), random_plies: [4, 9], stumbles: 0.5, decided: 2_000, drawn: 0 }
    }
}

#[cfg(test)]
mod tests {
    use alfiere_search::eval::NetworkChoice;
    use alfiere_teacher::noise;

    use super::*;

    #[test]
    fn positions_outside_the_window_are_kept_less_often() {
        let teacher = noise();
        let window = Window { units: 300, outside: 4 };
        let evaluator = AnyEvaluator::neural(NetworkChoice::default());
        let mut sampler = Sampler::new(evaluator, teacher.evaluator(), 1, Some(window));
        let mut black = Board::startpos();
        black.play(alfiere_chess::movegen::legal_moves(&black)[0]);
        sampler.begin(1);
        assert!((0..100).all(|_| sampler.is_wanted(&black, 5_000)), "the score is not known yet");
        sampler.centre(-500);
        let mut kept = |value| (0..1_000).filter(|_| sampler.is_wanted(&black, value)).count();
        assert_eq!([kept(200), kept(500), kept(800)], [1_000; 3]);
        assert!([199, 801, -500].map(kept).iter().all(|count| (180..320).contains(count)));
    }
}
