//! Figures: results as pictures, SVG for pages that scale and PNG for those that do not.
//!
//! A figure is plain data, checked before anything is drawn; what it draws follows from that data alone, so equal
//! results give equal bytes. Knows how results look; must not know where they come from: no networks, no rows, no files
//! of positions.

mod agreement;
mod bands;
mod bars;
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
mod scene;
mod svg;
#[cfg(test)]
mod tests;
mod verify;

pub use error::FigureError;
pub use figure::{
    Agreement, Band, Bands, Bar, Bars, Comparison, Curve, CurveKind, Curves, Figure, Group, Histogram, Outcomes,
    PhaseBin, PhaseError, Series, XAxis,
};
