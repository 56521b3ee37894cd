//! Maps values to positions on the page, and computes round tick values.

/// Linear or logarithmic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Spread {
    Even,
    Logarithmic,
}

/// Maps a range of values to a range of positions.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Scale {
    spread: Spread,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Positions of `low` and `high`.
    page: (f64, f64),
}

/// A round value and its label; without a label only a tick mark is drawn.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

impl Scale {
    /// Maps `low..=high` to `page`.
    pub(super) fn new(spread: Spread, (low, high): (f64, f64), page: (f64, f64)) -> Self {
        Self { spread, low, high, page }
    }

    /// The same values mapped to a different range of positions.
    pub(super) fn on(self, page: (f64, f64)) -> Self {
        Self { page, ..self }
    }

    /// Position of a value.
    pub(super) fn at(self, value: f64) -> f64 {
        let share = match self.spread {
            Spread::Even => (value - self.low) / (self.high - self.low),
            Spread::Logarithmic => (value / self.low).ln() / (self.high / self.low).ln(),
        };
        self.page.0 + share * (self.page.1 - self.page.0)
    }

    /// Round values within the range, about `count` of them on a linear scale.
    pub(super) fn ticks(self, count: usize) -> Vec<Tick> {
        match self.spread {
            Spread::Even => {
                let step = round_step((self.high - self.low) / count.max(1) as f64);
                let slack = step * 1e-6;
                let first = ((self.low - slack) / step).ceil() as i64;
                let last = ((self.high + slack) / step).floor() as i64;
                (first..=last)
                    .map(|index| index as f64 * step)
                    .map(|value| Tick { value, label: fixed(value, step) })
                    .collect()
            }
            Spread::Logarithmic => self.decades(),
        }
    }

    /// Labelled powers of ten and unlabelled multiples; the multiples are labelled too if there are few powers.
    fn decades(self) -> Vec<Tick> {
        let inside = |value: f64| value >= self.low * (1.0 - 1e-9) && value <= self.high * (1.0 + 1e-9);
        let powers = (self.low.log10().floor() as i32)..=(self.high.log10().ceil() as i32);
        let whole = powers.clone().filter(|&power| inside(10f64.powi(power))).count();
        let named: &[i32] = if whole >= 3 { &[1] } else { &[1, 2, 5] };
        powers
            .flat_map(|power| (1..10).map(move |factor| (factor, f64::from(factor) * 10f64.powi(power))))
            .filter(|&(_, value)| inside(value))
            .map(|(factor, value)| {
                let label = if named.contains(&factor) { short(value) } else { String::new() };
                Tick { value, label }
            })
            .collect()
    }
}

/// The range of the values with padding, widened to round numbers. A single value is padded on both sides.
pub(super) fn padded(low: f64, high: f64, count: usize) -> (f64, f64) {
    let size = low.abs().max(high.abs());
    let air = if high > low { 0.06 * (high - low) } else { (0.1 * size).max(1e-3) };
    // Differences of rounding size are not a range.
    let air = air.max(1e-9 * size).max(1e-12);
    let step = round_step((high - low + 2.0 * air) / count as f64) / 2.0;
    (((low - air) / step).floor() * step, ((high + air) / step).ceil() * step)
}

/// 1, 2 or 5 times a power of ten, closest to the requested step.
fn round_step(wanted: f64) -> f64 {
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
fn fixed(value: f64, step: f64) -> String {
    if step >= 1_000.0 {
        return short(value);
    }
    // A step such as 0.3 - 0.1 is slightly off a power of ten.
    let decimals = (-(step * 1.000_001).log10().floor()).max(0.0) as usize;
    signed(&format!("{value:.decimals$}"))
}

/// Formats 1200 as `1.2k`, 3000000 as `3M`.
pub(super) fn short(value: f64) -> String {
    let (divided, unit) = match value.abs() {
        size if size >= 999_500_000.0 => (value / 1e9, "G"),
        size if size >= 999_500.0 => (value / 1e6, "M"),
        size if size >= 999.5 => (value / 1e3, "k"),
        _ => (value, ""),
    };
    let size = divided.abs();
    let decimals = if size >= 99.95 || unit.is_empty() && size >= 1.0 && divided.fract() == 0.0 { 0 } else { 2 };
    let text = format!("{divided:.decimals$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    signed(&format!("{text}{unit}"))
}

/// Uses a true minus sign, and none before zero.
pub(super) fn signed(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|letter| letter == '0' || letter == '.') => digits.to_owned(),
        Some(digits) => format!("−{digits}"),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(scale: Scale, count: usize) -> Vec<String> {
        scale.ticks(count).into_iter().map(|tick| tick.label).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        let scale = Scale::new(Spread::Even, (-0.05, 0.42), (0.0, 100.0));
        assert_eq!(labels(scale, 5), ["0.0", "0.1", "0.2", "0.3", "0.4"]);
        assert_eq!(labels(Scale::new(Spread::Even, (-1.0, 1.0), (0.0, 1.0)), 4), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(Scale::new(Spread::Even, (0.0, 40_000.0), (0.0, 1.0)), 4), ["0", "10k", "20k", "30k", "40k"]);
    }

    #[test]
    fn decades_are_labelled() {
        let scale = Scale::new(Spread::Logarithmic, (800.0, 1_400_000.0), (0.0, 100.0));
        assert_eq!(labels(scale, 5), ["1k", "10k", "100k", "1M"]);
        assert!(scale.at(800.0).abs() < 1e-9 && (scale.at(1_400_000.0) - 100.0).abs() < 1e-9);
        let within = Scale::new(Spread::Logarithmic, (150.0, 700.0), (0.0, 1.0));
        assert_eq!(labels(within, 5), ["200", "500"]);
    }

    #[test]
    fn numbers_are_shortened() {
        let numbers = [0.0, 12.0, 999.0, 1_000.0, 1_250.0, 99_960.0, 1_190_000.0, -2_000.0];
        assert_eq!(numbers.map(short), ["0", "12", "999", "1k", "1.25k", "100k", "1.19M", "−2k"]);
        assert_eq!(signed("-0.00"), "0.00");
    }

    #[test]
    fn single_value_is_padded() {
        let (low, high) = padded(0.4, 0.4, 5);
        assert!(low < 0.4 && 0.4 < high && high - low < 0.3, "{low} {high}");
        let (low, high) = padded(1e12, 1e12 + 1e-4, 5);
        assert!(low < 1e12 && 1e12 + 1e-4 < high, "{low} {high}");
    }
}
