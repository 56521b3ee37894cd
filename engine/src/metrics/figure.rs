//! Draws the nodes to each depth, and the gain of more threads, as an SVG chart.

use alfiere_charts::color::{faded, series};
use alfiere_charts::{Axis, ChartError, Drawing, LegendKey, Page, Point, WIDE, to_svg};

use super::measurement::Measurement;
use super::summary::{Run, SpeedUp, geometric_mean};

/// Maximum number of labels on the x axis.
const MAX_LABELS: usize = 16;

/// Draws the runs, one for each number of threads, as the text of an SVG file: the nodes to each depth of the first
/// run, and, for several runs, their `gains` ([`speed_up`](super::speed_up)).
///
/// # Errors
/// If the drawing library fails.
pub fn draw_metrics(runs: &[Run], gains: &[SpeedUp]) -> Result<String, ChartError> {
    to_svg(WIDE, "Measurements of the search", |page| match runs {
        [] => Ok(()),
        [run] => draw_nodes(page, &run.positions),
        [run, ..] => {
            let [left, right] = page.halves();
            draw_nodes(&left, &run.positions)?;
            draw_gain(&right, gains)
        }
    })
}

/// The nodes to each depth: a thin line for each position, and their geometric mean.
fn draw_nodes(page: &Page<'_>, measured: &[Measurement]) -> Drawing {
    let lines: Vec<Vec<(f64, f64)>> = measured
        .iter()
        .map(|each| each.iterations.iter().map(|at| (f64::from(at.depth), at.nodes.max(1) as f64)).collect())
        .collect();
    let points = || lines.iter().flatten();
    let depth = points().map(|point| point.0).fold(2.0, f64::max);
    let nodes = points().map(|point| point.1).fold(10.0, f64::max);
    let (thin, thick) = (faded(series(0), 0.25), series(1));
    let legend =
        [(LegendKey::Line(thin), "each position".to_owned()), (LegendKey::Line(thick), "geometric mean".to_owned())];
    let top = page.heading("Nodes to each depth", "", &legend)?;
    let y = Axis::logarithmic("nodes", (1.0, nodes * 1.5));
    let plot = page.plot(page.plot_area(top, &[&y]), &whole("depth", depth), &y)?;
    for line in &lines {
        let points: Vec<Point> = line.iter().map(|&point| plot.at(point)).collect();
        page.line(&points, thin, 2)?;
    }
    let mean = (1..=depth as u32).filter_map(|depth| {
        let at_depth = measured.iter().flat_map(|each| &each.iterations).filter(|iteration| iteration.depth == depth);
        let mean = geometric_mean(at_depth.map(|iteration| iteration.nodes.max(1) as f64));
        mean.map(|nodes| plot.at((f64::from(depth), nodes)))
    });
    page.line(&mean.collect::<Vec<Point>>(), thick, 6)
}

/// The gain in time and in nodes per second.
fn draw_gain(page: &Page<'_>, gains: &[SpeedUp]) -> Drawing {
    let threads = gains.iter().map(|gain| gain.threads as f64).fold(2.0, f64::max);
    let most = gains.iter().map(|gain| gain.rate.max(gain.time)).fold(2.0, f64::max);
    let names = ["time to depth", "nodes per second"];
    let legend = [0, 1].map(|index| (LegendKey::Disc(series(index)), names[index].to_owned()));
    let top = page.heading("Gain of more threads", "", &legend)?;
    let y = Axis::linear("times as fast", (0.0, most * 1.1), 6);
    let plot = page.plot(page.plot_area(top, &[&y]), &whole("threads", threads), &y)?;
    for index in [0, 1] {
        let points = gains.iter().map(|gain| plot.at((gain.threads as f64, [gain.time, gain.rate][index])));
        let points: Vec<Point> = points.collect();
        page.line(&points, series(index), 4)?;
        points.into_iter().try_for_each(|point| page.disc(point, 8, series(index)))?;
    }
    Ok(())
}

/// An axis from 1 to `last`, with whole numbers.
fn whole(name: &str, last: f64) -> Axis {
    Axis::linear(name, (1.0, last), MAX_LABELS.min(last as usize)).whole()
}
