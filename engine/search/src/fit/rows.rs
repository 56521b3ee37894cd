//! Labelled positions from a CSV: `FEN,Evaluation`, in any columns that a header names, the first two otherwise.
//!
//! Fields are separated by commas, semicolons or tabs, or by `|` in the plain text of other trainers
//! (`FEN | cp | result`). Neither FENs nor labels contain these, quotes or line ends, but a comma can be decimal.

use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use alfiere_chess::board::Board;
use alfiere_chess::centipawns::clipped;
use alfiere_chess::files::{self, SourceError};
use thiserror::Error;

/// Why a file gives no rows.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each is")]
pub enum RowsError {
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error("{}, line {line}: {source}", path.display())]
    Read { path: PathBuf, line: usize, source: io::Error },
    #[error("{}: the header has no column \"{column}\", found {found}", path.display())]
    Column { path: PathBuf, column: &'static str, found: String },
    #[error("{}: no usable row{}", path.display(), first_problem.as_deref().map_or(String::new(), |problem| format!("; {problem}")))]
    Empty { path: PathBuf, first_problem: Option<String> },
}

/// A labelled position.
#[derive(Clone, Debug)]
pub struct FitRow {
    /// The position.
    pub board: Board,
    /// The label in clipped centipawns, -1 to 1, from White's side.
    pub target: f64,
}

/// The usable rows of a file, and how many were not.
#[derive(Clone, Debug)]
pub struct ReadRows {
    /// Usable rows, in order.
    pub rows: Vec<FitRow>,
    /// How many were refused.
    pub refused: usize,
    /// The first refusal, with its line.
    pub first_problem: Option<String>,
}

/// Reads rows until the file or `limit` ends; `-` is standard input. Bad rows are counted, not fatal.
///
/// # Errors
/// If the file cannot be read, lacks a column or has no usable row.
pub fn read_rows(path: &Path, limit: usize) -> Result<ReadRows, RowsError> {
    let input: Box<dyn Read> = if path == Path::new("-") { Box::new(io::stdin()) } else { files::open(path)? };
    let mut reader = BufReader::new(input);
    let mut read = ReadRows { rows: Vec::new(), refused: 0, first_problem: None };
    let mut columns = Columns { fen: 0, evaluation: 1, mate: None };
    let mut bytes = Vec::new();
    let mut line = 0;
    while read.rows.len() < limit {
        bytes.clear();
        line += 1;
        let length = reader.read_until(b'\n', &mut bytes).map_err(|source| RowsError::Read {
            path: path.to_owned(),
            line,
            source,
        })?;
        if length == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        let comma = ['|', ';', '\t'].into_iter().find(|&mark| text.contains(mark)).unwrap_or(',');
        let fields: Vec<&str> = text.split(comma).map(bare).collect();
        if fields == [""] {
            continue;
        }
        if line == 1 && !fields[0].contains('/') {
            columns = Columns::of_header(&fields, path)?;
            continue;
        }
        match columns.read(&fields) {
            Ok(row) => read.rows.push(row),
            Err(problem) => {
                read.refused += 1;
                read.first_problem.get_or_insert_with(|| format!("line {line}: {problem}"));
            }
        }
    }
    if read.rows.is_empty() {
        return Err(RowsError::Empty { path: path.to_owned(), first_problem: read.first_problem });
    }
    Ok(read)
}

/// A field without what may surround it: spaces, quotes, a byte-order mark.
fn bare(field: &str) -> &str {
    field.trim_matches(|letter: char| letter.is_whitespace() || matches!(letter, '"' | '\u{feff}'))
}

struct Columns {
    fen: usize,
    evaluation: usize,
    /// The moves to mate, read where there is no evaluation.
    mate: Option<usize>,
}

impl Columns {
    fn of_header(header: &[&str], path: &Path) -> Result<Self, RowsError> {
        let find =
            |names: &[&str]| header.iter().position(|field| names.iter().any(|name| field.eq_ignore_ascii_case(name)));
        let missing = |column| RowsError::Column {
            path: path.to_owned(),
            column,
            found: header.join(",").chars().filter(|letter| !letter.is_control()).take(80).collect(),
        };
        Ok(Self {
            fen: find(&["FEN", "position"]).ok_or_else(|| missing("FEN"))?,
            evaluation: find(&["Evaluation", "eval", "score", "cp", "centipawns"])
                .ok_or_else(|| missing("Evaluation"))?,
            mate: find(&["mate"]),
        })
    }

