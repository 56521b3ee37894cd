//! Records of training runs.
#![no_main]

use alfiere_fuzz::record::RunRecord;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    match RunRecord::read(&alfiere_fuzz::file("a.run.jsonl", bytes)) {
        Ok(run) => {
            assert!(run.steps_before <= run.steps.len());
            run.best();
            assert!(run.epochs_trained() >= 0.0);
            assert!(run.seconds_left().is_none() || run.end.is_none());
            run.layers.iter().for_each(|layer| assert!(layer.share_at_limit() >= 0.0));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
