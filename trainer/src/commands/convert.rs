//! `trainer convert`: CSV to packed, packed to CSV, or from one compression to another.

use std::path::PathBuf;

use alfiere_trainer::data::{BestMove, DataFile, Filter, atomic, packed, write_csv};
use clap::Args;

use super::data_args::ReadArgs;
use super::output::{grouped, line};
use super::progress::remark;
use super::{Failure, Outcome};

/// Turn a CSV into a packed file, or back, or compress it otherwise
///
/// The output's name decides: .csv, .csv.gz, .csv.zst, or .packed (32 bytes a row, no parsing when it is read).
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
    #[command(flatten)]
    read: ReadArgs,
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
        atomic::check_writable(&self.output)?;
        let set = self.read.load(std::slice::from_ref(&self.input), Filter::default())?;
        if to_packed {
            packed::write_packed(&self.output, &set.rows)?;
        } else {
            if set.rows.iter().any(|row| row.best_move() != BestMove::Unknown) {
                remark("best moves are kept as quiet or noisy only: the CSV has no Move column");
            }
            write_csv(&self.output, &set.rows)?;
        }
        line(&format!("{name}: {} rows", grouped(set.rows.len() as u64)));
        Ok(())
    }
}
