//! The command-line description of a player: program, options and limit; and options as engines declare them.
//!
//! `PROGRAM key=value ...`, words separated by spaces; words with spaces are quoted:
//! `"/usr/games/stockfish name=SF option.Hash=16 'option.Move Overhead=5' nodes=20000"`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use alfiere_chess::files::name_of_bytes;
use alfiere_chess::game::{Limit, TimeControl, TimeControlError};
use thiserror::Error;

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PlayerSpec {
    /// The program: a path, or a name that is looked up in `PATH`.
    pub program: PathBuf,
    pub name: String,
    /// Working folder of the program.
    pub folder: Option<PathBuf>,
    pub arguments: Vec<OsString>,
    /// Options to set, in order; file names need not be UTF-8.
    pub options: Vec<(String, OsString)>,
    /// The player's own limit, which replaces that of the match.
    pub limit: Option<Limit>,
    /// Log file to which all lines sent and received are appended.
    pub log: Option<PathBuf>,
    /// Whether the program is started again for every game, so that no game depends on earlier ones.
    pub restart: bool,
}

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SpecError {
    #[error("engine \"{0}\": no program named; expected PROGRAM or cmd=PROGRAM first")]
    NoProgram(String),
    #[error(
        "engine key \"{0}\" is unknown; known are cmd, name, dir, arg, option.NAME, net, player, elo, tc, nodes, depth, movetime, restart and log"
    )]
    UnknownKey(String),
    #[error("engine key {key}: \"{value}\" is not {expected}")]
    BadValue { key: String, value: String, expected: &'static str },
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    #[error("engine \"{0}\": a quotation mark is not closed")]
    OpenQuote(String),
}

impl PlayerSpec {
    /// Parses a description; the words of `each` (shared by all players) are applied first.
    ///
    /// # Errors
    /// If a word is malformed or the program is missing.
    pub fn parse(text: impl AsRef<OsStr>, each: impl AsRef<OsStr>) -> Result<Self, SpecError> {
        let (mut spec, text) = (Self::default(), text.as_ref());
        for word in split_words(each.as_ref())?.into_iter().chain(split_words(text)?) {
            match word.iter().position(|&byte| byte == b'=') {
                Some(at) => spec.set(&String::from_utf8_lossy(&word[..at]), &name_of_bytes(&word[at + 1..]))?,
                None if spec.program.as_os_str().is_empty() => spec.program = name_of_bytes(&word).into(),
                None => spec.arguments.push(name_of_bytes(&word)),
            }
        }
        if spec.program.as_os_str().is_empty() {
            return Err(SpecError::NoProgram(text.to_string_lossy().into_owned()));
        }
        if spec.name.is_empty() {
            spec.name = spec.program.file_stem().unwrap_or(spec.program.as_os_str()).to_string_lossy().into_owned();
        }
        Ok(spec)
    }

    /// The options whose values are existing files, such as networks: their names and the files.
    pub fn option_files(&self) -> impl Iterator<Item = (&str, &Path)> {
        let paths = self.options.iter().map(|(name, value)| (name.as_str(), Path::new(value)));
        paths.filter(|(_, path)| path.is_file())
    }

    fn set(&mut self, key: &str, name: &OsStr) -> Result<(), SpecError> {
        let value = &*name.to_string_lossy();
        let bad = |expected| SpecError::BadValue { key: key.to_owned(), value: value.to_owned(), expected };
        let number = || value.parse::<u64>().ok().filter(|&n| n > 0).ok_or_else(|| bad("a positive whole number"));
        match key {
            "cmd" => self.program = name.into(),
            "name" => value.clone_into(&mut self.name),
            "log" => self.log = Some(name.into()),
            "dir" => self.folder = Some(name.into()),
            "arg" => self.arguments.push(name.to_owned()),
            "net" => self.options.push(("EvalFile".to_owned(), name.to_owned())),
            "player" => self.options.push(("Player".to_owned(), name.to_owned())),
            "elo" => {
                let elo = number()?;
                self.options.push(("UCI_LimitStrength".to_owned(), "true".into()));
                self.options.push(("UCI_Elo".to_owned(), elo.to_string().into()));
            }
            "restart" => {
                self.restart = match value {
                    "on" => true,
                    "off" => false,
                    _ => return Err(bad("on or off")),
                }
            }
            "tc" => self.limit = Some(Limit::Clock(value.parse::<TimeControl>()?)),
            "nodes" => self.limit = Some(Limit::Nodes(number()?)),
            "depth" => self.limit = Some(Limit::Depth(u32::try_from(number()?).map_err(|_| bad("a depth"))?)),
            "movetime" => self.limit = Some(Limit::MoveTime(Duration::from_millis(number()?))),
            _ => match key.strip_prefix("option.") {
                Some(option) if !option.is_empty() => self.options.push((option.to_owned(), name.to_owned())),
                _ => return Err(SpecError::UnknownKey(key.to_owned())),
            },
        }
        Ok(())
    }
}

