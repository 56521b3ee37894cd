//! Large buffers that are used again and again.
//!
//! A step's activations are tens of megabytes; taken fresh from the system each time, every page of them would fault.

use std::sync::{Arc, Mutex, PoisonError};

use super::lanes::Lanes;

/// Buffers that wait for their next use.
#[derive(Clone, Default, Debug)]
pub struct ScratchPool {
    free: Arc<Mutex<Vec<Vec<Lanes>>>>,
}

impl ScratchPool {
    /// A buffer, which comes back when it is dropped.
    pub(crate) fn take(&self) -> Scratch {
        // The list is whole at every moment, so a panic elsewhere cannot have broken it.
        let content = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        Scratch { content, pool: self.clone() }
    }
}

/// A buffer on loan from its pool.
#[derive(Debug)]
pub(crate) struct Scratch {
    content: Vec<Lanes>,
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
        let content = std::mem::take(&mut self.content);
        self.pool.free.lock().unwrap_or_else(PoisonError::into_inner).push(content);
    }
}
