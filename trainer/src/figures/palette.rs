//! A colour-blind-safe palette (Okabe and Ito), and one colour ramp for counts.

use super::canvas::Color;

/// Titles and labels.
pub(super) const INK: Color = Color::hex(0x1f2430);
/// Subtitles, tick labels, legends.
pub(super) const SOFT: Color = Color::hex(0x5b6270);
/// Axes.
pub(super) const AXIS: Color = Color::hex(0x8a909c);
/// Grid lines.
pub(super) const GRID: Color = Color::hex(0xe7e9ed);
/// Background.
pub(super) const PAGE: Color = Color::hex(0xffffff);

/// One colour per series.
const SERIES: [Color; 7] = [
    Color::hex(0x0072b2),
    Color::hex(0xd55e00),
    Color::hex(0x009e73),
    Color::hex(0xcc79a7),
    Color::hex(0xe69f00),
    Color::hex(0x56b4e9),
    Color::hex(0x4d4d4d),
];

/// Number of distinguishable series.
pub(super) const MAX_SERIES: usize = SERIES.len();

/// The colour of a series.
pub(super) fn series(index: usize) -> Color {
    SERIES[index % SERIES.len()]
}

/// From few to many.
const RAMP: [Color; 6] = [
    Color::hex(0xe6eff8),
    Color::hex(0xb7d4ea),
    Color::hex(0x75b1d9),
    Color::hex(0x3284bf),
    Color::hex(0x0f529d),
    Color::hex(0x06264f),
];

/// A colour between few (0) and many (1).
pub(super) fn ramp(share: f64) -> Color {
    let place = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let index = (place.floor() as usize).min(RAMP.len() - 2);
    RAMP[index].towards(RAMP[index + 1], place - index as f64)
}
