//! A pool of large reusable buffers.
//!
//! A step's activations take tens of megabytes; newly allocated buffers would page-fault on every step.

use std::sync::{Arc, Mutex, PoisonError};

use super::lanes::{ClippedRow, Lanes};

/// Maximum number of float buffers kept in the pool.
const MAX_KEPT: usize = 32;

/// Buffers that are available for reuse.
#[derive(Clone, Default, Debug)]
pub(crate) struct ScratchPool {
    free: Arc<Mutex<Vec<Content>>>,
    floats: Arc<Mutex<Vec<Vec<f32>>>>,
}

impl ScratchPool {
    /// Takes a buffer from the pool; it returns when dropped.
    pub(crate) fn take(&self) -> Scratch {
        // The list is consistent at all times, so a panic elsewhere cannot have corrupted it.
        let content = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        Scratch { content, pool: self.clone() }
    }

    /// Takes `count` floats with unspecified contents. Return them with [`ScratchPool::give`].
    pub(crate) fn floats(&self, count: usize) -> Vec<f32> {
        let mut kept = self.floats.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = kept.iter().enumerate().filter(|(_, buffer)| (count..=count * 2).contains(&buffer.capacity()));
        let best = fitting.min_by_key(|(_, buffer)| buffer.capacity()).map(|(index, _)| index);
        let mut buffer = best.map(|index| kept.swap_remove(index)).unwrap_or_default();
        drop(kept);
        buffer.resize(count, 0.0);
        buffer
    }

    /// Returns floats to the pool.
    pub(crate) fn give(&self, buffer: Vec<f32>) {
        let mut kept = self.floats.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push(buffer);
        if kept.len() > MAX_KEPT {
            kept.remove(0);
        }
    }
}

/// Data that a kernel keeps from the forward to the backward pass, as floats or as bytes.
#[derive(Default, Debug)]
struct Content {
    lanes: Vec<Lanes>,
    clipped: Vec<ClippedRow>,
}

/// A buffer borrowed from its pool.
#[derive(Debug)]
pub(crate) struct Scratch {
    content: Content,
    pool: ScratchPool,
}

impl Scratch {
    /// Resizes the buffer to this number of rows, with unspecified contents.
    pub(crate) fn get(&mut self, rows: usize) -> &mut [Lanes] {
        let lanes = &mut self.content.lanes;
        if lanes.len() < rows {
            lanes.resize(rows, Lanes::ZERO);
        }
        &mut lanes[..rows]
    }

    pub(crate) fn content(&self) -> &[Lanes] {
        &self.content.lanes
    }

    /// Like [`Self::get`], for kernels that keep clipped accumulators.
    pub(crate) fn get_clipped(&mut self, rows: usize) -> &mut [ClippedRow] {
        let clipped = &mut self.content.clipped;
        if clipped.len() < rows {
            clipped.resize(rows, ClippedRow::ZERO);
        }
        &mut clipped[..rows]
    }

    /// The current clipped accumulators.
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
    fn floats_are_reused_with_the_requested_length() {
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
