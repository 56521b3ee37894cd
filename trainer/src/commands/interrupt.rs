//! Ctrl-C: the first asks the command to end and keep what is finished, the second ends it at once.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Starts watching. Where signals cannot be watched, Ctrl-C ends the program as it would without.
#[allow(clippy::exit, reason = "a second Ctrl-C means at once")]
pub(crate) fn watch() {
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(super::INTERRUPTED));
        }
    });
}

/// True once Ctrl-C was pressed.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// `Break` once Ctrl-C was pressed.
pub(crate) fn flow() -> ControlFlow<()> {
    if requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
