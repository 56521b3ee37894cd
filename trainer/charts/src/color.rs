//! A colour-blind-safe palette (Okabe and Ito), and one colour ramp for counts.

use plotters::style::RGBAColor;
pub use plotters::style::RGBAColor as Rgba;

const fn hex(code: u32) -> RGBAColor {
    RGBAColor((code >> 16) as u8, (code >> 8) as u8, code as u8, 1.0)
}

/// Titles and labels.
pub const INK: Rgba = hex(0x1f2430);
/// Subtitles and tick labels.
pub const SOFT: Rgba = hex(0x5b6270);
/// Axes.
pub const AXIS: Rgba = hex(0x8a909c);
/// Grid lines.
pub const GRID: Rgba = hex(0xe7e9ed);
/// The background, so that a chart is readable on light and dark pages.
pub const PAGE: Rgba = hex(0xffffff);

const SERIES: [Rgba; 7] =
    [hex(0x0072b2), hex(0xd55e00), hex(0x56b4e9), hex(0xe69f00), hex(0x009e73), hex(0xcc79a7), hex(0x4d4d4d)];

/// Number of distinguishable series.
pub const MAX_SERIES: usize = SERIES.len();

/// The colour of a series: blue, vermilion, sky blue, orange, green, purple, grey.
pub fn series(index: usize) -> Rgba {
    SERIES[index % SERIES.len()]
}

const RAMP: [Rgba; 6] = [hex(0xe6eff8), hex(0xb7d4ea), hex(0x75b1d9), hex(0x3284bf), hex(0x0f529d), hex(0x06264f)];

/// A colour between few (0) and many (1).
pub fn ramp(share: f64) -> Rgba {
    let place = share.clamp(0.0, 1.0) * (RAMP.len() - 1) as f64;
    let index = (place.floor() as usize).min(RAMP.len() - 2);
    let (from, to, part) = (RAMP[index], RAMP[index + 1], place - index as f64);
    let mix = |from: u8, to: u8| (f64::from(from) + (f64::from(to) - f64::from(from)) * part).round() as u8;
    RGBAColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2), 1.0)
}

/// The same colour with transparency.
pub const fn faded(color: Rgba, alpha: f64) -> Rgba {
    RGBAColor(color.0, color.1, color.2, alpha)
}
