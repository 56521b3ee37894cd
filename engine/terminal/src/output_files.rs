//! Checks of output files before the work.

use std::path::{Path, PathBuf};

use alfiere_chess::files;

use super::failure::{CommandResult, Failure};

/// Checks that outputs can be written, and do not overwrite inputs or each other. `-` is standard output.
///
/// # Errors
/// Names the first file that is refused.
pub fn check_outputs(
    inputs: impl IntoIterator<Item: AsRef<Path>>,
    outputs: impl IntoIterator<Item: AsRef<Path>>,
) -> CommandResult {
    let [inputs, outputs] = [owned(inputs), owned(outputs)];
    files::check_outputs(inputs.iter().map(PathBuf::as_path), outputs.iter().map(PathBuf::as_path))?;
    for path in outputs.iter().filter(|path| path.as_os_str() != "-") {
        files::check_writable(path).map_err(|error| Failure::at(path, format_args!("cannot write there: {error}")))?;
    }
    Ok(())
}

/// What happens to results of an earlier run.
#[derive(clap::Args, Debug)]
pub struct Replace {
    /// Replace output files that exist
    #[arg(long)]
    pub force: bool,
}

impl Replace {
    /// [`check_outputs`], and without `--force` no output may exist.
    ///
    /// # Errors
    /// Names the first file that is refused.
    pub fn check(
        &self,
        inputs: impl IntoIterator<Item: AsRef<Path>>,
        outputs: impl IntoIterator<Item: AsRef<Path>>,
    ) -> CommandResult {
        let outputs = owned(outputs);
        check_outputs(inputs, &outputs)?;
        self.check_new(outputs)
    }

    /// Checks that, without `--force`, no output exists.
    ///
    /// # Errors
    /// Names the first one that does.
    pub fn check_new(&self, outputs: impl IntoIterator<Item: AsRef<Path>>) -> CommandResult {
        if !self.force {
            files::check_new(owned(outputs).iter().map(PathBuf::as_path))?;
        }
        Ok(())
    }
}

fn owned(paths: impl IntoIterator<Item: AsRef<Path>>) -> Vec<PathBuf> {
    paths.into_iter().map(|path| path.as_ref().to_owned()).collect()
}
