//! A horizontal axis of names: their places, and labels that are broken into lines or turned until all of them fit.

use super::figure::{Comparison, XAxis};
use super::font::Weight;
use super::frame::{self, SMALL};
use super::palette::SOFT;
use super::scene::{Anchor, Area, Scene, Text};

const LINE: f64 = SMALL * 1.25;
const MOST_LINES: usize = 3;
/// Turned labels rise to the right by this many degrees.
const TURN: f64 = 35.0;

/// The names in the order in which they first appear.
pub(super) struct Categories {
    names: Vec<String>,
}

/// How the labels stand.
enum Labels {
    Lines(Vec<Vec<String>>),
    Turned,
}

impl Categories {
    /// The categories of a comparison; none where its axis has numbers.
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

    /// These names.
    pub(super) fn named(names: &[String]) -> Self {
        Self { names: names.to_vec() }
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// Width of one category's place.
    pub(super) fn slot(&self, plot: Area) -> f64 {
        plot.width() / self.names.len().max(1) as f64
    }

    /// The middle of a category's place.
    pub(super) fn at(&self, plot: Area, name: &str) -> f64 {
        let index = self.names.iter().position(|known| known == name).unwrap_or(0);
        plot.left + (index as f64 + 0.5) * self.slot(plot)
    }

    fn labels(&self, scene: &Scene, plot: Area) -> Labels {
        let room = self.slot(plot) - 10.0;
        let lines: Option<Vec<Vec<String>>> = self.names.iter().map(|name| broken(scene, name, room)).collect();
        lines.map_or(Labels::Turned, Labels::Lines)
    }

    /// The plot without the space that the labels and the axis's name take.
    pub(super) fn make_room(&self, scene: &Scene, plot: Area) -> Area {
        let foot = scene.height - 18.0 - SMALL - 12.0;
        match self.labels(scene, plot) {
            Labels::Lines(lines) => {
                let most = lines.iter().map(Vec::len).max().unwrap_or(1);
                Area { bottom: (foot - 10.0 - most as f64 * LINE).round(), ..plot }
            }
            Labels::Turned => {
                let (sine, cosine) = TURN.to_radians().sin_cos();
                let widths = self.names.iter().map(|name| scene.fonts.width(name, SMALL, Weight::Regular));
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

    /// The axis: its line, the labels and its name.
    pub(super) fn draw(&self, scene: &mut Scene, plot: Area, name: &str) {
        frame::floor(scene, plot);
        match self.labels(scene, plot) {
            Labels::Lines(labels) => {
                for (name, lines) in self.names.iter().zip(labels) {
                    for (index, line) in lines.into_iter().enumerate() {
                        let at = (self.at(plot, name), plot.bottom + 8.0 + SMALL + index as f64 * LINE);
                        scene.text(Text::new(at, line, SMALL, SOFT).anchored(Anchor::Middle));
                    }
                }
            }
            Labels::Turned => {
                for name in &self.names {
                    let at = (self.at(plot, name) + 5.0, plot.bottom + 6.0 + SMALL);
                    scene.text(Text::new(at, name, SMALL, SOFT).anchored(Anchor::End).turned(-TURN));
                }
            }
        }
        frame::named(scene, plot, scene.height - 18.0, name);
    }
}

/// A label in lines no wider than `room`, broken after commas and blanks, all about as long; `None` when that takes too
/// many lines.
fn broken(scene: &Scene, label: &str, room: f64) -> Option<Vec<String>> {
    let fewest = lines(scene, label, room);
    let fits = |lines: &[String]| lines.iter().all(|line| width(scene, line) <= room);
    if fewest.len() > MOST_LINES || !fits(&fewest) {
        return None;
    }
    let least = width(scene, label) / fewest.len() as f64;
    let narrower = (0..16).map(|step| least + (room - least) * f64::from(step) / 16.0);
    let even = narrower.map(|room| lines(scene, label, room)).find(|lines| lines.len() == fewest.len() && fits(lines));
    Some(even.unwrap_or(fewest))
}

/// As few lines as the room allows; a part that is longer has a line of its own.
fn lines(scene: &Scene, label: &str, room: f64) -> Vec<String> {
    let mut lines = vec![String::new()];
    for part in label.split_inclusive([',', ' ']) {
        let last = lines.len() - 1;
        if lines[last].is_empty() || width(scene, &format!("{}{part}", lines[last])) <= room {
            lines[last].push_str(part);
        } else {
            lines.push(part.to_owned());
        }
    }
    lines
}

fn width(scene: &Scene, text: &str) -> f64 {
    scene.fonts.width(text.trim_end(), SMALL, Weight::Regular)
}
