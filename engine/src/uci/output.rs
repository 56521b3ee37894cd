//! Where lines for the GUI go: one writer, shared by the session and the search that it started.

use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Writes whole lines, each at once.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(writer)))
    }

    /// Writes a line. A reader that has gone away is noticed at the end of input, not here.
    pub(super) fn line(&self, line: impl fmt::Display) {
        let text = format!("{line}\n");
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
    }

    /// Says something to the person at the GUI.
    pub(super) fn note(&self, text: impl fmt::Display) {
        self.line(format_args!("info string {text}"));
    }
}
