#![doc = include_str!("../README.md")]

mod axis;
pub mod color;
mod heading;
mod numbers;
mod page;
mod plot;
mod text;

pub use axis::Axis;
pub use heading::{LegendKey, Marker};
pub use numbers::{short, signed};
pub use page::{ChartError, Drawing, Page, Point, WIDE, to_svg};
pub use plot::{Plot, Rect};
pub use text::{Align, BOLD, FAMILY, LARGE, REGULAR, SMALL, TINY};
