//! Draws a game as an SVG chart: White's expected score after each move, with inaccuracies, mistakes and blunders
//! marked.
//!
//! Texts are rendered by the viewer with its own font. They are positioned at anchors, so the layout does not depend on
//! their width.

use alfiere_chess::types;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::collection::Game;
use super::judgement::Judgement;
use super::report::GameReport;
use crate::chart::{ChartError, DrawingResult, FONT, INK, LINE, MAX_LABELS, SIZE, draw_axes, to_svg};

/// Maximum number of moves labelled in the chart.
const MAX_NAMES: usize = 8;
/// Distance of a label from its point.
const NAME_STEP: i32 = 14;
/// Position of the legend, above the chart.
const LEGEND_LEFT: i32 = 64;
const LEGEND_TOP: i32 = 46;
const LEGEND_STEP: i32 = 130;

/// Draws a game as the text of an SVG file.
///
/// # Errors
/// If the drawing library fails.
pub fn draw_curve(game: &Game, report: &GameReport) -> Result<String, ChartError> {
    to_svg(|svg| draw(svg, game, report))
}

fn draw(svg: &mut String, game: &Game, report: &GameReport) -> DrawingResult {
    let start = &game.pgn.start;
    // The position after White's third move is at x = 3, that after Black's at x = 3.5.
    let half = if start.side_to_move() == types::Color::Black { 0.0 } else { 0.5 };
    let first = f64::from(start.fullmove_number()) - half;
    let x_of = |index: usize| first + index as f64 / 2.0;
    let points: Vec<(f64, f64)> =
        report.positions.iter().enumerate().map(|(index, seen)| (x_of(index), 100.0 * seen.wdl_permille)).collect();
    let last = x_of(report.positions.len().max(2) - 1);
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let middle = SIZE.0 as i32 / 2;
    let style = |size: i32, position: HPos| (FONT, size).into_font().color(&INK).pos(Pos::new(position, VPos::Center));
    root.draw(&Text::new(game.title(), (middle, 22), style(18, HPos::Center)))?;
    let mut chart = ChartBuilder::on(&root)
        .margin_top(66)
        .margin_right(44)
        .margin_left(8)
        .margin_bottom(4)
        .x_label_area_size(46)
        .y_label_area_size(56)
        .build_cartesian_2d(first..last, -6.0..106.0)?;
    let labels = MAX_LABELS.min((last - first) as usize + 2);
    draw_axes(
        chart
            .configure_mesh()
            .x_desc("move")
            .y_desc("White's expected score, %")
            .x_labels(labels)
            .y_labels(6)
            .x_label_formatter(&|number| format!("{number:.0}"))
            .y_label_formatter(&|percent| format!("{percent:.0}")),
    )?;
    chart.draw_series(AreaSeries::new(points.iter().copied(), 50.0, LINE.mix(0.15)))?;
    chart.draw_series(LineSeries::new([(first, 50.0), (last, 50.0)], INK.mix(0.5)))?;
    chart.draw_series(LineSeries::new(points.iter().copied(), LINE.stroke_width(2)))?;
    for (index, judgement) in Judgement::ALL.into_iter().enumerate() {
        let color = color_of(judgement);
        let judged = report.moves.iter().zip(&points[1..]).filter(|(judged, _)| judged.judgement == Some(judgement));
        let judged: Vec<(f64, f64)> = judged.map(|(_, point)| *point).collect();
        let left = LEGEND_LEFT + LEGEND_STEP * index as i32;
        root.draw(&Circle::new((left, LEGEND_TOP), 5, color.filled()))?;
        let legend = format!("{} {} {}", judgement.signs(), judged.len(), name_of(judgement, judged.len()));
        root.draw(&Text::new(legend, (left + 10, LEGEND_TOP), style(13, HPos::Left)))?;
        chart.draw_series(judged.into_iter().map(|point| Circle::new(point, 5, color.filled())))?;
    }
    chart.draw_series(worst(report).into_iter().map(|index| {
        // After a White blunder the curve falls, after a Black one it rises: the label is put on the free side.
        let judged = &report.moves[index];
        let step = if judged.side == types::Color::White { NAME_STEP } else { -NAME_STEP };
        EmptyElement::at(points[index + 1]) + Text::new(judged.name(), (0, step), style(12, HPos::Center))
    }))?;
    let right = SIZE.0 as i32 - 44;
    let [white, black] = &report.sides;
    let accuracy = format!("accuracy: White {:.0} %, Black {:.0} %", white.accuracy, black.accuracy);
    root.draw(&Text::new(accuracy, (right, LEGEND_TOP), style(13, HPos::Right)))?;
    root.present()
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

const fn color_of(judgement: Judgement) -> RGBColor {
    match judgement {
        Judgement::Inaccuracy => RGBColor(86, 180, 233),
        Judgement::Mistake => RGBColor(230, 159, 0),
        Judgement::Blunder => RGBColor(200, 40, 40),
    }
}
