//! Writing a record during a run.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use alfiere_model::FloatNetwork;

use super::reader::RunRecord;
use super::{FORMAT, LayerWeights, Line, Measured, Mistake, PhaseSize, RowCounts, Start, Step, layer_weights};
use crate::{EpochRecord, Phase, StepReport, TrainingOptions, TrainingProgress};

/// Shortest and longest time between two lines of steps in seconds.
const INTERVALS: (f64, f64) = (1.0, 10.0);
/// Shortest and longest time between two records of weights and mistakes in seconds.
const DETAIL_INTERVALS: (f64, f64) = (1.0, 300.0);
/// Between them, the interval is this share of the time since the start.
const SHARE: f64 = 1e-3;
const DETAIL_SHARE: f64 = 1e-2;

#[derive(Debug)]
pub struct Recorder {
    file: File,
    program: &'static str,
    start: Instant,
    /// Since the previous line of a step: when it was written, the steps after it and the sum of their losses.
    previous: Instant,
    batches: u64,
    loss_sum: f64,
    positions: u64,
    /// The epochs in the file, by phase and number.
    known: Vec<(u32, u32)>,
    phase: u32,
    epochs_left: u32,
    /// When weights were last taken.
    detailed: Option<Instant>,
    layers: Vec<LayerWeights>,
    mistakes: Vec<Mistake>,
}

impl Recorder {
    /// Opens a record of this version of the program. A new run replaces the file, a resumed one appends to it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn create(path: &Path, program: &'static str, is_resumed: bool) -> io::Result<Self> {
        let earlier = if is_resumed { RunRecord::read(path).ok() } else { None };
        let mut file = OpenOptions::new().create(true).append(true).read(true).open(path)?;
        if earlier.is_none() {
            file.set_len(0)?;
        } else if !ends_with_newline(&mut file)? {
            file.write_all(b"\n")?;
        }
        let number = |record: &EpochRecord| (record.phase, record.epoch);
        let now = Instant::now();
        Ok(Self {
            file,
            program,
            start: now,
            previous: now,
            batches: 0,
            loss_sum: 0.0,
            positions: 0,
            known: earlier.iter().flat_map(RunRecord::epochs_of_phases).map(|record| number(&record)).collect(),
            phase: 0,
            epochs_left: 0,
            detailed: None,
            layers: Vec::new(),
            mistakes: Vec::new(),
        })
    }

    /// Records the start of a phase or of its rest, and those epochs of the run's `history` that are not in the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn phase(
        &mut self,
        options: &TrainingOptions,
        rows: RowCounts,
        (phases, index): (&[Phase], usize),
        progress: TrainingProgress,
        history: &[EpochRecord],
    ) -> io::Result<()> {
        let size = |phase: &Phase| PhaseSize {
            lesson: phase.lesson.to_string(),
            epochs: phase.config.options().epochs,
            rows: phase.rows,
        };
        let of_phase = phases[index].config.options();
        self.phase = index as u32;
        self.epochs_left = of_phase.epochs.saturating_sub(progress.epochs);
        self.positions = (progress.batches * of_phase.batch_size as u64).min(phases[index].rows);
        (self.previous, self.batches, self.loss_sum) = (Instant::now(), 0, 0.0);
        self.write(&Line::Start(Box::new(Start {
            format: FORMAT,
            program: self.program.to_owned(),
            time: time(),
            architecture: options.architecture.to_string(),
            options: options.clone(),
            rows,
            phases: phases.iter().map(size).collect(),
            phase: self.phase,
            epochs_done: progress.epochs,
            batches_done: progress.batches,
        })))?;
        for record in history {
            self.write_epoch(record)?;
        }
        Ok(())
    }

    /// Records a step, if it is time for a line.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn step(&mut self, report: &StepReport) -> io::Result<()> {
        self.batches += 1;
        self.loss_sum += f64::from(report.batch_loss);
        let seconds = self.previous.elapsed().as_secs_f64();
        if seconds < self.interval(SHARE, INTERVALS) {
            return Ok(());
        }
        let positions = report.positions_done.saturating_sub(self.positions);
        let line = Line::Step(Step {
            time: time(),
            phase: self.phase,
            epoch: report.epoch,
            batches: report.batches_done,
            positions: report.positions_done,
            loss: self.loss_sum / self.batches as f64,
            learning_rate: report.learning_rate,
            positions_per_second: (positions as f64 / seconds).round(),
        });
        (self.previous, self.batches, self.loss_sum) = (Instant::now(), 0, 0.0);
        self.positions = report.positions_done;
        self.write(&line)
    }

    /// Records the weights within an epoch, if it is time for it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn weights(&mut self, network: &FloatNetwork) -> io::Result<()> {
        if !self.is_time_for_details() {
            return Ok(());
        }
        self.detailed = Some(Instant::now());
        self.write(&Line::Weights { layers: layer_weights(network) })
    }

    /// Takes the weights after an epoch and the validation rows with the largest errors, which are written with it: after
    /// the last epoch, and otherwise if it is time for it.
    pub fn validated(&mut self, network: &FloatNetwork, mistakes: impl FnOnce() -> Vec<Mistake>) {
        if self.epochs_left <= 1 || self.is_time_for_details() {
            self.detailed = Some(Instant::now());
            (self.layers, self.mistakes) = (layer_weights(network), mistakes());
        }
    }

    fn is_time_for_details(&self) -> bool {
        let interval = self.interval(DETAIL_SHARE, DETAIL_INTERVALS);
        self.detailed.is_none_or(|at| at.elapsed().as_secs_f64() >= interval)
    }

    fn interval(&self, share: f64, (shortest, longest): (f64, f64)) -> f64 {
        (share * self.start.elapsed().as_secs_f64()).clamp(shortest, longest)
    }

    /// Records an epoch.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn epoch(&mut self, record: &EpochRecord) -> io::Result<()> {
        (self.previous, self.batches, self.loss_sum, self.positions) = (Instant::now(), 0, 0.0, 0);
        self.epochs_left = self.epochs_left.saturating_sub(1);
        self.write_epoch(record)
    }

    /// Records the end.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn end(&mut self, reason: &str) -> io::Result<()> {
        self.write(&Line::End { time: time(), reason: reason.to_owned() })
    }

    /// Records the errors of the written network.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn measured(&mut self, measured: Measured) -> io::Result<()> {
        self.write(&Line::Measured(measured))
    }

    fn write_epoch(&mut self, record: &EpochRecord) -> io::Result<()> {
        let number = (record.phase, record.epoch);
        if self.known.contains(&number) {
            return Ok(());
        }
        self.known.push(number);
        let (layers, mistakes) = (std::mem::take(&mut self.layers), std::mem::take(&mut self.mistakes));
        self.write(&Line::Epoch { time: time(), record: record.clone(), layers, mistakes })
    }

    /// Writes a line in one call, so that a kill cannot split it in the middle of others.
    fn write(&mut self, line: &Line) -> io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.file.write_all(text.as_bytes())
    }
}

fn ends_with_newline(file: &mut File) -> io::Result<bool> {
    let mut last = [b'\n'];
    if file.metadata()?.len() > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    Ok(last == [b'\n'])
}

/// Seconds since 1970, to the millisecond.
fn time() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_millis() as f64 / 1000.0
}
