//! Self-play: games of one player against itself, labelled with its scores.
//!
//! A game depends only on the seed, the shard, its number and the settings: the player's state is cleared before each
//! game, and each game has its own random sequence. Games are written in the order of their numbers, independent of
//! which thread plays them. Prints nothing; independent of training.

mod game;
mod run;
mod settings;

pub use run::{DatagenError, Event, Summary, Target, run};
pub use settings::{Book, DatagenSettings, PlayerChoice, SettingsError};
