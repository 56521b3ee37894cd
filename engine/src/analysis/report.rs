//! The report of an analysed game: positions, moves, and a summary of each side.

use alfiere_charts::color::{self, INK, Rgba, faded};
use alfiere_charts::{Align, Axis, ChartError, Drawing, LegendKey, Page, Point, TINY, WIDE, to_svg};
use alfiere_chess::board::Board;
use alfiere_chess::movegen::{format_san, is_legal};
use alfiere_chess::review::{Evaluation, Judgement, MoveReview, SideReview, WhiteScore, review};
use alfiere_chess::types::{Color, Move};

use super::Game;

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

/// What the engine has found in a position.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionReport {
    /// The score of the best line, and the expected score.
    pub evaluation: Evaluation,
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

/// The report of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct GameReport {
    /// All positions, including the start.
    pub positions: Vec<PositionReport>,
    /// All moves.
    pub moves: Vec<JudgedMove>,
    /// The summaries of White and Black.
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
        loss: review.loss,
        centipawn_loss: review.centipawn_loss,
        accuracy: review.accuracy,
        judgement: review.judgement,
        better: better.map(|&best| format_san(board, best)),
        lines: before
            .lines()
            .map(|line| WrittenLine { value: line.value, moves: to_san(board, &line.moves) })
            .collect(),
    }
}

impl PositionReport {
    /// Makes a move, whose line continues with `after`, the best one.
    fn put_first(&mut self, mv: Move, evaluation: Evaluation, after: Vec<Move>) {
        let line = std::iter::once(mv).chain(after).collect();
        let earlier = Line { value: self.evaluation.score, moves: std::mem::replace(&mut self.line, line) };
        let count = self.others.len();
        self.others.insert(0, earlier);
        self.others.retain(|other| other.moves.first() != Some(&mv));
        self.others.truncate(count);
        self.evaluation = evaluation;
    }

    /// All lines, best first.
    pub(super) fn lines(&self) -> impl Iterator<Item = Line> {
        std::iter::once(Line { value: self.evaluation.score, moves: self.line.clone() })
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

// Draws a game as an SVG chart: White's expected score after each move, with inaccuracies, mistakes and blunders
// marked.

/// Maximum number of labels on the x axis.
const MAX_LABELS: usize = 16;
/// Maximum number of moves labelled in the chart.
const MAX_NAMES: usize = 8;
/// Distance of a label from its point, and the smallest distances between labels.
const NAME_STEP: i32 = 28;
const NAME_DISTANCE: Point = (150, 28);

/// Draws a game as the text of an SVG file.
///
/// # Errors
/// If the drawing library fails.
pub fn draw_curve(game: &Game, report: &GameReport) -> Result<String, ChartError> {
    let title = game.title();
    to_svg(WIDE, &title, |page| draw(page, &title, game, report))
}

fn draw(page: &Page<'_>, title: &str, game: &Game, report: &GameReport) -> Drawing {
    let start = &game.pgn.start;
    // The position after White's third move is at x = 3, that after Black's at x = 3.5.
    let half = if start.side_to_move() == Color::Black { 0.0 } else { 0.5 };
    let first = f64::from(start.fullmove_number()) - half;
    let x_of = |index: usize| first + index as f64 / 2.0;
    let values =
        report.positions.iter().enumerate().map(|(index, seen)| (x_of(index), 100.0 * seen.evaluation.expected_score));
    let last = x_of(report.positions.len().max(2) - 1);
    let [white, black] = &report.sides;
    let accuracy = format!("accuracy: White {:.0} %, Black {:.0} %", white.accuracy, black.accuracy);
    let count = |kind: Judgement| report.moves.iter().filter(|judged| judged.judgement == Some(kind)).count();
    let legend = Judgement::ALL.map(|kind| {
        let (signs, count) = (kind.signs(), count(kind));
        (LegendKey::Disc(color_of(kind)), format!("{signs} {count} {}", name_of(kind, count)))
    });
    let top = page.heading(title, &accuracy, &legend)?;
    let x = Axis::linear("move", (first, last), MAX_LABELS).whole();
    let y = Axis::linear("White's expected score, %", (-6.0, 106.0), 5);
    let plot = page.plot(page.plot_area(top, &[&y]), &x, &y)?;
    let points: Vec<Point> = values.map(|value| plot.at(value)).collect();
    let middle = [plot.at((last, 50.0)), plot.at((first, 50.0))];
    let line = color::series(0);
    page.polygon(&[points.as_slice(), &middle].concat(), faded(line, 0.15))?;
    page.line(&middle, faded(INK, 0.5), 2)?;
    page.line(&points, line, 4)?;
    for (judged, &point) in report.moves.iter().zip(points.iter().skip(1)) {
        if let Some(kind) = judged.judgement {
            page.disc(point, 10, color_of(kind))?;
        }
    }
    let mut named: Vec<Point> = Vec::new();
    for index in worst(report) {
        // After a White blunder the curve falls, after a Black one it rises: the label is put on the free side.
        let (judged, (x, y)) = (&report.moves[index], points[index + 1]);
        let y = if judged.side == Color::White { y + NAME_STEP } else { y - NAME_STEP };
        let near = |at: &Point| (at.0 - x).abs() < NAME_DISTANCE.0 && (at.1 - y).abs() < NAME_DISTANCE.1;
        if !named.iter().any(near) {
            named.push((x, y));
            page.text((x, y), &judged.name(), TINY, INK, Align::Middle)?;
        }
    }
    Ok(())
}

/// The indices of the moves with the highest loss.
fn worst(report: &GameReport) -> Vec<usize> {
    let mut indices: Vec<usize> =
        (0..report.moves.len()).filter(|&index| report.moves[index].judgement.is_some()).collect();
    indices.sort_by(|&one, &other| report.moves[other].loss.total_cmp(&report.moves[one].loss));
    indices.truncate(MAX_NAMES);
    indices
}

fn name_of(judgement: Judgement, count: usize) -> &'static str {
    if count == 1 { judgement.name() } else { judgement.plural() }
}

fn color_of(judgement: Judgement) -> Rgba {
    color::series(match judgement {
        Judgement::Inaccuracy => 2,
        Judgement::Mistake => 3,
        Judgement::Blunder => 1,
    })
}
