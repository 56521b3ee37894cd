//! What the evaluation counts in each row: computed once, read in every epoch.

use std::ops::ControlFlow;

use alfiere_chess::board::FenError;
use alfiere_search::eval::{ClassicalTrace, Coefficient};
use rayon::prelude::*;

use crate::data::{Label, Row};

/// Rows traced between two reports of progress.
const BLOCK: usize = 1 << 16;

/// Why rows cannot be traced.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TraceError {
    /// A row is no legal position.
    #[error("row {row} is no legal position: {source}")]
    Position {
        /// Its number among the rows, from 0.
        row: usize,
        /// What is wrong with it.
        source: FenError,
    },
    /// The observer stopped it.
    #[error("stopped while positions were counted")]
    Stopped,
}

/// The traces of many rows, one after the other.
#[derive(Default)]
pub struct Traces {
    coefficients: Vec<Coefficient>,
    rows: Vec<TracedRow>,
}

/// A row without its coefficients.
#[derive(Clone, Copy, Debug)]
pub(super) struct TracedRow {
    /// Where its coefficients end.
    end: usize,
    /// The middlegame's share.
    pub(super) middlegame: f32,
    /// The endgame's share, for White's value and for Black's.
    pub(super) endgame: [f32; 2],
    pub(super) label: Label,
    /// White's points in the game, where known.
    pub(super) result: Option<f32>,
}

impl Traces {
    /// Of the rows with these numbers; `observer` hears how many are done.
    ///
    /// # Errors
    /// A row is no legal position, or the observer breaks off.
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

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Coefficients of all rows together.
    pub fn coefficient_count(&self) -> usize {
        self.coefficients.len()
    }

    pub(super) fn row(&self, index: usize) -> (TracedRow, &[Coefficient]) {
        let start = if index == 0 { 0 } else { self.rows[index - 1].end };
        let row = self.rows[index];
        (row, &self.coefficients[start..row.end])
    }
}
