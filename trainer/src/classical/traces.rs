//! Traces of the evaluation for each row: computed once, read in every epoch.

use std::ops::ControlFlow;

use alfiere_chess::board::FenError;
use alfiere_data::{Label, Row};
use alfiere_search::eval::{ClassicalTrace, Coefficient};
use rayon::prelude::*;

/// Rows traced between two progress reports.
const BLOCK: usize = 1 << 16;

/// Why rows cannot be traced.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TraceError {
    #[error("row {row} is not a legal position: {source}")]
    Position { row: usize, source: FenError },
    #[error("stopped while positions were traced")]
    Stopped,
}

/// The traces of many rows in one array.
#[derive(Default)]
pub struct Traces {
    coefficients: Vec<Coefficient>,
    rows: Vec<TracedRow>,
}

/// A row without its coefficients.
#[derive(Clone, Copy, Debug)]
pub(super) struct TracedRow {
    /// End index of its coefficients.
    end: usize,
    /// Weight of the middlegame part.
    pub(super) middlegame: f32,
    /// Weight of the endgame part, for White's and Black's terms.
    pub(super) endgame: [f32; 2],
    pub(super) label: Label,
    /// White's points in the game, if known.
    pub(super) result: Option<f32>,
}

impl Traces {
    /// Traces the rows with these indices; `observer` receives the number done.
    ///
    /// # Errors
    /// If a row is not a legal position, or the observer stops the tracing.
    pub fn of(
        rows: &[Row],
        picks: &[u32],
        observer: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Self, TraceError> {
        let mut traces = Self::default();
        for block in picks.chunks(BLOCK) {
            let traced: Result<Vec<(ClassicalTrace, &Row)>, TraceError> = block
                .par_iter()
                .map(|&pick| {
                    let row = &rows[pick as usize];
                    let board = row.to_board().map_err(|source| TraceError::Position { row: pick as usize, source })?;
                    Ok((ClassicalTrace::of(&board), row))
                })
                .collect();
            for (trace, row) in traced? {
                traces.coefficients.extend_from_slice(&trace.coefficients);
                traces.rows.push(TracedRow {
                    end: traces.coefficients.len(),
                    middlegame: trace.middlegame,
                    endgame: trace.endgame,
                    label: row.label(),
                    result: row.result().points(),
                });
            }
            if observer(traces.rows.len()).is_break() {
                return Err(TraceError::Stopped);
            }
        }
        Ok(traces)
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// True if there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn coefficient_count(&self) -> usize {
        self.coefficients.len()
    }

    pub(super) fn row(&self, index: usize) -> (TracedRow, &[Coefficient]) {
        let start = if index == 0 { 0 } else { self.rows[index - 1].end };
        let row = self.rows[index];
        (row, &self.coefficients[start..row.end])
    }
}
