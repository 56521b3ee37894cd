//! Ctrl-C: the first asks the command to stop and keep its finished work, the second exits immediately.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// Exit code of a command stopped by Ctrl-C: 128 plus the signal number, as in shells.
pub const EXIT_CODE: u8 = 130;

static REQUESTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

/// Installs the handler, at most once in a program, and returns the [`flag`].
///
/// # Errors
/// If the system refuses it. Ctrl-C then ends the program as usual.
#[allow(clippy::exit, reason = "a second Ctrl-C exits immediately")]
pub fn watch() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let mut presses = 0;
    ctrlc::set_handler(move || {
        presses += 1;
        flag().store(true, Ordering::Relaxed);
        if presses > 1 {
            std::process::exit(i32::from(EXIT_CODE));
        }
    })?;
    Ok(Arc::clone(flag()))
}

/// True once Ctrl-C has been pressed.
pub fn requested() -> bool {
    flag().load(Ordering::Relaxed)
}

/// Set once Ctrl-C has been pressed.
pub fn flag() -> &'static Arc<AtomicBool> {
    &REQUESTED
}

/// `Break` once Ctrl-C has been pressed.
pub fn flow() -> ControlFlow<()> {
    if requested() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}
