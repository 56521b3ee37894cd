#![doc = include_str!("../README.md")]

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
pub use page::{At, ChartError, Drawing, Page, WIDE, to_svg};
pub use plot::{Band, Plot};
pub use text::{BOLD, FAMILY, LARGE, REGULAR, SMALL, Side, TINY};
