//! Charts as SVG, in one style for both programs: page, headings, legends, axes and colours, drawn with plotters.
//!
//! A chart depends only on its data: equal data give equal bytes. Independent of chess.
//!
//! Lengths are in units of half a pixel, because plotters rounds coordinates to whole numbers; y grows downwards.

mod axis;
pub mod color;
mod heading;
mod numbers;
mod page;
mod plot;
mod text;

pub use axis::Axis;
pub use heading::{Marker, Sign};
pub use numbers::{short, signed};
pub use page::{At, ChartError, Drawing, Page, to_svg};
pub use plot::{Band, Plot};
pub use text::{BOLD, FAMILY, LARGE, REGULAR, SMALL, Side, TINY};
