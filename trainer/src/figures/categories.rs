//! A horizontal category axis, with labels that are wrapped or rotated so that all of them fit.

use super::canvas::{Anchor, Area, Canvas, Text};
use super::figure::{Comparison, XAxis};
use super::font::Weight;
use super::frame::{self, SMALL};
use super::palette::SOFT;

const LINE: f64 = SMALL * 1.25;
const MAX_LINES: usize = 3;
/// Angle of rotated labels in degrees, rising to the right.
const TURN: f64 = 35.0;

/// The category names, in order of first appearance.
pub(super) struct Categories {
    names: Vec<String>,
}

/// Layout of the labels.
enum Labels {
    Lines(Vec<Vec<String>>),
    Turned,
}

impl Categories {
    /// The categories of a comparison; none if its axis is numeric.
    pub(super) fn of(figure: &Comparison) -> Self {
        let mut names: Vec<String> = Vec::new();
        if figure.x_axis == XAxis::Categories {
            for group in figure.series.iter().flat_map(|one| &one.groups) {
                if !names.contains(&group.label) {
                    names.push(group.label.clone());
                }
            }
        }
        Self { names }
    }

    /// Categories with these names.
    pub(super) fn named(names: &[String]) -> Self {
        Self { names: names.to_vec() }
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Width of one category.
    pub(super) fn slot(&self, plot: Area) -> f64 {
        plot.width() / self.names.len().max(1) as f64
    }

    /// Centre of a category.
    pub(super) fn at(&self, plot: Area, name: &str) -> f64 {
        let index = self.names.iter().position(|known| known == name).unwrap_or(0);
        plot.left + (index as f64 + 0.5) * self.slot(plot)
    }

    fn labels(&self, canvas: &Canvas, plot: Area) -> Labels {
        let room = self.slot(plot) - 10.0;
        let lines: Option<Vec<Vec<String>>> = self.names.iter().map(|name| wrapped(canvas, name, room)).collect();
        lines.map_or(Labels::Turned, Labels::Lines)
    }

    /// The plot area without the space for the labels and the axis title.
    pub(super) fn make_room(&self, canvas: &Canvas, plot: Area) -> Area {
        let foot = canvas.height - 18.0 - SMALL - 12.0;
        match self.labels(canvas, plot) {
            Labels::Lines(lines) => {
                let most = lines.iter().map(Vec::len).max().unwrap_or(1);
                Area { bottom: (foot - 10.0 - most as f64 * LINE).round(), ..plot }
            }
            Labels::Turned => {
                let (sine, cosine) = TURN.to_radians().sin_cos();
                let widths = self.names.iter().map(|name| canvas.fonts.width(name, SMALL, Weight::Regular));
                let widths: Vec<f64> = widths.collect();
                let longest = widths.iter().copied().fold(0.0, f64::max);
                let beyond = |(index, width): (usize, &f64)| {
                    8.0 + width * cosine - plot.left - (index as f64 + 0.5) * self.slot(plot)
                };
                let left = widths.iter().enumerate().map(beyond).fold(0.0, f64::max);
                Area { left: plot.left + left, bottom: (foot - 16.0 - longest * sine).round(), ..plot }
            }
        }
    }

    /// Draws the axis line, the labels and the axis title.
    pub(super) fn draw(&self, canvas: &mut Canvas, plot: Area, name: &str) {
        frame::floor(canvas, plot);
        match self.labels(canvas, plot) {
            Labels::Lines(labels) => {
                for (name, lines) in self.names.iter().zip(labels) {
                    for (index, line) in lines.into_iter().enumerate() {
                        let at = (self.at(plot, name), plot.bottom + 8.0 + SMALL + index as f64 * LINE);
                        canvas.text(Text::new(at, line, SMALL, SOFT).anchored(Anchor::Middle));
                    }
                }
            }
            Labels::Turned => {
                for name in &self.names {
                    let at = (self.at(plot, name) + 5.0, plot.bottom + 6.0 + SMALL);
                    canvas.text(Text::new(at, name, SMALL, SOFT).anchored(Anchor::End).turned(-TURN));
                }
            }
        }
        frame::named(canvas, plot, canvas.height - 18.0, name);
    }
}

/// Wraps a label after commas and spaces into lines of similar length no wider than `room`; `None` if it needs too many
/// lines.
fn wrapped(canvas: &Canvas, label: &str, room: f64) -> Option<Vec<String>> {
    let fewest = lines(canvas, label, room);
    let fits = |lines: &[String]| lines.iter().all(|line| width(canvas, line) <= room);
    if fewest.len() > MAX_LINES || !fits(&fewest) {
        return None;
    }
    let least = width(canvas, label) / fewest.len() as f64;
    let narrower = (0..16).map(|step| least + (room - least) * f64::from(step) / 16.0);
    let even = narrower.map(|room| lines(canvas, label, room)).find(|lines| lines.len() == fewest.len() && fits(lines));
    Some(even.unwrap_or(fewest))
}

/// Wraps into as few lines as possible; a part wider than `room` gets its own line.
fn lines(canvas: &Canvas, label: &str, room: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in label.split_inclusive([',', ' ']) {
        let last = lines.len() - 1;
        if lines[last].is_empty() || width(canvas, &format!("{}{part}", lines[last])) <= room {
            lines[last].push_str(part);
        } else {
            lines.push(part.to_owned());
        }
    }
    lines
}

fn width(canvas: &Canvas, text: &str) -> f64 {
    canvas.fonts.width(text.trim_end(), SMALL, Weight::Regular)
}
