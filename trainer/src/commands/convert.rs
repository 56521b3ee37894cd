//! `trainer convert`: converts files of rows between formats, filters, shuffles and mixes them, and drops repeats.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use alfiere_chess::files::TempFile;
use alfiere_data::packed::{existing_shards, is_shard, shard_path};
use alfiere_data::{
    Captures, Conversion, Converted, DataFile, Filter, FilterReason, Fingerprint, Format, LeftOutReason, Order, convert,
};
use alfiere_terminal::{Replace, remark, say};
use clap::Args;
use serde_json::{Map, Value, json};

use super::data_args::{LabelArgs, RowArgs, remark_filtered};
use super::output::{grouped, is_stdout, write_json};
use super::{CommandResult, Failure};

/// Convert files of positions to another format or compression
///
/// The file name determines the format: .csv; .txt (lines `FEN | cp | result`); .packed (32 bytes per row, read without
/// parsing); .bullet (bulletformat); .plain and
/// .binpack (Stockfish's text and binary formats); .vf, .viri (viriformat). Read only: .jsonl (Lichess evaluation
/// database); .pgn (games with `[%eval]` comments). All but .packed may also end in .gz or .zst. Endings
/// such as .bin are ambiguous: use --from and --to. Rows are streamed, so files may be larger than memory. Rows that
/// the format cannot represent are counted and reported.
///
/// Examples:
///
/// trainer convert a.csv.zst b.pgn.zst all.bullet --skip-checks --shuffle --seed 7
///
/// trainer convert a.packed b.csv.gz mix.packed --interleave --dedup
#[derive(Args)]
pub(crate) struct Convert {
    /// Files to read; `FILE:scale=1.3` multiplies a file's centipawns
    #[arg(value_name = "IN", required = true, num_args = 1..)]
    inputs: Vec<DataFile>,
    /// File to write; `-` is standard output, as CSV unless --to is given
    #[arg(value_name = "OUT", required = true)]
    output: PathBuf,
    /// Write this format regardless of the file name
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,
    /// Shuffle the rows; needs 32 bytes of disk space per row next to the output
    #[arg(long)]
    shuffle: bool,
    /// Mix the files evenly from beginning to end, in whole games where games are known. All files are read at the
    /// same time, which takes about 80 MB of memory for each CSV, less for a packed file
    #[arg(long, conflicts_with = "shuffle")]
    interleave: bool,
    /// Of rows with equal positions, write only the first: equal pieces, side to move, castling rights and en passant.
    /// Reads the files twice; needs 24 bytes of disk space per row next to the output
    #[arg(long)]
    dedup: bool,
    /// Random seed of the order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Split a packed output into OUT-0001.packed and so on, each ending after the first game that fills it to N rows,
    /// or with N rows where games are unknown
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    shard_rows: Option<u64>,
    /// Write a record of all files with content hashes and row counts, and of the rows left out with reasons
    #[arg(long, value_name = "FILE.json")]
    record: Option<PathBuf>,
    #[command(flatten)]
    rows: RowArgs,
    /// What becomes of rows in the middle of captures, see `trainer train --help`. Rows are held out by their positions: those
    /// of a converted file differ from those of the original
    #[arg(long, value_enum, default_value_t = Captures::Keep)]
    captures: Captures,
    #[command(flatten)]
    labels: LabelArgs,
    #[command(flatten)]
    filter: Filter,
    #[command(flatten)]
    replace: Replace,
}

impl Convert {
    pub(crate) fn run(&self) -> CommandResult {
        let to = self.output_format()?;
        let is_printed = is_stdout(&self.output);
        if is_printed && (self.shard_rows.is_some() || self.record.is_some()) {
            return Err(Failure::new("--shard-rows and --record are for files; found `-`, standard output"));
        }
        let written = self.written_files();
        if let Some(record) =
            self.record.as_ref().filter(|record| self.shard_rows.is_some() && is_shard(&self.output, record))
        {
            return Err(Failure::at(record, "the name of a shard; expected another one for --record"));
        }
        self.replace.check(
            self.inputs.iter().map(|input| input.path.as_path()),
            written.iter().chain(&self.record).map(PathBuf::as_path),
        )?;
        let inputs: Vec<DataFile> =
            self.inputs.iter().map(|input| self.labels.apply(input)).collect::<Result<_, _>>()?;
        // Another run may have written them while a pipe was read.
        self.replace.check_new(self.written_files().iter().map(PathBuf::as_path))?;
        let target = std::env::temp_dir().join("trainer-output");
        let copy = is_printed.then(|| TempFile::shared(&target)).transpose();
        let copy = copy.map_err(|error| Failure::at(&target, error))?;
        let job = Conversion {
            read: self.rows.options(),
            filter: self.filter.clone(),
            captures: self.captures,
            unique: self.dedup,
            shard_rows: self.shard_rows,
            order: self.order(),
            ..Conversion::new(&inputs, copy.as_ref().map_or(self.output.as_path(), TempFile::path), to)
        };
        let mut display = self.rows.display()?;
        let mut made = convert(&job, &mut display)?;
        display.list()?;
        if let Some(copy) = &copy {
            print_file(copy.path()).map_err(|error| Failure::at(copy.path(), error))?;
            made.files.clear();
        }
        report(&made, to);
        if let Some(path) = &self.record {
            write_record(path, &job, &made)?;
        }
        Ok(())
    }

