//! Draws predictions against labels: a density map of the rows, the mean prediction for each label, and histograms of
//! labels and predictions at the edges.

use alfiere_charts::color::{AXIS, INK, PAGE, SOFT, faded, ramp, series};
use alfiere_charts::{Align, Axis, Drawing, LegendKey, Page, Plot, Point, Rect, SMALL, TINY, short, signed};
use alfiere_data::metrics::CLIP_CENTIPAWNS;

use super::figure::Agreement;

/// Number of cells along each side of the map, and their size.
const CELLS: usize = 80;
const CELL: i32 = 10;
const SIDE: i32 = CELLS as i32 * CELL;
/// Height of the histograms next to the map.
const EDGE: f64 = 128.0;
const GAP: i32 = 16;
/// Number of colours between one row and the maximum.
const SHADES: usize = 24;
/// Minimum number of rows in a column for its mean to be drawn.
const FEWEST: u64 = 20;

/// Number of rows in each cell, `counts[column][row]`, columns by label and rows by prediction.
struct Density {
    counts: Vec<[u64; CELLS]>,
    /// Sum of the predictions in each column.
    sums: [f64; CELLS],
}

impl Density {
    fn of(pairs: &[(f64, f64)]) -> Self {
        let cell = |value: f64| ((f64::midpoint(value, 1.0) * CELLS as f64) as usize).min(CELLS - 1);
        let mut density = Self { counts: vec![[0; CELLS]; CELLS], sums: [0.0; CELLS] };
        for &(label, prediction) in pairs {
            density.counts[cell(label)][cell(prediction)] += 1;
            density.sums[cell(label)] += prediction;
        }
        density
    }

    fn by_label(&self) -> Vec<u64> {
        self.counts.iter().map(|column| column.iter().sum()).collect()
    }

    fn by_prediction(&self) -> Vec<u64> {
        (0..CELLS).map(|row| self.counts.iter().map(|column| column[row]).sum()).collect()
    }

    fn most(&self) -> u64 {
        self.counts.iter().flatten().copied().max().unwrap_or(0)
    }
}

pub(super) fn draw(figure: &Agreement, page: &Page<'_>) -> Drawing {
    let density = Density::of(&figure.pairs);
    let legend = [
        (LegendKey::Dashed(INK), "exact".to_owned()),
        (LegendKey::Line(series(1)), "mean prediction for each label".to_owned()),
    ];
    let top = page.heading(&figure.title, &figure.subtitle, &legend)? + EDGE as i32 + GAP - 12;
    let centipawns = |value: f64| Some(signed(&format!("{:.0}", value * CLIP_CENTIPAWNS)));
    let x = Axis::linear("label in centipawns, clipped at ±1000, from White's side", (-1.0, 1.0), 4);
    let y = Axis::linear("prediction in centipawns", x.ends, 4).labelled(centipawns);
    let x = x.labelled(centipawns);
    let left = page.plot_area(top, &[&y]).left;
    let plot = page.plot(Rect { left, top, right: left + SIDE, bottom: top + SIDE }, &x, &y)?;
    draw_cells(page, plot.area, &density)?;
    let exact = [plot.at((-1.0, -1.0)), plot.at((1.0, 1.0))];
    page.line(&exact, faded(PAGE, 0.6), 6)?;
    page.dashed(&exact, INK, 3)?;
    let means = means(&density, &plot);
    page.line(&means, faded(PAGE, 0.7), 9)?;
    page.line(&means, series(1), 5)?;
    draw_edges(page, plot.area, &density)?;
    draw_color_bar(page, plot.area, density.most())
}

/// Position of a count between 1 and the maximum, on a logarithmic scale.
fn share(count: u64, most: u64) -> f64 {
    if most <= 1 { 1.0 } else { (count as f64).ln() / (most as f64).ln() }
}

/// Draws the cells; neighbours of one shade in a column are one rectangle.
fn draw_cells(page: &Page<'_>, plot: Rect, density: &Density) -> Drawing {
    let most = density.most();
    let shade = |count: u64| (count > 0).then(|| (share(count, most) * (SHADES - 1) as f64).round() as usize);
    for (column, counts) in (0..).zip(&density.counts) {
        let left = plot.left + column * CELL;
        let mut bottom = plot.bottom;
        for run in counts.chunk_by(|&one, &next| shade(one) == shade(next)) {
            let top = bottom - run.len() as i32 * CELL;
            if let Some(shade) = shade(run[0]) {
                page.rectangle((left, top), (left + CELL, bottom), ramp(shade as f64 / (SHADES - 1) as f64))?;
            }
            bottom = top;
        }
    }
    Ok(())
}

fn means(density: &Density, plot: &Plot<'_, '_>) -> Vec<Point> {
    let middle = |column: usize| (column as f64 + 0.5) / CELLS as f64 * 2.0 - 1.0;
    let columns = density.by_label().into_iter().zip(density.sums).enumerate();
    columns
        .filter(|(_, (count, _))| *count >= FEWEST)
        .map(|(column, (count, sum))| plot.at((middle(column), sum / count as f64)))
        .collect()
}

/// Draws the histogram of labels above the map, and that of predictions to its right.
fn draw_edges(page: &Page<'_>, plot: Rect, density: &Density) -> Drawing {
    let (labels, predictions) = (density.by_label(), density.by_prediction());
    let most = labels.iter().chain(&predictions).copied().max().unwrap_or(1).max(1) as f64;
    let length = |count: u64| ((count as f64 / most).sqrt() * EDGE) as i32;
    let (above, beside) = (plot.top - GAP, plot.right + GAP);
    for (index, &count) in (0..).zip(&labels) {
        let left = plot.left + index * CELL;
        page.rectangle((left, above - length(count)), (left + CELL - 2, above), ramp(0.45))?;
    }
    for (index, &count) in (0..).zip(&predictions) {
        let bottom = plot.bottom - index * CELL;
        page.rectangle((beside, bottom - CELL + 2), (beside + length(count), bottom), ramp(0.45))?;
    }
    page.line(&[(plot.left, above), (plot.right, above)], AXIS, 2)?;
    page.line(&[(beside, plot.top), (beside, plot.bottom)], AXIS, 2)?;
    page.text((beside, above - 46), "square root", TINY, SOFT, Align::Left)?;
    page.text((beside, above - 16), "of rows", TINY, SOFT, Align::Left)
}

fn draw_color_bar(page: &Page<'_>, plot: Rect, most: u64) -> Drawing {
    let left = page.width - 168;
    let (top, bottom) = (plot.top + 52, plot.bottom);
    let edge = |shade: usize| bottom - (shade as i32 * (bottom - top)) / SHADES as i32;
    for shade in 0..SHADES {
        let color = ramp(shade as f64 / (SHADES - 1) as f64);
        page.rectangle((left, edge(shade + 1)), (left + 28, edge(shade)), color)?;
    }
    page.text((page.width - 36, top - 28), "rows per cell", SMALL, INK, Align::Right)?;
    let mut counts: Vec<u64> = (0..12).map(|power| 10u64.pow(power)).filter(|&count| count <= most).collect();
    // Label the maximum too, unless a power of ten is close to it.
    if counts.last().is_some_and(|&last| share(last, most) < 0.9) {
        counts.push(most);
    }
    for count in counts {
        let y = bottom - (share(count, most) * f64::from(bottom - top)) as i32;
        page.line(&[(left + 28, y), (left + 36, y)], AXIS, 2)?;
        page.text((left + 44, y), &short(count as f64), SMALL, SOFT, Align::Left)?;
    }
    Ok(())
}
