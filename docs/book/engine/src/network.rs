//! Chapter 7: a neural network evaluates.

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;
use alfiere_nnue::{AccumulatorStack, Delta, Network};

use crate::evaluation::Evaluator;

/// The network inside the program, with the accumulators of the current line.
pub struct Neural {
    network: &'static Network,
    accumulators: AccumulatorStack,
}

impl Neural {
    /// With the default network of Alfiere.
    pub fn new() -> Self {
        let network = Network::embedded();
        Self { network, accumulators: AccumulatorStack::new(network) }
    }
}

impl Evaluator for Neural {
    fn reset(&mut self, root: &Board) {
        self.accumulators.reset(root);
    }

    fn play(&mut self, board: &Board, mv: Move) -> Board {
        let mut child = board.clone();
        self.accumulators.push(Delta::of_played(&mut child, mv));
        child
    }

    fn pass(&mut self, board: &Board) -> Board {
        let mut child = board.clone();
        child.play_null();
        self.accumulators.push(Delta::default());
        child
    }

    fn undo(&mut self) {
        self.accumulators.pop();
    }

    fn evaluate(&mut self, board: &Board) -> i32 {
        self.accumulators.evaluate(self.network, board)
    }
}

impl Default for Neural {
    fn default() -> Self {
        Self::new()
    }
}
