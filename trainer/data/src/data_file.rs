//! A data file as named on the command line, and the origin of its rows.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use alfiere_chess::files::name_of_bytes;

use crate::rows::label::LabelUnit;
use crate::rows::row::Row;

/// A file and the factor for its labels, written `FILE` or `FILE:scale=1.3`.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct DataFile {
    #[serde(serialize_with = "as_text")]
    pub path: PathBuf,
    /// Factor for the centipawns, so that files with different units can be combined.
    pub scale: f64,
    #[serde(default, skip_serializing_if = "LabelMeaning::is_usual")]
    pub labels: LabelMeaning,
}

/// A record has the name that messages show, also of a path that is not UTF-8.
fn as_text<S: serde::Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&path.display())
}

/// The side whose advantage a positive label is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum LabelView {
    /// White's
    #[default]
    White,
    /// The side to move's; labels are turned to White's side
    SideToMove,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct LabelMeaning {
    /// The side whose advantage a positive label is.
    pub view: LabelView,
    /// The unit of a CSV; other formats are in centipawns.
    pub unit: LabelUnit,
}

impl LabelMeaning {
    /// True for centipawns from White's side.
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }
}

/// The words that follow a factor, such as `, side to move, pawns`; empty for centipawns from White's side.
impl std::fmt::Display for LabelMeaning {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.view == LabelView::SideToMove {
            out.write_str(", side to move")?;
        }
        if self.unit == LabelUnit::Pawns {
            out.write_str(", pawns")?;
        }
        Ok(())
    }
}

impl DataFile {
    /// A file with centipawns from White's side.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), scale: 1.0, labels: LabelMeaning::default() }
    }

    /// A row as read, with its label from White's side and multiplied by the file's factor.
    pub fn scaled(&self, row: &Row) -> Row {
        let mut row = *row;
        if self.labels.view == LabelView::SideToMove {
            row = row.with_label(row.label().from_side_to_move(row.side_to_move()));
        }
        if (self.scale - 1.0).abs() < f64::EPSILON { row } else { row.with_label(row.label().scaled(self.scale)) }
    }

    /// Reads `FILE` or `FILE:scale=1.3`.
    ///
    /// # Errors
    /// If the scale is no number above 0.
    pub fn parse(text: &OsStr) -> Result<Self, String> {
        const MARK: &[u8] = b":scale=";
        let bytes = text.as_encoded_bytes();
        let Some(at) = bytes.windows(MARK.len()).rposition(|part| part == MARK) else { return Ok(Self::new(text)) };
        let scale = String::from_utf8_lossy(&bytes[at + MARK.len()..]);
        match scale.parse() {
            Ok(scale) if f64::is_finite(scale) && scale > 0.0 => {
                Ok(Self { scale, ..Self::new(name_of_bytes(&bytes[..at])) })
            }
            _ => Err(format!("scale `{scale}`; expected a factor above 0, as in FILE:scale=1.3")),
        }
    }
}

/// Parses a file as a command-line argument, whose name need not be UTF-8.
#[cfg(feature = "clap")]
impl clap::builder::ValueParserFactory for DataFile {
    type Parser = clap::builder::ValueParser;

    fn value_parser() -> Self::Parser {
        use clap::builder::TypedValueParser;
        clap::builder::OsStringValueParser::new().try_map(|text| Self::parse(&text)).into()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Read and parsed.
    Parsed,
    /// Read from its cache.
    Cache,
    Packed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_carry_a_scale() {
        let scaled = |name: &[u8]| Ok(DataFile { scale: 1.3, ..DataFile::new(name_of_bytes(name)) });
        let parse = |text: &[u8]| DataFile::parse(&name_of_bytes(text));
        assert_eq!(parse(b"a:b.csv.zst:scale=1.3"), scaled(b"a:b.csv.zst"));
        assert_eq!(parse(b"x.csv"), Ok(DataFile::new("x.csv")));
        #[cfg(unix)]
        assert_eq!(parse(b"\xE9.csv:scale=1.3"), scaled(b"\xE9.csv"));
        assert!(parse(b"x.csv:scale=0").is_err() && parse(b"x.csv:scale=lots").is_err());
    }
}
