//! The small chess engine that the book builds, one file for each chapter.
//!
//! The rules of chess come from `alfiere-chess`, the network from `alfiere-nnue`, the decoding of endgame tables from
//! `alfiere-syzygy`. Everything else is here, written to be read. A [`Stage`] is the engine at the end of a chapter; each one has all that the stages before it have.

pub mod endgame;
pub mod evaluation;
pub mod inference;
pub mod mailbox;
pub mod mcts;
pub mod negamax;
pub mod network;
pub mod opening;
pub mod ordering;
pub mod perft;
pub mod search;
pub mod stage;
pub mod table;
pub mod time;
pub mod uci;

pub use stage::Stage;
