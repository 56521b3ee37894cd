//! Work in the background: `bench` and `go perft`.

use std::io;
use std::sync::Arc;

use crate::platform::{Background, in_background};
use crate::search::Control;

/// Work that is running or has finished.
pub(super) struct Task {
    control: Arc<Control>,
    thread: Background<()>,
}

impl Task {
    /// Starts the work, which must end soon after its control is stopped.
    ///
    /// # Errors
    /// If the thread cannot be spawned.
    pub(super) fn start(work: impl FnOnce(&Control) + Send + 'static) -> io::Result<Self> {
        let control = Arc::new(Control::default());
        let shared = Arc::clone(&control);
        Ok(Self { control, thread: in_background(move || work(&shared))? })
    }

    /// Ends the work.
    pub(super) fn stop(self) {
        self.control.stop();
        self.wait();
    }

    /// Waits until the work is done.
    pub(super) fn wait(self) {
        // A panic was reported on its own thread.
        let _ = self.thread.join();
    }
}
