//! The figures as plain data.

use alfiere_data::metrics::PhaseMetrics;
use alfiere_data::{DataError, MaterialBin, OutcomeBin};
use thiserror::Error;

/// A configuration and its results: each value, such as the R² of a fold, is drawn as a dot.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Label on a category axis.
    pub label: String,
    /// Position on a linear or logarithmic axis; unused on a category axis.
    pub x: Option<f64>,
    /// One value per fold.
    pub values: Vec<f64>,
    /// Index of its colour in the palette, if not that of its series.
    pub color: Option<usize>,
}

/// Groups with the same colour and legend entry, such as all runs split by games.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    pub name: String,
    /// In axis order. On a category axis, groups with equal labels share a position.
    pub groups: Vec<Group>,
    /// Index of its colour in the palette.
    pub color: usize,
}

/// How groups are positioned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum XAxis {
    /// Side by side, in order of the first appearance of their labels.
    Categories,
    /// By `x`, on a linear scale.
    Linear,
    /// By `x`, which must be positive, on a logarithmic scale.
    Logarithmic,
}

/// A comparison of configurations: a dot per fold, and their mean and standard deviation.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    pub title: String,
    /// Subtitle: rows, split, epochs.
    pub subtitle: String,
    /// Label of the horizontal axis: what differs between the groups.
    pub x_label: String,
    /// Label of the vertical axis: the measured quantity.
    pub y_label: String,
    pub x_axis: XAxis,
    /// The series, at most the number of colours in the palette.
    pub series: Vec<Series>,
    /// A named reference level, such as a constant predictor's R² of 0.
    pub baseline: Option<(String, f64)>,
}

/// Differences from a reference, one below the other.
#[derive(Clone, PartialEq, Debug)]
pub struct Forest {
    pub title: String,
    pub subtitle: String,
    /// Label of the horizontal axis: the difference, and from what.
    pub x_label: String,
    pub rows: Vec<ForestRow>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ForestRow {
    pub name: String,
    /// Lower end, mean and upper end of the difference; `None` for the reference.
    pub interval: Option<[f64; 3]>,
}

/// The rows that a curve was measured on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CurveKind {
    /// Training rows: a dashed line.
    Training,
    /// Validation rows: a solid line.
    Validation,
    /// A property of the run instead of its rows, such as the learning rate: a solid line.
    Course,
    /// An end of an interval around another curve: a dashed line without markers.
    IntervalEnd,
}

/// A quantity by epoch.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    pub name: String,
    /// Index of its colour in the palette.
    pub color: usize,
    pub kind: CurveKind,
    /// Points (epoch, value) with increasing epochs.
    pub points: Vec<(f64, f64)>,
}

/// Curves by epoch of one or several runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Curves {
    pub title: String,
    pub subtitle: String,
    pub x_label: String,
    pub y_label: String,
    pub curves: Vec<Curve>,
    /// A named position on the horizontal axis, such as the best epoch.
    pub mark: Option<(String, f64)>,
    /// A named reference level.
    pub baseline: Option<(String, f64)>,
}

/// Predictions against labels, as a density map.
#[derive(Clone, PartialEq, Debug)]
pub struct Agreement {
    pub title: String,
    pub subtitle: String,
    /// Pairs (label, prediction) in clipped centipawns.
    pub pairs: Vec<(f64, f64)>,
}

/// Errors by game phase.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseError {
    pub title: String,
    pub subtitle: String,
    /// A bin without rows is left empty.
    pub bins: Vec<PhaseMetrics>,
}

#[derive(Clone, PartialEq, Default, Debug)]
pub struct Histogram {
    pub title: String,
    pub subtitle: String,
    pub x_label: String,
    /// Label of the vertical axis: what is counted.
    pub y_label: String,
    pub start: f64,
    pub width: f64,
    pub counts: Vec<u64>,
    /// Named bars to the left of the axis.
    pub left: Vec<(String, u64)>,
    /// Named bars to the right of the axis.
    pub right: Vec<(String, u64)>,
    /// A named position on the axis.
    pub mark: Option<(String, f64)>,
}

/// Labels by material balance.
#[derive(Clone, PartialEq, Debug)]
pub struct Material {
    pub title: String,
    pub subtitle: String,
    pub bins: Vec<MaterialBin>,
}

/// Game results by label.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcomes {
    pub title: String,
    pub subtitle: String,
    /// Width of a bin in centipawns.
    pub width: f64,
    pub bins: Vec<OutcomeBin>,
    /// Scale of the fitted sigmoid.
    pub scale: Option<f64>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Figure {
    Comparison(Comparison),
    Curves(Curves),
    Forest(Forest),
    Agreement(Agreement),
    PhaseError(PhaseError),
    Histogram(Histogram),
    Material(Material),
    Outcomes(Outcomes),
}

impl Figure {
    pub fn title(&self) -> &str {
        match self {
            Self::Comparison(figure) => &figure.title,
            Self::Curves(figure) => &figure.title,
            Self::Forest(figure) => &figure.title,
            Self::Agreement(figure) => &figure.title,
            Self::PhaseError(figure) => &figure.title,
            Self::Histogram(figure) => &figure.title,
            Self::Material(figure) => &figure.title,
            Self::Outcomes(figure) => &figure.title,
        }
    }
}

/// Why a figure cannot be drawn.
#[derive(Debug, Error)]
pub enum FigureError {
    #[error("figure \"{title}\": {reason}")]
    Drawing { title: String, reason: String },
    #[error(transparent)]
    File(#[from] DataError),
}
