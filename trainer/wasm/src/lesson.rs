//! Reports of the lessons before and after the rows, which no call interrupts.

use std::ops::ControlFlow;

use alfiere_training::{StepReport, TrainingObserver};
use serde_json::json;

mod host {
    // SAFETY: the function reads the bytes at this address, and keeps nothing.
    #[link(wasm_import_module = "trainer")]
    unsafe extern "C" {
        pub(super) fn report(address: *const u8, bytes: usize);
    }
}

/// The name of a lesson, whose progress is reported.
pub(crate) struct Lesson(pub(crate) &'static str);

impl Lesson {
    fn report(&self, part: &str, done: u64, all: u64) -> ControlFlow<()> {
        let text = json!({ "lesson": self.0, "part": part, "done": done, "of": all }).to_string();
        // SAFETY: the address and length are a string's.
        unsafe { host::report(text.as_ptr(), text.len()) };
        ControlFlow::Continue(())
    }
}

impl TrainingObserver for Lesson {
    fn on_rows(&mut self, made: u64, of: u64) -> ControlFlow<()> {
        self.report("searches", made, of)
    }

    fn on_batch(&mut self, progress: &StepReport) -> ControlFlow<()> {
        let before = u64::from(progress.epoch - 1) * progress.positions;
        self.report("training", before + progress.positions_done, u64::from(progress.epochs) * progress.positions)
    }
}
