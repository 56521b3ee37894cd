//! Draws a histogram, with separate bars for values beyond the axis.

use super::canvas::{Anchor, Area, Canvas, Pen, Text};
use super::figure::Histogram;
use super::font::{Fonts, Weight};
use super::frame::{self, MARGIN, SMALL};
use super::palette::{AXIS, INK, SOFT, ramp};
use super::scale::{Scale, Spread, padded, short};

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 440.0;
/// Width of a bar beyond the axis, the space around it, and the gap between its label and the axis labels.
const EXTRA: f64 = 34.0;
const APART: f64 = 22.0;
const BESIDE: f64 = 14.0;

pub(super) fn draw(figure: &Histogram, fonts: Fonts) -> Canvas {
    let mut canvas = Canvas::new(WIDTH, HEIGHT, fonts);
    let mut top = frame::heading(&mut canvas, &figure.title, &figure.subtitle, &[]);
    if figure.mark.is_some() {
        top += 10.0;
    }
    let beyond = figure.left.iter().chain(&figure.right).map(|&(_, count)| count);
    let most = figure.counts.iter().copied().chain(beyond).max().unwrap_or(0) as f64;
    let y = Scale::new(Spread::Even, (0.0, padded(0.0, most, 5).1), (0.0, 1.0));
    let ticks = y.ticks(5);
    let left = frame::left_of(&canvas, &ticks, &figure.y_label);
    let plot = Area { left, top, right: WIDTH - MARGIN, bottom: HEIGHT - 62.0 };
    let y = y.on((plot.bottom, plot.top));
    frame::vertical(&mut canvas, plot, y, &ticks, &figure.y_label);
    let room =
        |bars: &[(String, u64)]| bars.len() as f64 * (EXTRA + APART) + if bars.is_empty() { 0.0 } else { BESIDE };
    let inner = Area { left: plot.left + room(&figure.left), right: plot.right - room(&figure.right), ..plot };
    let end = figure.start + figure.width * figure.counts.len() as f64;
    let x = Scale::new(Spread::Even, (figure.start, end), (inner.left, inner.right));
    let bars = figure.counts.iter().enumerate().map(|(index, &count)| {
        let edge = |index: usize| x.at(figure.start + figure.width * index as f64);
        let gap = if edge(1) - edge(0) > 6.0 { 1.0 } else { 0.0 };
        Area { left: edge(index) + gap, top: y.at(count as f64), right: edge(index + 1) - gap, bottom: plot.bottom }
    });
    canvas.areas(bars.filter(|bar| bar.height() > 0.0).collect(), ramp(0.55));
    frame::horizontal(&mut canvas, inner, x, &x.ticks(10), &figure.x_label);
    frame::floor(&mut canvas, plot);
    for (index, bar) in figure.left.iter().enumerate() {
        let middle = plot.left + (index as f64 + 0.5) * (EXTRA + APART) - APART / 4.0;
        extra(&mut canvas, plot, y, middle, bar);
    }
    for (index, bar) in figure.right.iter().rev().enumerate() {
        let middle = plot.right - (index as f64 + 0.5) * (EXTRA + APART) + APART / 4.0;
        extra(&mut canvas, plot, y, middle, bar);
    }
    if let Some((name, place)) = &figure.mark {
        mark(&mut canvas, inner, x.at(*place), name);
    }
    canvas
}

/// Draws a bar beyond the axis with its label and count.
fn extra(canvas: &mut Canvas, plot: Area, y: Scale, middle: f64, (name, count): &(String, u64)) {
    let top = y.at(*count as f64);
    let bar = Area { left: middle - EXTRA / 2.0, top, right: middle + EXTRA / 2.0, bottom: plot.bottom };
    canvas.areas(vec![bar], ramp(0.25));
    let at = (middle, plot.bottom + 10.0 + SMALL);
    canvas.text(Text::new(at, name, SMALL, SOFT).anchored(Anchor::Middle));
    let value = Text { weight: Weight::Bold, ..Text::new((middle, top - 6.0), short(*count as f64), 12.0, SOFT) };
    canvas.text(value.anchored(Anchor::Middle));
}

fn mark(canvas: &mut Canvas, plot: Area, x: f64, name: &str) {
    let x = x.round() + 0.5;
    canvas.line(&[(x, plot.top - 4.0), (x, plot.bottom)], Pen::new(AXIS, 1.2).dashed(2.0, 3.0));
    let half = canvas.fonts.width(name, SMALL, Weight::Regular) / 2.0;
    let at = (x.clamp(plot.left + half, plot.right - half), plot.top - 10.0);
    canvas.text(Text::new(at, name, SMALL, INK).anchored(Anchor::Middle));
}