/// Splits at spaces outside single or double quotes and removes the quotes.
fn split_words(text: &OsStr) -> Result<Vec<Vec<u8>>, SpecError> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    for &letter in text.as_encoded_bytes() {
        match quote {
            Some(mark) if letter == mark => quote = None,
            None if letter == b'\'' || letter == b'"' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_ascii_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err(SpecError::OpenQuote(text.to_string_lossy().into_owned()));
    }
    words.extend(word);
    Ok(words)
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredOption {
    pub name: String,
    pub kind: OptionKind,
    /// Its default; `None` for a button.
    pub default: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    Check,
    Spin {
        low: Option<i64>,
        high: Option<i64>,
    },
    Combo(Vec<String>),
    /// A string, a button, or an unknown type.
    Other,
}

impl DeclaredOption {
    /// Parses the part of a UCI line after `option name `.
    pub fn of_uci(rest: &str) -> Self {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (name, kind) = words.split_at(words.iter().position(|&word| word == "type").unwrap_or(words.len()));
        let after = |key: &str| {
            let rest = &kind[kind.iter().position(|word| *word == key)? + 1..];
            Some(rest.split(|word| ["var", "min", "max"].contains(word)).next()?.join(" "))
        };
        let number_after = |key: &str| after(key)?.parse().ok();
        let default = after("default");
        let kind = match kind.get(1) {
            Some(&"check") => OptionKind::Check,
            Some(&"spin") => OptionKind::Spin { low: number_after("min"), high: number_after("max") },
            // A combo value may consist of several words.
            Some(&"combo") => {
                OptionKind::Combo(kind.split(|&word| word == "var").skip(1).map(|choice| choice.join(" ")).collect())
            }
            _ => OptionKind::Other,
        };
        Self { name: name.join(" "), kind, default }
    }

    /// Checks a value against the declaration.
    ///
    /// # Errors
    /// A sentence with the option, the expected values and the value found.
    pub fn check(&self, value: &str) -> Result<(), String> {
        let expected = match &self.kind {
            OptionKind::Check if ["true", "false"].contains(&value) => return Ok(()),
            OptionKind::Check => "true or false".to_owned(),
            OptionKind::Spin { low, high } => {
                let (low, high) = (low.unwrap_or(i64::MIN), high.unwrap_or(i64::MAX));
                match value.parse() {
                    Ok(number) if (low..=high).contains(&number) => return Ok(()),
                    _ => format!("a number from {low} to {high}"),
                }
            }
            OptionKind::Combo(choices) if choices.iter().any(|choice| choice.eq_ignore_ascii_case(value)) => {
                return Ok(());
            }
            OptionKind::Combo(choices) => format!("one of {}", choices.join(", ")),
            OptionKind::Other => return Ok(()),
        };
        Err(format!("option {}: expected {expected}, found '{value}'", self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_keys_are_parsed() {
        let spec = PlayerSpec::parse(
            "/usr/games/stockfish name=SF 'option.Move Overhead=5' nodes=20000 arg=--x log=talk.txt restart=on net=\"a b.nnue\"",
            "option.Hash=16 tc=1+0.01",
        )
        .expect("valid");
        assert_eq!(spec.program, PathBuf::from("/usr/games/stockfish"));
        assert_eq!(spec.name, "SF");
        assert_eq!(spec.limit, Some(Limit::Nodes(20_000)));
        assert_eq!(spec.arguments, ["--x"]);
        assert_eq!(spec.log, Some(PathBuf::from("talk.txt")));
        let options: Vec<_> = spec.options.iter().map(|(k, v)| format!("{k}:{}", v.display())).collect();
        assert_eq!(options, ["Hash:16", "Move Overhead:5", "EvalFile:a b.nnue"]);
        assert!(spec.restart);
    }

    #[test]
    fn default_names_and_errors() {
        let spec = PlayerSpec::parse("cmd=./dir/engine-1.sh", "").expect("valid");
        assert_eq!(spec.name, "engine-1");
        for (text, part) in [
            ("", "no program"),
            ("name=x", "no program"),
            ("e option.=3", "unknown"),
            ("e color=3", "\"color\" is unknown"),
            ("e nodes=-3", "positive whole number"),
            ("e tc=fast", "time control"),
            ("e 'name=x", "not closed"),
        ] {
            let error = PlayerSpec::parse(text, "").expect_err(text).to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn values_are_checked_against_the_declaration() {
        let uci = DeclaredOption::of_uci;
        for (option, good, bad) in [
            (uci("Hash type spin default 16 min 1 max 1024"), "64", "lots"),
            (uci("Hash type spin default 16 min 1 max 1024"), "1024", "1025"),
            (uci("UCI_LimitStrength type check default false"), "true", "yes"),
            (uci("Style type combo default Normal var Very Solid var Normal"), "very solid", "Solid"),
        ] {
            assert_eq!(option.check(good), Ok(()), "{option:?}");
            let refused = option.check(bad).expect_err("out of range");
            assert!(refused.contains(&option.name) && refused.contains(bad), "{refused}");
        }
        for line in ["EvalFile type string default <empty>", "Clear Hash type button", "Odd"] {
            assert_eq!(uci(line).check("anything"), Ok(()), "{line}");
        }
    }
}
