//! Axes: a range, and round values in it with their labels. Numbers as text.

use std::ops::Range;

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};

use super::heading::LegendKey;

/// An axis of a plot.
#[derive(Clone, PartialEq, Debug)]
pub struct Axis {
    /// What is measured, with its unit.
    pub name: String,
    logarithmic: bool,
    /// Values at both ends.
    pub ends: (f64, f64),
    /// Labelled values.
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// An axis from `low` to `high`, with about `count` labels.
    pub fn linear(name: &str, (low, high): (f64, f64), count: usize) -> Self {
        let step = round_step((high - low) / count.max(1) as f64);
        let slack = step * 1e-6;
        let first = ((low - slack) / step).ceil() as i64;
        let last = ((high + slack) / step).floor() as i64;
        let ticks = (first..=last).map(|index| index as f64 * step).map(|value| (value, fixed(value, step)));
        Self::exactly(name, (low, high), ticks.collect())
    }

    /// A logarithmic axis from `low`, which is above 0, to `high`. Powers of ten are labelled; if there are few, also 2
    /// and 5 times as much.
    pub fn logarithmic(name: &str, (low, high): (f64, f64)) -> Self {
        let inside = |value: f64| value >= low * (1.0 - 1e-9) && value <= high * (1.0 + 1e-9);
        let powers = (low.log10().floor() as i32)..=(high.log10().ceil() as i32);
        let whole = powers.clone().filter(|&power| inside(10f64.powi(power))).count();
        let factors: &[f64] = if whole >= 3 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let values = powers.flat_map(|power| factors.iter().map(move |factor| factor * 10f64.powi(power)));
        let ticks = values.filter(|&value| inside(value)).map(|value| (value, short(value)));
        Self { name: name.to_owned(), logarithmic: true, ends: (low, high), ticks: ticks.collect() }
    }

    /// An axis of `count` categories; the centre of the first is at 0.5. It has no labels of its own.
    pub fn categories(name: &str, count: usize) -> Self {
        Self::exactly(name, (0.0, count.max(1) as f64), Vec::new())
    }

    /// An axis with these labelled values.
    pub fn exactly(name: &str, ends: (f64, f64), ticks: Vec<(f64, String)>) -> Self {
        Self { name: name.to_owned(), logarithmic: false, ends, ticks }
    }

    /// The same axis, labelled with `label` of each value.
    #[must_use]
    pub fn labelled(mut self, label: impl Fn(f64) -> Option<String>) -> Self {
        self.ticks = self.ticks.into_iter().filter_map(|(value, _)| Some((value, label(value)?))).collect();
        self
    }

    /// The same axis, labelled at these values, in increasing order, unless they are closer to each other than `count`
    /// labels would be along the whole axis.
    #[must_use]
    pub fn labelled_at(self, values: &[f64], count: usize) -> Self {
        let places: Vec<f64> = values.iter().map(|&value| self.share(value)).collect();
        if values.is_empty() || places.windows(2).any(|pair| pair[1] - pair[0] < 1.0 / count as f64) {
            return self;
        }
        Self { ticks: values.iter().map(|&value| (value, exact(value))).collect(), ..self }
    }

    /// The key of a reference level in a legend, which says where it is if it is outside the axis.
    pub fn level(&self, name: &str, value: f64) -> (LegendKey, String) {
        let place = match value {
            value if value < self.ends.0 => ": below the axis",
            value if value > self.ends.1 => ": above the axis",
            _ => "",
        };
        (LegendKey::Level, format!("{name}{place}"))
    }

    /// Where a value is, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        let (low, high) = self.ends;
        if self.logarithmic { (value / low).ln() / (high / low).ln() } else { (value - low) / (high - low) }
    }

    /// The same axis, labelled at whole numbers only.
    #[must_use]
    pub fn whole(self) -> Self {
        self.labelled(|value| (value.fract() == 0.0).then(|| short(value)))
    }

    /// The largest number of decimals in a label.
    pub fn decimals(&self) -> usize {
        let digits = self.ticks.iter().filter_map(|(_, label)| label.split_once('.').map(|(_, digits)| digits.len()));
        digits.max().unwrap_or(0)
    }

    /// The range of some values, extended to round numbers, for about `count` labels. A single value gets space on both
    /// sides.
    pub fn around(values: impl IntoIterator<Item = f64>, count: usize) -> (f64, f64) {
        let (low, high) = Self::ends_of(values);
        let size = low.abs().max(high.abs());
        let air = if high > low { 0.06 * (high - low) } else { (0.1 * size).max(1e-3) };
        // Differences of rounding size are not a range.
        let air = air.max(1e-9 * size).max(1e-12);
        let step = round_step((high - low + 2.0 * air) / count as f64) / 2.0;
        (((low - air) / step).floor() * step, ((high + air) / step).ceil() * step)
    }

    /// The smallest and the largest of some values; 0 and 0 of none.
    pub fn ends_of(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
        let ends = values.into_iter().map(|value| (value, value));
        ends.reduce(|(low, high), (value, _)| (low.min(value), high.max(value))).unwrap_or_default()
    }
}

