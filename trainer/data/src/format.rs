//! Names and file name endings of the formats.

use std::path::Path;
use std::str::FromStr;

/// A format of files of labelled positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Format {
    /// `FEN,Evaluation`, and optionally `Move` and `Result`.
    Csv,
    /// Lines `FEN | cp | result`.
    BulletText,
    /// Rows in their in-memory layout, with a checksum.
    Packed,
    /// bulletformat: bullet's records of 32 bytes.
    Bullet,
    /// Stockfish's text, six lines a position.
    Plain,
    /// The Lichess evaluation database, one JSON object per line.
    Lichess,
    /// Games with `[%eval]` comments.
    Pgn,
    /// viriformat: a board, then moves with scores.
    Viri,
    /// Stockfish's chains of positions.
    Binpack,
}

impl Format {
    pub const ALL: [Self; 9] = [
        Self::Csv,
        Self::BulletText,
        Self::Packed,
        Self::Bullet,
        Self::Plain,
        Self::Lichess,
        Self::Pgn,
        Self::Viri,
        Self::Binpack,
    ];

    /// Its name, its endings and the name of a record.
    const fn words(self) -> (&'static str, &'static [&'static str], &'static str) {
        match self {
            Self::Csv => ("csv", &["csv"], "line `FEN,Evaluation`"),
            Self::BulletText => ("txt", &["txt"], "line `FEN | cp | result`"),
            Self::Packed => ("packed", &["packed"], "packed row"),
            Self::Bullet => ("bullet", &["bullet", "bulletformat"], "32-byte record of bulletformat"),
            Self::Plain => ("plain", &["plain"], "entry of a .plain file"),
            Self::Lichess => ("lichess", &["jsonl"], "line of JSON with fen and evals"),
            Self::Pgn => ("pgn", &["pgn"], "game with evaluations in its comments"),
            Self::Viri => ("viri", &["vf", "viri", "viriformat"], "game of viriformat"),
            Self::Binpack => ("binpack", &["binpack"], "chain of a .binpack file"),
        }
    }

    /// The name for `--from` and `--to`.
    pub const fn name(self) -> &'static str {
        self.words().0
    }

    /// File name endings without compression; the first is the usual one.
    pub const fn endings(self) -> &'static [&'static str] {
        self.words().1
    }

    /// Name of a record of the format, for messages.
    pub const fn record(self) -> &'static str {
        self.words().2
    }

    /// The format of a file by its name, ignoring `.gz` and `.zst`.
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = &*path.file_name()?.to_string_lossy();
        let name = name.strip_suffix(".gz").or(name.strip_suffix(".zst")).unwrap_or(name);
        let ending = name.rsplit_once('.')?.1;
        Self::ALL.into_iter().find(|format| format.endings().contains(&ending))
    }

    /// True if the format can be written.
    pub const fn is_written(self) -> bool {
        !matches!(self, Self::Lichess | Self::Pgn)
    }

    /// True for text, whose compression is detected from the content. Binary data may look compressed, so there the
    /// name decides.
    pub const fn is_text(self) -> bool {
        matches!(self, Self::Csv | Self::BulletText | Self::Plain | Self::Lichess | Self::Pgn)
    }

    /// True if the format stores games instead of single rows.
    pub const fn keeps_games(self) -> bool {
        matches!(self, Self::Viri | Self::Binpack)
    }

    /// True if `.gz` or `.zst` may be appended to the name of an output file to compress it.
    pub const fn is_compressed(self) -> bool {
        !matches!(self, Self::Packed)
    }

    /// The names of the formats that can be read or, with `written`, be written.
    pub fn names(written: bool) -> String {
        let named = Self::ALL.into_iter().filter(|format| !written || format.is_written());
        named.map(Self::name).collect::<Vec<_>>().join(", ")
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|format| format.name() == text || format.endings().contains(&text));
        found.ok_or_else(|| format!("expected one of {}", Self::names(false)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_formats() {
        for (name, format) in [
            ("a.csv", Some(Format::Csv)),
            ("x/a.csv.gz", Some(Format::Csv)),
            ("a.b.txt.zst", Some(Format::BulletText)),
            ("lichess_db_eval.jsonl.zst", Some(Format::Lichess)),
            ("a.vf", Some(Format::Viri)),
            ("a.bin", None),
            ("csv", None),
            ("a.csv.xz", None),
        ] {
            assert_eq!(Format::of_name(Path::new(name)), format, "{name}");
        }
        for format in Format::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            for ending in format.endings() {
                assert_eq!(Format::of_name(Path::new(&format!("a.{ending}"))), Some(format));
            }
        }
        assert!("bin".parse::<Format>().is_err());
    }
}
