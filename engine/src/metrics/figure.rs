//! Draws the nodes to each depth, and the gain of more threads, as an SVG chart.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::measurement::Measurement;
use super::summary::{Run, SpeedUp, geometric_mean};
use crate::chart::{ChartError, DrawingResult, FONT, INK, LINE, MAX_LABELS, SIZE, draw_axes, to_svg};

const SECOND: RGBColor = RGBColor(230, 159, 0);
const MARGIN: i32 = 14;
const X_LABELS: u32 = 40;
const Y_LABELS: u32 = 66;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Draws the runs, one for each number of threads, as the text of an SVG file: the nodes to each depth of the first
/// run, and, for several runs, their `gains` ([`speed_up`](super::speed_up)).
///
/// # Errors
/// If the drawing library fails.
pub fn draw_metrics(runs: &[Run], gains: &[SpeedUp]) -> Result<String, ChartError> {
    to_svg(|svg| draw(svg, runs, gains))
}

fn draw(svg: &mut String, runs: &[Run], gains: &[SpeedUp]) -> DrawingResult {
    let root = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    if let Some(Run { positions, .. }) = runs.first() {
        if runs.len() > 1 {
            let (left, right) = root.split_horizontally(SIZE.0 / 2);
            draw_nodes(&left, positions)?;
            draw_gain(&right, gains)?;
        } else {
            draw_nodes(&root, positions)?;
        }
    }
    root.present()
}

/// The nodes to each depth: a thin line for each position, and their geometric mean.
fn draw_nodes(area: &Area<'_>, measured: &[Measurement]) -> DrawingResult {
    let lines: Vec<Vec<(f64, f64)>> = measured
        .iter()
        .map(|each| each.iterations.iter().map(|at| (f64::from(at.depth), at.nodes.max(1) as f64)).collect())
        .collect();
    let points = || lines.iter().flatten();
    let depth = points().map(|point| point.0).fold(2.0, f64::max);
    let nodes = points().map(|point| point.1).fold(10.0, f64::max);
    title(area, "nodes to each depth: every position, and the geometric mean")?;
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_top(44)
        .x_label_area_size(X_LABELS)
        .y_label_area_size(Y_LABELS)
        .build_cartesian_2d(1.0..depth, (1.0..nodes * 1.5).log_scale())?;
    draw_axes(
        chart
            .configure_mesh()
            .x_desc("depth")
            .x_labels(MAX_LABELS.min(depth as usize))
            .y_desc("nodes")
            .x_label_formatter(&|depth| format!("{depth:.0}"))
            .y_label_formatter(&|nodes| format!("{nodes:.0}")),
    )?;
    for line in &lines {
        chart.draw_series(LineSeries::new(line.iter().copied(), LINE.mix(0.25)))?;
    }
    let mean = (1..=depth as u32).filter_map(|depth| {
        let at_depth = measured.iter().flat_map(|each| &each.iterations).filter(|iteration| iteration.depth == depth);
        let mean = geometric_mean(at_depth.map(|iteration| iteration.nodes.max(1) as f64));
        mean.map(|nodes| (f64::from(depth), nodes))
    });
    chart.draw_series(LineSeries::new(mean, LINE.stroke_width(3)))?;
    Ok(())
}

/// The gain in time and in nodes per second.
fn draw_gain(area: &Area<'_>, gains: &[SpeedUp]) -> DrawingResult {
    let threads = gains.iter().map(|gain| gain.threads as f64).fold(2.0, f64::max);
    let most = gains.iter().map(|gain| gain.rate.max(gain.time)).fold(2.0, f64::max);
    title(area, "gain of more threads")?;
    let mut chart = ChartBuilder::on(area)
        .margin(MARGIN)
        .margin_top(44)
        .x_label_area_size(X_LABELS)
        .y_label_area_size(Y_LABELS)
        .build_cartesian_2d(1.0..threads, 0.0..most * 1.1)?;
    draw_axes(
        chart
            .configure_mesh()
            .x_desc("threads")
            .x_labels(MAX_LABELS.min(threads as usize))
            .y_desc("times as fast")
            .x_label_formatter(&|threads| format!("{threads:.0}"))
            .y_label_formatter(&|gain| format!("{gain:.1}")),
    )?;
    let points_of = |of: fn(&SpeedUp) -> f64| -> Vec<(f64, f64)> {
        gains.iter().map(|gain| (gain.threads as f64, of(gain))).collect()
    };
    let kinds = [
        ("nodes per second", SECOND, points_of(|gain| gain.rate)),
        ("time to depth", LINE, points_of(|gain| gain.time)),
    ];
    for (index, (name, color, points)) in kinds.into_iter().enumerate() {
        chart.draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)))?;
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 4, color.filled())))?;
        let (left, top) = (Y_LABELS as i32 + 30, 60 + 18 * index as i32);
        area.draw(&Circle::new((left, top), 4, color.filled()))?;
        let style = (FONT, 13).into_font().color(&INK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(name, (left + 10, top), style))?;
    }
    Ok(())
}

fn title(area: &Area<'_>, text: &str) -> DrawingResult {
    let (width, _) = area.dim_in_pixel();
    let style = (FONT, 16).into_font().color(&INK).pos(Pos::new(HPos::Center, VPos::Center));
    area.draw(&Text::new(text, (width as i32 / 2, 22), style))
}