/// A value with all its digits, unless they are many.
fn exact(value: f64) -> String {
    let text = value.to_string();
    if value.abs() < 1_000.0 && text.len() <= 8 { signed(&text) } else { short(value) }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        // Far outside the plot is outside.
        from + (self.share(*value).clamp(-1.0, 2.0) * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.ticks.iter().map(|(value, _)| *value).collect()
    }

    fn range(&self) -> Range<f64> {
        self.ends.0..self.ends.1
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(value: &f64) -> String {
        value.to_string()
    }

    fn format_ext(&self, value: &f64) -> String {
        let found = self.ticks.iter().find(|(tick, _)| tick.total_cmp(value).is_eq());
        found.map_or_else(String::new, |(_, label)| label.clone())
    }
}

/// Formats 1200 as `1.2k`, 3000000 as `3M`, 0.0001 as `0.0001`, 0.00001 as `1e−5`.
pub fn short(value: f64) -> String {
    let (divided, unit) = match value.abs() {
        size if size >= 999.5e12 || size > 0.0 && size < 9.5e-5 => return scientific(value),
        size if size >= 999.5e9 => (value / 1e12, "T"),
        size if size >= 999.5e6 => (value / 1e9, "G"),
        size if size >= 999.5e3 => (value / 1e6, "M"),
        size if size >= 999.5 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let size = divided.abs();
    let decimals = match size {
        size if size >= 99.95 || unit.is_empty() && size >= 1.0 && divided.fract() == 0.0 => 0,
        // Two digits of small numbers, too.
        size if size > 0.0 && size < 0.1 => (1.0 - size.log10().floor()) as usize,
        _ => 2,
    };
    signed(&format!("{}{unit}", without_zeros(&format!("{divided:.decimals$}"))))
}

fn scientific(value: f64) -> String {
    let text = format!("{value:.1e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    format!("{}e{}", signed(without_zeros(digits)), signed(exponent))
}

/// The number without zeros after its decimal point.
fn without_zeros(text: &str) -> &str {
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { text }
}

/// Uses a true minus sign, and none before zero.
pub fn signed(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|letter| letter == '0' || letter == '.') => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => text.to_owned(),
    }
}

/// 1, 2 or 5 times a power of ten, closest to the requested step.
pub(crate) fn round_step(wanted: f64) -> f64 {
    let power = 10f64.powf(wanted.log10().floor());
    let factor = match wanted / power {
        share if share < 1.5 => 1.0,
        share if share < 3.5 => 2.0,
        share if share < 7.5 => 5.0,
        _ => 10.0,
    };
    factor * power
}

/// Formats with as many decimals as the step requires; large numbers are shortened.
pub(crate) fn fixed(value: f64, step: f64) -> String {
    if step >= 1_000.0 {
        return short(value);
    }
    // A step such as 0.3 - 0.1 is slightly off a power of ten.
    let decimals = (-(step * 1.000_001).log10().floor()).max(0.0) as usize;
    signed(&format!("{value:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: Axis) -> Vec<String> {
        axis.ticks.into_iter().map(|(_, label)| label).collect()
    }

    #[test]
    fn linear_labels_are_round() {
        assert_eq!(labels(Axis::linear("", (-0.05, 0.42), 5)), ["0.0", "0.1", "0.2", "0.3", "0.4"]);
        assert_eq!(labels(Axis::linear("", (-1.0, 1.0), 4)), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(Axis::linear("", (0.0, 40_000.0), 4)), ["0", "10k", "20k", "30k", "40k"]);
    }

    #[test]
    fn powers_of_ten_are_labelled() {
        let axis = Axis::logarithmic("", (800.0, 1_400_000.0));
        assert_eq!([800.0, 1_400_000.0].map(|value| axis.map(&value, (100, 0))), [100, 0]);
        assert_eq!(labels(axis), ["1k", "10k", "100k", "1M"]);
        assert_eq!(labels(Axis::logarithmic("", (150.0, 700.0))), ["200", "500"]);
        assert_eq!(labels(Axis::logarithmic("", (1e-6, 0.02))), ["1e−6", "1e−5", "0.0001", "0.001", "0.01"]);
        assert_eq!(
            labels(Axis::logarithmic("", (8e-5, 0.006))),
            ["0.0001", "0.0002", "0.0005", "0.001", "0.002", "0.005"]
        );
    }

    #[test]
    fn values_with_room_are_labelled_themselves() {
        let axis = || Axis::logarithmic("", (8e-5, 0.04));
        let values = [0.0001, 0.00125, 0.01];
        assert_eq!(labels(axis().labelled_at(&values, 10)), ["0.0001", "0.00125", "0.01"]);
        assert_eq!(labels(axis().labelled_at(&[values[0], 0.00011], 10)), labels(axis()));
    }

    #[test]
    fn legend_says_where_a_level_outside_the_axis_is() {
        let axis = Axis::linear("", (0.2, 0.4), 4);
        let names = [0.0, 0.3, 0.5].map(|value| axis.level("zero", value).1);
        assert_eq!(names, ["zero: below the axis", "zero", "zero: above the axis"]);
    }

    #[test]
    fn single_value_gets_space() {
        let (low, high) = Axis::around([0.4], 5);
        assert!(low < 0.4 && 0.4 < high && high - low < 0.3, "{low} {high}");
        let (low, high) = Axis::around([1e12, 1e12 + 1e-4], 5);
        assert!(low < 1e12 && 1e12 + 1e-4 < high, "{low} {high}");
    }

    #[test]
    fn numbers_are_shortened() {
        let numbers = [0.0, 12.0, 999.0, 1_000.0, 1_250.0, 99_960.0, 1_190_000.0, -2_000.0];
        assert_eq!(numbers.map(short), ["0", "12", "999", "1k", "1.25k", "100k", "1.19M", "−2k"]);
        let small = [0.126, 0.05, 0.012, 1e-3, -1e-4, 1e-5, 2.5e-7, 1e12, 2e17];
        assert_eq!(small.map(short), ["0.13", "0.05", "0.012", "0.001", "−0.0001", "1e−5", "2.5e−7", "1T", "2e17"]);
        assert_eq!(signed("-0.00"), "0.00");
    }
}
