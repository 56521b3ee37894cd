//! The work file next to the output: the parameters of the run and every finished chunk, in order of completion.
//!
//! Each chunk is appended as one line, so a crash loses only unfinished chunks; an incomplete last line is cut off, a
//! damaged line is ignored. When all chunks are finished, the output is written atomically and the work file is
//! removed.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use alfiere_chess::files::try_lock;
use alfiere_data::{DataError, atomic, write_text};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::assignment::{Assignment, LabelError};

/// Format version, incremented when the meaning of the lines changes.
const FORMAT: u32 = 1;
/// Maximum number of failed positions listed in a report.
const MAX_LISTED: usize = 10;

/// The parameters that the labels depend on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Header {
    format: u32,
    input: String,
    #[serde(alias = "teacher")]
    engine: String,
    limit: String,
    part: String,
}

/// Results so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Labelled positions.
    pub rows: u64,
    /// Positions in which the game is over.
    pub over: u64,
    /// Positions that are not standard chess.
    pub refused: u64,
    /// Positions on which the engine failed repeatedly.
    pub failed: u64,
    /// The first few of these.
    pub named: Vec<String>,
}

impl Counts {
    /// Number of processed positions.
    pub fn total(&self) -> u64 {
        self.rows + self.over + self.refused + self.failed
    }

    fn add(&mut self, record: &Record) {
        self.rows += record.rows;
        self.over += record.over;
        self.refused += record.refused;
        self.failed += record.failed.len() as u64;
        let room = MAX_LISTED.saturating_sub(self.named.len());
        self.named.extend(record.failed.iter().take(room).cloned());
    }
}

/// An open and locked work file.
#[derive(Debug)]
pub struct WorkFile {
    path: PathBuf,
    output: PathBuf,
    file: File,
    /// Offset and length of each chunk's line.
    places: Vec<Option<(u64, usize)>>,
    first: usize,
    end: u64,
    counts: Counts,
}

