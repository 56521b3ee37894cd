//! Shows a training run: a progress bar for each epoch, and a line after it.

use std::ops::ControlFlow;

use alfiere_trainer::experiment::EpochSelection;
use alfiere_training::{EpochRecord, StepReport, TrainingObserver};

use super::interrupt;
use super::output::grouped;
use super::progress::{Progress, remark};

/// Shows a run; stops it on Ctrl-C.
#[derive(Default)]
pub(crate) struct TrainingDisplay {
    /// Prefix of each line, such as the fold.
    prefix: String,
    /// How a fold's epoch is selected; `None` for a run that uses the best one.
    selection: Option<EpochSelection>,
    bar: Option<(u32, Progress)>,
}

impl TrainingDisplay {
    /// Shows a fold, with `prefix` before each line.
    pub(crate) fn fold(prefix: &str, selection: EpochSelection) -> Self {
        Self { prefix: prefix.to_owned(), selection: Some(selection), bar: None }
    }
}

impl TrainingObserver for TrainingDisplay {
    fn on_rows(&mut self, made: u64, of: u64) -> ControlFlow<()> {
        let (_, bar) = self.bar.get_or_insert_with(|| (0, Progress::new("positions of searches", of, "positions")));
        bar.at(made, "");
        if made >= of
            && let Some((_, bar)) = self.bar.take()
        {
            bar.finish();
        }
        interrupt::flow()
    }

    fn on_batch(&mut self, progress: &StepReport) -> ControlFlow<()> {
        let bar = match &mut self.bar {
            Some((epoch, bar)) if *epoch == progress.epoch => bar,
            bar => {
                let name = format!("{}epoch {}/{}", self.prefix, progress.epoch, progress.epochs);
                let shown = Progress::new(&name, progress.positions, "positions").after(progress.positions_done);
                &mut bar.insert((progress.epoch, shown)).1
            }
        };
        bar.at(progress.positions_done, &format!("loss {:.5}", progress.epoch_loss));
        interrupt::flow()
    }

    fn on_epoch(&mut self, record: &EpochRecord) {
        if let Some((_, bar)) = self.bar.take() {
            bar.finish();
        }
        let validation = record.validation.map_or_else(String::new, |validation| {
            let metrics = validation.metrics;
            format!("  validation {:.5}  R2 {:.4}  MAE {:.4}", validation.loss, metrics.r2, metrics.mae)
        });
        remark(&format!(
            "{}epoch {:>3}  lr {:.2e}  loss {:.5}{validation}  {} positions/s  {:.1} s{}",
            self.prefix,
            record.epoch,
            record.learning_rate,
            record.training_loss,
            grouped(record.positions_per_second as u64),
            record.seconds,
            if record.is_best && self.selection != Some(EpochSelection::Last) { "  best" } else { "" },
        ));
    }
}
