//! Anchors of a rating list: players with ratings that are known, exactly or with an error.

use std::str::FromStr;

use serde::Serialize;
use thiserror::Error;

/// Largest rating or error of an anchor.
const MAX_ELO: f64 = 10_000.0;

/// A player whose rating is known before the games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Anchor {
    /// The player's index.
    pub player: usize,
    pub elo: f64,
    /// Half the width of the 95 % interval; 0 for an exact rating.
    pub error: f64,
}

/// An anchor with the player's name: `NAME=ELO`, `NAME=ELO±ERR` or `NAME=ELO+-ERR`.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NamedAnchor {
    pub name: String,
    pub elo: f64,
    /// Half the width of the 95 % interval; 0 for an exact rating.
    #[serde(rename = "error_95")]
    pub error: f64,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum AnchorError {
    #[error("\"{0}\": expected NAME=ELO or NAME=ELO±ERR, such as \"Stockfish=3600±20\"")]
    Malformed(String),
    #[error("anchor \"{name}\": no player has this name, the players are {known}")]
    Unknown { name: String, known: String },
    #[error("anchor \"{0}\": this player already has an anchor")]
    Repeated(String),
}

impl FromStr for NamedAnchor {
    type Err = AnchorError;

    fn from_str(text: &str) -> Result<Self, AnchorError> {
        let malformed = || AnchorError::Malformed(text.to_owned());
        let number = |text: &str| {
            let value = text.trim().parse::<f64>().ok();
            value.filter(|value| value.abs() <= MAX_ELO).ok_or_else(malformed)
        };
        let (name, rating) = text.rsplit_once('=').ok_or_else(malformed)?;
        let (elo, error) = rating.split_once('±').or_else(|| rating.split_once("+-")).unwrap_or((rating, "0"));
        let (elo, error) = (number(elo)?, number(error)?);
        if name.is_empty() || error < 0.0 {
            return Err(malformed());
        }
        Ok(Self { name: name.to_owned(), elo, error })
    }
}

/// Number of names in an error message.
const SHOWN_NAMES: usize = 10;

/// Finds the anchored players among `names`, which are indexed by player.
///
/// # Errors
/// If a name is unknown or anchored twice.
pub fn find_anchors(anchors: &[NamedAnchor], names: &[&str]) -> Result<Vec<Anchor>, AnchorError> {
    let mut found: Vec<Anchor> = Vec::with_capacity(anchors.len());
    for NamedAnchor { name, elo, error } in anchors {
        let Some(player) = names.iter().position(|other| other == name) else {
            let more = if names.len() > SHOWN_NAMES { ", ..." } else { "" };
            let known = names[..names.len().min(SHOWN_NAMES)].join(", ") + more;
            return Err(AnchorError::Unknown { name: name.clone(), known });
        };
        if found.iter().any(|anchor| anchor.player == player) {
            return Err(AnchorError::Repeated(name.clone()));
        }
        found.push(Anchor { player, elo: *elo, error: *error });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_read_strictly() {
        let anchor = |name: &str, elo, error| Ok(NamedAnchor { name: name.to_owned(), elo, error });
        assert_eq!("a=3600±20".parse(), anchor("a", 3600.0, 20.0));
        assert_eq!("a b=c=-12.5".parse(), anchor("a b=c", -12.5, 0.0));
        assert_eq!("a=100 +- 2.5".parse(), anchor("a", 100.0, 2.5));
        for text in ["a", "=3", "a=", "a=x", "a=1±", "a=1±-2", "a=NaN", "a=inf", "a=1e9", "a=1±inf"] {
            assert_eq!(text.parse::<NamedAnchor>(), Err(AnchorError::Malformed(text.to_owned())), "{text}");
        }
    }

    #[test]
    fn names_are_found_once() {
        let [a, c]: [NamedAnchor; 2] = ["a=1", "c=2±3"].map(|text| text.parse().expect("valid"));
        let found = find_anchors(&[a.clone(), c.clone()], &["c", "b", "a"]).expect("known");
        assert_eq!(found.iter().map(|anchor| anchor.player).collect::<Vec<_>>(), [2, 0]);
        assert_eq!(find_anchors(&[a.clone(), a.clone()], &["a"]), Err(AnchorError::Repeated("a".to_owned())));
        let error = find_anchors(&[c], &["a", "b"]).expect_err("unknown");
        assert_eq!(error.to_string(), "anchor \"c\": no player has this name, the players are a, b");
    }
}
