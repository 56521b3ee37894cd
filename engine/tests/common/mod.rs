//! Shared by tests of the real program: a UCI connection over pipes, a grammar of the output, and checks against the
//! rules of chess and the protocol.
//!
//! Each test file uses a part of it.
#![allow(dead_code, unreachable_pub, reason = "each test file uses only a part")]

pub mod fuzz;
pub mod grammar;
pub mod gui;
pub mod referee;
