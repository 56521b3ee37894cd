#![doc = include_str!("../README.md")]
//!
//! # Modules
//!
//! `elo` and `sprt` are statistics independent of chess. `process` runs a program behind pipes and logs its lines,
//! independent of UCI. `uci_player` speaks UCI. `game` plays one game and enforces the rules. `schedule` defines the pairings and `runner` plays all games. `cross_table` and
//! `ratings` summarise them; `pgn_results` reads results from PGN files. `ladder` rates a player by games against players of
//! known strength. `spsa` tunes parameters. The crate is independent of search and networks and prints nothing.

pub mod anchor;
pub mod cross_table;
pub mod elo;
pub mod encounter;
pub mod game;
pub mod ladder;
pub mod pgn_results;
pub mod player;
mod process;
pub mod ratings;
pub mod runner;
pub mod schedule;
pub mod score;
pub mod spec;
pub mod sprt;
pub mod spsa;
pub mod uci_player;
