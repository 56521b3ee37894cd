//! The journal of a match, a file next to its PGN with the settings and every finished game. It allows a match that was
//! stopped or killed to be continued.
//!
//! The first line is a JSON object of settings; each following line is a finished game. A complete match removes its
//! journal.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use alfiere_arena::score::FinishedGame;
use alfiere_chess::files::try_lock;

use crate::commands::Failure;

/// The settings that must be the same, by name.
pub(super) type MatchSetup = BTreeMap<String, String>;

/// An open and locked journal.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// The journal of the match whose games are written to `pgn`.
    pub(super) fn path(pgn: &Path) -> PathBuf {
        let mut name = pgn.as_os_str().to_owned();
        name.push(".match");
        name.into()
    }

    /// Opens and locks the journal. With `resume`, returns its finished games.
    pub(super) fn open(pgn: &Path, setup: &MatchSetup, resume: bool) -> Result<(Self, Vec<FinishedGame>), Failure> {
        let path = Self::path(pgn);
        let failure = |error: io::Error| Failure::at(&path, error);
        let mut file =
            File::options().create(true).truncate(false).read(true).write(true).open(&path).map_err(failure)?;
        if !try_lock(&file).map_err(failure)? {
            return Err(Failure::at(&path, "another match is writing its games here"));
        }
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failure)?;
        let mut journal = Self { path: path.clone(), file };
        // Without games there is nothing to continue, for example if an engine could not be started.
        // A killed run may have left a part of the first line.
        if text.lines().count() <= 1 && (text.is_empty() || text.starts_with('{')) {
            let line = serde_json::to_string(setup).map_err(|error| failure(error.into()))? + "\n";
            let written =
                journal.file.set_len(0).and_then(|()| journal.file.rewind()).and_then(|()| journal.write(&line));
            written.map_err(failure)?;
            return Ok((journal, Vec::new()));
        }
        let (valid_length, finished) = parse(&text, setup).map_err(|problem| Failure::at(&path, problem))?;
        if !resume {
            return Err(Failure::at(
                &path,
                format_args!(
                    "has {} games of an unfinished match; continue it with --resume, or delete the file",
                    finished.len()
                ),
            ));
        }
        // Overwrites an incomplete last line of a killed run.
        journal
            .file
            .set_len(valid_length as u64)
            .and_then(|()| journal.file.seek(SeekFrom::End(0)))
            .map_err(failure)?;
        Ok((journal, finished))
    }

    pub(super) fn add(&mut self, game: &FinishedGame) -> io::Result<()> {
        let line = serde_json::to_string(game)? + "\n";
        self.write(&line)
    }

    pub(super) fn remove(self) -> io::Result<()> {
        drop(self.file);
        fs::remove_file(self.path)
    }

    fn write(&mut self, line: &str) -> io::Result<()> {
        self.file.write_all(line.as_bytes())
    }
}

/// Parses the finished games of a journal; also returns the size of its complete lines in bytes.
fn parse(text: &str, setup: &MatchSetup) -> Result<(usize, Vec<FinishedGame>), String> {
    let valid_length = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = text[..valid_length].lines().zip(1..);
    let expected = "expected the journal of a match; delete the file to start a new match";
    let saved: MatchSetup = lines
        .next()
        .and_then(|(line, _)| serde_json::from_str(line).ok())
        .ok_or_else(|| format!("line 1: {expected}"))?;
    let none = String::from("nothing");
    for name in saved.keys().chain(setup.keys()) {
        let [was, is] = [&saved, setup].map(|settings| settings.get(name).unwrap_or(&none));
        if was != is {
            return Err(format!(
                "the match was started with {name} {was}, now {is}; use the same settings, or delete the file to start a new match"
            ));
        }
    }
    let games = lines.map(|(line, number)| {
        serde_json::from_str(line).map_err(|_| format!("line {number}: found `{line:.60}`, {expected}"))
    });
    Ok((valid_length, games.collect::<Result<_, _>>()?))
}
