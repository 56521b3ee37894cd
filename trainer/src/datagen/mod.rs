//! Self-play: games of one player against itself, labelled with what it thought.
//!
//! A game follows from the seed, the shard, its number and the settings alone: the player forgets everything before it,
//! and numbers at random come from a sequence of the game's own. Games are written in the order of their numbers,
//! whatever thread plays them. Prints nothing; knows nothing of training.

mod game;
mod player;
mod run;
mod settings;

pub use run::{DatagenError, Event, Summary, Target, run};
pub use settings::{Book, DatagenSettings, PlayerChoice, SettingsError};
