//! A page, and the elements that are drawn on it.

use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::FontTransform;
use thiserror::Error;

use super::color::Rgba;
use super::text::{self, Align, clean, fit};

/// A position in units, from the top left corner of the page.
pub type Point = (i32, i32);

/// The result of drawing.
pub type Drawing<T = ()> = Result<T, DrawingAreaErrorKind<std::io::Error>>;

/// Why a chart cannot be drawn.
#[derive(Debug, Error)]
#[error("cannot draw the chart: {0}")]
pub struct ChartError(String);

/// Size of a wide chart in units: 960 × 480 pixels.
pub const WIDE: Point = (1920, 960);

pub(crate) const MARGIN: i32 = 52;
const DASH: (i32, i32) = (12, 8);
const DOT: (i32, i32) = (4, 8);
/// Width for each label of a horizontal axis.
pub(crate) const LABEL_WIDTH: i32 = 180;

/// A page of a chart.
pub struct Page<'a> {
    pub(crate) area: DrawingArea<SVGBackend<'a>, Shift>,
    /// Width in units.
    pub width: i32,
    /// Height in units.
    pub height: i32,
}

/// The text of an SVG file of `size` units, drawn by `draw`; `title` is read by screen readers.
///
/// # Errors
/// If the drawing library fails.
pub fn to_svg(size: (i32, i32), title: &str, draw: impl FnOnce(&Page<'_>) -> Drawing) -> Result<String, ChartError> {
    let mut svg = String::new();
    let (width, height) = (size.0.max(1), size.1.max(1));
    let area = SVGBackend::with_string(&mut svg, (width as u32, height as u32)).into_drawing_area();
    let page = Page { area, width, height };
    let drawn = page.area.fill(&WHITE).and_then(|()| draw(&page)).and_then(|()| page.area.present());
    drop(page);
    drawn.map_err(|error| ChartError(error.to_string()))?;
    // plotters writes its units as pixels, and no title.
    let (_, elements) = svg.split_once('\n').ok_or_else(|| ChartError("the library wrote no elements".to_owned()))?;
    let title = clean(title).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" role=\"img\">\n\
         <title>{title}</title>\n{elements}",
        f64::from(width) / 2.0,
        f64::from(height) / 2.0
    ))
}

impl<'a> Page<'a> {
    /// The left and the right half, each a page of its own.
    pub fn halves(&self) -> [Page<'a>; 2] {
        let (left, right) = self.area.split_horizontally(self.width / 2);
        [left, right].map(|area| Page { area, width: self.width / 2, height: self.height })
    }

    /// Draws a line of text, vertically centred at its position, and shortened to the width of the page.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn text(&self, at: Point, words: &str, size: i32, color: Rgba, align: Align) -> Drawing {
        let words = fit(&clean(words), size, self.width - MARGIN);
        if words.is_empty() { Ok(()) } else { self.area.draw(&Text::new(words, at, text::style(size, color, align))) }
    }

    /// Draws a line of text that runs upwards, and ends at its position.
    pub(crate) fn upright(&self, at: Point, words: &str, size: i32, color: Rgba) -> Drawing {
        let style = text::style(size, color, Align::Right).transform(FontTransform::Rotate270);
        self.area.draw(&Text::new(words.to_owned(), at, style))
    }

    /// How many labels a horizontal axis as wide as the page has room for.
    pub fn x_labels(&self) -> usize {
        (self.width / LABEL_WIDTH) as usize
    }

    /// Width of a line of text.
    pub fn text_width(&self, words: &str, size: i32) -> i32 {
        text::width(words, size)
    }

    /// Draws a line through some positions.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn line(&self, points: &[Point], color: Rgba, width: u32) -> Drawing {
        if points.len() < 2 {
            return Ok(());
        }
        self.area.draw(&PathElement::new(points.to_vec(), color.stroke_width(width)))
    }

    /// Draws a dashed line through some positions.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn dashed(&self, points: &[Point], color: Rgba, width: u32) -> Drawing {
        let style = color.stroke_width(width);
        self.area.draw(&DashedPathElement::new(points.iter().copied(), DASH.0, DASH.1, style))
    }

    /// Draws a dotted line through some positions.
    pub(crate) fn dotted(&self, points: &[Point], color: Rgba) -> Drawing {
        let style = color.stroke_width(4);
        self.area.draw(&DashedPathElement::new(points.iter().copied(), DOT.0, DOT.1, style))
    }

    /// Draws a disc.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn disc(&self, at: Point, radius: i32, color: Rgba) -> Drawing {
        self.area.draw(&Circle::new(at, radius, color.filled()))
    }

    /// Draws a circle.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn ring(&self, at: Point, radius: i32, color: Rgba, width: u32) -> Drawing {
        self.area.draw(&Circle::new(at, radius, color.stroke_width(width)))
    }

    /// Fills the rectangle between two opposite corners.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn rectangle(&self, one: Point, other: Point, color: Rgba) -> Drawing {
        let corners = [(one.0.min(other.0), one.1.min(other.1)), (one.0.max(other.0), one.1.max(other.1))];
        self.area.draw(&Rectangle::new(corners, color.filled()))
    }

    /// Fills a polygon.
    ///
    /// # Errors
    /// If the drawing library fails.
    pub fn polygon(&self, points: &[Point], color: Rgba) -> Drawing {
        if points.len() < 3 {
            return Ok(());
        }
        self.area.draw(&Polygon::new(points.to_vec(), color.filled()))
    }
}
