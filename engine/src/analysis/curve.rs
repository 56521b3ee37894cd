//! Draws a game as an SVG chart: White's expected score after each move, with inaccuracies, mistakes and blunders
//! marked.

use alfiere_charts::color::{self, INK, Rgba, faded};
use alfiere_charts::{Align, Axis, ChartError, Drawing, LegendKey, Page, Point, TINY, WIDE, to_svg};
use alfiere_chess::review::Judgement;
use alfiere_chess::types::Color;

use super::collection::Game;
use super::report::GameReport;

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
