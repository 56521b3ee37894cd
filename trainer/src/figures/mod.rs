//! Figures: results as SVG or PNG images.
//!
//! A figure is plain data, validated before drawing; the output depends only on that data, so equal results give equal
//! bytes. The kinds of figures are here, their common style is in `alfiere-charts`. Independent of the origin of the
//! results: networks, rows and position files.

mod agreement;
mod bands;
mod comparison;
mod curves;
mod drawing;
mod error;
mod figure;
mod histogram;
mod outcomes;
mod phase;
mod png;
#[cfg(test)]
mod tests;
mod verify;

pub use error::FigureError;
pub use figure::{
    Agreement, Band, Bands, Comparison, Curve, CurveKind, Curves, Figure, Group, Histogram, Outcomes, PhaseBin,
    PhaseError, Series, XAxis,
};
