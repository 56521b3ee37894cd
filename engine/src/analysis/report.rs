//! What an analysis says of a game: its positions, its moves, and each side as a whole.

use alfiere_chess::board::Board;
use alfiere_chess::movegen::{format_san, is_legal};
use alfiere_chess::types::{Color, Move};

use super::accuracy::{game_accuracy, move_accuracy, win_percent};
use super::judgement::Judgement;
use super::value::Value;

/// A line and where it leads.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Its worth from White's side.
    pub value: Value,
    /// Its moves.
    pub moves: Vec<Move>,
}

/// The same as people write it.
#[derive(Clone, PartialEq, Debug)]
pub struct WrittenLine {
    /// Its worth from White's side.
    pub value: Value,
    /// Its moves, without numbers.
    pub moves: Vec<String>,
}

/// What the engine thinks of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Assessment {
    /// Its worth from White's side.
    pub value: Value,
    /// The points that White expects, 0 to 1.
    pub expectation: f64,
    /// The best line, empty where the game is over.
    pub line: Vec<Move>,
    /// The next best lines, as many as were asked for.
    pub others: Vec<Line>,
    /// Plies searched.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// What a move made of it.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedMove {
    /// The move as people write it, without glyphs.
    pub san: String,
    /// Who played it.
    pub side: Color,
    /// The number of the move.
    pub number: u16,
    /// The expected points that it cost, 0 to 1.
    pub loss: f64,
    /// The centipawns that it cost, 0 to 2000.
    pub centipawn_loss: i32,
    /// Its accuracy in percent.
    pub accuracy: f64,
    /// What it deserves.
    pub judgement: Option<Judgement>,
    /// The engine's move where it would have played another.
    pub better: Option<String>,
    /// The engine's lines from the position before, the best first.
    pub lines: Vec<WrittenLine>,
}

impl JudgedMove {
    /// Number, move and signs: `9... b5?!`.
    pub fn name(&self) -> String {
        let dots = if self.side == Color::White { "." } else { "..." };
        format!("{}{dots} {}{}", self.number, self.san, self.judgement.map_or("", Judgement::signs))
    }
}

/// One side's play over a game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SideReport {
    /// Moves played.
    pub moves: usize,
    /// Moves that cost something, by [`Judgement::ALL`].
    pub judged: [usize; 3],
    /// Centipawns lost a move.
    pub average_centipawn_loss: f64,
    /// Accuracy in percent.
    pub accuracy: f64,
}

/// A game as it was seen.
#[derive(Clone, PartialEq, Debug)]
pub struct GameReport {
    /// Each position, the first before any move.
    pub positions: Vec<Assessment>,
    /// Each move.
    pub moves: Vec<JudgedMove>,
    /// White and Black.
    pub sides: [SideReport; 2],
}

impl GameReport {
    /// Judges the moves of a game by the assessments of all its positions, one more than moves.
    pub(super) fn new(start: &Board, moves: &[Move], positions: Vec<Assessment>) -> Self {
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

fn judge(board: &Board, mv: Move, before: &Assessment, after: &Assessment) -> JudgedMove {
    let side = board.side_to_move();
    let is_white = side == Color::White;
    let best = before.line.first().copied().filter(|&best| best != mv);
    // The engine's own choice costs nothing, even if the next search sees further and likes it less.
    let lost = |before: f64, after: f64| {
        let difference = if is_white { before - after } else { after - before };
        if best.is_some() { difference.max(0.0) } else { 0.0 }
    };
    let loss = lost(before.expectation, after.expectation);
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
            .map(|line| WrittenLine { value: line.value, moves: written(board, &line.moves) })
            .collect(),
    }
}

impl Assessment {
    /// All lines, the best first.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line> {
        std::iter::once(Line { value: self.value, moves: self.line.clone() }).chain(self.others.iter().cloned())
    }
}

/// The moves of a line as people write them; a line ends before a move that is not legal.
fn written(start: &Board, line: &[Move]) -> Vec<String> {
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
    let accuracies: Vec<(usize, f64)> = own().map(|(place, judged)| (place, judged.accuracy)).collect();
    let lost: i64 = own().map(|(_, judged)| i64::from(judged.centipawn_loss)).sum();
    SideReport {
        moves: count,
        judged: Judgement::ALL.map(|wanted| own().filter(|(_, judged)| judged.judgement == Some(wanted)).count()),
        average_centipawn_loss: lost as f64 / count.max(1) as f64,
        accuracy: game_accuracy(percents, &accuracies),
    }
}
