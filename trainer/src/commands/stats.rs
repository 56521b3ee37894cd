//! `trainer stats`: statistics of a data set.

use std::path::PathBuf;

use alfiere_data::{DataFile, DatasetStats, Filter, expected_points};
use alfiere_terminal::{Replace, remark, say};
use clap::Args;

use super::data_args::{ReadArgs, paths};
use super::output::{grouped, write_json};
use super::{CommandResult, Failure};

/// Print statistics of data files, with warnings about suspicious data
///
/// Example: trainer stats datasets/kaggle/sample.csv.gz
#[derive(Args)]
pub(crate) struct Stats {
    /// CSV files (plain, gzip, zstd) or any other format that `convert` reads
    #[arg(required = true, value_name = "FILE")]
    files: Vec<DataFile>,
    #[command(flatten)]
    read: ReadArgs,
    /// Write the statistics as JSON, `-` for standard output
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw labels, plies, pieces, labels against material and results by label, as SVG, into this folder
    #[arg(long, value_name = "FOLDER")]
    figures: Option<PathBuf>,
    #[command(flatten)]
    replace: Replace,
}

impl Stats {
    pub(crate) fn run(&self) -> CommandResult {
        super::figures::prepare(self.figures.as_ref())?;
        self.replace.check(paths(&self.files), self.json.as_deref())?;
        let set = self.read.load(&self.files, Filter::default())?;
        let stats = DatasetStats::of(&set).ok_or_else(|| Failure::new("no rows"))?;
        match &self.json {
            Some(path) => write_json(path, &stats)?,
            None => print(&stats),
        }
        if let Some(folder) = &self.figures {
            super::figures::write_all(folder, &self.names(), &stats)?;
        }
        for warning in stats.warnings() {
            remark(format_args!("warning: {warning}"));
        }
        Ok(())
    }

    /// The file names, for figure titles.
    fn names(&self) -> String {
        let name = |file: &DataFile| file.path.file_name().map(|name| name.to_string_lossy().into_owned());
        match &self.files[..] {
            [file] => name(file).unwrap_or_default(),
            files => format!("{} files", files.len()),
        }
    }
}

fn print(stats: &DatasetStats) {
    let share = |count: u64| format!("{} ({:.1} %)", grouped(count), 100.0 * count as f64 / stats.rows as f64);
    let labels = &stats.labels;
    say(format_args!("rows              {}", grouped(stats.rows)));
    let length = (stats.rows - stats.rows_without_game) as f64 / stats.games.max(1) as f64;
    let games = match (stats.games, stats.rows_without_game) {
        (0, _) => "unknown: the rows are in no game's order".to_owned(),
        (games, 0) => format!("{}, {length:.1} rows each", grouped(games)),
        (games, rows) => format!("{}, {length:.1} rows each; unknown for {} rows", grouped(games), grouped(rows)),
    };
    say(format_args!("games             {games}"));
    say(format_args!("repeated          {}", share(stats.duplicates)));
    say(format_args!("White to move     {}", share(stats.white_to_move)));
    say(format_args!("in check          {}", share(stats.in_check)));
    say(format_args!("captures          {}, which --captures resolve plays out", share(stats.captures)));
    say(format_args!(
        "mate labels       {}, for White {}",
        share(labels.white_mates + labels.black_mates),
        grouped(labels.white_mates)
    ));
    say(format_args!("labels of 0       {}", share(labels.zero)));
    say(format_args!("beyond ±1000 cp   {}", share(labels.beyond_report)));
    let [min, low, quarter, median, upper, high, max] = labels.quantiles;
    say(format_args!(
        "centipawns        min {min}, 5 % {low}, 25 % {quarter}, median {median}, 75 % {upper}, 95 % {high}, max {max}"
    ));
    say(format_args!(
        "clipped cp        mean {:.4}, variance {:.4} (MSE of the best constant)",
        labels.report_mean, labels.report_variance
    ));
    say(format_args!(
        "with material     correlation {:.3} from White's point of view, {:.3} from the side to move's; {:.0} centipawns per pawn",
        labels.material_correlation, labels.mover_material_correlation, labels.per_pawn
    ));
    let signs = stats.signs;
    let turns = 100.0 * signs.turns as f64 / signs.pairs.max(1) as f64;
    say(format_args!("sign turns        {turns:.1} % of {} consecutive plies", grouped(signs.pairs)));
    let results = stats.results;
    if results.unknown == stats.rows {
        say("results           none");
    } else {
        say(format_args!(
            "results           1-0 {}, 1/2 {}, 0-1 {}, unknown {}",
            share(results.white),
            share(results.draws),
            share(results.black),
            share(results.unknown)
        ));
        let against = 100.0 * results.contradicting as f64 / results.clear.max(1) as f64;
        say(format_args!("against labels    {against:.1} % of {} clear ones in won games", grouped(results.clear)));
        if let Some(scale) = results.scale {
            let score = 100.0 * expected_points(100.0, scale);
            say(format_args!("expected score    1 / (1 + exp(-label / {scale:.0})): {score:.1} % at 100 centipawns"));
        }
    }
    if stats.best_move_known == 0 {
        say("best moves        none");
    } else {
        say(format_args!(
            "best moves        {}, capture or promote {}",
            share(stats.best_move_known),
            share(stats.best_move_noisy)
        ));
    }
    for (index, &count) in stats.by_pieces.iter().enumerate() {
        say(format_args!("{:>2} to {:>2} pieces    {}", index * 4 + 1, index * 4 + 4, share(count)));
    }
}
