//! Search statistics: nodes and time to each depth, nodes per second, the effective branching factor, the speed-up by
//! threads, and, with the feature `counters`, counts of cutoffs and table hits. Prints nothing.

use alfiere_charts::color::{faded, series};
use alfiere_charts::{Axis, ChartError, Drawing, LegendKey, Page, Point, WIDE, to_svg};
use alfiere_chess::board::Board;
use alfiere_search::engine::{Engine, Position};
use alfiere_search::search::{Info, Limits, Reporter, ScoreKind, SearchCounts};
use serde::Serialize;

/// A finished iteration.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Iteration {
    /// Depth in plies.
    pub depth: u32,
    /// Nodes of all threads since the start of the search.
    pub nodes: u64,
    /// Seconds since the start of the search.
    pub seconds: f64,
}

/// The search of a position to a depth.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Measurement {
    /// The position.
    pub fen: String,
    /// Its finished iterations.
    pub iterations: Vec<Iteration>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Seconds to the end of the search.
    pub seconds: f64,
    /// Counts of events; `None` without the feature `counters`.
    pub counts: Option<SearchCounts>,
}

impl Measurement {
    /// Nodes per second.
    pub fn rate(&self) -> f64 {
        self.nodes as f64 / self.seconds.max(1e-9)
    }

    /// Effective branching factor: the geometric mean of the nodes to a depth divided by the nodes to the depth before.
    /// `None` for fewer than two iterations.
    pub fn branching_factor(&self) -> Option<f64> {
        let (first, last) = (self.iterations.first()?, self.iterations.last()?);
        // The product of all these ratios is the last number divided by the first.
        let growth = last.nodes as f64 / first.nodes.max(1) as f64;
        (last.depth > first.depth).then(|| growth.powf(1.0 / f64::from(last.depth - first.depth)))
    }
}

/// Searches a position to a depth, with an empty table.
///
/// # Errors
/// If the system cannot start a thread.
pub fn measure(engine: &mut Engine, board: &Board, depth: u32) -> std::io::Result<Measurement> {
    engine.new_game();
    engine.set_position(Position::new(board.clone()));
    engine.take_counts();
    let mut recorder = Recorder::default();
    let outcome = engine.search(&Limits::depth(depth), &mut recorder)?;
    Ok(Measurement {
        fen: board.to_fen(),
        iterations: recorder.iterations,
        nodes: outcome.nodes,
        seconds: outcome.time.as_secs_f64(),
        counts: engine.take_counts(),
    })
}

/// Records finished iterations.
#[derive(Default)]
struct Recorder {
    iterations: Vec<Iteration>,
}

impl Reporter for Recorder {
    fn info(&mut self, info: &Info<'_>) {
        let last = self.iterations.last().map_or(0, |iteration| iteration.depth);
        if info.line == 1 && info.kind == ScoreKind::Exact && info.depth > last {
            let &Info { depth, nodes, time, .. } = info;
            self.iterations.push(Iteration { depth, nodes, seconds: time.as_secs_f64() });
        }
    }
}

/// The searches of all positions with one number of threads.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Run {
    /// Their totals.
    pub total: Summary,
    /// The searches in the order of the positions.
    pub positions: Vec<Measurement>,
}

impl Run {
    /// Sums up the searches with this number of threads.
    pub fn new(threads: usize, positions: Vec<Measurement>) -> Self {
        Self { total: Summary::new(threads, &positions), positions }
    }
}

/// The totals of all positions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// Number of threads.
    pub threads: usize,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Seconds of all searches.
    pub seconds: f64,
    /// Nodes per second.
    pub rate: f64,
    /// Geometric mean of the positions' effective branching factors.
    pub branching_factor: Option<f64>,
    /// Sum of all counts; `None` without the feature `counters`.
    pub counts: Option<SearchCounts>,
}

impl Summary {
    fn new(threads: usize, measured: &[Measurement]) -> Self {
        let nodes = measured.iter().map(|each| each.nodes).sum();
        let seconds: f64 = measured.iter().map(|each| each.seconds).sum();
        let mut counts: Option<SearchCounts> = None;
        for each in measured.iter().filter_map(|each| each.counts) {
            counts.get_or_insert_default().merge(each);
        }
        Self {
            threads,
            nodes,
            seconds,
            rate: nodes as f64 / seconds.max(1e-9),
            branching_factor: geometric_mean(measured.iter().filter_map(Measurement::branching_factor)),
            counts,
        }
    }
}

/// The gain of more threads.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct SpeedUp {
    /// Number of threads.
    pub threads: usize,
    /// Nodes per second, divided by those of the first number of threads.
    pub rate: f64,
    /// Geometric mean over positions of the time to the depth with the first number of threads, divided by this one's.
    pub time: f64,
}

/// The gain over the first of several searches of the same positions.
pub fn speed_up(runs: &[Run]) -> Vec<SpeedUp> {
    let Some(base) = runs.first() else { return Vec::new() };
    let of = |Run { total, positions }: &Run| {
        let ratio = |(base, each): (&Measurement, &Measurement)| base.seconds.max(1e-6) / each.seconds.max(1e-6);
        SpeedUp {
            threads: total.threads,
            rate: total.rate / base.total.rate.max(1e-9),
            time: geometric_mean(base.positions.iter().zip(positions).map(ratio)).unwrap_or(1.0),
        }
    };
    runs.iter().map(of).collect()
}

/// The geometric mean; `None` of no values.
pub(super) fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value.ln(), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

/// Maximum number of labels on the x axis.
const MAX_LABELS: usize = 16;

/// Draws the runs, one for each number of threads, as the text of an SVG file: the nodes to each depth of the first
/// run, and, for several runs, their `gains` ([`speed_up`](speed_up)).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_branching_factor_is_a_geometric_mean() {
        let iteration = |(depth, nodes)| Iteration { depth, nodes, seconds: 0.0 };
        let of = |nodes: &[u64]| {
            let iterations = (1..).zip(nodes.iter().copied()).map(iteration).collect();
            let measurement = Measurement { fen: String::new(), iterations, nodes: 0, seconds: 0.0, counts: None };
            measurement.branching_factor()
        };
        // The ratios are 2, 4 and 1.
        assert!(of(&[10, 20, 80, 80]).is_some_and(|factor| (factor - 2.0).abs() < 1e-12));
        assert_eq!((of(&[10]), of(&[])), (None, None));
    }

    fn measurement(nodes: u64, seconds: f64) -> Measurement {
        Measurement { fen: String::new(), iterations: Vec::new(), nodes, seconds, counts: None }
    }

    #[test]
    fn the_gain_is_relative_to_the_first_run() {
        let one = Run::new(1, vec![measurement(100, 1.0), measurement(300, 3.0)]);
        let two = Run::new(2, vec![measurement(150, 0.5), measurement(450, 6.0)]);
        let [first, second] = speed_up(&[one, two])[..] else { panic!("two runs") };
        assert_eq!(first, SpeedUp { threads: 1, rate: 1.0, time: 1.0 });
        // Twice as fast in one position, half as fast in the other.
        assert!((second.time - 1.0).abs() < 1e-12 && (second.rate - 600.0 / 6.5 / 100.0).abs() < 1e-12);
        assert!(speed_up(&[]).is_empty());
    }
}
