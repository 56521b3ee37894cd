//! Stockfish's evaluation networks as teachers: a hundred times faster than asking the program over its pipes.
//!
//! Reads network files and computes the integers that the program's `eval` prints. Knows boards and rows; knows nothing of
//! training.

pub mod fifteen;
pub mod nineteen;
mod values;

use std::io;
use std::path::{Path, PathBuf};

use alfiere_chess::board::Board;
use thiserror::Error;

pub use values::values;

/// A network of one of the supported versions of Stockfish.
#[derive(Clone, Debug)]
pub enum Teacher {
    /// Of Stockfish 15 or 15.1.
    Fifteen(fifteen::Network),
    /// Of Stockfish 19.
    Nineteen(Box<nineteen::Network>),
}

/// Why a file is no teacher.
#[derive(Debug, Error)]
pub enum TeacherError {
    /// The file cannot be read.
    #[error("{}: cannot read it: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The file is of another kind.
    #[error(
        "{}: {problem}; expected the network of Stockfish 15 or 15.1 (47,001,499 bytes or so, the program writes it at \
         `export_net FILE`) or of Stockfish 19 (nn-1a298aa575a0.nnue, 98,511,183 bytes; the \
         lite variant's: nn-61e7af4bb97d.nnue, 1,166,381 bytes)",
        path.display()
    )]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
}

impl Teacher {
    /// Reads a network file; its first number says of which version it is.
    ///
    /// # Errors
    /// If the file cannot be read, is of an unknown version or damaged.
    pub fn load(path: &Path) -> Result<Self, TeacherError> {
        let bytes = std::fs::read(path).map_err(|source| TeacherError::Io { path: path.to_owned(), source })?;
        let version = bytes.first_chunk().map(|&bytes| u32::from_le_bytes(bytes));
        let read = match version {
            Some(fifteen::VERSION) => fifteen::Network::read(&bytes).map(Self::Fifteen),
            Some(nineteen::VERSION) => nineteen::Network::read(&bytes)
                .map(|network| Self::Nineteen(Box::new(network)))
                .map_err(|error| error.to_string()),
            Some(other) => Err(format!("it starts with {other:#010x}")),
            None => Err(format!("it has {} bytes", bytes.len())),
        };
        read.map_err(|problem| TeacherError::Format { path: path.to_owned(), problem })
    }

    /// An evaluator with this network.
    pub fn evaluator(&self) -> Evaluator<'_> {
        match self {
            Self::Fifteen(network) => Evaluator::Fifteen(fifteen::Evaluator::new(network)),
            Self::Nineteen(network) => Evaluator::Nineteen(Box::new(nineteen::Evaluator::new(network))),
        }
    }
}

/// Evaluates boards with a teacher's network; fast where they differ little from those before.
#[derive(Clone)]
pub enum Evaluator<'a> {
    /// With a network of Stockfish 15 or 15.1.
    Fifteen(fifteen::Evaluator<'a>),
    /// With the network of Stockfish 19.
    Nineteen(Box<nineteen::Evaluator<'a>>),
}

impl Evaluator<'_> {
    /// Centipawns for the side to move, 100 for an even chance to win, as the program's own search would start from. A
    /// position in check has no meaningful value.
    pub fn evaluate(&mut self, board: &Board) -> i32 {
        match self {
            Self::Fifteen(evaluator) => evaluator.evaluate(board),
            Self::Nineteen(evaluator) => evaluator.evaluate(board),
        }
    }
}

/// A teacher with weights like noise.
#[cfg(test)]
pub(crate) fn noise() -> Teacher {
    Teacher::Fifteen(fifteen::noise())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_kinds_are_refused_with_the_reason() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("some.nnue");
        let refuse = |bytes: &[u8]| {
            std::fs::write(&path, bytes).expect("written");
            Teacher::load(&path).expect_err("refused").to_string()
        };
        assert!(refuse(b"x").contains("some.nnue: it has 1 bytes; expected the network of"));
        assert!(refuse(b"ALFNNUE and more").contains("it starts with 0x4e464c41"));
        assert!(refuse(&fifteen::VERSION.to_le_bytes()).contains("ends in the middle"));
        assert!(refuse(&nineteen::VERSION.to_le_bytes()).contains("nn-1a298aa575a0.nnue"));
        let missing = Teacher::load(Path::new("no/such/file.nnue")).expect_err("refused").to_string();
        assert!(missing.starts_with("no/such/file.nnue: cannot read it"), "{missing}");
    }
}
