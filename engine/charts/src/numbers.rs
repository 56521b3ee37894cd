//! Numbers as text, and round numbers.

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

    #[test]
    fn numbers_are_shortened() {
        let numbers = [0.0, 12.0, 999.0, 1_000.0, 1_250.0, 99_960.0, 1_190_000.0, -2_000.0];
        assert_eq!(numbers.map(short), ["0", "12", "999", "1k", "1.25k", "100k", "1.19M", "−2k"]);
        let small = [0.126, 0.05, 0.012, 1e-3, -1e-4, 1e-5, 2.5e-7, 1e12, 2e17];
        assert_eq!(small.map(short), ["0.13", "0.05", "0.012", "0.001", "−0.0001", "1e−5", "2.5e−7", "1T", "2e17"]);
        assert_eq!(signed("-0.00"), "0.00");
    }
}
