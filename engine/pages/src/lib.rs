#![doc = include_str!("../README.md")]

mod assets;
mod connections;
mod error;
mod guard;
mod server;

pub use assets::{Asset, Page, asset};
pub use error::{ApiError, respond};
pub use server::{Listener, ServeError};
