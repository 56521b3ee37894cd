//! What surrounds the data: title, subtitle, legend, axes, grid.

use super::font::Weight;
use super::palette::{AXIS, GRID, INK, PAGE, SOFT};
use super::scale::{Scale, Tick};
use super::scene::{Anchor, Area, Color, Pen, Point, Scene, Text};

/// Space at the edges of the page.
pub(super) const MARGIN: f64 = 26.0;
/// Size of tick labels and legends.
pub(super) const SMALL: f64 = 13.0;
/// How far the sign for a mean reaches.
pub(super) const MARKER: f64 = 6.5;
const TITLE: f64 = 20.0;
const SUBTITLE: f64 = 14.0;

/// What a line of the legend stands for.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Sign {
    Marker(Marker, Color),
    Dot(Color),
    Stroke(Pen),
}

/// Signs for means; their forms differ where their colours might not.
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

/// Draws a sign for a mean, with a light edge that sets it off from what lies below.
pub(super) fn marker(scene: &mut Scene, at: Point, marker: Marker, color: Color) {
    let (x, y) = at;
    let points: Vec<Point> = match marker {
        Marker::Diamond => vec![(x, y - MARKER), (x + MARKER, y), (x, y + MARKER), (x - MARKER, y)],
        Marker::Square => vec![(x - 5.0, y - 5.0), (x + 5.0, y - 5.0), (x + 5.0, y + 5.0), (x - 5.0, y + 5.0)],
        Marker::Triangle => vec![(x, y - MARKER), (x + 6.0, y + 4.5), (x - 6.0, y + 4.5)],
    };
    scene.polygon(&points, color, Some(Pen::new(PAGE, 1.2)));
}

/// Title, subtitle and legend from the top of the page; gives the height at which the data may begin.
pub(super) fn heading(scene: &mut Scene, title: &str, subtitle: &str, legend: &[(Sign, String)]) -> f64 {
    let room = scene.width - 2.0 * MARGIN;
    let mut y = 14.0;
    for line in scene.fonts.wrap(title, TITLE, Weight::Bold, room) {
        y += TITLE * 1.2;
        scene.text(Text::new((MARGIN, y), line, TITLE, INK).bold());
    }
    for line in scene.fonts.wrap(subtitle, SUBTITLE, Weight::Regular, room) {
        y += SUBTITLE * 1.45;
        scene.text(Text::new((MARGIN, y), line, SUBTITLE, SOFT));
    }
    if legend.is_empty() { y + 24.0 } else { key(scene, legend, y + 24.0) + 28.0 }
}

/// The legend, in lines as long as the page; gives the height of its last line.
fn key(scene: &mut Scene, legend: &[(Sign, String)], mut y: f64) -> f64 {
    let mut x = MARGIN;
    for (sign, name) in legend {
        let (wide, gap) = if matches!(sign, Sign::Stroke(_)) { (28.0, 8.0) } else { (14.0, 6.0) };
        let length = wide + gap + scene.fonts.width(name, SMALL, Weight::Regular);
        if x > MARGIN && x + length > scene.width - MARGIN {
            (x, y) = (MARGIN, y + SMALL * 1.7);
        }
        let middle = (x + wide / 2.0, y);
        match *sign {
            Sign::Marker(form, color) => marker(scene, middle, form, color),
            Sign::Dot(color) => scene.circle(middle, 3.6, color, None),
            Sign::Stroke(pen) => scene.line(&[(x, y), (x + wide, y)], pen),
        }
        scene.text(Text::new((x + wide + gap, y), name, SMALL, INK).centred());
        x += length + 24.0;
    }
    y
}

/// Space that the vertical axis needs to the left of the data, its name included.
pub(super) fn left_of(scene: &Scene, ticks: &[Tick], name: &str) -> f64 {
    let widest = ticks.iter().map(|tick| scene.fonts.width(&tick.label, SMALL, Weight::Regular)).fold(0.0, f64::max);
    let name = if name.is_empty() { 0.0 } else { SMALL + 12.0 };
    MARGIN + name + widest + 8.0
}

/// The vertical axis: a grid line and a label for each tick, and its name, read upwards.
pub(super) fn vertical(scene: &mut Scene, plot: Area, scale: Scale, ticks: &[Tick], name: &str) {
    for tick in ticks {
        let y = scale.at(tick.value).round() + 0.5;
        scene.line(&[(plot.left, y), (plot.right, y)], Pen::new(GRID, 1.0));
        scene.text(Text::new((plot.left - 8.0, y), &tick.label, SMALL, SOFT).anchored(Anchor::End).centred());
    }
    let middle = f64::midpoint(plot.top, plot.bottom);
    let at = (MARGIN + SMALL - 4.0, middle);
    scene.text(Text::new(at, name, SMALL, INK).anchored(Anchor::Middle).turned(-90.0));
}

/// The horizontal axis: its line, a mark and a label for each tick, and its name.
pub(super) fn horizontal(scene: &mut Scene, plot: Area, scale: Scale, ticks: &[Tick], name: &str) {
    floor(scene, plot);
    for tick in ticks {
        let x = scale.at(tick.value).round() + 0.5;
        let length = if tick.label.is_empty() { 3.5 } else { 6.0 };
        scene.line(&[(x, plot.bottom + 0.5), (x, plot.bottom + 0.5 + length)], Pen::new(AXIS, 1.0));
        let at = (x, plot.bottom + 10.0 + SMALL);
        scene.text(Text::new(at, &tick.label, SMALL, SOFT).anchored(Anchor::Middle));
    }
    named(scene, plot, plot.bottom + 10.0 + SMALL + 24.0, name);
}

/// The line at the foot of the data.
pub(super) fn floor(scene: &mut Scene, plot: Area) {
    let y = plot.bottom + 0.5;
    scene.line(&[(plot.left, y), (plot.right, y)], Pen::new(AXIS, 1.0));
}

/// The name of the horizontal axis.
pub(super) fn named(scene: &mut Scene, plot: Area, y: f64, name: &str) {
    let middle = f64::midpoint(plot.left, plot.right);
    scene.text(Text::new((middle, y), name, SMALL, INK).anchored(Anchor::Middle));
}

/// A level across the data, with its name at the right end on a ground of its own: below the line where there is room,
/// since data lie above it more often.
pub(super) fn level(scene: &mut Scene, plot: Area, y: f64, name: &str) {
    let y = y.round() + 0.5;
    scene.line(&[(plot.left, y), (plot.right, y)], Pen::new(SOFT, 1.3).dashed(5.0, 4.0));
    let left = plot.right - 6.0 - scene.fonts.width(name, SMALL, Weight::Regular);
    let top = if y + SMALL + 7.0 <= plot.bottom { y + 1.5 } else { y - SMALL - 6.5 };
    scene.areas(vec![Area { left, top, right: plot.right, bottom: top + SMALL + 5.0 }], PAGE);
    scene.text(Text::new((plot.right - 2.0, top + SMALL + 0.5), name, SMALL, SOFT).anchored(Anchor::End));
}
