//! Draws predictions against labels: how many rows lie where, what is predicted on average, and how labels and
//! predictions are spread along the edges.

use super::figure::Agreement;
use super::font::Fonts;
use super::frame::{self, MARGIN, SMALL, Sign};
use super::palette::{AXIS, GRID, INK, PAGE, SOFT, ramp, series};
use super::scale::{Scale, Spread, short};
use super::scene::{Anchor, Area, Pen, Point, Scene, Text};

/// Cells along each side of the map, and how wide they are.
const CELLS: usize = 80;
const CELL: f64 = 5.0;
const SIDE: f64 = CELLS as f64 * CELL;
/// Height of the histograms beside the map.
const EDGE: f64 = 64.0;
const GAP: f64 = 8.0;
/// Colours between one row and the most in a cell.
const SHADES: usize = 24;
/// Columns with fewer rows have no mean worth drawing.
const FEWEST: u64 = 20;

/// Rows in each cell, `counts[column][row]`, columns by label and rows by prediction.
struct Density {
    counts: Vec<[u64; CELLS]>,
    /// Sum of predictions in each column.
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

pub(super) fn draw(figure: &Agreement, fonts: Fonts) -> Scene {
    let density = Density::of(&figure.pairs);
    let mut scene = Scene::new(700.0, 700.0, fonts);
    let legend = [
        (Sign::Stroke(Pen::new(INK, 1.3).dashed(5.0, 4.0)), "exact".to_owned()),
        (Sign::Stroke(Pen::new(series(1), 2.4)), "mean prediction for each label".to_owned()),
    ];
    let top = (frame::heading(&mut scene, &figure.title, &figure.subtitle, &legend) + EDGE + GAP - 6.0).round();
    let left = 96.0;
    let plot = Area { left, top, right: left + SIDE, bottom: top + SIDE };
    scene.height = plot.bottom + 62.0;
    let x = Scale::new(Spread::Even, (-1.0, 1.0), (plot.left, plot.right));
    let y = x.on((plot.bottom, plot.top));
    frame::vertical(&mut scene, plot, y, &y.ticks(4), "prediction");
    for tick in x.ticks(4) {
        let place = x.at(tick.value).round() + 0.5;
        scene.line(&[(place, plot.top), (place, plot.bottom)], Pen::new(GRID, 1.0));
    }
    map(&mut scene, plot, &density);
    frame::horizontal(&mut scene, plot, x, &x.ticks(4), "label: clamp(centipawns / 1000, −1, 1), from White's side");
    let exact = [(x.at(-1.0), y.at(-1.0)), (x.at(1.0), y.at(1.0))];
    scene.line(&exact, Pen::new(PAGE.faded(0.6), 3.0));
    scene.line(&exact, Pen::new(INK, 1.3).dashed(5.0, 4.0));
    let means = means(&density, x, y);
    scene.line(&means, Pen::new(PAGE.faded(0.7), 4.6));
    scene.line(&means, Pen::new(series(1), 2.4));
    edges(&mut scene, plot, &density);
    bar(&mut scene, plot, density.most());
    scene
}

/// Where a count lies between one row and the most, by its logarithm.
fn share(count: u64, most: u64) -> f64 {
    if most <= 1 { 1.0 } else { (count as f64).ln() / (most as f64).ln() }
}

/// The cells, those of one shade together.
fn map(scene: &mut Scene, plot: Area, density: &Density) {
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
        scene.areas(areas, ramp(shade as f64 / (SHADES - 1) as f64));
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

/// How labels are spread, above the map, and predictions, to its right.
fn edges(scene: &mut Scene, plot: Area, density: &Density) {
    let (labels, predictions) = (density.by_label(), density.by_prediction());
    let most = labels.iter().chain(&predictions).copied().max().unwrap_or(1).max(1) as f64;
    let length = |count: u64| (count as f64 / most).sqrt() * EDGE;
    let above = plot.top - GAP;
    let beside = plot.right + GAP;
    let columns = labels.iter().enumerate().map(|(index, &count)| {
        let left = plot.left + index as f64 * CELL;
        Area { left, top: above - length(count), right: left + CELL - 1.0, bottom: above }
    });
    scene.areas(columns.collect(), ramp(0.45));
    let rows = predictions.iter().enumerate().map(|(index, &count)| {
        let bottom = plot.bottom - index as f64 * CELL;
        Area { left: beside, top: bottom - CELL + 1.0, right: beside + length(count), bottom }
    });
    scene.areas(rows.collect(), ramp(0.45));
    scene.line(&[(plot.left, above + 0.5), (plot.right, above + 0.5)], Pen::new(AXIS, 1.0));
    scene.line(&[(beside - 0.5, plot.top), (beside - 0.5, plot.bottom)], Pen::new(AXIS, 1.0));
    let note = Text::new((plot.right + GAP, plot.top - GAP - 18.0), "square root", SMALL - 2.0, SOFT);
    scene.text(note);
    scene.text(Text::new((plot.right + GAP, plot.top - GAP - 4.0), "of rows", SMALL - 2.0, SOFT));
}

/// What the colours stand for.
fn bar(scene: &mut Scene, plot: Area, most: u64) {
    let left = scene.width - MARGIN - 58.0;
    let (top, bottom) = (plot.top + 26.0, plot.bottom);
    let height = (bottom - top) / SHADES as f64;
    for shade in 0..SHADES {
        let lower = bottom - shade as f64 * height;
        let area = Area { left, top: lower - height, right: left + 14.0, bottom: lower };
        scene.areas(vec![area], ramp(shade as f64 / (SHADES - 1) as f64));
    }
    scene.text(Text::new((scene.width - MARGIN + 8.0, top - 12.0), "rows per cell", SMALL, INK).anchored(Anchor::End));
    let mut counts: Vec<u64> = (0..12).map(|power| 10u64.pow(power)).filter(|&count| count <= most).collect();
    // The largest count is named too, unless a power of ten is close to it.
    if counts.last().is_some_and(|&last| share(last, most) < 0.9) {
        counts.push(most);
    }
    for count in counts {
        let y = bottom - share(count, most) * (bottom - top);
        scene.line(&[(left + 14.0, y), (left + 18.0, y)], Pen::new(AXIS, 1.0));
        scene.text(Text::new((left + 22.0, y), short(count as f64), SMALL, SOFT).centred());
    }
}
