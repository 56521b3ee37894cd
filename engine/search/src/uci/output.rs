//! The writer of lines for the GUI, shared by the session and its search.

use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum length of a message, in letters.
const LONGEST_NOTE: usize = 400;

/// Writes whole lines, each at once.
#[derive(Clone)]
pub(super) struct Output(Arc<Mutex<dyn Write + Send>>);

impl Output {
    pub(super) fn new(writer: impl Write + Send + 'static) -> Self {
        Self(Arc::new(Mutex::new(writer)))
    }

    /// Writes a line. Errors are ignored: a session ends when its input ends.
    pub(super) fn line(&self, line: impl fmt::Display) {
        let text = format!("{line}\n");
        let mut writer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = writer.write_all(text.as_bytes()).and_then(|()| writer.flush());
    }

    /// Writes `info string` with a message, on one line, without control characters, and cut after [`LONGEST_NOTE`] letters.
    pub(super) fn note(&self, text: impl fmt::Display) {
        let text = text.to_string();
        let mut shown: String =
            text.chars().take(LONGEST_NOTE).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        if shown.len() < text.len() {
            shown.push_str(" ...");
        }
        self.line(format_args!("info string {shown}"));
    }
}
