//! What can be drawn, as plain data.

/// A configuration and its results: each value, such as the R² of a fold, is a dot.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Name below the axis, where the axis has categories.
    pub label: String,
    /// Place on a linear or logarithmic axis; unused where the axis has categories.
    pub x: Option<f64>,
    /// One result each fold.
    pub values: Vec<f64>,
}

/// Groups of one colour and one line of the legend, such as all that were split by games.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// In the order of the axis. On an axis of categories groups of equal labels share a place.
    pub groups: Vec<Group>,
}

/// How groups are placed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum XAxis {
    /// Side by side, in the order in which labels first appear.
    Categories,
    /// By `x`.
    Linear,
    /// By the logarithm of `x`, which is positive.
    Logarithmic,
}

/// Results of configurations side by side: a dot for each fold, their mean and its standard deviation.
#[derive(Clone, PartialEq, Debug)]
pub struct Comparison {
    /// First line.
    pub title: String,
    /// Second line: rows, split, epochs.
    pub subtitle: String,
    /// What differs between the groups.
    pub x_label: String,
    /// What was measured.
    pub y_label: String,
    /// How groups are placed.
    pub x_axis: XAxis,
    /// Up to as many as the palette has colours.
    pub series: Vec<Series>,
    /// A level to compare with, by name, such as a constant predictor's R² of 0.
    pub baseline: Option<(String, f64)>,
}

/// Which side of the split a curve was measured on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CurveKind {
    /// Rows that were learnt from: a dashed line.
    Training,
    /// Rows that were held out: a solid line.
    Validation,
}

/// A quantity over the epochs.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// Name in the legend. Curves of one name and different kinds share a colour.
    pub name: String,
    /// Which side of the split.
    pub kind: CurveKind,
    /// (epoch, value), epochs rising.
    pub points: Vec<(f64, f64)>,
}

/// Curves over the epochs of one run or of several.
#[derive(Clone, PartialEq, Debug)]
pub struct Curves {
    /// First line.
    pub title: String,
    /// Second line.
    pub subtitle: String,
    /// Usually epochs.
    pub x_label: String,
    /// What was measured.
    pub y_label: String,
    /// The curves.
    pub curves: Vec<Curve>,
    /// A place on the x axis to point out, by name, such as the best epoch.
    pub mark: Option<(String, f64)>,
    /// A level to compare with, by name.
    pub baseline: Option<(String, f64)>,
}

/// Predictions against labels: a map of how many rows lie where.
#[derive(Clone, PartialEq, Debug)]
pub struct Agreement {
    /// First line.
    pub title: String,
    /// Second line.
    pub subtitle: String,
    /// (label, prediction), both in report space.
    pub pairs: Vec<(f64, f64)>,
}

/// Errors over the rows of one phase of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseBin {
    /// Such as `29 to 32`.
    pub label: String,
    /// Rows in it. A bin without rows keeps its place and shows nothing.
    pub rows: u64,
    /// Mean squared error.
    pub mse: f64,
    /// Mean absolute error.
    pub mae: f64,
    /// Share of this bin's variance that is explained.
    pub r2: f64,
    /// Variance of this bin's labels.
    pub variance: f64,
}

/// Errors by phase of the game.
#[derive(Clone, PartialEq, Debug)]
pub struct PhaseError {
    /// First line.
    pub title: String,
    /// Second line.
    pub subtitle: String,
    /// From left to right.
    pub bins: Vec<PhaseBin>,
}

/// How many rows lie where along an axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Histogram {
    /// First line.
    pub title: String,
    /// Second line.
    pub subtitle: String,
    /// What the axis measures.
    pub x_label: String,
    /// What is counted.
    pub y_label: String,
    /// Where the first bar starts.
    pub start: f64,
    /// How wide each is.
    pub width: f64,
    /// One bar after the other.
    pub counts: Vec<u64>,
    /// Bars by name to the left of the axis.
    pub left: Vec<(String, u64)>,
    /// Bars by name to its right.
    pub right: Vec<(String, u64)>,
    /// A place to point out, by name.
    pub mark: Option<(String, f64)>,
}

/// How values are spread at one place.
#[derive(Clone, PartialEq, Debug)]
pub struct Band {
    /// The place, a whole number apart from the next.
    pub x: f64,
    /// Rows there.
    pub rows: u64,
    /// 5 %, 25 %, 50 %, 75 % and 95 % of the values, rising.
    pub quantiles: Option<[f64; 5]>,
}

/// How values are spread along an axis.
#[derive(Clone, PartialEq, Debug)]
pub struct Bands {
    /// First line.
    pub title: String,
    /// Second line.
    pub subtitle: String,
    /// What the axis measures.
    pub x_label: String,
    /// What the values are.
    pub y_label: String,
    /// Least and largest value of the vertical axis.
    pub ends: (f64, f64),
    /// From left to right.
    pub bands: Vec<Band>,
}

/// How games ended, by label.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcomes {
    /// First line.
    pub title: String,
    /// Second line.
    pub subtitle: String,
    /// Centipawns from the middle of a bin to that of the next.
    pub width: f64,
    /// The middle of each bin, and its rows won, drawn and lost by White.
    pub bins: Vec<(f64, [u64; 3])>,
    /// The scale of the fitted curve.
    pub scale: Option<f64>,
}

/// One bar.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bar {
    /// How high it is.
    pub value: f64,
    /// How far the true value may lie to both sides, where that is known.
    pub error: Option<f64>,
}

/// Numbers side by side, for each name one bar of each series.
#[derive(Clone, PartialEq, Debug)]
pub struct Bars {
    /// First line.
    pub title: String,
    /// Second line.
    pub subtitle: String,
    /// What the names are.
    pub x_label: String,
    /// What was measured.
    pub y_label: String,
    /// From left to right.
    pub names: Vec<String>,
    /// Name in the legend, and a bar for each of the names; none where nothing was measured.
    pub series: Vec<(String, Vec<Option<Bar>>)>,
}

/// Anything that can be drawn.
#[derive(Clone, PartialEq, Debug)]
pub enum Figure {
    /// Configurations side by side.
    Comparison(Comparison),
    /// Curves over the epochs.
    Curves(Curves),
    /// Predictions against labels.
    Agreement(Agreement),
    /// Errors by phase of the game.
    PhaseError(PhaseError),
    /// How many rows lie where.
    Histogram(Histogram),
    /// How values are spread along an axis.
    Bands(Bands),
    /// How games ended, by label.
    Outcomes(Outcomes),
    /// Numbers side by side.
    Bars(Bars),
}

impl Figure {
    /// The first line.
    pub fn title(&self) -> &str {
        match self {
            Self::Comparison(figure) => &figure.title,
            Self::Curves(figure) => &figure.title,
            Self::Agreement(figure) => &figure.title,
            Self::PhaseError(figure) => &figure.title,
            Self::Histogram(figure) => &figure.title,
            Self::Bands(figure) => &figure.title,
            Self::Outcomes(figure) => &figure.title,
            Self::Bars(figure) => &figure.title,
        }
    }
}