    fn read(&self, fields: &[&str]) -> Result<FitRow, String> {
        let fen = fields.get(self.fen).ok_or("no FEN")?;
        let mut label = fields.get(self.evaluation).ok_or("no evaluation")?.replace(',', ".");
        if let Some(mate) = self.mate.and_then(|mate| fields.get(mate)).filter(|_| label.parse::<f64>().is_err()) {
            label = format!("#{}", mate.trim_start_matches('#'));
        }
        let board = Board::from_fen(fen).map_err(|error| error.to_string())?;
        let target =
            read_label(&label).ok_or_else(|| format!("evaluation \"{label}\" is neither centipawns nor a mate"))?;
        Ok(FitRow { board, target })
    }
}

/// Parses `+56`, `-10`, `0`, `#+3` or `#-2` to clipped centipawns.
fn read_label(label: &str) -> Option<f64> {
    if let Some(mate) = label.strip_prefix('#') {
        let _: f64 = mate.parse().ok()?;
        return Some(if mate.starts_with('-') { -1.0 } else { 1.0 });
    }
    let centipawns: f64 = label.parse().ok()?;
    centipawns.is_finite().then(|| clipped(centipawns))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_as_they_are_found() {
        for (label, expected) in [
            ("+56", Some(0.056)),
            ("-10", Some(-0.01)),
            ("0", Some(0.0)),
            ("+5000", Some(1.0)),
            ("#+3", Some(1.0)),
            ("#-2", Some(-1.0)),
            ("#-0", Some(-1.0)),
            ("#", None),
            ("", None),
            ("mate", None),
            ("NaN", None),
        ] {
            assert_eq!(read_label(label), expected, "{label}");
        }
    }

    #[test]
    fn columns_by_name_and_bad_rows_by_line() {
        let folder = std::env::temp_dir().join(format!("alfiere-rows-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("writable");
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::write(&path, text).expect("writable");
            path
        };
        let start = Board::startpos().to_fen();
        let swapped =
            write("a.csv", &format!("Move,Evaluation,FEN\r\ne2e4,+30,{start}\r\n,x,{start}\r\n,1,8/8 w - -\r\n"));
        let read = read_rows(&swapped, usize::MAX).expect("one row");
        assert_eq!((read.rows.len(), read.refused), (1, 2));
        assert!(read.first_problem.expect("a problem").starts_with("line 3: evaluation \"x\""));
        let marked = write("b.csv", &format!("\u{feff}{start},\"\u{feff}+23\"\n\n{start},6"));
        assert_eq!(read_rows(&marked, 1).expect("rows").rows.len(), 1);
        let targets: Vec<f64> = read_rows(&marked, 9).expect("rows").rows.iter().map(|row| row.target).collect();
        assert_eq!(targets, [0.023, 0.006]);
        let table = write("t.csv", &format!("fen;cp;mate\n{start};-68,0;\n{start};;-3.0\n{start};;\n"));
        let read = read_rows(&table, 9).expect("rows");
        let targets: Vec<f64> = read.rows.iter().map(|row| row.target).collect();
        assert_eq!((targets, read.refused), (vec![-0.068, -1.0], 1));
        let piped = write("p.txt", &format!("{start} | -40 | 0.5\n{start}|31997|[1.0]\n"));
        let targets: Vec<f64> = read_rows(&piped, 9).expect("rows").rows.iter().map(|row| row.target).collect();
        assert_eq!(targets, [-0.04, 1.0]);
        for (name, text, part) in [
            ("c.csv", "FEN,Move\nx,1\n", "no column \"Evaluation\""),
            ("d.csv", "", "no usable row"),
            ("e.csv", "FEN,Evaluation\n8/8,1\n", "line 2"),
        ] {
            let error = read_rows(&write(name, text), usize::MAX).expect_err(name).to_string();
            assert!(error.contains(part), "{error}");
        }
        std::fs::remove_dir_all(&folder).expect("removable");
    }
}