impl WorkFile {
    /// Opens or creates the work file for an output. `engine` and `limit` are the parameters that the labels depend
    /// on, in addition to the rows.
    ///
    /// # Errors
    /// If the output exists without a work file; if the work file belongs to a different run, is damaged or in use, or
    /// cannot be written.
    pub fn open(output: &Path, assignment: &Assignment, engine: &str, limit: &str) -> Result<Self, LabelError> {
        atomic::check_writable(output)?;
        let path = work_file_path(output);
        let head = Header {
            format: FORMAT,
            input: assignment.fingerprint(),
            engine: engine.to_owned(),
            limit: limit.to_owned(),
            part: assignment.shard().to_string(),
        };
        let fail = |source| LabelError::Data(DataError::io(&path, "write it", source));
        if !path.exists() {
            if output.exists() {
                return Err(LabelError::Finished(output.to_path_buf()));
            }
            let line = to_line(&head).map_err(|error| fail(error.into()))?;
            atomic::write(&path, |file| file.write_all(line.as_bytes()))?;
        }
        let file = OpenOptions::new().read(true).write(true).open(&path).map_err(fail)?;
        if !try_lock(&file).map_err(fail)? {
            return Err(LabelError::Busy(path));
        }
        let part = assignment.part();
        let mut work = Self {
            path: path.clone(),
            output: output.to_path_buf(),
            file,
            places: vec![None; part.len()],
            first: part.start,
            end: 0,
            counts: Counts::default(),
        };
        work.read(&head)?;
        Ok(work)
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Results so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Numbers of the chunks that are not finished.
    pub fn missing(&self) -> Vec<usize> {
        let places = self.places.iter().enumerate();
        places.filter(|(_, place)| place.is_none()).map(|(index, _)| self.first + index).collect()
    }

    fn problem(&self, problem: &str) -> LabelError {
        LabelError::Work { path: self.path.clone(), problem: problem.to_owned() }
    }

    fn io(&self, action: &'static str) -> impl Fn(io::Error) -> LabelError + use<> {
        let path = self.path.clone();
        move |source| LabelError::Data(DataError::io(&path, action, source))
    }

    /// Reads the finished chunks and cuts off an incomplete last line.
    fn read(&mut self, wanted: &Header) -> Result<(), LabelError> {
        let fail = self.io("read it");
        let mut reader = BufReader::with_capacity(1 << 20, self.file.try_clone().map_err(&fail)?);
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).map_err(&fail)?;
        let head: Header = from_line(&line).ok_or_else(|| self.problem("its first line is damaged"))?;
        self.compare(&head, wanted)?;
        self.end = line.len() as u64;
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line).map_err(&fail)? == 0 || !line.ends_with(b"\n") {
                break;
            }
            if let Some(record) = from_line::<Record>(&line) {
                self.note(&record, line.len());
            }
            self.end += line.len() as u64;
        }
        self.file.set_len(self.end).map_err(self.io("cut its end off"))
    }

    fn compare(&self, was: &Header, now: &Header) -> Result<(), LabelError> {
        if was.format != now.format {
            return Err(self.problem(&format!("it has format {}", was.format)));
        }
        for (what, was, now) in [
            ("the input of", &was.input, &now.input),
            ("the engine", &was.engine, &now.engine),
            ("the limit", &was.limit, &now.limit),
            ("part", &was.part, &now.part),
        ] {
            if was != now {
                let (was, now) = (was.clone(), now.clone());
                return Err(LabelError::Differs { path: self.path.clone(), what, was, now });
            }
        }
        Ok(())
    }

    /// Registers a chunk whose line starts at the end of the file. A chunk that occurs twice counts once.
    fn note(&mut self, record: &Record, length: usize) {
        let place = record.chunk.checked_sub(self.first).and_then(|index| self.places.get_mut(index));
        if let Some(place @ None) = place {
            *place = Some((self.end, length));
            self.counts.add(record);
        }
    }

    pub(super) fn append(&mut self, record: &Record) -> Result<(), LabelError> {
        let fail = self.io("write it");
        let line = to_line(record).map_err(|error| fail(error.into()))?;
        self.file.seek(SeekFrom::Start(self.end)).map_err(&fail)?;
        self.file.write_all(line.as_bytes()).map_err(&fail)?;
        self.note(record, line.len());
        self.end += line.len() as u64;
        Ok(())
    }

    /// Writes the output from the finished chunks in input order and removes the work file. Only the first part has a
    /// header, so that concatenated parts form the whole file.
    ///
    /// # Errors
    /// If a chunk is missing or damaged, or a file cannot be read or written.
    pub fn publish(mut self, assignment: &Assignment) -> Result<Counts, LabelError> {
        let head = match (assignment.shard().is_first(), assignment.with_results()) {
            (false, _) => "",
            (true, false) => "FEN,Evaluation,Move\n",
            (true, true) => "FEN,Evaluation,Move,Result\n",
        };
        let output = self.output.clone();
        let mut problem = None;
        let written = write_text(&output, |out| {
            out.write_all(head.as_bytes())?;
            for index in 0..self.places.len() {
                match self.text(index) {
                    Ok(text) => out.write_all(text.as_bytes())?,
                    // Reported below with its own message; returning an error here prevents the output from appearing.
                    Err(error) => {
                        problem = Some(error);
                        return Err(io::ErrorKind::Other.into());
                    }
                }
            }
            Ok(())
        });
        if let Some(problem) = problem {
            return Err(problem);
        }
        written?;
        std::fs::remove_file(&self.path).map_err(self.io("remove it"))?;
        Ok(self.counts)
    }

    fn text(&mut self, index: usize) -> Result<String, LabelError> {
        let (offset, length) = self.places[index].ok_or_else(|| self.problem("a part of the labels is missing"))?;
        let mut line = vec![0; length];
        let fail = self.io("read it");
        self.file.seek(SeekFrom::Start(offset)).and_then(|_| self.file.read_exact(&mut line)).map_err(fail)?;
        let record: Record = from_line(&line).ok_or_else(|| self.problem("a finished chunk was changed"))?;
        Ok(record.text)
    }
}

/// `OUT.work`.
fn work_file_path(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".work");
    PathBuf::from(name)
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    pub(super) chunk: usize,
    /// Its labelled rows, as lines of CSV.
    pub(super) text: String,
    pub(super) rows: u64,
    pub(super) over: u64,
    pub(super) refused: u64,
    /// Positions on which the engine failed repeatedly.
    pub(super) failed: Vec<String>,
}

/// Serialises a value to a line, including the line end.
pub(super) fn to_line(value: &impl Serialize) -> serde_json::Result<String> {
    let json = serde_json::to_string(value)?;
    Ok(format!("{:016x} {json}\n", xxh3_64(json.as_bytes())))
}

/// Parses a line; `None` if it is damaged.
pub(super) fn from_line<T: for<'a> Deserialize<'a>>(line: &[u8]) -> Option<T> {
    let line = std::str::from_utf8(line.strip_suffix(b"\n")?).ok()?;
    let (hash, json) = line.split_once(' ')?;
    let is_whole = u64::from_str_radix(hash, 16).ok()? == xxh3_64(json.as_bytes());
    is_whole.then(|| serde_json::from_str(json).ok())?
}

#[cfg(test)]
mod tests {
    use alfiere_data::sample;

