//! The record of a conversion as JSON.

use std::path::Path;

use alfiere_data::{Conversion, Converted, FilterReason, Fingerprint, LeftOutReason, Order};
use serde_json::{Map, Value, json};

use super::output::write_json;
use super::{CommandResult, Failure};

/// Writes the files read and written with content hashes and row counts, and the numbers of rows left out.
pub(crate) fn write_record(path: &Path, job: &Conversion<'_>, made: &Converted) -> CommandResult {
    let inputs: Vec<Value> = made
        .inputs
        .iter()
        .map(|input| {
            json!({
                "file": input.file.path.display().to_string(),
                "bytes": input.fingerprint.size,
                "content": input.fingerprint.to_string(),
                "scale": input.file.scale,
                "labels": input.file.labels,
                "rows": input.report.rows,
                "bad_rows": input.report.bad_rows,
            })
        })
        .collect();
    let output = |(file, rows): &(std::path::PathBuf, u64)| {
        let print = Fingerprint::of(file)?;
        let file = file.display().to_string();
        Ok(json!({ "file": file, "bytes": print.size, "content": print.to_string(), "rows": rows }))
    };
    let outputs = made.files.iter().map(output).collect::<Result<Vec<_>, Failure>>()?;
    let mut left_out = Map::new();
    let filtered = FilterReason::ALL.into_iter().map(|reason| (reason.text(), made.filtered.of(reason)));
    let unwritable = LeftOutReason::ALL.into_iter().map(|reason| (reason.text(), made.left_out.of(reason)));
    let others =
        [("repeated position", made.repeated), ("beyond the weight of its file", made.beyond_weight.iter().sum())];
    for (reason, rows) in filtered.chain(unwritable).chain(others).filter(|&(_, rows)| rows > 0) {
        left_out.insert(reason.to_owned(), rows.into());
    }
    let (mut shuffled, mut interleaved, mut weights) = (None, None, None);
    match &job.order {
        Order::AsRead => {}
        Order::Shuffled { seed } => shuffled = Some(seed),
        Order::Interleaved { seed, weights: given } => (interleaved, weights) = (Some(seed), given.as_ref()),
    }
    let record = json!({
        "inputs": inputs,
        "outputs": outputs,
        "format": job.to.name(),
        "captures": job.captures.name(),
        "left_out": left_out,
        "shuffled_with_seed": shuffled,
        "interleaved_with_seed": interleaved,
        "weights": weights,
    });
    write_json(path, &record)
}
