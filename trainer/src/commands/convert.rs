//! `trainer convert`: converts files of rows between formats, with filters, in order or shuffled.

use std::path::PathBuf;

use alfiere_trainer::data::{Conversion, Converted, DataFile, Format, LeftOutReason, Order, ReadOptions, convert};
use clap::Args;

use super::conversion_record::write_record;
use super::data_args::{FilterArgs, Loading, RowArgs, paths, remark_filtered};
use super::output::{Replace, grouped, line};
use super::progress::remark;
use super::{Failure, Outcome};

/// Convert files of positions to another format or compression
///
/// The file name determines the format: .csv; .txt (lines `FEN | cp | result`); .packed (32 bytes per row, read without
/// parsing); .games (two to three bytes per row if rows are consecutive positions); .bullet (bulletformat); .plain and
/// .binpack (Stockfish's text and binary formats); .vf, .viri (viriformat). Read only: .jsonl (Lichess evaluation
/// database); .pgn (games with `[%eval]` comments). All but .packed and .games may also end in .gz or .zst. Endings
/// such as .bin are ambiguous: use --from and --to. Rows are streamed, so files may be larger than memory. Rows that
/// the format cannot represent are counted and reported.
///
/// Example: trainer convert a.csv.zst b.pgn.zst all.bullet --skip-checks --shuffle --seed 7
#[derive(Args)]
pub(crate) struct Convert {
    /// Files to read; `FILE:scale=1.3` multiplies a file's centipawns
    #[arg(value_name = "IN", required = true, num_args = 1..)]
    inputs: Vec<DataFile>,
    /// File to write
    #[arg(value_name = "OUT", required = true)]
    output: PathBuf,
    /// Read all files as this format: csv, txt, packed, games, bullet, plain, lichess, pgn, viri or binpack
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,
    /// Write this format regardless of the file name
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Shuffle the rows; needs 32 bytes of disk space per row next to the output
    #[arg(long)]
    shuffle: bool,
    /// Random seed of the order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Split a packed output into OUT-0001.packed and so on, each ending after the first game that fills it to N rows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    shard_rows: Option<u64>,
    /// Write a record of all files with content hashes and row counts, and of the rows left out with reasons
    #[arg(long, value_name = "FILE.json")]
    record: Option<PathBuf>,
    #[command(flatten)]
    rows: RowArgs,
    #[command(flatten)]
    filter: FilterArgs,
    #[command(flatten)]
    replace: Replace,
}

impl Convert {
    pub(crate) fn run(&self) -> Outcome {
        let to = self.output_format()?;
        let outputs = std::iter::once(&self.output).chain(&self.record).map(PathBuf::as_path);
        self.replace.check(paths(&self.inputs), outputs)?;
        let job = Conversion {
            inputs: &self.inputs,
            read: ReadOptions { from: self.from, ..self.rows.options() },
            filter: self.filter.filter(),
            output: &self.output,
            to,
            shard_rows: self.shard_rows,
            order: if self.shuffle { Order::Shuffled { seed: self.seed } } else { Order::AsRead },
        };
        let made = convert(&job, &mut Loading::default())?;
        say(&made, to);
        if let Some(path) = &self.record {
            write_record(path, &job, &made)?;
        }
        Ok(())
    }

    /// The output format; fails if it cannot be written with these options.
    fn output_format(&self) -> Result<Format, Failure> {
        let name = self.output.display();
        let Some(to) = self.to.or_else(|| Format::of_name(&self.output)) else {
            let endings: Vec<String> = Format::ALL
                .into_iter()
                .filter(|format| format.is_written())
                .map(|format| format!(".{}", format.endings()[0]))
                .collect();
            let endings = endings.join(", ");
            return Err(Failure::new(format!(
                "{name}: unknown kind of file; expected a name ending in {endings}, or --to with a format's name"
            )));
        };
        let refuse = |problem: &str| Err(Failure::new(format!("{name}: {problem}")));
        if !to.is_written() {
            return refuse(&format!("{} is only read; expected one of {}", to.name(), Format::names(true)));
        }
        let ending = self.output.extension().and_then(|ending| ending.to_str());
        if !to.is_compressed() && matches!(ending, Some("gz" | "zst")) {
            return refuse(&format!("{} files are not compressed; expected a name without .gz and .zst", to.name()));
        }
        if self.shard_rows.is_some() && to != Format::Packed {
            return refuse("only packed files are cut; expected a name ending in .packed");
        }
        if self.shuffle && to.keeps_games() {
            return refuse(&format!("{} files keep games in order; shuffle another format", to.name()));
        }
        Ok(to)
    }
}

fn say(made: &Converted, to: Format) {
    remark_filtered(&made.filtered);
    if made.lost_moves && to == Format::Csv {
        remark("some best moves are dropped: only whether they are captures or promotions is known");
    } else if made.lost_moves {
        remark(&format!("best moves are not kept: a {} has none", to.record()));
    }
    for reason in LeftOutReason::ALL {
        let count = made.left_out.of(reason);
        if count > 0 {
            remark(&format!("left out {} rows {}", grouped(count), reason.text()));
        }
    }
    if let Some(path) = &made.stale {
        remark(&format!("{} and the following shards are left from an earlier conversion", path.display()));
    }
    for (path, rows) in &made.files {
        line(&format!("{}: {} rows", path.display(), grouped(*rows)));
    }
}
