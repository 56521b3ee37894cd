//! How strong an opponent is to be: the one place where a level becomes limits of the engine.

use std::time::Duration;

use crate::search::{Limits, TimeLimit};

/// A step between a beginner's opponent and all that the engine can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Level {
    /// By which it is chosen.
    pub(super) name: &'static str,
    /// For people.
    pub(super) title: &'static str,
    /// Positions it may look at for a move; `None` for as many as time allows.
    nodes: Option<u64>,
}

/// How long a move may take where neither a clock nor a fixed time says so.
const PATIENCE: Duration = Duration::from_secs(1);

impl Level {
    /// All levels, the weakest first.
    pub(super) const ALL: [Self; 8] = [
        Self { name: "1", title: "Looks at 20 positions a move", nodes: Some(20) },
        Self { name: "2", title: "Looks at 60 positions a move", nodes: Some(60) },
        Self { name: "3", title: "Looks at 200 positions a move", nodes: Some(200) },
        Self { name: "4", title: "Looks at 800 positions a move", nodes: Some(800) },
        Self { name: "5", title: "Looks at 4,000 positions a move", nodes: Some(4_000) },
        Self { name: "6", title: "Looks at 20,000 positions a move", nodes: Some(20_000) },
        Self { name: "7", title: "Looks at 150,000 positions a move", nodes: Some(150_000) },
        Self { name: "8", title: "Full strength, one second a move unless a clock runs", nodes: None },
    ];

    /// What is chosen when nothing is said.
    pub(super) const DEFAULT: Self = Self::ALL[3];

    /// The level of this name.
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|level| level.name == name)
    }

    /// What bounds a move when the game gives it this time.
    pub(super) fn limits(self, time: TimeLimit) -> Limits {
        let time = match time {
            TimeLimit::None => TimeLimit::MoveTime(PATIENCE),
            time => time,
        };
        Limits { nodes: self.nodes, time, ..Limits::default() }
    }
}
