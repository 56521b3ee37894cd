//! `trainer report`: writes a page with tables and charts of the results of `scripts/report`.

mod page;
mod pictures;
mod results;

use std::path::PathBuf;

use clap::Args;

use super::output::{line, write_text};
use super::{CommandResult, figures};
use results::Results;

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
}

impl Report {
    pub(crate) fn run(&self) -> CommandResult {
        let results = Results::read(&self.results)?;
        figures::prepare(Some(&self.out))?;
        for (name, figure) in pictures::all(&results) {
            figure.write(&self.out.join(format!("{name}.svg")))?;
        }
        let path = self.out.join("README.md");
        write_text(&path, &page::text(&results))?;
        line(&format!("wrote {}", path.display()));
        Ok(())
    }
}
