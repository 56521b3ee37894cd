//! Draws everything around the data: title, subtitle, legend, axes, grid.

use super::canvas::{Anchor, Area, Canvas, Color, Pen, Point, Text};
use super::font::Weight;
use super::palette::{AXIS, GRID, INK, PAGE, SOFT};
use super::scale::{Scale, Tick};

/// Margin of the page.
pub(super) const MARGIN: f64 = 26.0;
/// Font size of tick labels and legends.
pub(super) const SMALL: f64 = 13.0;
/// Radius of the marker of a mean.
pub(super) const MARKER: f64 = 6.5;
const TITLE: f64 = 20.0;
const SUBTITLE: f64 = 14.0;

/// The symbol of a legend entry.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Sign {
    Marker(Marker, Color),
    Dot(Color),
    Stroke(Pen),
}

/// Markers of means; shapes differ in case colours are hard to distinguish.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Marker {
    Diamond,
    Square,
    Triangle,
}

impl Marker {
    pub(super) fn of(index: usize) -> Self {
        [Self::Diamond, Self::Square, Self::Triangle][index % 3]
    }
}

/// Draws a marker of a mean, with a light outline.
pub(super) fn marker(canvas: &mut Canvas, at: Point, marker: Marker, color: Color) {
    let (x, y) = at;
    let points: Vec<Point> = match marker {
        Marker::Diamond => vec![(x, y - MARKER), (x + MARKER, y), (x, y + MARKER), (x - MARKER, y)],
        Marker::Square => vec![(x - 5.0, y - 5.0), (x + 5.0, y - 5.0), (x + 5.0, y + 5.0), (x - 5.0, y + 5.0)],
        Marker::Triangle => vec![(x, y - MARKER), (x + 6.0, y + 4.5), (x - 6.0, y + 4.5)],
    };
    canvas.polygon(&points, color, Some(Pen::new(PAGE, 1.2)));
}

/// Draws title, subtitle and legend; returns the y position where the plot may start.
pub(super) fn heading(canvas: &mut Canvas, title: &str, subtitle: &str, legend: &[(Sign, String)]) -> f64 {
    let room = canvas.width - 2.0 * MARGIN;
    let mut y = 14.0;
    for line in canvas.fonts.wrap(title, TITLE, Weight::Bold, room) {
        y += TITLE * 1.2;
        canvas.text(Text::new((MARGIN, y), line, TITLE, INK).bold());
    }
    for line in canvas.fonts.wrap(subtitle, SUBTITLE, Weight::Regular, room) {
        y += SUBTITLE * 1.45;
        canvas.text(Text::new((MARGIN, y), line, SUBTITLE, SOFT));
    }
    if legend.is_empty() { y + 24.0 } else { key(canvas, legend, y + 24.0) + 28.0 }
}

/// Draws the legend, wrapped to the page width; returns the y position of its last line.
fn key(canvas: &mut Canvas, legend: &[(Sign, String)], mut y: f64) -> f64 {
    let mut x = MARGIN;
    for (sign, name) in legend {
        let (wide, gap) = if matches!(sign, Sign::Stroke(_)) { (28.0, 8.0) } else { (14.0, 6.0) };
        let length = wide + gap + canvas.fonts.width(name, SMALL, Weight::Regular);
        if x > MARGIN && x + length > canvas.width - MARGIN {
            (x, y) = (MARGIN, y + SMALL * 1.7);
        }
        let middle = (x + wide / 2.0, y);
        match *sign {
            Sign::Marker(form, color) => marker(canvas, middle, form, color),
            Sign::Dot(color) => canvas.circle(middle, 3.6, color, None),
            Sign::Stroke(pen) => canvas.line(&[(x, y), (x + wide, y)], pen),
        }
        canvas.text(Text::new((x + wide + gap, y), name, SMALL, INK).centred());
        x += length + 24.0;
    }
    y
}

/// Width of the vertical axis, including its title.
pub(super) fn left_of(canvas: &Canvas, ticks: &[Tick], name: &str) -> f64 {
    let widest = ticks.iter().map(|tick| canvas.fonts.width(&tick.label, SMALL, Weight::Regular)).fold(0.0, f64::max);
    let name = if name.is_empty() { 0.0 } else { SMALL + 12.0 };
    MARGIN + name + widest + 8.0
}

/// Draws the vertical axis: a grid line and a label for each tick, and its title, rotated.
pub(super) fn vertical(canvas: &mut Canvas, plot: Area, scale: Scale, ticks: &[Tick], name: &str) {
    for tick in ticks {
        let y = scale.at(tick.value).round() + 0.5;
        canvas.line(&[(plot.left, y), (plot.right, y)], Pen::new(GRID, 1.0));
        canvas.text(Text::new((plot.left - 8.0, y), &tick.label, SMALL, SOFT).anchored(Anchor::End).centred());
    }
    let middle = f64::midpoint(plot.top, plot.bottom);
    let at = (MARGIN + SMALL - 4.0, middle);
    canvas.text(Text::new(at, name, SMALL, INK).anchored(Anchor::Middle).turned(-90.0));
}

/// Draws the horizontal axis: its line, a tick mark and a label for each tick, and its title.
pub(super) fn horizontal(canvas: &mut Canvas, plot: Area, scale: Scale, ticks: &[Tick], name: &str) {
    floor(canvas, plot);
    for tick in ticks {
        let x = scale.at(tick.value).round() + 0.5;
        let length = if tick.label.is_empty() { 3.5 } else { 6.0 };
        canvas.line(&[(x, plot.bottom + 0.5), (x, plot.bottom + 0.5 + length)], Pen::new(AXIS, 1.0));
        let at = (x, plot.bottom + 10.0 + SMALL);
        canvas.text(Text::new(at, &tick.label, SMALL, SOFT).anchored(Anchor::Middle));
    }
    named(canvas, plot, plot.bottom + 10.0 + SMALL + 24.0, name);
}

/// Draws the line at the bottom of the plot.
pub(super) fn floor(canvas: &mut Canvas, plot: Area) {
    let y = plot.bottom + 0.5;
    canvas.line(&[(plot.left, y), (plot.right, y)], Pen::new(AXIS, 1.0));
}

/// Draws the title of the horizontal axis.
pub(super) fn named(canvas: &mut Canvas, plot: Area, y: f64, name: &str) {
    let middle = f64::midpoint(plot.left, plot.right);
    canvas.text(Text::new((middle, y), name, SMALL, INK).anchored(Anchor::Middle));
}

/// Draws a reference level across the plot. Its label is at the right end, below the line if there is room, because
/// data are above it more often.
pub(super) fn level(canvas: &mut Canvas, plot: Area, y: f64, name: &str) {
    let y = y.round() + 0.5;
    canvas.line(&[(plot.left, y), (plot.right, y)], Pen::new(SOFT, 1.3).dashed(5.0, 4.0));
    let left = plot.right - 6.0 - canvas.fonts.width(name, SMALL, Weight::Regular);
    let top = if y + SMALL + 7.0 <= plot.bottom { y + 1.5 } else { y - SMALL - 6.5 };
    canvas.areas(vec![Area { left, top, right: plot.right, bottom: top + SMALL + 5.0 }], PAGE);
    canvas.text(Text::new((plot.right - 2.0, top + SMALL + 0.5), name, SMALL, SOFT).anchored(Anchor::End));
}
