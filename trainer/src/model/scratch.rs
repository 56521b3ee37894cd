//! Large buffers that are used again and again.
//!
//! A step's activations are tens of megabytes; taken fresh from the system each time, every page of them would fault.

use std::sync::{Arc, Mutex, PoisonError};

use super::lanes::Lanes;
use super::pairwise::ClippedRow;

/// Buffers of floats that a pool keeps at most.
const MAX_KEPT: usize = 32;

/// Buffers that wait for their next use.
#[derive(Clone, Default, Debug)]
pub(crate) struct ScratchPool {
    free: Arc<Mutex<Vec<Content>>>,
    floats: Arc<Mutex<Vec<Vec<f32>>>>,
}

impl ScratchPool {
    /// A buffer, which comes back when it is dropped.
    pub(crate) fn take(&self) -> Scratch {
        // The list is whole at every moment, so a panic elsewhere cannot have broken it.
        let content = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        Scratch { content, pool: self.clone() }
    }

    /// So many floats, whatever they hold. They come back only by [`ScratchPool::give`].
    pub(crate) fn floats(&self, count: usize) -> Vec<f32> {
        let mut kept = self.floats.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = kept.iter().enumerate().filter(|(_, buffer)| (count..=count * 2).contains(&buffer.capacity()));
        let best = fitting.min_by_key(|(_, buffer)| buffer.capacity()).map(|(index, _)| index);
        let mut buffer = best.map(|index| kept.swap_remove(index)).unwrap_or_default();
        drop(kept);
        buffer.resize(count, 0.0);
        buffer
    }

    /// Keeps floats for their next use.
    pub(crate) fn give(&self, buffer: Vec<f32>) {
        let mut kept = self.floats.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(buffer);
        if kept.len() > MAX_KEPT {
            kept.remove(0);
        }
    }
}

/// What one kernel keeps from the way there to the way back, as floats or as bytes.
#[derive(Default, Debug)]
struct Content {
    lanes: Vec<Lanes>,
    clipped: Vec<ClippedRow>,
}

/// A buffer on loan from its pool.
#[derive(Debug)]
pub(crate) struct Scratch {
    content: Content,
    pool: ScratchPool,
}

impl Scratch {
    /// The buffer with this many rows, whatever they hold.
    pub(crate) fn get(&mut self, rows: usize) -> &mut [Lanes] {
        let lanes = &mut self.content.lanes;
        if lanes.len() < rows {
            lanes.resize(rows, Lanes::ZERO);
        }
        &mut lanes[..rows]
    }

    /// The buffer as it was left.
    pub(crate) fn content(&self) -> &[Lanes] {
        &self.content.lanes
    }

    /// The same for kernels that keep clipped accumulators.
    pub(crate) fn get_clipped(&mut self, rows: usize) -> &mut [ClippedRow] {
        let clipped = &mut self.content.clipped;
        if clipped.len() < rows {
            clipped.resize(rows, ClippedRow::ZERO);
        }
        &mut clipped[..rows]
    }

    /// Clipped accumulators as they were left.
    pub(crate) fn clipped(&self) -> &[ClippedRow] {
        &self.content.clipped
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let content = std::mem::take(&mut self.content);
        self.pool.free.lock().unwrap_or_else(PoisonError::into_inner).push(content);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_come_back_in_the_size_asked_for() {
        let pool = ScratchPool::default();
        let buffer = pool.floats(1000);
        let place = buffer.as_ptr();
        pool.give(buffer);
        assert_ne!(pool.floats(10).len(), 1000);
        let again = pool.floats(900);
        assert!(again.len() == 900 && again.as_ptr() == place);
        assert_eq!(pool.floats(900).len(), 900);
    }
}
