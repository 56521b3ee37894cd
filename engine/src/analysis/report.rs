//! The report of an analysed game: positions, moves, and a summary of each side.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{format_san, is_legal};
use alfiere_chess::types::{Color, Move};

use super::accuracy::{game_accuracy, move_accuracy, win_percent};
use super::judgement::Judgement;
use super::white_score::WhiteScore;

/// A principal variation with its value.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Its value from White's point of view.
    pub value: WhiteScore,
    /// Its moves.
    pub moves: Vec<Move>,
}

/// A line in SAN.
#[derive(Clone, PartialEq, Debug)]
pub struct WrittenLine {
    /// Its value from White's point of view.
    pub value: WhiteScore,
    /// Its moves in SAN, without move numbers.
    pub moves: Vec<String>,
}

/// The engine's evaluation of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionReport {
    /// The value from White's point of view.
    pub value: WhiteScore,
    /// White's expected score, 0 to 1.
    pub expected_score: f64,
    /// The best line; empty if the game is over.
    pub line: Vec<Move>,
    /// The next best lines, up to the number of lines requested.
    pub others: Vec<Line>,
    /// Depth in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// A move with its judgement.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedMove {
    /// The move in SAN, without glyphs.
    pub san: String,
    /// The side that played it.
    pub side: Color,
    /// The move number.
    pub number: u16,
    /// Loss of expected score, 0 to 1.
    pub loss: f64,
    /// Loss in centipawns, 0 to 2000.
    pub centipawn_loss: i32,
    /// Its accuracy in percent.
    pub accuracy: f64,
    /// The judgement, if the loss is large enough.
    pub judgement: Option<Judgement>,
    /// The engine's move in SAN, if it differs.
    pub better: Option<String>,
    /// The engine's lines before the move, best first.
    pub lines: Vec<WrittenLine>,
}

impl JudgedMove {
    /// Move number, move and suffix: `9... b5?!`.
    pub fn name(&self) -> String {
        let dots = if self.side == Color::White { "." } else { "..." };
        format!("{}{dots} {}{}", self.number, self.san, self.judgement.map_or("", Judgement::signs))
    }
}

/// Summary of one side's moves.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SideReport {
    /// The number of moves.
    pub moves: usize,
    /// Number of moves per judgement, in the order of [`Judgement::ALL`].
    pub judged: [usize; 3],
    /// Average centipawn loss per move.
    pub average_centipawn_loss: f64,
    /// Accuracy in percent.
    pub accuracy: f64,
}

/// The report of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameReport {
    /// All positions, including the start.
    pub positions: Vec<PositionReport>,
    /// All moves.
    pub moves: Vec<JudgedMove>,
    /// The summaries of White and Black.
    pub sides: [SideReport; 2],
}

impl GameReport {
    /// Judges the moves of a game by the reports on its positions, one more than moves.
    pub(super) fn new(start: &Board, moves: &[Move], positions: Vec<PositionReport>) -> Self {
        debug_assert_eq!(positions.len(), moves.len() + 1);
        let mut board = start.clone();
        let mut judged = Vec::with_capacity(moves.len());
        for (&mv, pair) in moves.iter().zip(positions.windows(2)) {
            judged.push(judge(&board, mv, &pair[0], &pair[1]));
            board.play(mv);
        }
        let percents: Vec<f64> = positions.iter().map(|position| win_percent(position.value.bounded())).collect();
        let sides = Color::ALL.map(|side| side_report(side, &judged, &percents));
        Self { positions, moves: judged, sides }
    }
}

fn judge(board: &Board, mv: Move, before: &PositionReport, after: &PositionReport) -> JudgedMove {
    let side = board.side_to_move();
    let is_white = side == Color::White;
    let best = before.line.first().copied().filter(|&best| best != mv);
    // The engine's own choice costs nothing, even if the next search evaluates it lower.
    let lost = |before: f64, after: f64| {
        let difference = if is_white { before - after } else { after - before };
        if best.is_some() { difference.max(0.0) } else { 0.0 }
    };
    let loss = lost(before.expected_score, after.expected_score);
    let [value_before, value_after] = [before, after].map(|position| position.value.bounded());
    let percent_loss = lost(win_percent(value_before), win_percent(value_after));
    JudgedMove {
        san: format_san(board, mv),
        side,
        number: board.fullmove_number(),
        loss,
        centipawn_loss: lost(value_before.into(), value_after.into()) as i32,
        accuracy: move_accuracy(percent_loss, 0.0),
        judgement: Judgement::of_loss(loss),
        better: best.map(|best| format_san(board, best)),
        lines: before
            .lines()
            .map(|line| WrittenLine { value: line.value, moves: to_san(board, &line.moves) })
            .collect(),
    }
}

impl PositionReport {
    /// All lines, best first.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line> {
        std::iter::once(Line { value: self.value, moves: self.line.clone() }).chain(self.others.iter().cloned())
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

fn side_report(side: Color, moves: &[JudgedMove], percents: &[f64]) -> SideReport {
    let own = || moves.iter().enumerate().filter(|(_, judged)| judged.side == side);
    let count = own().count();
    let accuracies: Vec<(usize, f64)> = own().map(|(index, judged)| (index, judged.accuracy)).collect();
    let lost: i64 = own().map(|(_, judged)| i64::from(judged.centipawn_loss)).sum();
    SideReport {
        moves: count,
        judged: Judgement::ALL.map(|kind| own().filter(|(_, judged)| judged.judgement == Some(kind)).count()),
        average_centipawn_loss: lost as f64 / count.max(1) as f64,
        accuracy: game_accuracy(percents, &accuracies),
    }
}
