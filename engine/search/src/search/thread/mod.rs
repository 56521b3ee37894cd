//! The state of a thread: what it keeps between searches (here), the stack of the current line, and how it
//! makes and unmakes moves.

mod stack;
mod worker;

use crate::search::ordering::{CorrectionHistory, History};
use crate::search::score::{Depth, Score};
use crate::search::tunables;
use stack::{Frames, Variations};

pub(crate) use worker::{Role, Searched, Stopped, Worker, has_non_pawn_material};

/// A thread's evaluator, statistics and buffers.
pub struct ThreadData<E> {
    pub(crate) evaluator: E,
    pub(crate) history: History,
    pub(crate) corrections: CorrectionHistory,
    pub(crate) reductions: Reductions,
    pub(crate) frames: Frames,
    pub(crate) variations: Variations,
    /// White's score in the last search, which was of an earlier move of the same game.
    pub(crate) last_score: Option<Score>,
}

impl<E> ThreadData<E> {
    /// A thread that has not searched yet.
    pub fn new(evaluator: E) -> Self {
        Self {
            evaluator,
            history: History::new(),
            corrections: CorrectionHistory::new(),
            reductions: Reductions::new(),
            frames: Frames::new(),
            variations: Variations::new(),
            last_score: None,
        }
    }

    /// The evaluator.
    pub fn evaluator_mut(&mut self) -> &mut E {
        &mut self.evaluator
    }

    /// Forgets everything about earlier games.
    pub fn clear(&mut self) {
        self.history.clear();
        self.corrections.clear();
        self.last_score = None;
    }
}

/// The number of depths, and of move counts, in the table of reductions.
const REDUCTIONS: usize = 64;

/// The logarithmic term of late move reductions in 1024ths of a ply, by depth and place in the move order.
pub(crate) struct Reductions {
    divisor: i32,
    table: Box<[[i16; REDUCTIONS]; REDUCTIONS]>,
}

impl Reductions {
    fn new() -> Self {
        let divisor = tunables::reduction_divisor();
        Self { divisor, table: table(divisor) }
    }

    /// Makes the table again if its divisor was changed since; only then, because a search may visit only ten nodes.
    pub(crate) fn update(&mut self) {
        if self.divisor != tunables::reduction_divisor() {
            *self = Self::new();
        }
    }

    /// The reduction at a depth for a move at this place in the order.
    pub(crate) fn at(&self, depth: Depth, number: usize) -> i32 {
        i32::from(self.table[depth.get().clamp(0, REDUCTIONS as i32 - 1) as usize][number.min(REDUCTIONS - 1)])
    }
}

/// ln(depth) ln(move count), over the divisor in hundredths.
fn table(divisor: i32) -> Box<[[i16; REDUCTIONS]; REDUCTIONS]> {
    let logarithms: [f64; REDUCTIONS] = std::array::from_fn(|number| (number as f64).ln());
    let mut table = Box::new([[0; REDUCTIONS]; REDUCTIONS]);
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (number, cell) in row.iter_mut().enumerate().skip(1) {
            *cell = (1024.0 * logarithms[depth] * logarithms[number] / (f64::from(divisor) / 100.0)) as i16;
        }
    }
    table
}
