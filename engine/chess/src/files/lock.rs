//! Locks of files that only one program may write.

use std::fs::{File, TryLockError};
use std::io;

/// Locks a file until it is closed; false if it is already locked. A killed program leaves no lock.
///
/// # Errors
/// If the file system cannot lock it.
pub fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) => Err(error),
    }
}
