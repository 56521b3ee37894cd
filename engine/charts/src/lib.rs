#![doc = include_str!("../README.md")]

mod axis;
pub mod color;
mod heading;
mod numbers;
mod page;
mod plot;
mod text;

pub use axis::Axis;
pub use heading::{Marker, LegendKey};
pub use numbers::{short, signed};
pub use page::{Point, ChartError, Drawing, Page, WIDE, to_svg};
pub use plot::{Rect, Plot};
pub use text::{BOLD, FAMILY, LARGE, REGULAR, SMALL, Align, TINY};
