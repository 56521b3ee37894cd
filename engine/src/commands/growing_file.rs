//! Files that grow while a command runs, and JSON files with a growing list. An earlier file stays until the new one is complete.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use alfiere_chess::files::{TempFile, try_lock};
use serde::Serialize;
use serde_json::Value;

use super::{CommandResult, Failure};

/// A file that a command appends to.
pub(crate) enum GrowingFile {
    /// At its path from the start, so that a killed run leaves what it had.
    New(File),
    /// Beside an earlier file, which it replaces when it is finished. A killed run leaves both.
    Replacement(TempFile),
}

impl GrowingFile {
    /// Creates an empty file, and locks it.
    ///
    /// # Errors
    /// If it cannot be created, or another run is writing it.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        if has_content(path) {
            return TempFile::new(path).map(Self::Replacement);
        }
        let file = File::options().create(true).truncate(false).write(true).open(path)?;
        if !try_lock(&file)? {
            return Err(io::Error::other("another run is writing this file"));
        }
        Ok(Self::New(file))
    }

    pub(crate) fn file(&mut self) -> &mut File {
        match self {
            Self::New(file) => file,
            Self::Replacement(file) => file.file(),
        }
    }

    /// Replaces the earlier file, if there is one.
    ///
    /// # Errors
    /// If an I/O operation fails; the earlier file is then unchanged.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self {
            Self::New(_) => Ok(()),
            Self::Replacement(file) => file.finish()?.publish(),
        }
    }
}

/// Whether the path is a regular file that is not empty.
pub(crate) fn has_content(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| found.is_file() && found.len() > 0)
}

/// Text after the last item.
const CLOSING: &str = "\n  ]\n}\n";

/// A JSON object in a file whose last member is a growing list.
pub(crate) struct GrowingJson {
    path: PathBuf,
    file: GrowingFile,
    /// Offset of the next item, which overwrites the closing brackets.
    end: u64,
    is_empty: bool,
}

impl GrowingJson {
    /// Writes the members of `head`, an object with at least one member, and an empty list with this name.
    pub(crate) fn create(path: &Path, head: &Value, list: &str) -> Result<Self, Failure> {
        let file = GrowingFile::create(path).map_err(|error| Failure::at(path, error))?;
        let mut json = Self { path: path.to_owned(), file, end: 0, is_empty: true };
        let head = json.text_of(head)?;
        json.append(&format!("{},\n  \"{list}\": [", head.strip_suffix("\n}").unwrap_or(&head)))?;
        Ok(json)
    }

    pub(crate) fn push(&mut self, item: &impl Serialize) -> CommandResult {
        let text = self.text_of(item)?;
        let comma = if std::mem::take(&mut self.is_empty) { "" } else { "," };
        self.append(&format!("{comma}\n{text}"))
    }

    /// Puts the file in the place of an earlier one.
    pub(crate) fn finish(self) -> CommandResult {
        self.file.finish().map_err(|error| Failure::at(&self.path, error))
    }

    /// Replaces the closing brackets by a text and the closing brackets in one write.
    fn append(&mut self, text: &str) -> CommandResult {
        let file = self.file.file();
        let written =
            file.seek(SeekFrom::Start(self.end)).and_then(|_| file.write_all(format!("{text}{CLOSING}").as_bytes()));
        if let Err(error) = written {
            // The earlier items stay readable, on a full disk too: what could be written of this one makes room.
            let _ = file
                .set_len(self.end)
                .and_then(|()| file.seek(SeekFrom::Start(self.end)))
                .and_then(|_| file.write_all(CLOSING.as_bytes()));
            return Err(Failure::at(&self.path, error));
        }
        self.end += text.len() as u64;
        Ok(())
    }

    fn text_of(&self, value: &impl Serialize) -> Result<String, Failure> {
        serde_json::to_string_pretty(value).map_err(|error| Failure::at(&self.path, error))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_file_is_valid_after_each_item() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("list.json");
        let read = || -> Value {
            serde_json::from_str(&std::fs::read_to_string(&path).expect("written")).expect("whole JSON")
        };
        let mut json = GrowingJson::create(&path, &json!({ "name": "x}", "z": { "a": {} } }), "items").expect("made");
        assert_eq!(read(), json!({ "name": "x}", "z": { "a": {} }, "items": [] }));
        let items = [json!({ "long": "x".repeat(100) }), json!([]), json!("ä")];
        for count in 1..=items.len() {
            json.push(&items[count - 1]).expect("written");
            assert_eq!(read()["items"], json!(items[..count]));
        }
        drop(json);
        let earlier = read();
        let mut json = GrowingJson::create(&path, &json!({ "a": 1 }), "items").expect("made");
        json.push(&1).expect("written");
        assert_eq!(read(), earlier, "a run that ends here keeps the earlier file");
        json.finish().expect("replaced");
        assert_eq!(read(), json!({ "a": 1, "items": [1] }));
        assert!(GrowingJson::create(&folder.path().join("no/such.json"), &json!({ "a": 1 }), "items").is_err());
    }
}
