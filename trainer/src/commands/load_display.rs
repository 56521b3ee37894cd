//! The progress and messages of reading files of rows.

use std::ops::ControlFlow;
use std::path::Path;

use alfiere_data::{
    DataFile, LabelUnit, LabelView, LoadObserver, LoadedFile, Origin, ReadOptions, ReadProgress, ReadReport, Row,
    stream_rows,
};

use super::output::grouped;
use super::progress::{Progress, remark};
use super::{Failure, interrupt};

/// Reads the rows of a file into memory without a cache, with progress and messages.
pub(crate) fn read_rows(file: &DataFile, options: &ReadOptions) -> Result<Vec<Row>, Failure> {
    let mut display = LoadDisplay::default();
    display.file(&file.path);
    let mut rows = Vec::new();
    let (origin, report) = stream_rows(file, options, &mut |progress| display.progress(progress), &mut |more| {
        rows.extend_from_slice(more);
        Ok(())
    })?;
    display.say(file, origin, &report, report.warning(&file.path).as_slice());
    Ok(rows)
}

/// Shows the progress and messages of loading files.
#[derive(Default)]
pub(crate) struct LoadDisplay {
    name: String,
    progress: Option<Progress>,
}

impl LoadDisplay {
    /// Removes the progress bar of the previous step.
    fn end_bar(&mut self) {
        if let Some(bar) = self.progress.take() {
            bar.finish();
        }
    }

    /// Reports the result of reading a file.
    pub(crate) fn say(&mut self, file: &DataFile, origin: Origin, report: &ReadReport, warnings: &[String]) {
        self.end_bar();
        let origin = match origin {
            Origin::Parsed => "read",
            Origin::Cache => "from its cache",
            Origin::Packed => "packed",
            Origin::Games => "replayed games",
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
        remark(&format!("{}: {} rows, {origin}{unit}{scaled}{view}", file.path.display(), grouped(report.rows)));
        if let Some(first) = report.quoted.first() {
            remark(&format!("  skipped {} bad rows; the first is {first}", grouped(report.bad_rows)));
        }
        if report.unscored > 0 {
            remark(&format!("  left out {} positions that are marked as without a score", grouped(report.unscored)));
        }
        for warning in warnings {
            remark(&format!("  {warning}"));
        }
    }
}

impl LoadObserver for LoadDisplay {
    fn file(&mut self, path: &Path) {
        self.end_bar();
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

    fn compared(&mut self, _path: &Path) {
        self.end_bar();
    }

    fn step(&mut self, what: &'static str) {
        self.end_bar();
        what.clone_into(&mut self.name);
    }
}
