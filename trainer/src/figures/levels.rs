//! The vertical axis of a comparison. Where the level to compare with lies far from all results, the axis is broken and
//! the level gets a strip of its own, so that differences between results stay visible and none is drawn out of scale.

use super::figure::Comparison;
use super::frame;
use super::palette::{AXIS, PAGE, SOFT};
use super::scale::{Scale, Spread, Tick, padded, signed};
use super::scene::{Anchor, Area, Pen, Scene, Text};

/// Height of the strip, the break included.
const STRIP: f64 = 62.0;
/// The level is far when the gap to the results is so many times their own spread.
const FAR: f64 = 1.5;
/// The axis spans at least this share of the results.
const LEAST: f64 = 0.05;
const TICKS: usize = 6;

/// Where the strip lies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Break {
    None,
    Below,
    Above,
}

pub(super) struct Levels {
    low: f64,
    high: f64,
    cut: Break,
}

impl Levels {
    /// An axis for these values and, if there is one, the level.
    pub(super) fn of(values: &[f64], level: Option<f64>) -> Self {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Results that hardly differ are not blown up to fill the page.
        let spread = (high - low).max(LEAST * high.abs().max(low.abs()));
        let middle = f64::midpoint(low, high);
        let (low, high) = (low.min(middle - spread / 2.0), high.max(middle + spread / 2.0));
        let cut = match level {
            Some(level) if low - level > FAR * spread => Break::Below,
            Some(level) if level - high > FAR * spread => Break::Above,
            _ => Break::None,
        };
        let (low, high) = match level {
            Some(level) if cut == Break::None => (low.min(level), high.max(level)),
            _ => (low, high),
        };
        let (low, high) = padded(low, high, TICKS);
        Self { low, high, cut }
    }

    pub(super) fn ticks(&self) -> Vec<Tick> {
        Scale::new(Spread::Even, (self.low, self.high), (0.0, 1.0)).ticks(TICKS)
    }

    /// Decimals that tell results apart: one more than the labels of the axis have.
    pub(super) fn decimals(&self) -> usize {
        let labels = self.ticks().into_iter();
        let decimals = labels.filter_map(|tick| tick.label.split_once('.').map(|(_, digits)| digits.len()));
        (decimals.max().unwrap_or(0) + 1).max(3)
    }

    /// Where values lie, the strip left out.
    pub(super) fn scale(&self, plot: Area) -> Scale {
        let part = self.part(plot);
        Scale::new(Spread::Even, (self.low, self.high), (part.bottom, part.top))
    }

    /// The plot without the strip.
    fn part(&self, plot: Area) -> Area {
        match self.cut {
            Break::None => plot,
            Break::Below => Area { bottom: plot.bottom - STRIP, ..plot },
            Break::Above => Area { top: plot.top + STRIP, ..plot },
        }
    }

    pub(super) fn draw(&self, scene: &mut Scene, plot: Area, figure: &Comparison) {
        let (part, scale) = (self.part(plot), self.scale(plot));
        frame::vertical(scene, part, scale, &self.ticks(), &figure.y_label);
        let Some((name, level)) = &figure.baseline else { return };
        let y = match self.cut {
            Break::None => scale.at(*level),
            Break::Below => plot.bottom - 20.0,
            Break::Above => plot.top + 24.0,
        };
        frame::level(scene, plot, y, name);
        if self.cut != Break::None {
            let decimals = if *level == 0.0 { 0 } else { self.decimals() };
            let label = signed(&format!("{level:.decimals$}"));
            let at = (plot.left - 8.0, y.round() + 0.5);
            scene.text(Text::new(at, label, frame::SMALL, SOFT).anchored(Anchor::End).centred());
            let middle = if self.cut == Break::Below { part.bottom + 14.0 } else { part.top - 14.0 };
            tear(scene, plot, middle);
        }
    }
}

/// The sign of a broken axis, right across: two ragged edges with the page between them.
fn tear(scene: &mut Scene, plot: Area, middle: f64) {
    let teeth = (plot.width() / 14.0).floor();
    let step = plot.width() / (2.0 * teeth);
    let edge = |shift: f64| -> Vec<(f64, f64)> {
        (0..=(2.0 * teeth) as usize)
            .map(|index| (plot.left + index as f64 * step, middle + shift + if index % 2 == 0 { 2.0 } else { -2.0 }))
            .collect()
    };
    scene.areas(vec![Area { top: middle - 2.0, bottom: middle + 2.0, ..plot }], PAGE);
    for shift in [-2.5, 2.5] {
        scene.line(&edge(shift), Pen::new(AXIS.faded(0.55), 1.0));
    }
}
