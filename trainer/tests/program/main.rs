//! Tests of the real binary.

mod bad_input;
mod datagen;
mod experiments;
mod export;
mod formats;
mod held_out;
#[cfg(unix)]
mod label;
mod pipeline;
mod plain_text;
mod players;
mod stream;
mod support;
