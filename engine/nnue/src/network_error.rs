//! Why a network file is refused.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::architecture::ArchitectureError;

/// Why a file is no network, or could not be read or written.
#[derive(Debug, Error)]
pub enum NetworkError {
    /// The file could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file that is no network, with its name.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        source: Box<NetworkError>,
    },
    /// Not a file of this kind.
    #[error("no network file: it does not begin with `ALFIERE`")]
    Magic,
    /// A format that this version does not know.
    #[error("format version {found}, this program reads versions 1 to {latest}")]
    Version {
        /// The file's version.
        found: u32,
        /// The latest that is known.
        latest: u32,
    },
    /// Fewer or more bytes than the header says.
    #[error("{found} bytes, the header says {expected}")]
    Length {
        /// Bytes there are.
        found: u64,
        /// Bytes there should be; for a file cut within the header, the header's.
        expected: u64,
    },
    /// Altered content.
    #[error("checksum {found:08x}, the content has {expected:08x}: the file is damaged")]
    Checksum {
        /// What the file says.
        found: u32,
        /// What its content gives.
        expected: u32,
    },
    /// A field of the header that is out of range.
    #[error("{field} is {value}, {expected}")]
    Header {
        /// Which field.
        field: &'static str,
        /// Its value.
        value: u64,
        /// What is possible.
        expected: &'static str,
    },
    /// An impossible shape.
    #[error(transparent)]
    Architecture(#[from] ArchitectureError),
    /// Provenance that is not JSON of the right form.
    #[error("provenance: {0}")]
    Provenance(String),
    /// A weight that no quantiser writes.
    #[error("output weight {value}, at most ±{limit} is possible")]
    Weight {
        /// The weight.
        value: i64,
        /// The limit.
        limit: i64,
    },
}
