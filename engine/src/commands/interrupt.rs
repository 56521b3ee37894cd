//! Ctrl-C: the first press stops a command cleanly, the second ends the program.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Failure;

/// A flag that is set by Ctrl-C. To be called at most once per run.
pub(crate) fn flag() -> Result<Arc<AtomicBool>, Failure> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    let mut presses = 0;
    ctrlc::set_handler(move || {
        presses += 1;
        shared.store(true, Ordering::Relaxed);
        if presses > 1 {
            #[allow(clippy::exit)] // The second Ctrl-C exits at once.
            std::process::exit(130);
        }
    })?;
    Ok(flag)
}
