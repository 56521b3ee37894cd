//! Reading a record.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{FORMAT, LayerWeights, Line, Measured, Mistake, PhaseSize, Start, Step};
use crate::EpochRecord;

#[derive(Debug, Error)]
pub enum RecordError {
    #[error("{path}: {source}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path}: {reason}; expected the record of a run, which `trainer train` writes next to the network")]
    Content { path: PathBuf, reason: String },
}

#[derive(Clone, PartialEq, Debug)]
pub struct RunRecord {
    pub start: Start,
    /// Progress, without steps that were lost.
    pub steps: Vec<Step>,
    /// Number of `steps` before the latest start.
    pub steps_before: usize,
    pub epochs: Vec<EpochRecord>,
    /// The latest weights; empty before the first.
    pub layers: Vec<LayerWeights>,
    /// Rows with the largest errors after the latest epoch, the largest first.
    pub mistakes: Vec<Mistake>,
    /// Time of the latest line.
    pub time: f64,
    /// Why the run stopped; `None` while it runs, and after a kill.
    pub end: Option<String>,
    /// The errors of the network, once it is written.
    pub measured: Option<Measured>,
    /// Number of lines that count for the weights, which changes when they do.
    pub weights_version: usize,
}

impl RunRecord {
    /// Reads a record. Incomplete lines are skipped: they are what a killed run was writing.
    ///
    /// # Errors
    /// If the file cannot be read or is not a record.
    pub fn read(path: &Path) -> Result<Self, RecordError> {
        let bytes = std::fs::read(path).map_err(|source| RecordError::Read { path: path.to_path_buf(), source })?;
        Self::parse(&bytes).map_err(|reason| RecordError::Content { path: path.to_path_buf(), reason })
    }

    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let mut lines = bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok());
        let Some(Line::Start(start)) = lines.next() else {
            return Err("its first line is not the start of a run".to_owned());
        };
        if start.format != FORMAT {
            return Err(format!("format {}, this program reads {FORMAT}", start.format));
        }
        let mut run = Self {
            time: start.time,
            start: *start,
            steps: Vec::new(),
            steps_before: 0,
            epochs: Vec::new(),
            layers: Vec::new(),
            mistakes: Vec::new(),
            end: None,
            measured: None,
            weights_version: 0,
        };
        for line in lines {
            run.add(line);
        }
        // In the file, epochs are numbered by phase.
        let offsets: Vec<u32> = (0..run.phase_count()).map(|phase| run.epochs_before(phase)).collect();
        let offset = |phase: u32| offsets.get(phase as usize).copied().unwrap_or(0);
        run.steps.iter_mut().for_each(|step| step.epoch = step.epoch.saturating_add(offset(step.phase)));
        run.epochs.iter_mut().for_each(|record| record.epoch = record.epoch.saturating_add(offset(record.phase)));
        Ok(run)
    }

    fn add(&mut self, line: Line) {
        match line {
            Line::Start(start) => {
                let done = (start.phase, start.epochs_done.saturating_add(1), start.batches_done);
                self.steps.retain(|step| (step.phase, step.epoch, step.batches) <= done);
                self.epochs.retain(|record| (record.phase, record.epoch) <= (start.phase, start.epochs_done));
                (self.time, self.steps_before, self.end) = (start.time, self.steps.len(), None);
                self.measured = None;
                self.start = *start;
            }
            Line::Step(step) => {
                self.time = step.time;
                self.steps.push(step);
            }
            Line::Weights { layers } => {
                self.layers = layers;
                self.weights_version += 1;
            }
            Line::Epoch { time, record, layers, mistakes } => {
                self.time = time;
                self.epochs.retain(|earlier| (earlier.phase, earlier.epoch) != (record.phase, record.epoch));
                self.epochs.push(record);
                if !layers.is_empty() {
                    (self.layers, self.mistakes) = (layers, mistakes);
                    self.weights_version += 1;
                }
            }
            Line::Measured(measured) => self.measured = Some(measured),
            Line::End { time, reason } => (self.time, self.end) = (time, Some(reason)),
        }
    }

    /// The epoch with the lowest loss on inner or validation rows, or training rows without any.
    pub fn best(&self) -> Option<&EpochRecord> {
        self.epochs.iter().rev().find(|record| record.is_best)
    }

    pub fn phases(&self) -> Vec<PhaseSize> {
        let start = &self.start;
        if start.phases.is_empty() {
            let (epochs, rows) = (start.options.epochs, start.rows.training);
            return vec![PhaseSize { lesson: "rows".to_owned(), epochs, rows }];
        }
        start.phases.clone()
    }

    fn phase_count(&self) -> u32 {
        self.start.phases.len().max(1) as u32
    }

    /// Epochs of the phases before this one.
    fn epochs_before(&self, phase: u32) -> u32 {
        let epochs = self.phases().into_iter().take(phase as usize).map(|phase| phase.epochs);
        epochs.fold(0, u32::saturating_add)
    }

    pub fn all_epochs(&self) -> u32 {
        self.epochs_before(self.phase_count())
    }

    /// The epochs, numbered by phase as in a run's history.
    pub(super) fn epochs_of_phases(&self) -> Vec<EpochRecord> {
        let by_phase = |record: &EpochRecord| EpochRecord {
            epoch: record.epoch.saturating_sub(self.epochs_before(record.phase)),
            ..record.clone()
        };
        self.epochs.iter().map(by_phase).collect()
    }

    /// Rows of an epoch of a phase.
    fn rows_of(&self, phase: u32) -> f64 {
        self.phases().get(phase as usize).map_or(1.0, |phase| phase.rows.max(1) as f64)
    }

    /// Epochs before the latest start.
    fn epochs_at_start(&self) -> u32 {
        self.epochs_before(self.start.phase).saturating_add(self.start.epochs_done)
    }

    /// Number of epochs trained, with the finished part of the current one.
    pub fn epochs_trained(&self) -> f64 {
        let whole = self.epochs.last().map_or(0, |record| record.epoch).max(self.epochs_at_start());
        let part = self.steps.last().filter(|step| step.epoch > whole);
        f64::from(whole) + part.map_or(0.0, |step| step.positions as f64 / self.rows_of(step.phase))
    }

    /// Seconds until all phases are trained, at the speed since the latest start. `None` before that is known, and after
    /// the end.
    pub fn seconds_left(&self) -> Option<f64> {
        let first = self.epochs_at_start();
        let session: Vec<f64> =
            self.epochs.iter().filter(|record| record.epoch > first).map(|record| record.seconds).collect();
        let rows = self.rows_of(self.start.phase);
        let seconds_per_row = if session.is_empty() {
            let place = |step: &Step| f64::from(step.epoch) * rows + step.positions as f64;
            let (first, last) = (self.steps.get(self.steps_before)?, self.steps.last()?);
            let trained = place(last) - place(first);
            if trained <= 0.0 {
                return None;
            }
            (last.time - first.time) / trained
        } else {
            session.iter().sum::<f64>() / (session.len() as f64 * rows)
        };
        let trained = self.epochs_trained();
        let left = |(index, phase): (usize, PhaseSize)| {
            let done = (trained - f64::from(self.epochs_before(index as u32))).max(0.0);
            (f64::from(phase.epochs) - done).max(0.0) * phase.rows.max(1) as f64
        };
        let left: f64 = self.phases().into_iter().enumerate().map(left).sum();
        self.end.is_none().then_some(left * seconds_per_row)
    }
}
