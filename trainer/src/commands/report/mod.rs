//! `trainer report`: a page with tables and bars of the results that `scripts/report` has left.

mod page;
mod pictures;
mod results;

use std::path::PathBuf;

use clap::Args;

use super::output::{line, write_text};
use super::{Outcome, figures};
use results::Results;

/// Make the page of the players' results: tables and bars of what `scripts/report` has left in a folder
///
/// Example: trainer report runs/report --out docs/report
#[derive(Args)]
pub(crate) struct Report {
    /// Folder of results, as `alfiere suite` and `alfiere match` write them with --json
    #[arg(value_name = "FOLDER")]
    results: PathBuf,
    /// Folder for the page, README.md, and its pictures
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

impl Report {
    pub(crate) fn run(&self) -> Outcome {
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
