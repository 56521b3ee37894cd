#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! `elo` and `sprt` are statistics that know no chess; `process` is pipes that know no protocol, `transcript` what went
//! through them; `uci_player` and `xboard_player` speak; `game` plays one game, and no player's word is taken for its rules;
//! `schedule` says who meets whom, `runner` plays all that, and `cross_table` puts it together. Knows nothing of the search
//! and of the network, prints nothing.

pub mod cross_table;
mod declared_option;
pub mod elo;
pub mod finished;
pub mod game;
pub mod player;
pub mod process;
pub mod ratings;
pub mod runner;
pub mod schedule;
pub mod score;
pub mod spec;
pub mod sprt;
pub mod spsa;
pub mod transcript;
pub mod uci_player;
pub mod xboard_player;
