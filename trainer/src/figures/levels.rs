//! The vertical axis of a comparison. If the reference level is far from all results, the axis is broken and the level
//! is drawn in its own strip, so that differences between results stay visible and to scale.

use super::canvas::{Anchor, Area, Canvas, Pen, Text};
use super::figure::Comparison;
use super::frame;
use super::palette::{AXIS, PAGE, SOFT};
use super::scale::{Scale, Spread, Tick, padded, signed};

/// Height of the strip, including the break.
const STRIP: f64 = 62.0;
/// The axis is broken if the gap to the results is at least this multiple of their range.
const FAR: f64 = 1.5;
/// Minimum range of the axis, as a fraction of the results.
const LEAST: f64 = 0.05;
const TICKS: usize = 6;

/// Position of the strip.
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
    /// An axis that covers these values and the level, if given.
    pub(super) fn of(values: &[f64], level: Option<f64>) -> Self {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Nearly equal results are not magnified to fill the page.
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

    /// Decimals that distinguish results: one more than the axis labels have.
    pub(super) fn decimals(&self) -> usize {
        let labels = self.ticks().into_iter();
        let decimals = labels.filter_map(|tick| tick.label.split_once('.').map(|(_, digits)| digits.len()));
        (decimals.max().unwrap_or(0) + 1).max(3)
    }

    /// The scale of the values, without the strip.
    pub(super) fn scale(&self, plot: Area) -> Scale {
        let part = self.part(plot);
        Scale::new(Spread::Even, (self.low, self.high), (part.bottom, part.top))
    }

    /// The plot area without the strip.
    fn part(&self, plot: Area) -> Area {
        match self.cut {
            Break::None => plot,
            Break::Below => Area { bottom: plot.bottom - STRIP, ..plot },
            Break::Above => Area { top: plot.top + STRIP, ..plot },
        }
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, plot: Area, figure: &Comparison) {
        let (part, scale) = (self.part(plot), self.scale(plot));
        frame::vertical(canvas, part, scale, &self.ticks(), &figure.y_label);
        let Some((name, level)) = &figure.baseline else { return };
        let y = match self.cut {
            Break::None => scale.at(*level),
            Break::Below => plot.bottom - 20.0,
            Break::Above => plot.top + 24.0,
        };
        frame::level(canvas, plot, y, name);
        if self.cut != Break::None {
            let decimals = if *level == 0.0 { 0 } else { self.decimals() };
            let label = signed(&format!("{level:.decimals$}"));
            let at = (plot.left - 8.0, y.round() + 0.5);
            canvas.text(Text::new(at, label, frame::SMALL, SOFT).anchored(Anchor::End).centred());
            let middle = if self.cut == Break::Below { part.bottom + 14.0 } else { part.top - 14.0 };
            tear(canvas, plot, middle);
        }
    }
}

/// Draws the break across the plot: two ragged edges with a gap.
fn tear(canvas: &mut Canvas, plot: Area, middle: f64) {
    let teeth = (plot.width() / 14.0).floor();
    let step = plot.width() / (2.0 * teeth);
    let edge = |shift: f64| -> Vec<(f64, f64)> {
        (0..=(2.0 * teeth) as usize)
            .map(|index| (plot.left + index as f64 * step, middle + shift + if index % 2 == 0 { 2.0 } else { -2.0 }))
            .collect()
    };
    canvas.areas(vec![Area { top: middle - 2.0, bottom: middle + 2.0, ..plot }], PAGE);
    for shift in [-2.5, 2.5] {
        canvas.line(&edge(shift), Pen::new(AXIS.faded(0.55), 1.0));
    }
}
