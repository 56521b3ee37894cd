//! What a network knows before its first row.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// The weights of a new run.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Start {
    /// Random numbers.
    #[default]
    Random,
    /// Those of a network that has learnt the hand-written evaluation.
    Classical {
        /// Number of positions that it learns from.
        positions: u64,
    },
}

/// Positions from which a network learns the hand-written evaluation, unless stated.
const POSITIONS: u64 = 60_000_000;

impl Start {
    /// True for random weights.
    pub const fn is_random(&self) -> bool {
        matches!(self, Self::Random)
    }
}

impl fmt::Display for Start {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => out.write_str("random"),
            Self::Classical { positions } => write!(out, "classical:{positions}"),
        }
    }
}

impl FromStr for Start {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let positions = match text.split_once(':') {
            None if text == "random" => return Ok(Self::Random),
            None if text == "classical" => Some(POSITIONS),
            Some(("classical", count)) => count.parse().ok().filter(|&count| count > 0),
            _ => None,
        };
        let expected = || format!("`{text}`; expected random, classical, or classical:N with a number of positions");
        Ok(Self::Classical { positions: positions.ok_or_else(expected)? })
    }
}

impl From<Start> for String {
    fn from(start: Start) -> Self {
        start.to_string()
    }
}

impl TryFrom<String> for Start {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
