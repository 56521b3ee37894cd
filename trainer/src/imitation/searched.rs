//! Rows from what the hand-written evaluation finds when it searches: nodes of games against itself, made when they are
//! read, by seed.

use std::ops::Range;

use alfiere_search::eval::{AnyEvaluator, Classical};
use alfiere_search::genfens::PlyRange;

use crate::data::{DataError, Row};
use crate::improve::{RowSettings, self_play_rows};
use crate::model::random::mix;
use crate::training::{RowSource, Window};

/// Rows made one after another by one player; several of these are made at the same time.
const PART: u64 = 8_192;
/// Rows in memory at a time.
const WINDOW: u64 = 16 * PART;
/// Random moves before a game.
const PLIES: PlyRange = PlyRange { min: 6, max: 9 };

/// Positions of searches, labelled by them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Searched {
    /// Rows in an epoch.
    pub(super) rows: u64,
}

impl Searched {
    /// Rows made with this seed.
    pub(super) fn make(seed: u64, count: u64) -> Vec<Row> {
        let settings = RowSettings { count, per_file: PART.min(count), ..RowSettings::default() };
        let mut rows = self_play_rows(|| AnyEvaluator::Classical(Classical::new()), &settings, PLIES, seed);
        rows.truncate(count as usize);
        rows
    }
}

impl RowSource<Row> for Searched {
    fn rows(&self) -> u64 {
        self.rows
    }

    fn window_rows(&self) -> u64 {
        WINDOW
    }

    fn window(&self, order_seed: u64, range: Range<u64>) -> Result<Window<'_, Row>, DataError> {
        Ok(Window::read(Self::make(mix(order_seed ^ mix(range.start)), range.end - range.start)))
    }
}
