//! Draws errors by game phase: three panels over the same bins.

use super::canvas::{Anchor, Area, Canvas, Color, Pen, Point, Text};
use super::figure::{PhaseBin, PhaseError};
use super::font::{Fonts, Weight};
use super::frame::{self, MARGIN, Marker, SMALL, Sign};
use super::palette::{INK, SOFT, ramp, series};
use super::scale::{Scale, Spread, padded, short, signed};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 640.0;
/// Fractions of the height: errors, R², rows.
const PANELS: [f64; 3] = [0.5, 0.29, 0.21];
const BETWEEN: f64 = 40.0;
/// A lower R², possible with few rows, is drawn at this value, with its number next to it.
const LEAST: f64 = -0.5;

/// A quantity of the bins, drawn as a line in the upper panel.
struct Line {
    name: &'static str,
    of: fn(&PhaseBin) -> f64,
    pen: Pen,
    marker: Option<Marker>,
}

fn lines() -> [Line; 3] {
    [
        Line {
            name: "standard deviation of the labels: RMSE of the best constant per bin",
            of: |bin| bin.variance.max(0.0).sqrt(),
            pen: Pen::new(SOFT, 1.6).dashed(5.0, 4.0),
            marker: None,
        },
        Line {
            name: "root mean squared error",
            of: |bin| bin.mse.max(0.0).sqrt(),
            pen: Pen::new(series(0), 2.2),
            marker: Some(Marker::Diamond),
        },
        Line {
            name: "mean absolute error",
            of: |bin| bin.mae,
            pen: Pen::new(series(1), 2.2),
            marker: Some(Marker::Square),
        },
    ]
}

pub(super) fn draw(figure: &PhaseError, fonts: Fonts) -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, fonts);
    let lines = lines();
    let sign = |line: &Line| match line.marker {
        Some(marker) => Sign::Marker(marker, line.pen.color),
        None => Sign::Stroke(line.pen),
    };
    let legend: Vec<(Sign, String)> = lines.iter().map(|line| (sign(line), line.name.to_owned())).collect();
    let top = frame::heading(&mut canvas, &figure.title, &figure.subtitle, &legend);
    let full = Area { left: MARGIN + SMALL + 12.0 + 44.0, top, right: WIDTH - MARGIN, bottom: HEIGHT - 62.0 };
    let height = full.height() - 2.0 * BETWEEN;
    let mut from = full.top;
    let panels = PANELS.map(|share| {
        let panel = Area { top: from.round(), bottom: (from + share * height).round(), ..full };
        from = panel.bottom + BETWEEN;
        panel
    });
    errors(&mut canvas, panels[0], figure, &lines);
    explained(&mut canvas, panels[1], figure);
    rows(&mut canvas, panels[2], figure);
    canvas
}

fn middle(plot: Area, figure: &PhaseError, index: usize) -> f64 {
    plot.left + (index as f64 + 0.5) * plot.width() / figure.bins.len() as f64
}

/// The points of all non-empty bins.
fn points(plot: Area, figure: &PhaseError, y: Scale, of: impl Fn(&PhaseBin) -> f64) -> Vec<Point> {
    let bins = figure.bins.iter().enumerate().filter(|(_, bin)| bin.rows > 0);
    bins.map(|(index, bin)| (middle(plot, figure, index), y.at(of(bin)))).collect()
}

fn errors(canvas: &mut Canvas, plot: Area, figure: &PhaseError, lines: &[Line]) {
    let bins = figure.bins.iter().filter(|bin| bin.rows > 0);
    let high = bins.flat_map(|bin| lines.iter().map(move |line| (line.of)(bin))).fold(0.0, f64::max);
    let y = Scale::new(Spread::Even, (0.0, padded(0.0, high, 5).1), (plot.bottom, plot.top));
    frame::vertical(canvas, plot, y, &y.ticks(5), "error, clipped centipawns");
    frame::floor(canvas, plot);
    for line in lines {
        let points = points(plot, figure, y, line.of);
        canvas.line(&points, line.pen);
        for &point in &points {
            if let Some(marker) = line.marker {
                frame::marker(canvas, point, marker, line.pen.color);
            }
        }
    }
}

fn explained(canvas: &mut Canvas, plot: Area, figure: &PhaseError) {
    let values = figure.bins.iter().filter(|bin| bin.rows > 0).map(|bin| bin.r2.max(LEAST));
    let (low, high) = values.fold((0.0, 0.0), |(low, high): (f64, f64), value| (low.min(value), high.max(value)));
    let (low, high) = (if low < 0.0 { padded(low, high, 4).0 } else { 0.0 }, padded(low, high, 4).1);
    let y = Scale::new(Spread::Even, (low, high), (plot.bottom, plot.top));
    frame::vertical(canvas, plot, y, &y.ticks(2), "R² in the bin");
    let zero = y.at(0.0).round() + 0.5;
    canvas.line(&[(plot.left, zero), (plot.right, zero)], Pen::new(SOFT, 1.0));
    let color = series(2);
    for (index, bin) in figure.bins.iter().enumerate().filter(|(_, bin)| bin.rows > 0) {
        let (x, tip) = (middle(plot, figure, index), y.at(bin.r2.max(LEAST)));
        canvas.line(&[(x, zero), (x, tip)], Pen::new(color.faded(0.5), 3.0));
        canvas.circle((x, tip), 5.0, color, None);
        value(
            canvas,
            (x, if bin.r2 < 0.0 { tip + 14.0 } else { tip - 13.0 }),
            &signed(&format!("{:.3}", bin.r2)),
            color,
        );
    }
}

fn rows(canvas: &mut Canvas, plot: Area, figure: &PhaseError) {
    let most = figure.bins.iter().map(|bin| bin.rows).max().unwrap_or(1).max(1) as f64;
    let y = Scale::new(Spread::Even, (0.0, most * 1.25), (plot.bottom, plot.top));
    let half = (0.3 * plot.width() / figure.bins.len() as f64).min(34.0).round();
    let at = (MARGIN + SMALL - 4.0, f64::midpoint(plot.top, plot.bottom));
    canvas.text(Text::new(at, "rows", SMALL, INK).anchored(Anchor::Middle).turned(-90.0));
    let mut bars = Vec::new();
    for (index, bin) in figure.bins.iter().enumerate() {
        let x = middle(plot, figure, index).round();
        let top = y.at(bin.rows as f64).round();
        bars.push(Area { left: x - half, top, right: x + half, bottom: plot.bottom });
        value(canvas, (x, top - 9.0), &short(bin.rows as f64), SOFT);
        let label = Text::new((x, plot.bottom + 8.0 + SMALL), &bin.label, SMALL, SOFT);
        canvas.text(label.anchored(Anchor::Middle));
    }
    canvas.areas(bars, ramp(0.3));
    frame::floor(canvas, plot);
    frame::named(canvas, plot, canvas.height - 18.0, "pieces on the board");
}

fn value(canvas: &mut Canvas, at: Point, words: &str, color: Color) {
    let text = Text { weight: Weight::Bold, ..Text::new(at, words, 12.0, color) };
    canvas.text(text.anchored(Anchor::Middle).centred());
}
