//! A data file as named on the command line, and the origin of its rows.

use std::path::PathBuf;
use std::str::FromStr;

use alfiere_chess::types::Color;

use crate::rows::label::LabelUnit;
use crate::rows::row::Row;

/// A file and the factor for its labels, written `FILE` or `FILE:scale=1.3`.
#[derive(Clone, PartialEq, Debug, serde::Serialize, serde::Deserialize)]
pub struct DataFile {
    pub path: PathBuf,
    /// Factor for the centipawns, so that files with different units can be combined.
    pub scale: f64,
    #[serde(default, skip_serializing_if = "LabelMeaning::is_usual")]
    pub labels: LabelMeaning,
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
        if self.labels.view == LabelView::SideToMove && row.side_to_move() == Color::Black {
            row = row.with_label(row.label().turned());
        }
        if (self.scale - 1.0).abs() < f64::EPSILON { row } else { row.with_label(row.label().scaled(self.scale)) }
    }
}

impl FromStr for DataFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((path, scale)) = text.rsplit_once(":scale=") else {
            return Ok(Self::new(text));
        };
        match scale.parse::<f64>() {
            Ok(scale) if scale.is_finite() && scale > 0.0 => Ok(Self { scale, ..Self::new(path) }),
            _ => Err(format!("scale `{scale}`; expected a factor above 0, as in FILE:scale=1.3")),
        }
    }
}

/// A file and its weight among files that are mixed, written `FILE:weight=2`; the weight comes after the scale.
#[derive(Clone, PartialEq, Debug)]
pub struct WeightedFile {
    pub file: DataFile,
    /// Its relative number of rows, above 0, if stated.
    pub weight: Option<f64>,
}

impl FromStr for WeightedFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some((file, weight)) = text.rsplit_once(":weight=") else {
            return Ok(Self { file: text.parse()?, weight: None });
        };
        match weight.parse::<f64>() {
            Ok(weight) if weight.is_finite() && weight > 0.0 => Ok(Self { file: file.parse()?, weight: Some(weight) }),
            _ => Err(format!("weight `{weight}`; expected a number above 0 at the end, as in FILE:weight=2")),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Read and parsed.
    Parsed,
    /// Read from its cache.
    Cache,
    Packed,
    /// Replayed from a game file.
    Games,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_may_carry_a_scale() {
        let file: DataFile = "a:b.csv.zst:scale=1.3".parse().expect("a file");
        assert_eq!(file, DataFile { scale: 1.3, ..DataFile::new("a:b.csv.zst") });
        assert_eq!("x.csv".parse::<DataFile>().map(|file| file.scale), Ok(1.0));
        assert!("x.csv:scale=0".parse::<DataFile>().is_err());
        assert!("x.csv:scale=lots".parse::<DataFile>().is_err());
    }

    #[test]
    fn a_weight_follows_the_scale() {
        let both: WeightedFile = "a.csv:scale=1.3:weight=2".parse().expect("a file");
        assert_eq!((both.file.scale, both.weight), (1.3, Some(2.0)));
        assert_eq!("a.csv".parse::<WeightedFile>().expect("a file").weight, None);
        for wrong in ["a.csv:weight=0", "a.csv:weight=inf", "a.csv:weight=2:scale=1", "a.csv:scale=x:weight=1"] {
            assert!(wrong.parse::<WeightedFile>().is_err(), "{wrong}");
        }
    }
}