    /// The output, or the shards whose names the output's will have, as far as they are known.
    fn written_files(&self) -> Vec<PathBuf> {
        if is_stdout(&self.output) {
            return Vec::new();
        }
        if self.shard_rows.is_none() {
            return vec![self.output.clone()];
        }
        let shards = existing_shards(&self.output);
        if shards.is_empty() { vec![shard_path(&self.output, 1)] } else { shards }
    }

    const fn order(&self) -> Order {
        let seed = self.seed;
        if self.interleave {
            Order::Interleaved { seed }
        } else if self.shuffle {
            Order::Shuffled { seed }
        } else {
            Order::AsRead
        }
    }

    /// The output format; fails if it cannot be written with these options.
    fn output_format(&self) -> Result<Format, Failure> {
        let to = self.to.or(is_stdout(&self.output).then_some(Format::Csv));
        let to = output_format(&self.output, to)?;
        let refuse = |problem: &str| Err(Failure::at(&self.output, problem));
        if self.shard_rows.is_some() && to != Format::Packed {
            return refuse("only packed files are cut; expected a name ending in .packed");
        }
        if self.shuffle && to.keeps_games() {
            return refuse(&format!("{} files keep games in order; shuffle another format", to.name()));
        }
        Ok(to)
    }
}

/// The format of an output file: `to`, or that of its name. Fails if it cannot be written there.
pub(crate) fn output_format(path: &Path, to: Option<Format>) -> Result<Format, Failure> {
    let name = path.display();
    let Some(to) = to.or_else(|| Format::of_name(path)) else {
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
    let ending = path.extension().and_then(|ending| ending.to_str());
    if !to.is_compressed() && matches!(ending, Some("gz" | "zst")) {
        return refuse(&format!("{} files are not compressed; expected a name without .gz and .zst", to.name()));
    }
    Ok(to)
}

/// Copies a file to standard output. A closed pipe is not an error.
fn print_file(path: &Path) -> io::Result<()> {
    match io::copy(&mut File::open(path)?, &mut io::stdout()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}

/// Prints what was left out, and the files written.
pub(crate) fn report(made: &Converted, to: Format) {
    remark_filtered(&made.filtered);
    if made.repeated > 0 {
        remark(format_args!("left out {} rows: repeated position", grouped(made.repeated)));
    }
    if made.lost_moves && to == Format::Csv {
        remark("some best moves are dropped: only whether they are captures or promotions is known");
    } else if made.lost_moves {
        remark(format_args!("best moves are not kept: a {} has none", to.record()));
    }
    for reason in LeftOutReason::ALL {
        let count = made.left_out.of(reason);
        if count > 0 {
            remark(format_args!("left out {} rows {}", grouped(count), reason.text()));
        }
    }
    if let Some(path) = &made.stale {
        remark(format_args!("{} and the following shards are left from an earlier conversion", path.display()));
    }
    for (path, rows) in &made.files {
        say(format_args!("{}: {} rows", path.display(), grouped(*rows)));
    }
}

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
    let output = |(file, rows): &(PathBuf, u64)| {
        let print = Fingerprint::of(file)?;
        let file = file.display().to_string();
        Ok(json!({ "file": file, "bytes": print.size, "content": print.to_string(), "rows": rows }))
    };
    let outputs = made.files.iter().map(output).collect::<Result<Vec<_>, Failure>>()?;
    let mut left_out = Map::new();
    let filtered = FilterReason::ALL.into_iter().map(|reason| (reason.text(), made.filtered.of(reason)));
    let unwritable = LeftOutReason::ALL.into_iter().map(|reason| (reason.text(), made.left_out.of(reason)));
    let repeated = [("repeated position", made.repeated)];
    for (reason, rows) in filtered.chain(unwritable).chain(repeated).filter(|&(_, rows)| rows > 0) {
        left_out.insert(reason.to_owned(), rows.into());
    }
    let (mut shuffled, mut interleaved) = (None, None);
    match &job.order {
        Order::AsRead => {}
        Order::Shuffled { seed } => shuffled = Some(seed),
        Order::Interleaved { seed } => interleaved = Some(seed),
    }
    let record = json!({
        "inputs": inputs,
        "outputs": outputs,
        "format": job.to.name(),
        "captures": job.captures.name(),
        "left_out": left_out,
        "shuffled_with_seed": shuffled,
        "interleaved_with_seed": interleaved,
    });
    write_json(path, &record)
}
