//! The network as an evaluator: accumulators kept along the line, values asked for where the search wants them.

use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use alfiere_chess::board::Board;
use alfiere_chess::types::Move;
use alfiere_nnue::{AccumulatorStack, Delta, EmbeddedNetwork, Network, NetworkError};

use super::Evaluator;

/// Which network evaluates: one inside the program, or one that was loaded.
#[derive(Clone, Debug)]
pub enum NetworkChoice {
    /// One inside the program.
    Embedded(EmbeddedNetwork),
    /// One from a file.
    Loaded(Arc<Network>),
}

impl Default for NetworkChoice {
    fn default() -> Self {
        Self::Embedded(EmbeddedNetwork::Default)
    }
}

impl NetworkChoice {
    /// The network of a file, or the default one without.
    ///
    /// # Errors
    /// If the file cannot be read or is no network.
    pub fn of(path: Option<impl AsRef<Path>>) -> Result<Self, NetworkError> {
        Ok(match path {
            Some(path) => Self::Loaded(Arc::new(Network::load(path)?)),
            None => Self::default(),
        })
    }
}

impl Deref for NetworkChoice {
    type Target = Network;

    fn deref(&self) -> &Network {
        match self {
            Self::Embedded(embedded) => embedded.network(),
            Self::Loaded(network) => network,
        }
    }
}

/// A network with the accumulators of one line of play.
pub struct Neural {
    network: NetworkChoice,
    accumulators: AccumulatorStack,
}

impl Neural {
    /// An evaluator at no position yet.
    pub fn new(network: NetworkChoice) -> Self {
        let accumulators = AccumulatorStack::new(&network);
        Self { network, accumulators }
    }
}

impl Evaluator for Neural {
    fn reset(&mut self, board: &Board) {
        self.accumulators.reset(board);
    }

    fn play(&mut self, board: &mut Board, mv: Move) {
        self.accumulators.push(Delta::of_played(board, mv));
    }

    fn undo(&mut self) {
        self.accumulators.pop();
    }

    fn evaluate(&mut self, board: &Board) -> i32 {
        self.accumulators.evaluate(&self.network, board)
    }
}
