//! Networks as teachers: their static evaluations, a hundred times faster than running a program over pipes.
//!
//! Reads this project's networks, and those of Stockfish, for which it computes the same integers that Stockfish's
//! `eval` command prints. Uses boards and rows; independent of training.

pub mod nineteen;
mod plain_views;
mod values;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use alfiere_chess::board::Board;
use alfiere_nnue::{AccumulatorStack, HiddenLayer, Network, NetworkError};
use thiserror::Error;

pub use values::values;

/// A network of this project or of a supported Stockfish version.
#[derive(Clone, Debug)]
pub enum Teacher {
    Own(Box<Network>),
    /// Stockfish 19.
    Nineteen(Box<nineteen::Network>),
}

/// Why a teacher network cannot be loaded.
#[derive(Debug, Error)]
pub enum TeacherError {
    #[error("{}: cannot read it: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error(
        "{}: {problem}; expected a network of this project or of Stockfish 19 (nn-1a298aa575a0.nnue, 98,511,183 bytes; the lite variant is \
         nn-61e7af4bb97d.nnue, 1,166,381 bytes)",
        path.display()
    )]
    Format { path: PathBuf, problem: String },
    #[error(transparent)]
    Own(#[from] NetworkError),
}

impl Teacher {
    /// Reads a network file; its first bytes determine the kind.
    ///
    /// # Errors
    /// If the file cannot be read, has an unknown version or is damaged.
    pub fn load(path: &Path) -> Result<Self, TeacherError> {
        if Network::is_file(path) {
            return Ok(Self::Own(Box::new(Network::load(path)?)));
        }
        let bytes = std::fs::read(path).map_err(|source| TeacherError::Io { path: path.to_owned(), source })?;
        let version = bytes.first_chunk().map(|&bytes| u32::from_le_bytes(bytes));
        let read = match version {
            Some(nineteen::VERSION) => nineteen::Network::read(&bytes)
                .map(|network| Self::Nineteen(Box::new(network)))
                .map_err(|error| error.to_string()),
            Some(other) => Err(format!("it starts with {other:#010x}")),
            None => Err(format!("it has {} bytes", bytes.len())),
        };
        read.map_err(|problem| TeacherError::Format { path: path.to_owned(), problem })
    }

    /// The first dense layer as a source of hints; none for networks of this project.
    pub fn into_hidden_layer(self) -> Option<Arc<dyn HiddenLayer>> {
        match self {
            Self::Nineteen(network) if network.is_lite() => Some(Arc::new(*network)),
            Self::Nineteen(network) => Some(Arc::new(nineteen::FullHints::new(*network))),
            Self::Own(_) => None,
        }
    }

    /// Creates an evaluator with this network.
    pub fn evaluator(&self) -> Evaluator<'_> {
        match self {
            Self::Own(network) => Evaluator::Own { network, accumulators: Box::new(AccumulatorStack::new(network)) },
            Self::Nineteen(network) => Evaluator::Nineteen(Box::new(nineteen::Evaluator::new(network))),
        }
    }
}

/// Evaluates boards with a teacher network, incrementally: fast if consecutive boards differ little.
#[derive(Clone)]
pub enum Evaluator<'a> {
    Own {
        network: &'a Network,
        accumulators: Box<AccumulatorStack>,
    },
    /// A network of Stockfish 19.
    Nineteen(Box<nineteen::Evaluator<'a>>),
}

impl Evaluator<'_> {
    /// Evaluates a position in centipawns for the side to move, the static evaluation that a search uses. 100 of
    /// Stockfish's are a winning probability of 50%; the unit of this project's networks is that of their training
    /// labels. Positions in check have no meaningful evaluation.
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        match self {
            Self::Own { network, accumulators } => {
                accumulators.reset(board);
                accumulators.evaluate(network, board)
            }
            Self::Nineteen(evaluator) => evaluator.evaluate(board),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_files_are_rejected_with_the_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("some.nnue");
        let error_of = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            Teacher::load(&path).expect_err("refused").to_string()
        };
        assert!(error_of(b"x").contains("some.nnue: it has 1 bytes; expected a network of this project or of"));
        assert!(error_of(b"ALFNNUE and more").contains("it starts with 0x4e464c41"));
        assert!(error_of(&nineteen::VERSION.to_le_bytes()).contains("nn-1a298aa575a0.nnue"));
        assert!(error_of(b"ALFIERE\x1A and more").contains("some.nnue: "));
        let missing = Teacher::load(Path::new("no/such/file.nnue")).expect_err("no such file").to_string();
        assert!(missing.starts_with("no/such/file.nnue: cannot read it"), "{missing}");
    }
}
