//! Checks before a command's work: outputs do not overwrite inputs, each other or earlier results.

use std::path::{Path, PathBuf};

use same_file::Handle;
use thiserror::Error;

/// Why a command must not start.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum OutputError {
    #[error("{}: this is the input {}; expected another file for the output", output.display(), input.display())]
    Input { output: PathBuf, input: PathBuf },
    #[error("{}: this is the path of another result, {}; expected a file for each", second.display(), first.display())]
    Twice { first: PathBuf, second: PathBuf },
    #[error("{}: the file already exists; expected a new name, or --force to replace it", .0.display())]
    Exists(PathBuf),
}

/// Checks that no output is an input (through a link or another path) and that no two outputs are the same file. `-`
/// and device or pipe paths are not checked.
///
/// # Errors
/// The first conflict.
pub fn check_outputs<'a, 'b>(
    inputs: impl IntoIterator<Item = &'a Path>,
    outputs: impl IntoIterator<Item = &'b Path>,
) -> Result<(), OutputError> {
    let inputs: Vec<(&Path, Destination)> = destinations(inputs).collect();
    let mut results: Vec<(&Path, Destination)> = Vec::new();
    for (output, destination) in destinations(outputs) {
        let same = |(_, other): &&(&Path, Destination)| *other == destination;
        if let Some((input, _)) = inputs.iter().find(same) {
            return Err(OutputError::Input { output: output.into(), input: (*input).into() });
        }
        if let Some((first, _)) = results.iter().find(same) {
            return Err(OutputError::Twice { first: (*first).into(), second: output.into() });
        }
        results.push((output, destination));
    }
    Ok(())
}

/// Checks that no output is an existing file with content. `-` and device or pipe paths are not checked.
///
/// # Errors
/// The first file that would be replaced.
pub fn check_new<'a>(outputs: impl IntoIterator<Item = &'a Path>) -> Result<(), OutputError> {
    let has_content = |path: &&Path| path.metadata().is_ok_and(|found| found.len() > 0);
    match outputs.into_iter().filter(is_file).find(has_content) {
        Some(path) => Err(OutputError::Exists(path.into())),
        None => Ok(()),
    }
}

#[derive(PartialEq, Eq)]
enum Destination {
    /// An existing file, identified independently of its path.
    File(Handle),
    /// A file that does not exist yet, in its resolved folder.
    New(PathBuf),
}

fn destinations<'a>(paths: impl IntoIterator<Item = &'a Path>) -> impl Iterator<Item = (&'a Path, Destination)> {
    paths.into_iter().filter(is_file).map(|path| (path, destination(path)))
}

/// True for a regular file and for a path where one could be.
fn is_file(path: &&Path) -> bool {
    *path != Path::new("-") && path.metadata().map_or(true, |found| found.is_file())
}

fn destination(path: &Path) -> Destination {
    if let Ok(handle) = Handle::from_path(path) {
        return Destination::File(handle);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    Destination::New(folder.join(path.file_name().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_recognised_under_other_paths() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("games.pgn"), "games").expect("written");
        std::fs::hard_link(at("games.pgn"), at("hard")).expect("linked");
        let winding = folder.path().join(".").join("games.pgn");
        let mut names = vec![at("games.pgn"), at("hard"), winding];
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("games.pgn"), at("soft")).expect("linked");
            names.push(at("soft"));
        }
        for output in &names {
            let error = check_outputs([at("games.pgn").as_path()], [output.as_path()]).expect_err("an input");
            assert!(error.to_string().contains("this is the input"), "{error}");
        }
        check_outputs([at("games.pgn").as_path()], [at("other").as_path(), Path::new("-")]).expect("another file");
    }

    #[test]
    fn earlier_results_are_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let (old, new) = (folder.path().join("old.json"), folder.path().join("new.json"));
        std::fs::write(&old, "hours of work").expect("written");
        let error = check_new([new.as_path(), old.as_path()]).expect_err("a file");
        assert!(error.to_string().contains("old.json: the file already exists"), "{error}");
        check_new([new.as_path(), Path::new("-")]).expect("nothing there");
        std::fs::write(&new, "").expect("written");
        check_new([new.as_path()]).expect("nothing in it");
        #[cfg(unix)]
        check_new([Path::new("/dev/null")]).expect("a device");
    }

    #[test]
    fn outputs_must_differ() {
        let folder = tempfile::tempdir().expect("a folder");
        let (new, winding) = (folder.path().join("out.json"), folder.path().join(".").join("out.json"));
        let error = check_outputs([], [new.as_path(), winding.as_path()]).expect_err("one file");
        assert!(error.to_string().contains("another result"), "{error}");
        check_outputs([], [new.as_path(), folder.path().join("out.csv").as_path()]).expect("two files");
        check_outputs([Path::new("-")], [Path::new("-"), Path::new("-")]).expect("no files");
        #[cfg(unix)]
        check_outputs([], [Path::new("/dev/null"); 2]).expect("a device");
    }
}
