//! Draws game results by label: fractions of wins, draws and losses, White's score, and the fitted sigmoid.

use alfiere_charts::color::{GRID, INK, PAGE, faded, ramp, series};
use alfiere_charts::{Axis, Drawing, LegendKey, Marker, Page, Point};

use super::figure::Outcomes;

/// Points of the fitted curve.
const STEPS: u32 = 200;
/// Minimum number of rows in a bin for a dot.
const FEWEST: u64 = 20;

pub(super) fn draw(figure: &Outcomes, page: &Page<'_>) -> Drawing {
    let colors = [ramp(0.32), GRID, faded(series(3), 0.55)];
    let names = ["White won", "drawn", "Black won"];
    let mut legend: Vec<(LegendKey, String)> = colors
        .iter()
        .zip(names)
        .map(|(&color, name)| (LegendKey::Marker(Marker::Square, color), name.to_owned()))
        .collect();
    legend.push((LegendKey::Dot(INK), "White's points".to_owned()));
    if let Some(scale) = figure.scale {
        legend.push((LegendKey::Line(series(1)), format!("1 / (1 + exp(−label / {scale:.0}))")));
    }
    let top = page.heading(&figure.title, &figure.subtitle, &legend)?;
    let percent = |share: f64| Some(format!("{:.0} %", 100.0 * share));
    let y = Axis::linear("share of the rows", (0.0, 1.0), 5).labelled(percent);
    let half = figure.width / 2.0;
    let (low, high) = Axis::ends_of(figure.bins.iter().map(|bin| bin.0));
    let x = Axis::linear("label in centipawns, from White's side, without mates", (low - half, high + half), 10);
    let plot = page.plot(page.plot_area(top, &[&y]), &x, &y)?;
    let mut dots: Vec<Point> = Vec::new();
    for &(middle, counts) in &figure.bins {
        let rows: u64 = counts.iter().sum();
        if rows == 0 {
            continue;
        }
        let share = |count: u64| count as f64 / rows as f64;
        let mut from = 0.0;
        for (count, color) in counts.into_iter().zip(colors).filter(|(count, _)| *count > 0) {
            let to = from + share(count);
            page.rectangle(plot.at((middle - half, from)), plot.at((middle + half, to)), color)?;
            from = to;
        }
        if rows >= FEWEST {
            dots.push(plot.at((middle, share(counts[0]) + share(counts[1]) / 2.0)));
        }
    }
    if let Some(scale) = figure.scale {
        let labels = (0..=STEPS).map(|step| x.ends.0 + (x.ends.1 - x.ends.0) * f64::from(step) / f64::from(STEPS));
        let curve: Vec<Point> = labels.map(|label| plot.at((label, 1.0 / (1.0 + (-label / scale).exp())))).collect();
        page.line(&curve, faded(PAGE, 0.7), 9)?;
        page.line(&curve, series(1), 5)?;
    }
    for dot in dots {
        page.disc(dot, 8, PAGE)?;
        page.disc(dot, 6, INK)?;
    }
    Ok(())
}
