//! `trainer convert`: files of rows in any format into a file of another, filtered, in order or shuffled.

use std::path::PathBuf;

use alfiere_trainer::data::{Conversion, Converted, DataFile, Format, LeftOutReason, Order, ReadOptions, convert};
use clap::Args;

use super::conversion_record::write_record;
use super::data_args::{FilterArgs, Loading, RowArgs, paths, remark_filtered};
use super::output::{Replace, grouped, line};
use super::progress::remark;
use super::{Failure, Outcome};

/// Turn files of positions into a file of another format, or compress them otherwise
///
/// Names tell formats: .csv; .txt (lines `FEN | cp | result`); .packed (32 bytes a row, no parsing when it is read); .games
/// (two to three bytes a row where rows follow each other); .bullet (bulletformat); .plain and .binpack (Stockfish's text
/// and chains); .vf, .viri (viriformat). Read only: .jsonl (Lichess' evaluations); .pgn (games with `[%eval]` comments). All
/// but .packed and .games also with .gz or .zst. Endings such as .bin tell nothing: use --from and --to. Rows pass through: no file needs to fit into
/// memory. What a format cannot hold is counted and named.
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
    /// Write this format, even if the name says another
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Write the rows in an order by chance; needs 32 bytes of disk a row beside the output
    #[arg(long)]
    shuffle: bool,
    /// What decides on that order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Cut a packed output: OUT-0001.packed and so on, each ended by the first game that brings it to this many rows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    shard_rows: Option<u64>,
    /// Write where the rows come from: files with their contents' hashes, rows, what was left out and why
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

    /// The output's format; fails where it cannot be written, or not in this way.
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
        remark("best moves are kept as quiet or noisy only: the text does not name them");
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
        remark(&format!("{} and what follows it are left from an earlier conversion", path.display()));
    }
    for (path, rows) in &made.files {
        line(&format!("{}: {} rows", path.display(), grouped(*rows)));
    }
}
