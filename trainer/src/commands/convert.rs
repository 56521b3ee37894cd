//! `trainer convert`: CSV to packed, packed to CSV, or from one compression to another.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use alfiere_trainer::data::{
    Converted, DataFile, LoadObserver, ReadProgress, atomic, convert_to_csv, convert_to_packed,
};
use clap::Args;

use super::data_args::{Loading, RowArgs};
use super::output::{grouped, line};
use super::progress::remark;
use super::{Failure, Outcome};

/// Turn a CSV into a packed file or several, or back, or compress it otherwise
///
/// The output's name decides: .csv, .csv.gz, .csv.zst, or .packed (32 bytes a row, no parsing when it is read). The
/// rows pass through: no file needs to fit into memory, about a quarter of a gigabyte is used.
///
/// Example: trainer convert games.csv.zst games.packed
#[derive(Args)]
pub(crate) struct Convert {
    /// File to read; `FILE:scale=1.3` multiplies its centipawns
    #[arg(value_name = "IN")]
    input: DataFile,
    /// File to write
    #[arg(value_name = "OUT")]
    output: PathBuf,
    /// Cut a packed output: OUT-0001.packed and so on, each ended by the first game that brings it to this many rows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    shard_rows: Option<u64>,
    #[command(flatten)]
    rows: RowArgs,
}

impl Convert {
    pub(crate) fn run(&self) -> Outcome {
        let name = self.output.to_string_lossy();
        let to_packed = name.ends_with(".packed");
        if !to_packed && ![".csv", ".csv.gz", ".csv.zst"].iter().any(|ending| name.ends_with(ending)) {
            let sentence =
                format!("{name}: unknown kind of file; expected a name ending in .csv, .csv.gz, .csv.zst or .packed");
            return Err(Failure::new(sentence));
        }
        if self.shard_rows.is_some() && !to_packed {
            return Err(Failure::new(format!("{name}: only packed files are cut; expected a name ending in .packed")));
        }
        atomic::check_writable(&self.output)?;
        let mut loading = Loading::default();
        loading.file(&self.input.path);
        let made = self.convert(to_packed, &mut |progress| loading.progress(progress))?;
        loading.say(&self.input, made.origin, &made.report, made.report.warning(&self.input.path).as_slice());
        if made.lost_moves {
            remark("best moves are kept as quiet or noisy only: the CSV has no Move column");
        }
        if let Some(path) = &made.stale {
            remark(&format!("{} and what follows it are left from an earlier conversion", path.display()));
        }
        for (path, rows) in &made.files {
            line(&format!("{}: {} rows", path.display(), grouped(*rows)));
        }
        Ok(())
    }

    fn convert(
        &self,
        to_packed: bool,
        observer: &mut dyn FnMut(ReadProgress) -> ControlFlow<()>,
    ) -> Result<Converted, Failure> {
        let (output, options): (&Path, _) = (&self.output, self.rows.options());
        Ok(if to_packed {
            convert_to_packed(&self.input, output, &options, self.shard_rows, observer)?
        } else {
            convert_to_csv(&self.input, output, &options, observer)?
        })
    }
}
