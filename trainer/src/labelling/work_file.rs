//! The work file beside the output: what is labelled, by whom, and every finished chunk, in the order they were finished.
//!
//! It is appended to, a line a chunk, so a kill costs only the chunks under way; a torn last line is cut off, a damaged
//! one counts for nothing. The output appears whole, once all chunks are there, and then the work file goes.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::assignment::Assignment;
use super::error::LabelError;
use super::record::{Record, from_line, to_line};
use crate::data::{DataError, atomic, write_text};

/// Raised whenever the lines change their meaning.
const FORMAT: u32 = 1;
/// Positions that a report names.
const NAMED: usize = 10;

/// What the labels depend on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Head {
    format: u32,
    input: String,
    teacher: String,
    limit: String,
    part: String,
}

/// What became of the positions so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Labelled.
    pub rows: u64,
    /// The game is over there.
    pub over: u64,
    /// No positions of standard chess.
    pub refused: u64,
    /// The teacher failed on them again and again.
    pub failed: u64,
    /// The first few of these.
    pub named: Vec<String>,
}

impl Counts {
    /// Positions that are dealt with.
    pub fn total(&self) -> u64 {
        self.rows + self.over + self.refused + self.failed
    }

    fn add(&mut self, record: &Record) {
        self.rows += record.rows;
        self.over += record.over;
        self.refused += record.refused;
        self.failed += record.failed.len() as u64;
        let room = NAMED.saturating_sub(self.named.len());
        self.named.extend(record.failed.iter().take(room).cloned());
    }
}

/// A work file, open and locked.
#[derive(Debug)]
pub struct WorkFile {
    path: PathBuf,
    output: PathBuf,
    file: File,
    /// Where each chunk of the part stands: offset and length of its line.
    places: Vec<Option<(u64, usize)>>,
    first: usize,
    end: u64,
    counts: Counts,
}

impl WorkFile {
    /// Opens the work file for an output, or begins it. `teacher` and `limit` are what the labels depend on besides the rows.
    ///
    /// # Errors
    /// The output is there and no work file; the work file belongs to something else, is damaged, in use, or cannot be
    /// written.
    pub fn open(output: &Path, assignment: &Assignment, teacher: &str, limit: &str) -> Result<Self, LabelError> {
        atomic::check_writable(output)?;
        let path = path_beside(output);
        let head = Head {
            format: FORMAT,
            input: assignment.print(),
            teacher: teacher.to_owned(),
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
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(LabelError::Busy(path)),
            Err(TryLockError::Error(source)) => return Err(fail(source)),
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

    /// Where it lies.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What became of the positions so far.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Chunks that are not finished, by number.
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

    /// Reads what is finished, and cuts a torn tail off.
    fn read(&mut self, wanted: &Head) -> Result<(), LabelError> {
        let fail = self.io("read it");
        let mut reader = BufReader::with_capacity(1 << 20, self.file.try_clone().map_err(&fail)?);
        let mut line = Vec::new();
        reader.read_until(b'\n', &mut line).map_err(&fail)?;
        let head: Head = from_line(&line).ok_or_else(|| self.problem("its first line is damaged"))?;
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

    fn compare(&self, was: &Head, now: &Head) -> Result<(), LabelError> {
        if was.format != now.format {
            return Err(self.problem(&format!("it has format {}", was.format)));
        }
        for (what, was, now) in [
            ("the input of", &was.input, &now.input),
            ("the engine", &was.teacher, &now.teacher),
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

    /// Notes a chunk whose line begins at the end. One that is there already counts once.
    fn note(&mut self, record: &Record, length: usize) {
        let place = record.chunk.checked_sub(self.first).and_then(|index| self.places.get_mut(index));
        if let Some(place @ None) = place {
            *place = Some((self.end, length));
            self.counts.add(record);
        }
    }

    /// Appends a finished chunk.
    pub(super) fn append(&mut self, record: &Record) -> Result<(), LabelError> {
        let fail = self.io("write it");
        let line = to_line(record).map_err(|error| fail(error.into()))?;
        self.file.seek(SeekFrom::Start(self.end)).map_err(&fail)?;
        self.file.write_all(line.as_bytes()).map_err(&fail)?;
        self.note(record, line.len());
        self.end += line.len() as u64;
        Ok(())
    }

    /// Writes the output from the finished chunks, in the order of the input, and removes the work file. The header
    /// stands in the first part only, so that parts joined end to end are the whole.
    ///
    /// # Errors
    /// A chunk is missing or damaged, or a file cannot be read or written.
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
                    // Told in its own words below; here it keeps the file from appearing.
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
fn path_beside(output: &Path) -> PathBuf {
    let mut name = output.as_os_str().to_owned();
    name.push(".work");
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::sample;
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
    fn torn_and_damaged_lines_are_done_again_and_nothing_is_doubled() {
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
        // Torn anywhere in the last chunk: only that one is missing.
        for cut in [1, 2, 100] {
            std::fs::write(&path, &bytes[..end as usize - cut]).expect("written");
            assert_eq!(open().expect("there").missing()[..2], [2, 4]);
        }
        let mut damaged = bytes.clone();
        let at = bytes.iter().position(|&byte| byte == b'\n').expect("a head") + 60;
        damaged[at] ^= 1;
        std::fs::write(&path, &damaged).expect("written");
        let mut work = open().expect("there");
        // The second record of chunk 3 stands in for the damaged first.
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
    fn what_belongs_to_another_run_is_refused() {
        let (_folder, output, assignment) = setup();
        let path = WorkFile::open(&output, &assignment, "t", "5 nodes").expect("begun").path().to_path_buf();
        let refusal = |assignment: &Assignment, teacher: &str, limit: &str| {
            WorkFile::open(&output, assignment, teacher, limit).expect_err("refused").to_string()
        };
        let name = path.display();
        assert_eq!(
            refusal(&assignment, "t", "6 nodes"),
            format!(
                "{name}: begun with the limit 5 nodes, now 6 nodes; give the same again, or delete the file to begin anew"
            )
        );
        assert!(refusal(&assignment, "u", "5 nodes").contains("the engine t, now u"));
        let other = Assignment::new(sample::rows(999), Shard::WHOLE).expect("rows");
        assert!(refusal(&other, "t", "5 nodes").contains("the input of 1000 positions"));
        let part = Assignment::new(sample::rows(1_000), "1/2".parse().expect("a part")).expect("rows");
        assert!(refusal(&part, "t", "5 nodes").contains("part 1/1, now 1/2"));
        std::fs::write(&path, "no head").expect("written");
        assert!(refusal(&assignment, "t", "5 nodes").contains("its first line is damaged"));
    }
}
