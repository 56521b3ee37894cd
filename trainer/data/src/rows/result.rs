//! The result of a row's game, its text form (`1-0`) and its bits.

use alfiere_chess::game::GameResult;
use alfiere_chess::types::Color;

use super::label::{decimal, is_missing, trim};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub enum RowResult {
    #[default]
    Unknown,
    /// `1-0`
    WhiteWins,
    /// `1/2-1/2`
    Draw,
    /// `0-1`
    BlackWins,
}

impl From<GameResult> for RowResult {
    fn from(result: GameResult) -> Self {
        match result {
            GameResult::Win(Color::White) => Self::WhiteWins,
            GameResult::Draw => Self::Draw,
            GameResult::Win(Color::Black) => Self::BlackWins,
        }
    }
}

impl RowResult {
    /// Parses `1-0`, `0-1`, `1/2-1/2` or White's points `1.0`, `0.0`, `0.5`, also in brackets; `*` and missing values are
    /// unknown.
    pub fn parse(text: &[u8]) -> Option<Self> {
        let text = trim(text);
        let text = text.strip_prefix(b"[").and_then(|text| text.strip_suffix(b"]")).map_or(text, trim);
        match text {
            b"1-0" => Some(Self::WhiteWins),
            b"0-1" => Some(Self::BlackWins),
            b"1/2-1/2" | b"1/2" => Some(Self::Draw),
            b"*" => Some(Self::Unknown),
            text if is_missing(text) => Some(Self::Unknown),
            text => {
                let points = decimal(text)?;
                let known = [(1.0, Self::WhiteWins), (0.5, Self::Draw), (0.0, Self::BlackWins)];
                known.into_iter().find(|(value, _)| points.total_cmp(value).is_eq()).map(|(_, result)| result)
            }
        }
    }

    /// White's points, 0 to 1.
    pub fn points(self) -> Option<f32> {
        self.half_points().map(|points| f32::from(points) / 2.0)
    }

    /// Twice White's points.
    pub(crate) const fn half_points(self) -> Option<u8> {
        match self {
            Self::Unknown => None,
            Self::WhiteWins => Some(2),
            Self::Draw => Some(1),
            Self::BlackWins => Some(0),
        }
    }

    /// The inverse of [`Self::half_points`].
    pub(crate) fn of_half_points(points: u8) -> Result<Self, String> {
        match points {
            0 => Ok(Self::BlackWins),
            1 => Ok(Self::Draw),
            2 => Ok(Self::WhiteWins),
            other => Err(format!("result {other}; expected 0, 1 or 2")),
        }
    }

    /// As written in a CSV; unknown is `*`.
    pub const fn text(self) -> &'static str {
        match self {
            Self::Unknown => "*",
            Self::WhiteWins => "1-0",
            Self::Draw => "1/2-1/2",
            Self::BlackWins => "0-1",
        }
    }

    pub(crate) const fn to_bits(self) -> u8 {
        self as u8
    }

    pub(crate) const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            1 => Self::WhiteWins,
            2 => Self::Draw,
            3 => Self::BlackWins,
            _ => Self::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_and_kept() {
        for result in [RowResult::Unknown, RowResult::WhiteWins, RowResult::Draw, RowResult::BlackWins] {
            assert_eq!(RowResult::parse(result.text().as_bytes()), Some(result));
            assert_eq!(RowResult::from_bits(result.to_bits()), result);
        }
        for (text, result) in [
            ("1.0", RowResult::WhiteWins),
            (" [ 0.5 ]\r", RowResult::Draw),
            ("[1/2]", RowResult::Draw),
            ("0", RowResult::BlackWins),
            ("0,5", RowResult::Draw),
            ("NaN", RowResult::Unknown),
        ] {
            assert_eq!(RowResult::parse(text.as_bytes()), Some(result), "{text}");
        }
        for text in ["2-0", "-1", "0.3", "[1.0"] {
            assert_eq!(RowResult::parse(text.as_bytes()), None, "{text}");
        }
    }
}
