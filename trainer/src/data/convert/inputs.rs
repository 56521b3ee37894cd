//! Reads the input files of a conversion in sequence and filters their rows.

use crate::data::any_file::stream_rows;
use crate::data::cache::Fingerprint;
use crate::data::data_file::DataFile;
use crate::data::dataset::{LoadObserver, LoadedFile};
use crate::data::error::DataError;
use crate::data::filter::{Filter, FilterCounts};
use crate::data::read_options::ReadOptions;
use crate::data::reader::TakeRows;
use crate::data::row::Row;

/// Read reports of all inputs and counts of filtered rows.
pub(super) struct Taken {
    pub(super) files: Vec<LoadedFile>,
    pub(super) filtered: FilterCounts,
}

/// Passes the rows of all files to `take` in order, up to the limit.
pub(super) fn stream_all(
    files: &[DataFile],
    options: &ReadOptions,
    filter: &Filter,
    observer: &mut dyn LoadObserver,
    take: &mut TakeRows<'_>,
) -> Result<Taken, DataError> {
    let mut taken = Taken { files: Vec::new(), filtered: FilterCounts::default() };
    let mut limit = options.limit;
    let mut kept: Vec<Row> = Vec::new();
    for file in files {
        if limit == Some(0) {
            break;
        }
        observer.file(&file.path);
        let filtered = &mut taken.filtered;
        let mut take_filtered = |rows: &[Row]| {
            kept.clear();
            for row in rows {
                match filter.reason(row) {
                    Some(reason) => filtered.add(reason),
                    None => kept.push(*row),
                }
            }
            take(&kept)
        };
        let options = ReadOptions { limit, ..*options };
        let mut watch = |progress| observer.progress(progress);
        let (origin, report) = stream_rows(file, &options, &mut watch, &mut take_filtered)?;
        limit = limit.map(|limit| limit.saturating_sub(report.rows as usize));
        let fingerprint = Fingerprint::of(&file.path)?;
        let warnings = report.warning(&file.path).into_iter().collect();
        taken.files.push(LoadedFile { file: file.clone(), fingerprint, origin, report, warnings });
    }
    Ok(taken)
}
