#![doc = include_str!("../README.md")]

mod axis;
pub mod color;
mod heading;
mod page;
mod plot;
mod text;

pub use axis::{Axis, short, signed};
pub use heading::{LegendKey, Marker};
pub use page::{ChartError, Drawing, Page, Point, WIDE, to_svg};
pub use plot::{Plot, Rect};
pub use text::{Align, FAMILY, LARGE, SMALL, TINY, width as text_width};
