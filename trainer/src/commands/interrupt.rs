//! Ctrl-C handling: the first asks the command to stop and keep its finished work, the second exits immediately.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code of a command interrupted by Ctrl-C: 128 plus the signal number, as in shells.
pub(crate) const INTERRUPTED: u8 = 130;

static REQUESTED: AtomicBool = AtomicBool::new(false);

/// Installs the handler. If that fails, Ctrl-C ends the program as usual.
#[allow(clippy::exit, reason = "a second Ctrl-C exits immediately")]
pub(crate) fn watch() {
    let _ = ctrlc::set_handler(|| {
        if REQUESTED.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
    });
}

/// True once Ctrl-C has been pressed.
pub(crate) fn requested() -> bool {
    REQUESTED.load(Ordering::Relaxed)
}

/// Set once Ctrl-C has been pressed.
pub(crate) fn flag() -> &'static AtomicBool {
    &REQUESTED
}

/// `Break` once Ctrl-C has been pressed.
pub(crate) fn flow() -> ControlFlow<()> {
    if requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