    use super::*;
    use crate::shard::Shard;

    fn record(assignment: &Assignment, chunk: usize) -> Record {
        let rows = assignment.rows(chunk);
        let lines: Vec<String> = rows.iter().map(|row| format!("{},+1,a1a2\n", row.to_fen())).collect();
        Record { chunk, text: lines.concat(), rows: rows.len() as u64, ..Record::default() }
    }

    fn setup() -> (tempfile::TempDir, PathBuf, Assignment) {
        let folder = tempfile::tempdir().expect("a folder");
        let output = folder.path().join("out.csv");
        (folder, output, Assignment::new(sample::rows(1_000), Shard::WHOLE).expect("rows"))
    }

    #[test]
    fn incomplete_and_damaged_lines_are_labelled_again_once() {
        let (_folder, output, assignment) = setup();
        let open = || WorkFile::open(&output, &assignment, "t", "5 nodes");
        let mut work = open().expect("begun");
        assert!(matches!(open(), Err(LabelError::Busy(_))));
        for chunk in [3, 0, 1, 3, 2] {
            work.append(&record(&assignment, chunk)).expect("written");
        }
        let (path, end) = (work.path().to_path_buf(), work.end);
        let counts = work.counts().clone();
        drop(work);
        let work = open().expect("there");
        assert_eq!((work.counts(), work.missing()[0]), (&counts, 4));
        drop(work);
        let bytes = std::fs::read(&path).expect("there");
        // Truncated anywhere in the last chunk, only that chunk is missing.
        for cut in [1, 2, 100] {
            std::fs::write(&path, &bytes[..end as usize - cut]).expect("written");
            assert_eq!(open().expect("there").missing()[..2], [2, 4]);
        }
        let mut damaged = bytes.clone();
        let at = bytes.iter().position(|&byte| byte == b'\n').expect("a head") + 60;
        damaged[at] ^= 1;
        std::fs::write(&path, &damaged).expect("written");
        let mut work = open().expect("there");
        // The second record of chunk 3 replaces the damaged first one.
        assert_eq!(work.missing()[0], 4);
        for chunk in work.missing() {
            work.append(&record(&assignment, chunk)).expect("written");
        }
        let counts = work.publish(&assignment).expect("whole");
        assert_eq!((counts.rows, counts.total()), (1_000, 1_000));
        let expected: String = assignment.part().map(|chunk| record(&assignment, chunk).text).collect();
        let written = std::fs::read_to_string(&output).expect("there");
        assert_eq!(written, format!("FEN,Evaluation,Move\n{expected}"));
        assert!(!path.exists());
        assert!(matches!(open(), Err(LabelError::Finished(_))));
    }

    #[test]
    fn work_file_of_a_different_run_is_rejected() {
        let (_folder, output, assignment) = setup();
        let path = WorkFile::open(&output, &assignment, "t", "5 nodes").expect("begun").path().to_path_buf();
        let error_of = |assignment: &Assignment, engine: &str, limit: &str| {
            WorkFile::open(&output, assignment, engine, limit).expect_err("refused").to_string()
        };
        let name = path.display();
        assert_eq!(
            error_of(&assignment, "t", "6 nodes"),
            format!(
                "{name}: started with the limit 5 nodes, now 6 nodes; use the same, or delete the file to start over"
            )
        );
        assert!(error_of(&assignment, "u", "5 nodes").contains("the engine t, now u"));
        let other = Assignment::new(sample::rows(999), Shard::WHOLE).expect("rows");
        assert!(error_of(&other, "t", "5 nodes").contains("the input of 1000 positions"));
        let part = Assignment::new(sample::rows(1_000), "1/2".parse().expect("a part")).expect("rows");
        assert!(error_of(&part, "t", "5 nodes").contains("part 1/1, now 1/2"));
        std::fs::write(&path, "no head").expect("written");
        assert!(error_of(&assignment, "t", "5 nodes").contains("its first line is damaged"));
    }

    #[test]
    fn damaged_lines_are_detected() {
        let record = Record { chunk: 7, text: "a,+1,e2e4\nb,0,\"\n".to_owned(), rows: 2, ..Record::default() };
        let line = to_line(&record).expect("JSON");
        assert_eq!(from_line(line.as_bytes()), Some(record));
        assert_eq!(line.lines().count(), 1);
        for at in 0..line.len() {
            assert_eq!(from_line::<Record>(&line.as_bytes()[..at]), None);
            let mut damaged = line.clone().into_bytes();
            damaged[at] ^= 1;
            assert_eq!(from_line::<Record>(&damaged), None, "{at}");
        }
    }
}
