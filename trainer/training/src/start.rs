//! What a training starts from.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Start {
    #[default]
    Random,
    /// The hand-written evaluation, taught by a first lesson of this number of positions.
    Classical {
        positions: u64,
    },
    Embedded {
        positions: Option<u64>,
    },
    /// The network or checkpoint in a file.
    File {
        path: PathBuf,
        positions: Option<u64>,
    },
}

/// Positions of the first lesson of `classical`, unless stated.
const POSITIONS: u64 = 60_000_000;
/// Static values for each position of a search, which is dearer.
const EVALUATIONS_PER_SEARCHED: u64 = 16;
/// Most positions of searches by a network, whose static values are the better lesson.
const MAX_SEARCHED: u64 = 300_000;

impl Start {
    /// The embedded network's weights, or a lesson by it for networks that cannot take them.
    pub const EMBEDDED: Self = Self::Embedded { positions: None };

    pub const fn is_random(&self) -> bool {
        matches!(self, Self::Random)
    }

    /// True for the embedded network or one in a file.
    pub const fn is_network(&self) -> bool {
        matches!(self, Self::Embedded { .. } | Self::File { .. })
    }

    /// Positions of the first lesson; `None` if the weights are random or those of the start.
    pub const fn lesson(&self) -> Option<u64> {
        match *self {
            Self::Random => None,
            Self::Classical { positions } => Some(positions),
            Self::Embedded { positions } | Self::File { positions, .. } => positions,
        }
    }

    /// Positions of searches that a first lesson of this number of static values has beside them.
    pub fn searched_for(&self, positions: u64) -> u64 {
        let count = positions.div_ceil(EVALUATIONS_PER_SEARCHED);
        if self.is_network() { count.min(MAX_SEARCHED) } else { count }
    }

    /// The same start; if it is a network without a stated lesson, with one of this number of positions.
    pub fn taught(self, lesson: u64) -> Self {
        match self {
            Self::Embedded { positions } => Self::Embedded { positions: positions.or(Some(lesson)) },
            Self::File { path, positions } => Self::File { path, positions: positions.or(Some(lesson)) },
            other => other,
        }
    }
}

impl fmt::Display for Start {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => out.write_str("random")?,
            Self::Classical { .. } => out.write_str("classical")?,
            Self::Embedded { .. } => out.write_str("embedded")?,
            Self::File { path, .. } => write!(out, "{}", path.display())?,
        }
        self.lesson().map_or(Ok(()), |positions| write!(out, ":{positions}"))
    }
}

impl FromStr for Start {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // A file name may have a colon, as `C:\\nets` has: only a number behind the last one is a lesson.
        let (name, positions) = match text.rsplit_once(':').map(|(name, count)| (name, count.parse())) {
            Some((_, Ok(0))) => return Err(format!("`{text}`; expected at least one position")),
            Some((name, Ok(positions))) => (name, Some(positions)),
            _ => (text, None),
        };
        Ok(match name {
            "random" if positions.is_none() => Self::Random,
            "classical" => Self::Classical { positions: positions.unwrap_or(POSITIONS) },
            "embedded" => Self::Embedded { positions },
            _ if [".nnue", ".checkpoint"].iter().any(|ending| name.ends_with(ending)) => {
                Self::File { path: PathBuf::from(name), positions }
            }
            _ => {
                return Err(format!(
                    "`{text}`; expected embedded, classical, random or a .nnue or .checkpoint file, with :N for a first \
                     lesson of N positions"
                ));
            }
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_round_trip_through_text() {
        for text in ["random", "classical:9", "embedded", "embedded:7", "nets/a.nnue", "C:\\a.nnue:12", "a.checkpoint"]
        {
            assert_eq!(text.parse::<Start>().expect(text).to_string(), text);
        }
        assert_eq!("classical".parse(), Ok(Start::Classical { positions: POSITIONS }));
        for text in ["", "best", "random:4", "classical:0", "embedded:-1", "rows.csv"] {
            assert!(text.parse::<Start>().is_err(), "{text}");
        }
    }
}
