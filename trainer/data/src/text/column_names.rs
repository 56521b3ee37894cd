//! Names of the columns of a CSV: those that are known, and those that a user states.

use std::fmt;
use std::str::FromStr;

/// Each column, as errors and [`ColumnNames`] call it, with the names that are known in a header.
pub(super) const COLUMNS: [(&str, &[&str]); 6] = [
    ("FEN", &["fen", "position"]),
    ("Evaluation", &["evaluation", "eval", "score", "cp", "centipawns"]),
    ("Mate", &["mate"]),
    ("Move", &["move", "best_move", "bestmove", "best move"]),
    ("Result", &["result", "outcome"]),
    ("Game", &["game", "game_id", "gameid", "game id"]),
];

/// Names of columns in a header that are not the known ones: `fen=board,evaluation=sf_cp,game=url`.
#[derive(Clone, PartialEq, Eq, Default, Debug, serde::Serialize, serde::Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct ColumnNames([Option<String>; COLUMNS.len()]);

impl ColumnNames {
    /// The name that is given for a column, by its index in [`COLUMNS`].
    pub(super) fn of(&self, column: usize) -> Option<&str> {
        self.0[column].as_deref()
    }

    /// True if none is given.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(Option::is_none)
    }
}

impl FromStr for ColumnNames {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut names = Self::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let known = |kind: &str| COLUMNS.iter().position(|(name, _)| name.eq_ignore_ascii_case(kind.trim()));
            let found = part.split_once('=').and_then(|(kind, name)| Some((known(kind)?, name.trim())));
            let (column, name) = found.filter(|(_, name)| !name.is_empty()).ok_or_else(|| {
                let kinds = COLUMNS.map(|(kind, _)| kind.to_ascii_lowercase()).join(", ");
                format!("`{part}`; expected NAME=COLUMN with one of the names {kinds}")
            })?;
            names.0[column] = Some(name.to_owned());
        }
        Ok(names)
    }
}

impl fmt::Display for ColumnNames {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = COLUMNS.iter().zip(&self.0).filter_map(|((kind, _), name)| Some((kind, name.as_ref()?)));
        for (index, (kind, name)) in parts.enumerate() {
            write!(out, "{}{}={name}", if index == 0 { "" } else { "," }, kind.to_ascii_lowercase())?;
        }
        Ok(())
    }
}

impl From<ColumnNames> for String {
    fn from(names: ColumnNames) -> Self {
        names.to_string()
    }
}

impl TryFrom<String> for ColumnNames {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}
