//! Figures: results as SVG images.
//!
//! A figure is plain data, validated before drawing; the output depends only on that data, so equal results give equal
//! bytes. The kinds of figures are here, their common style is in `alfiere-charts`. Independent of the origin of the
//! results: networks, rows and position files.

mod agreement;
mod comparison;
mod distributions;
mod drawing;
mod figure;
mod forest;
mod phase;
#[cfg(test)]
mod tests;

pub use figure::{
    Agreement, Comparison, Curve, CurveKind, Curves, Figure, FigureError, Forest, ForestRow, Group, Histogram,
    Material, Outcomes, PhaseError, Series, XAxis,
};
