//! What all SVG charts of the program share: size, colours and axes.

use plotters::chart::MeshStyle;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::prelude::*;
use thiserror::Error;

pub(crate) const SIZE: (u32, u32) = (960, 440);
pub(crate) const FONT: &str = "sans-serif";
pub(crate) const INK: RGBColor = RGBColor(50, 50, 55);
pub(crate) const LINE: RGBColor = RGBColor(40, 75, 120);
/// Maximum number of labels on the x axis.
pub(crate) const MAX_LABELS: usize = 16;

/// The error of drawing a chart.
#[derive(Debug, Error)]
#[error("cannot draw the chart: {0}")]
pub struct ChartError(String);

/// The result of drawing a part of a chart.
pub(crate) type DrawingResult = Result<(), DrawingAreaErrorKind<<SVGBackend<'static> as DrawingBackend>::ErrorType>>;

/// The text of an SVG file, drawn by `draw`.
///
/// # Errors
/// If the drawing library fails.
pub(crate) fn to_svg(draw: impl FnOnce(&mut String) -> DrawingResult) -> Result<String, ChartError> {
    let mut svg = String::new();
    draw(&mut svg).map_err(|error| ChartError(error.to_string()))?;
    Ok(svg)
}

/// Draws axes and grid in the common style.
pub(crate) fn draw_axes<X, Y, DB>(
    mesh: &mut MeshStyle<'_, '_, X, Y, DB>,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>>
where
    X: Ranged<ValueType = f64> + ValueFormatter<f64>,
    Y: Ranged<ValueType = f64> + ValueFormatter<f64>,
    DB: DrawingBackend,
{
    mesh.axis_style(INK)
        .label_style((FONT, 13).into_font().color(&INK))
        .axis_desc_style((FONT, 14).into_font().color(&INK))
        .light_line_style(TRANSPARENT)
        .bold_line_style(INK.mix(0.12))
        .draw()
}
