//! Progress through several files.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use alfiere_terminal::Progress;

/// Progress through several files, in compressed bytes because the number of games is unknown before reading.
pub(crate) struct FileProgress {
    progress: Progress,
    /// Bytes read so far, counted by the reader.
    bytes: Arc<AtomicU64>,
}

impl FileProgress {
    /// Starts before the first file; files that cannot be read count as empty.
    pub(crate) fn new(files: &[PathBuf]) -> Self {
        let length = |path: &PathBuf| std::fs::metadata(path).map_or(0, |data| data.len());
        let progress = Progress::new("reading", files.iter().map(length).sum(), "B");
        Self { progress, bytes: Arc::default() }
    }

    /// The counter that the reader of the files increases.
    pub(crate) fn bytes(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes)
    }

    /// Shows the bytes read so far; `message` is a short status.
    pub(crate) fn update(&mut self, message: &str) {
        self.progress.at(self.bytes.load(Ordering::Relaxed), message);
    }
}
