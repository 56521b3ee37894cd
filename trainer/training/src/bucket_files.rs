//! Bucket lists in files: the words `kings=@FILE` and `outputs=@FILE` of an architecture.

use std::io;
use std::path::{Path, PathBuf};

use alfiere_nnue::{BucketError, Inputs, OutputBuckets};
use thiserror::Error;

/// Why a file gives no buckets.
#[derive(Debug, Error)]
pub enum BucketFileError {
    /// It cannot be read.
    #[error("{}: cannot read it: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The I/O error.
        source: io::Error,
    },
    /// It has an invalid list.
    #[error("{}, {source}", path.display())]
    Bucket {
        /// The file.
        path: PathBuf,
        /// The problem and its line.
        source: BucketError,
    },
}

/// The text of an architecture with the lists of the files that it names instead of `@FILE`. Relative names are resolved
/// against `folder`. Nothing else is checked.
///
/// # Errors
/// If a file cannot be read or has an invalid list.
pub fn read_bucket_files(architecture: &str, folder: &Path) -> Result<String, BucketFileError> {
    let words = architecture.split(' ').map(|word| {
        let Some((kind @ ("kings" | "outputs"), name)) = word.split_once("=@") else { return Ok(word.to_owned()) };
        let path = folder.join(name);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(source) => return Err(BucketFileError::Read { path, source }),
        };
        let word = match kind {
            "kings" => Inputs::from_text(&text).map(|inputs| inputs.to_string()),
            _ => OutputBuckets::from_text(&text).map(|buckets| buckets.to_string()),
        };
        // A map of one bucket without mirroring is that of plain inputs, which have no word.
        let word = word.map(|word| if word == Inputs::PLAIN.to_string() { String::new() } else { word });
        word.map_err(|source| BucketFileError::Bucket { path, source })
    });
    Ok(words.collect::<Result<Vec<_>, _>>()?.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_become_lists_and_errors_name_file_line_and_number() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
        let read = |text: &str| read_bucket_files(text, folder.path()).map_err(|error| error.to_string());
        write("k", &"0 0 1 1\n".repeat(8));
        write("p", &"0 ".repeat(31));
        write("plain", &"0 0 0 0 0 0 0 0\n".repeat(8));
        let kings = ["0,0,1,1"; 8].join("/");
        assert_eq!(read("dual [ 8, 4 ] outputs=@p kings=@k"), Ok(format!("dual [ 8, 4 ] x1 kings={kings}")));
        assert_eq!(read("dual [8] kings=@plain").map(|text| text.trim_end().to_owned()), Ok("dual [8]".to_owned()));
        assert_eq!(read("dual [8] kings=4"), Ok("dual [8] kings=4".to_owned()));
        write("k", "0 0 1 1\n0 0 1 l\n");
        let error = read("dual [8] kings=@k").expect_err("no number");
        assert!(error.ends_with("k, line 2: `l` is no bucket, possible are 0 to 63"), "{error}");
        assert!(read("dual [8] outputs=@none").expect_err("no file").contains("none: cannot read it"));
    }
}
