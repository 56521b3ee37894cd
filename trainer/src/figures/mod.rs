//! Figures: results as SVG or PNG images.
//!
//! A figure is plain data, validated before drawing; the output depends only on that data, so equal results give equal
//! bytes. Independent of the origin of the results: networks, rows and position files.

mod agreement;
mod bands;
mod bars;
mod canvas;
mod categories;
mod comparison;
mod curves;
mod drawing;
mod error;
mod figure;
mod font;
mod frame;
mod histogram;
mod levels;
mod outcomes;
mod palette;
mod phase;
mod raster;
mod scale;
mod svg;
#[cfg(test)]
mod tests;
mod verify;

pub use error::FigureError;
pub use figure::{
    Agreement, Band, Bands, Bar, Bars, Comparison, Curve, CurveKind, Curves, Figure, Group, Histogram, Outcomes,
    PhaseBin, PhaseError, Series, XAxis,
};
