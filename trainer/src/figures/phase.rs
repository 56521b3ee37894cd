//! Draws errors by game phase: three panels over the same bins.

use alfiere_charts::color::{AXIS, Rgba, SOFT, faded, ramp, series};
use alfiere_charts::{Align, Axis, Drawing, LegendKey, Marker, Page, Point, Rect, TINY, short, signed};
use alfiere_data::metrics::{CLIP_CENTIPAWNS, Metrics};

use super::figure::PhaseError;

/// Tenths of the height of the errors and of R²; the rest is of the rows.
const PANELS: [i32; 2] = [5, 3];
const BETWEEN: i32 = 80;
/// A lower R², possible with few rows, is drawn at this value, with its number next to it.
const LEAST: f64 = -0.5;

/// A quantity of the bins, drawn as a line in the upper panel.
struct Line {
    key: LegendKey,
    name: &'static str,
    of: fn(&Metrics) -> f64,
}

fn lines() -> [Line; 3] {
    [
        Line {
            key: LegendKey::Dashed(SOFT),
            name: "standard deviation of the labels: RMSE of the best constant per bin",
            of: |found| CLIP_CENTIPAWNS * found.label_variance.max(0.0).sqrt(),
        },
        Line {
            key: LegendKey::Marker(Marker::Diamond, series(0)),
            name: "root mean squared error",
            of: Metrics::rmse_centipawns,
        },
        Line {
            key: LegendKey::Marker(Marker::Square, series(1)),
            name: "mean absolute error",
            of: |found| CLIP_CENTIPAWNS * found.mae,
        },
    ]
}

pub(super) fn draw(figure: &PhaseError, page: &Page<'_>) -> Drawing {
    let lines = lines();
    let legend: Vec<(LegendKey, String)> = lines.iter().map(|line| (line.key, line.name.to_owned())).collect();
    let top = page.heading(&figure.title, &figure.subtitle, &legend)?;
    let bins = || figure.bins.iter().enumerate().filter_map(|(index, bin)| Some((index, bin.metrics.as_ref()?)));
    let counts = || figure.bins.iter().map(|bin| bin.metrics.map_or(0, |found| found.rows));
    let high = bins().flat_map(|(_, found)| lines.iter().map(|line| (line.of)(found))).fold(0.0, f64::max);
    let errors = Axis::linear("error, centipawns", (0.0, Axis::around([0.0, high], 5).1), 5);
    let (low, high) = Axis::ends_of(bins().map(|(_, found)| found.r2.max(LEAST)).chain([0.0]));
    let around = Axis::around([low, high], 4);
    let explained = Axis::linear("R² in the bin", (if low < 0.0 { around.0 } else { 0.0 }, around.1), 2);
    let most = counts().max().unwrap_or(1).max(1) as f64;
    let rows = Axis::exactly("rows", (0.0, most * 1.25), Vec::new());
    let full = page.plot_area(top, &[&errors, &explained]);
    let height = (full.bottom - full.top - 2 * BETWEEN) / 10;
    let upper = Rect { bottom: full.top + PANELS[0] * height, ..full };
    let middle = Rect { top: upper.bottom + BETWEEN, bottom: upper.bottom + BETWEEN + PANELS[1] * height, ..full };
    let none = Axis::categories("", figure.bins.len());

    let plot = page.plot(upper, &none, &errors)?;
    for Line { key, of, .. } in lines {
        let points: Vec<Point> = bins().map(|(index, found)| plot.at((index as f64 + 0.5, of(found)))).collect();
        match key {
            LegendKey::Marker(marker, color) => {
                page.line(&points, color, 4)?;
                points.into_iter().try_for_each(|point| page.marker(point, marker, color))?;
            }
            _ => page.dashed(&points, SOFT, 3)?,
        }
    }

    let plot = page.plot(middle, &none, &explained)?;
    let color = series(4);
    for (index, found) in bins() {
        let [foot, tip] = [0.0, found.r2.max(LEAST)].map(|value| plot.at((index as f64 + 0.5, value)));
        page.line(&[foot, tip], faded(color, 0.5), 6)?;
        page.disc(tip, 10, color)?;
        write_value(page, (tip.0, tip.1.min(foot.1) - 28), &signed(&format!("{:.3}", found.r2)), color)?;
    }
    let zero = plot.at((0.0, 0.0)).1;
    page.line(&[(full.left, zero), (full.right, zero)], AXIS, 2)?;

    let names: Vec<String> =
        figure.bins.iter().map(|bin| format!("{} to {}", bin.pieces.start(), bin.pieces.end())).collect();
    let lower = Rect { top: middle.bottom + BETWEEN, ..full };
    let plot = page.plot_of_categories(lower, "pieces on the board", &names, &rows)?;
    for (index, rows) in counts().enumerate() {
        let [from, to] = [(0.2, 0.0), (0.8, rows as f64)].map(|(x, y)| plot.at((index as f64 + x, y)));
        page.rectangle(from, to, ramp(0.3))?;
        write_value(page, (i32::midpoint(from.0, to.0), to.1 - 16), &short(rows as f64), SOFT)?;
    }
    Ok(())
}

fn write_value(page: &Page<'_>, at: Point, words: &str, color: Rgba) -> Drawing {
    page.text(at, words, TINY, color, Align::Middle)
}
