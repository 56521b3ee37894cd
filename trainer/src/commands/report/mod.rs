//! `trainer report`: writes a page with tables and charts of the results of `scripts/report`.

mod page;
mod pictures;
mod results;

use std::path::PathBuf;

use clap::Args;
use results::Results;

use super::output::{line, write_text};
use super::{CommandResult, Failure, figures};

/// Write the report page: tables and charts of the results of `scripts/report`
///
/// Example: trainer report runs/report --out docs/report
#[derive(Args)]
pub(crate) struct Report {
    /// Folder of results, written by `alfiere suite` and `alfiere match` with --json
    #[arg(value_name = "FOLDER")]
    results: PathBuf,
    /// Folder for the page (README.md) and its figures
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// When and by which version the games were played, for the page
    #[arg(long, value_name = "TEXT")]
    played: Option<String>,
}

impl Report {
    pub(crate) fn run(&self) -> CommandResult {
        let results = Results::read(&self.results)?;
        figures::prepare(Some(&self.out))?;
        for (name, figure) in pictures::all(&results) {
            figure.write(&self.out.join(format!("{name}.svg")))?;
        }
        let (path, text) = (self.out.join("README.md"), page::text(&results, self.played.as_deref()));
        let title = text.lines().next().unwrap_or_default();
        if std::fs::read_to_string(&path).is_ok_and(|found| !found.starts_with(title)) {
            let path = path.display();
            return Err(Failure::new(format!("{path}: this file is no report; expected another folder with --out")));
        }
        write_text(&path, &text)?;
        line(&format!("wrote {}", path.display()));
        Ok(())
    }
}
