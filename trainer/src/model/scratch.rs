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
    free: Arc<Mutex<Vec<(Vec<Lanes>, Vec<ClippedRow>)>>>,
    floats: Arc<Mutex<Vec<Vec<f32>>>>,
}

impl ScratchPool {
    /// A buffer, which comes back when it is dropped.
    pub(crate) fn take(&self) -> Scratch {
        // The list is whole at every moment, so a panic elsewhere cannot have broken it.
        let (content, clipped) = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        Scratch { content, clipped, pool: self.clone() }
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

/// A buffer on loan from its pool.
#[derive(Debug)]
pub(crate) struct Scratch {
    content: Vec<Lanes>,
    /// For kernels that keep bytes instead.
    pub(crate) clipped: Vec<ClippedRow>,
    pool: ScratchPool,
}

impl Scratch {
    /// The buffer with this many rows, whatever they hold.
    pub(crate) fn get(&mut self, rows: usize) -> &mut [Lanes] {
        if self.content.len() < rows {
            self.content.resize(rows, Lanes::ZERO);
        }
        &mut self.content[..rows]
    }

    /// The buffer as it was left.
    pub(crate) fn content(&self) -> &[Lanes] {
        &self.content
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let content = (std::mem::take(&mut self.content), std::mem::take(&mut self.clipped));
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
