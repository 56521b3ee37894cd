//! `trainer convert`: CSV, packed and other trainers' text into one another, or from one compression to another.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use alfiere_trainer::data::{
    Converted, DataFile, LoadObserver, ReadProgress, TextForm, convert_to_games, convert_to_packed, convert_to_text,
};
use clap::Args;

use super::data_args::{Loading, RowArgs};
use super::output::{check_places, grouped, line};
use super::progress::remark;
use super::{Failure, Outcome};

/// Turn a CSV into packed files or a game file, or back, or compress it otherwise
///
/// The output's name decides: .csv, .txt (lines `FEN | cp | result`, as bullet and other trainers read them), either also
/// with .gz or .zst, .packed (32 bytes a row, no parsing when it is read), or .games (two to three bytes a row where
/// the rows of a game follow each other). All of them are read, too. The rows pass through: no file needs to fit into memory, about a quarter of a gigabyte is used.
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
        let form = TextForm::of_name(&self.output);
        let to_games = name.ends_with(".games");
        if form.is_none() && !to_games && !name.ends_with(".packed") {
            let sentence = format!(
                "{name}: unknown kind of file; expected a name ending in .packed, .games, .csv or .txt, the last two also with .gz or .zst"
            );
            return Err(Failure::new(sentence));
        }
        if self.shard_rows.is_some() && (to_games || form.is_some()) {
            return Err(Failure::new(format!("{name}: only packed files are cut; expected a name ending in .packed")));
        }
        check_places([self.input.path.as_path()], [self.output.as_path()])?;
        let mut loading = Loading::default();
        loading.file(&self.input.path);
        let made = self.convert(form, &mut |progress| loading.progress(progress))?;
        loading.say(&self.input, made.origin, &made.report, made.report.warning(&self.input.path).as_slice());
        if made.lost_moves {
            remark("best moves are kept as quiet or noisy only: the text does not name them");
        }
        if made.without_result > 0 {
            remark(&format!("left out {} rows without a result", grouped(made.without_result)));
        }
        if made.refused > 0 {
            remark(&format!("left out {} rows: no legal positions", grouped(made.refused)));
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
        form: Option<TextForm>,
        observer: &mut dyn FnMut(ReadProgress) -> ControlFlow<()>,
    ) -> Result<Converted, Failure> {
        let (output, options): (&Path, _) = (&self.output, self.rows.options());
        Ok(match form {
            Some(form) => convert_to_text(&self.input, output, form, &options, observer)?,
            None if output.extension().is_some_and(|ending| ending == "games") => {
                convert_to_games(&self.input, output, &options, observer)?
            }
            None => convert_to_packed(&self.input, output, &options, self.shard_rows, observer)?,
        })
    }
}
