//! The report of an analysed game: positions, moves, and a summary of each side.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{format_san, is_legal};
use alfiere_chess::review::{Evaluation, Judgement, MoveReview, SideReview, WhiteScore, review};
use alfiere_chess::types::{Color, Move};

/// A principal variation; its moves are [`Move`]s or in SAN, without move numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoredLine<M> {
    pub value: WhiteScore,
    pub moves: Vec<M>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct PositionReport {
    /// The score of the best line, and the expected score.
    pub evaluation: Evaluation,
    /// The best line; empty if the game is over.
    pub line: Vec<Move>,
    /// The next best lines, up to the number of lines requested.
    pub others: Vec<ScoredLine<Move>>,
    pub depth: u32,
    pub nodes: u64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct JudgedMove {
    /// The move in SAN, without glyphs.
    pub san: String,
    pub side: Color,
    pub number: u16,
    pub review: MoveReview,
    /// The engine's move in SAN, if it differs.
    pub better: Option<String>,
    /// The engine's lines before the move, best first.
    pub lines: Vec<ScoredLine<String>>,
}

impl JudgedMove {
    /// Move number, move and suffix: `9... b5?!`.
    pub fn name(&self) -> String {
        let dots = if self.side == Color::White { "." } else { "..." };
        format!("{}{dots} {}{}", self.number, self.san, self.review.judgement.map_or("", Judgement::signs))
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct GameReport {
    /// All positions, including the start.
    pub positions: Vec<PositionReport>,
    pub moves: Vec<JudgedMove>,
    pub sides: [SideReview; 2],
}

impl GameReport {
    /// Judges the moves of a game by the reports on its positions, one more than moves.
    pub(super) fn new(start: &Board, moves: &[Move], mut positions: Vec<PositionReport>) -> Self {
        debug_assert_eq!(positions.len(), moves.len() + 1);
        let played = moves.iter().zip(&positions);
        // A null move is no mistake: somebody asks what is threatened.
        let is_best = |(&mv, before): (&Move, &PositionReport)| {
            mv == Move::NULL || before.line.first().is_none_or(|&best| best == mv)
        };
        let are_best: Vec<bool> = played.map(is_best).collect();
        let evaluations: Vec<Evaluation> = positions.iter().map(|position| position.evaluation).collect();
        let reviewed = review(start.side_to_move(), &are_best, &evaluations);
        for (index, &mv) in moves.iter().enumerate().rev() {
            if let Some(evaluation) = reviewed.moves[index].corrected
                && mv != Move::NULL
            {
                let after = positions[index + 1].line.clone();
                positions[index].put_first(mv, evaluation, after);
            }
        }
        let mut board = start.clone();
        let mut judged = Vec::with_capacity(moves.len());
        for ((&mv, before), review) in moves.iter().zip(&positions).zip(reviewed.moves) {
            judged.push(judge(&board, mv, before, review));
            board.play_or_pass(mv);
        }
        Self { positions, moves: judged, sides: reviewed.sides }
    }
}

fn judge(board: &Board, mv: Move, before: &PositionReport, review: MoveReview) -> JudgedMove {
    let better = before.line.first().filter(|&&best| best != mv && mv != Move::NULL);
    JudgedMove {
        san: format_san(board, mv),
        side: board.side_to_move(),
        number: board.fullmove_number(),
        review,
        better: better.map(|&best| format_san(board, best)),
        lines: before.lines().map(|line| ScoredLine { value: line.value, moves: to_san(board, &line.moves) }).collect(),
    }
}

impl PositionReport {
    /// Makes a move, whose line continues with `after`, the best one.
    fn put_first(&mut self, mv: Move, evaluation: Evaluation, after: Vec<Move>) {
        let line = std::iter::once(mv).chain(after).collect();
        let earlier = ScoredLine { value: self.evaluation.score, moves: std::mem::replace(&mut self.line, line) };
        let count = self.others.len();
        self.others.insert(0, earlier);
        self.others.retain(|other| other.moves.first() != Some(&mv));
        self.others.truncate(count);
        self.evaluation = evaluation;
    }

    /// All lines, best first.
    pub(super) fn lines(&self) -> impl Iterator<Item = ScoredLine<Move>> {
        std::iter::once(ScoredLine { value: self.evaluation.score, moves: self.line.clone() })
            .chain(self.others.iter().cloned())
    }
}

/// The moves of a line in SAN, up to the first illegal one.
fn to_san(start: &Board, line: &[Move]) -> Vec<String> {
    let mut board = start.clone();
    let write = |&mv: &Move| {
        let text = is_legal(&board, mv).then(|| format_san(&board, mv))?;
        board.play(mv);
        Some(text)
    };
    line.iter().map_while(write).collect()
}
