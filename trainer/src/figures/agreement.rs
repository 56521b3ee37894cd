//! Draws predictions against labels: a density map of the rows, the mean prediction for each label, and histograms of
//! labels and predictions at the edges.

use super::canvas::{Anchor, Area, Canvas, Pen, Point, Text};
use super::figure::Agreement;
use super::font::Fonts;
use super::frame::{self, MARGIN, SMALL, Sign};
use super::palette::{AXIS, GRID, INK, PAGE, SOFT, ramp, series};
use super::scale::{Scale, Spread, short};

/// Number of cells along each side of the map, and their size.
const CELLS: usize = 80;
const CELL: f64 = 5.0;
const SIDE: f64 = CELLS as f64 * CELL;
/// Height of the histograms next to the map.
const EDGE: f64 = 64.0;
const GAP: f64 = 8.0;
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

pub(super) fn draw(figure: &Agreement, fonts: Fonts) -> Canvas {
    let density = Density::of(&figure.pairs);
    let mut canvas = Canvas::new(700.0, 700.0, fonts);
    let legend = [
        (Sign::Stroke(Pen::new(INK, 1.3).dashed(5.0, 4.0)), "exact".to_owned()),
        (Sign::Stroke(Pen::new(series(1), 2.4)), "mean prediction for each label".to_owned()),
    ];
    let top = (frame::heading(&mut canvas, &figure.title, &figure.subtitle, &legend) + EDGE + GAP - 6.0).round();
    let left = 96.0;
    let plot = Area { left, top, right: left + SIDE, bottom: top + SIDE };
    canvas.height = plot.bottom + 62.0;
    let x = Scale::new(Spread::Even, (-1.0, 1.0), (plot.left, plot.right));
    let y = x.on((plot.bottom, plot.top));
    frame::vertical(&mut canvas, plot, y, &y.ticks(4), "prediction");
    for tick in x.ticks(4) {
        let place = x.at(tick.value).round() + 0.5;
        canvas.line(&[(place, plot.top), (place, plot.bottom)], Pen::new(GRID, 1.0));
    }
    map(&mut canvas, plot, &density);
    frame::horizontal(&mut canvas, plot, x, &x.ticks(4), "label: clamp(centipawns / 1000, −1, 1), from White's side");
    let exact = [(x.at(-1.0), y.at(-1.0)), (x.at(1.0), y.at(1.0))];
    canvas.line(&exact, Pen::new(PAGE.faded(0.6), 3.0));
    canvas.line(&exact, Pen::new(INK, 1.3).dashed(5.0, 4.0));
    let means = means(&density, x, y);
    canvas.line(&means, Pen::new(PAGE.faded(0.7), 4.6));
    canvas.line(&means, Pen::new(series(1), 2.4));
    edges(&mut canvas, plot, &density);
    color_bar(&mut canvas, plot, density.most());
    canvas
}

/// Position of a count between 1 and the maximum, on a logarithmic scale.
fn share(count: u64, most: u64) -> f64 {
    if most <= 1 { 1.0 } else { (count as f64).ln() / (most as f64).ln() }
}

/// Draws the cells, grouped by shade.
fn map(canvas: &mut Canvas, plot: Area, density: &Density) {
    let most = density.most();
    let mut shades: Vec<Vec<Area>> = vec![Vec::new(); SHADES];
    for (column, counts) in density.counts.iter().enumerate() {
        for (row, &count) in counts.iter().enumerate().filter(|(_, count)| **count > 0) {
            let shade = (share(count, most) * (SHADES - 1) as f64).round() as usize;
            let (left, bottom) = (plot.left + column as f64 * CELL, plot.bottom - row as f64 * CELL);
            shades[shade].push(Area { left, top: bottom - CELL, right: left + CELL, bottom });
        }
    }
    for (shade, areas) in shades.into_iter().enumerate().filter(|(_, areas)| !areas.is_empty()) {
        canvas.areas(areas, ramp(shade as f64 / (SHADES - 1) as f64));
    }
}

fn means(density: &Density, x: Scale, y: Scale) -> Vec<Point> {
    let middle = |column: usize| (column as f64 + 0.5) / CELLS as f64 * 2.0 - 1.0;
    let columns = density.by_label().into_iter().zip(density.sums).enumerate();
    columns
        .filter(|(_, (count, _))| *count >= FEWEST)
        .map(|(column, (count, sum))| (x.at(middle(column)), y.at(sum / count as f64)))
        .collect()
}

/// Draws the histogram of labels above the map, and that of predictions to its right.
fn edges(canvas: &mut Canvas, plot: Area, density: &Density) {
    let (labels, predictions) = (density.by_label(), density.by_prediction());
    let most = labels.iter().chain(&predictions).copied().max().unwrap_or(1).max(1) as f64;
    let length = |count: u64| (count as f64 / most).sqrt() * EDGE;
    let above = plot.top - GAP;
    let beside = plot.right + GAP;
    let columns = labels.iter().enumerate().map(|(index, &count)| {
        let left = plot.left + index as f64 * CELL;
        Area { left, top: above - length(count), right: left + CELL - 1.0, bottom: above }
    });
    canvas.areas(columns.collect(), ramp(0.45));
    let rows = predictions.iter().enumerate().map(|(index, &count)| {
        let bottom = plot.bottom - index as f64 * CELL;
        Area { left: beside, top: bottom - CELL + 1.0, right: beside + length(count), bottom }
    });
    canvas.areas(rows.collect(), ramp(0.45));
    canvas.line(&[(plot.left, above + 0.5), (plot.right, above + 0.5)], Pen::new(AXIS, 1.0));
    canvas.line(&[(beside - 0.5, plot.top), (beside - 0.5, plot.bottom)], Pen::new(AXIS, 1.0));
    let note = Text::new((plot.right + GAP, plot.top - GAP - 18.0), "square root", SMALL - 2.0, SOFT);
    canvas.text(note);
    canvas.text(Text::new((plot.right + GAP, plot.top - GAP - 4.0), "of rows", SMALL - 2.0, SOFT));
}

/// Draws the colour bar.
fn color_bar(canvas: &mut Canvas, plot: Area, most: u64) {
    let left = canvas.width - MARGIN - 58.0;
    let (top, bottom) = (plot.top + 26.0, plot.bottom);
    let height = (bottom - top) / SHADES as f64;
    for shade in 0..SHADES {
        let lower = bottom - shade as f64 * height;
        let area = Area { left, top: lower - height, right: left + 14.0, bottom: lower };
        canvas.areas(vec![area], ramp(shade as f64 / (SHADES - 1) as f64));
    }
    canvas
        .text(Text::new((canvas.width - MARGIN + 8.0, top - 12.0), "rows per cell", SMALL, INK).anchored(Anchor::End));
    let mut counts: Vec<u64> = (0..12).map(|power| 10u64.pow(power)).filter(|&count| count <= most).collect();
    // Label the maximum too, unless a power of ten is close to it.
    if counts.last().is_some_and(|&last| share(last, most) < 0.9) {
        counts.push(most);
    }
    for count in counts {
        let y = bottom - share(count, most) * (bottom - top);
        canvas.line(&[(left + 14.0, y), (left + 18.0, y)], Pen::new(AXIS, 1.0));
        canvas.text(Text::new((left + 22.0, y), short(count as f64), SMALL, SOFT).centred());
    }
}
