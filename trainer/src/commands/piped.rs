//! Inputs that can be read only once: standard input, pipes and FIFOs. Commands read their files several times, so that these are
//! first copied to a temporary file.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use alfiere_chess::files::TempFile;

use super::{Failure, interrupt};

/// The copies, which are deleted with the program.
static COPIES: Mutex<Vec<TempFile>> = Mutex::new(Vec::new());

/// Interval at which the wait for more input checks for Ctrl-C.
const CHECK: Duration = Duration::from_millis(100);

/// The path of a file that can be read several times: a copy in the folder for temporary files if `path` is `-` or a pipe.
pub(crate) fn as_file(path: &Path) -> Result<PathBuf, Failure> {
    let is_input = path == Path::new("-");
    if !is_input && path.metadata().map_or(true, |found| found.is_file() || found.is_dir()) {
        return Ok(path.to_owned());
    }
    // Not the pipe's own name: it may be in the same folder.
    let name = if is_input { "input".into() } else { path.file_name().unwrap_or_default().to_string_lossy() };
    let target = std::env::temp_dir().join(format!("trainer-{name}"));
    let mut copy = TempFile::shared(&target).map_err(|error| Failure::at(&target, error))?;
    let mut file = copy.file().try_clone().map_err(|error| Failure::at(&target, error))?;
    let (sender, receiver) = channel();
    let source = path.to_owned();
    std::thread::spawn(move || {
        let open = || -> io::Result<Box<dyn Read>> {
            Ok(if is_input { Box::new(io::stdin()) } else { Box::new(File::open(source)?) })
        };
        // The receiver is gone after Ctrl-C.
        let _ = sender.send(open().and_then(|mut input| io::copy(&mut input, &mut file)));
    });
    loop {
        match receiver.recv_timeout(CHECK) {
            Ok(Ok(_)) => break,
            Ok(Err(error)) => {
                return Err(Failure::at(path, format_args!("cannot copy it to {}: {error}", copy.path().display())));
            }
            Err(RecvTimeoutError::Timeout) if !interrupt::requested() => {}
            Err(_) => return Err(Failure::at(path, "stopped before its end")),
        }
    }
    let at = copy.path().to_owned();
    COPIES.lock().unwrap_or_else(PoisonError::into_inner).push(copy);
    Ok(at)
}

/// Deletes the copies.
pub(crate) fn delete_copies() {
    COPIES.lock().unwrap_or_else(PoisonError::into_inner).clear();
}
