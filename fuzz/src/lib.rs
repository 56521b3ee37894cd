//! What the fuzz targets share: a limit on memory, and files for readers that take a path.

use std::alloc::System;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use cap::Cap;

pub mod rows;

/// No reader needs more for an input of a few KiB.
const MAX_BYTES: usize = 1 << 30;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, MAX_BYTES);

/// This process's folder for files; `scripts/fuzz` keeps it in memory and removes it.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("alfiere-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder can be made");
        folder
    })
}

/// Writes the input to a file of this name in [`folder`].
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    std::fs::write(&path, bytes).expect("a file can be written");
    path
}

/// The input with the CRC-32 of all bytes before it in its last four, as networks have it.
pub fn with_checksum(bytes: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    if let Some(content) = bytes.len().checked_sub(4) {
        let sum = crc32fast::hash(&bytes[..content]).to_le_bytes();
        bytes[content..].copy_from_slice(&sum);
    }
    bytes
}
