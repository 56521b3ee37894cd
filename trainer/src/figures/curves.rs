//! Draws curves over the epochs: validation solid, training dashed.

use super::canvas::{Anchor, Area, Canvas, Color, Pen, Point, Text};
use super::figure::{Curve, CurveKind, Curves};
use super::font::{Fonts, Weight};
use super::frame::{self, MARGIN, SMALL, Sign};
use super::palette::{AXIS, INK, PAGE, series};
use super::scale::{Scale, Spread, Tick, padded, short};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 540.0;
/// Maximum number of points for which each point has a marker.
const MARKED: usize = 40;

pub(super) fn draw(figure: &Curves, fonts: Fonts) -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, fonts);
    let colors = colors(figure);
    let legend: Vec<(Sign, String)> = figure
        .curves
        .iter()
        .zip(&colors)
        .map(|(curve, &color)| (Sign::Stroke(pen(curve, color)), label(curve)))
        .collect();
    let mut top = frame::heading(&mut canvas, &figure.title, &figure.subtitle, &legend);
    if figure.mark.is_some() {
        top += 14.0;
    }
    let (x, y) = (horizontal(figure), vertical(figure));
    let ticks = y.ticks(6);
    let left = frame::left_of(&canvas, &ticks, &figure.y_label);
    let plot = Area { left, top, right: canvas.width - MARGIN, bottom: HEIGHT - 62.0 };
    let (x, y) = (x.on((plot.left, plot.right)), y.on((plot.bottom, plot.top)));
    frame::vertical(&mut canvas, plot, y, &ticks, &figure.y_label);
    let whole = x.ticks(10).into_iter().filter(|tick| tick.value.fract() == 0.0);
    let whole: Vec<Tick> = whole.map(|tick| Tick { label: short(tick.value), ..tick }).collect();
    frame::horizontal(&mut canvas, plot, x, &whole, &figure.x_label);
    if let Some((name, place)) = &figure.mark {
        mark(&mut canvas, plot, x.at(*place), name);
    }
    if let Some((name, level)) = &figure.baseline {
        frame::level(&mut canvas, plot, y.at(*level), name);
    }
    for (curve, &color) in figure.curves.iter().zip(&colors) {
        let points: Vec<Point> = curve.points.iter().map(|&(epoch, value)| (x.at(epoch), y.at(value))).collect();
        canvas.line(&points, pen(curve, color));
        if points.len() <= MARKED {
            let inside = if curve.kind == CurveKind::Training { PAGE } else { color };
            for &point in &points {
                canvas.circle(point, 3.2, inside, Some(Pen::new(color, 1.4)));
            }
        }
        if let (Some((_, place)), CurveKind::Validation) = (&figure.mark, curve.kind) {
            for (&at, _) in points.iter().zip(&curve.points).filter(|(_, point)| point.0.total_cmp(place).is_eq()) {
                canvas.circle(at, 7.5, color.faded(0.0), Some(Pen::new(INK, 1.6)));
            }
        }
    }
    canvas
}

/// One colour per name; a single training and validation pair gets two colours.
fn colors(figure: &Curves) -> Vec<Color> {
    let mut names: Vec<&str> = Vec::new();
    for curve in &figure.curves {
        if !names.contains(&curve.name.as_str()) {
            names.push(&curve.name);
        }
    }
    let of = |curve: &Curve| match (names.len(), curve.kind) {
        (1, CurveKind::Training) => series(1),
        (1, CurveKind::Validation) => series(0),
        _ => series(names.iter().position(|&name| name == curve.name).unwrap_or(0)),
    };
    figure.curves.iter().map(of).collect()
}

fn pen(curve: &Curve, color: Color) -> Pen {
    match curve.kind {
        CurveKind::Training => Pen::new(color, 1.8).dashed(6.0, 4.0),
        CurveKind::Validation => Pen::new(color, 2.2),
    }
}

fn label(curve: &Curve) -> String {
    let kind = match curve.kind {
        CurveKind::Training => "training",
        CurveKind::Validation => "validation",
    };
    if curve.name.is_empty() { kind.to_owned() } else { format!("{}, {kind}", curve.name) }
}

fn horizontal(figure: &Curves) -> Scale {
    let all = figure.curves.iter().flat_map(|curve| &curve.points).map(|point| point.0);
    let all = all.chain(figure.mark.iter().map(|mark| mark.1));
    let (low, high) = ends(all);
    let air = if high > low { 0.02 * (high - low) } else { 0.5 };
    Scale::new(Spread::Even, (low - air, high + air), (0.0, 1.0))
}

fn vertical(figure: &Curves) -> Scale {
    let all = figure.curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
    let (low, high) = ends(all.chain(figure.baseline.iter().map(|baseline| baseline.1)));
    Scale::new(Spread::Even, padded(low, high, 6), (0.0, 1.0))
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// Draws a vertical line through the plot with a label on top, inside the page.
fn mark(canvas: &mut Canvas, plot: Area, x: f64, name: &str) {
    let x = x.round() + 0.5;
    canvas.line(&[(x, plot.top), (x, plot.bottom)], Pen::new(AXIS, 1.2).dashed(2.0, 3.0));
    let half = canvas.fonts.width(name, SMALL, Weight::Regular) / 2.0;
    let at = (x.clamp(plot.left + half, plot.right - half), plot.top - 7.0);
    canvas.text(Text::new(at, name, SMALL, INK).anchored(Anchor::Middle));
}
