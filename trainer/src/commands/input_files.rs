//! The progress and messages of reading files of rows.

use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use alfiere_chess::files::TempFile;
use alfiere_data::{
    DataFile, LabelUnit, LabelView, LoadObserver, LoadedFile, Origin, ReadOptions, ReadProgress, ReadReport, Row,
    stream_rows,
};
use alfiere_terminal::{Progress, interrupt, remark};

use super::output::{grouped, write_text};
use super::{CommandResult, Failure};

/// Reads the rows of a file into memory without a cache, with progress and messages.
pub(crate) fn read_rows(file: &DataFile, options: &ReadOptions, mut display: LoadDisplay) -> Result<Vec<Row>, Failure> {
    display.file(&file.path);
    let mut rows = Vec::new();
    let (origin, report) = stream_rows(file, options, &mut |progress| display.progress(progress), &mut |more| {
        rows.extend_from_slice(more);
        Ok(())
    })?;
    display.say(file, origin, &report, report.warning(&file.path).as_slice());
    display.list()?;
    Ok(rows)
}

/// Shows the progress and messages of loading files.
#[derive(Default)]
pub(crate) struct LoadDisplay {
    name: String,
    progress: Option<Progress>,
    /// File that lists the invalid rows.
    bad_rows_to: Option<PathBuf>,
    bad_rows: String,
}

impl LoadDisplay {
    /// A display that keeps the invalid rows for a file.
    pub(crate) fn listing(bad_rows_to: Option<PathBuf>) -> Self {
        Self { bad_rows_to, ..Self::default() }
    }

    /// Writes the invalid rows of all files, if they are to be listed.
    pub(crate) fn list(&self) -> CommandResult {
        match &self.bad_rows_to {
            Some(path) if !self.bad_rows.is_empty() => write_text(path, &self.bad_rows),
            _ => Ok(()),
        }
    }

    pub(crate) fn say(&mut self, file: &DataFile, origin: Origin, report: &ReadReport, warnings: &[String]) {
        self.progress = None;
        let origin = match origin {
            Origin::Parsed => "read",
            Origin::Cache => "from its cache",
            Origin::Packed => "packed",
        };
        let scaled = match file.scale {
            1.0 => String::new(),
            scale => format!(", labels times {scale}"),
        };
        let view = match file.labels.view {
            LabelView::White => "",
            LabelView::SideToMove => ", labels turned from the side to move to White",
        };
        let unit = if file.labels.unit == LabelUnit::Pawns { ", labels in pawns" } else { "" };
        remark(format_args!("{}: {} rows, {origin}{unit}{scaled}{view}", file.path.display(), grouped(report.rows)));
        if let Some(first) = report.quoted.first() {
            let list = match &self.bad_rows_to {
                Some(path) => format!("; {} lists them", path.display()),
                None => String::new(),
            };
            remark(format_args!("  skipped {} bad rows; the first is {first}{list}", grouped(report.bad_rows)));
        }
        if self.bad_rows_to.is_some() {
            self.bad_rows.extend(report.quoted.iter().map(|row| row.in_file(&file.path) + "\n"));
        }
        if report.unscored > 0 {
            remark(format_args!(
                "  left out {} positions that are marked as without a score",
                grouped(report.unscored)
            ));
        }
        for warning in warnings {
            remark(format_args!("  {warning}"));
        }
    }
}

impl LoadObserver for LoadDisplay {
    fn file(&mut self, path: &Path) {
        self.progress = None;
        self.name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    }

    fn progress(&mut self, progress: ReadProgress) -> ControlFlow<()> {
        let bar = self
            .progress
            .get_or_insert_with(|| Progress::new(&format!("reading {}", self.name), progress.total_bytes, "B"));
        bar.at(progress.bytes, &format!("{} rows", grouped(progress.rows)));
        interrupt::flow()
    }

    fn loaded(&mut self, file: &LoadedFile) {
        self.say(&file.file, file.origin, &file.report, &file.warnings);
    }

    fn step(&mut self, what: &'static str) {
        self.progress = None;
        what.clone_into(&mut self.name);
    }
}

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

pub(crate) fn delete_copies() {
    COPIES.lock().unwrap_or_else(PoisonError::into_inner).clear();
}
