//! What tests of the real program share: a conversation over pipes, what a line may look like, and a referee who knows
//! the rules of chess and of the protocol.
//!
//! Each test file uses a part of it.
#![allow(dead_code, unreachable_pub, reason = "every test file compiles this and uses what it needs")]

pub mod fuzz;
pub mod grammar;
pub mod gui;
pub mod referee;
