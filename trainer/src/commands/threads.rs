//! The argument `--threads`.

use alfiere_training::MAX_THREADS;

/// Parses a number of threads; 0 stands for one per core.
pub(super) fn parse_threads(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|&threads| threads <= MAX_THREADS).ok_or_else(|| format!("expected 0 to {MAX_THREADS}"))
}
