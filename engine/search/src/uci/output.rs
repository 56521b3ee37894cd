//! Where lines for the GUI go: one writer, shared by the session and the search that it started.

use std::fmt;
use std::io::Write;
use std::sync::{Arc, Mutex, PoisonError};

/// Maximum length of a note, in letters.
const LONGEST_NOTE: usize = 400;

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

    /// Says something to the person at the GUI: one line of it, not too long, whatever bytes were received and are quoted.
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
