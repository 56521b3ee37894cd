//! Lines of UCI as typed commands.

use std::ffi::OsString;

use alfiere_chess::files::name_of_bytes;

use super::go::GoRequest;

/// A UCI command, or one of the extensions for interactive use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Command {
    Uci,
    IsReady,
    NewGame,
    SetOption {
        name: String,
        /// Perhaps a file name, which need not be UTF-8.
        value: OsString,
    },
    Position {
        /// `None` for the initial position.
        fen: Option<String>,
        moves: Vec<String>,
    },
    Go(GoRequest),
    Stop,
    PonderHit,
    Quit,
    /// `debug on`, `debug off`: whether to confirm what was understood.
    Debug {
        on: bool,
    },
    Display,
    Evaluate,
    Flip,
    Bench {
        depth: Option<u32>,
    },
    Help,
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("unknown command '{0}', type help for a list")]
    Unknown(String),
    #[error("setoption: expected 'name NAME [value VALUE]', found '{0}'")]
    SetOption(String),
    #[error("position: expected 'startpos' or 'fen FEN', found '{0}'")]
    Position(String),
}

/// Parses a line; `None` if it is blank. Bytes that are not UTF-8 are allowed in file names.
pub(super) fn parse(bytes: &[u8]) -> Result<Option<Command>, CommandError> {
    let line = String::from_utf8_lossy(bytes);
    // Some shells put a byte-order mark before their first line.
    let line = line.trim_start_matches('\u{feff}').trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let command = match word {
        "" => return Ok(None),
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "ucinewgame" => Command::NewGame,
        "setoption" => set_option(bytes, rest)?,
        "position" => position(rest)?,
        "go" => Command::Go(GoRequest::parse(rest)),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" | "exit" => Command::Quit,
        "debug" => Command::Debug { on: rest != "off" },
        "d" => Command::Display,
        "eval" => Command::Evaluate,
        "flip" => Command::Flip,
        "bench" => Command::Bench { depth: rest.split_whitespace().next().and_then(|depth| depth.parse().ok()) },
        "help" => Command::Help,
        other => return Err(CommandError::Unknown(other.chars().take(40).collect())),
    };
    Ok(Some(command))
}

/// Names and values may hold spaces, the word `value` ends the name. A value is taken as written, because paths may hold
/// several spaces in a row.
fn set_option(line: &[u8], rest: &str) -> Result<Command, CommandError> {
    let error = || CommandError::SetOption(rest.to_owned());
    let is_space = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
    let is_word = |at: usize, word: &[u8]| {
        line[at..].starts_with(word) && is_space(line[..at].last()) && is_space(line.get(at + word.len()))
    };
    let start = rest.starts_with("name").then(|| (0..line.len()).find(|&at| is_word(at, b"name"))).flatten();
    let name_at = start.ok_or_else(error)? + b"name".len();
    let value_at = (name_at..line.len()).find(|&at| is_word(at, b"value"));
    let name = String::from_utf8_lossy(&line[name_at..value_at.unwrap_or(line.len())]);
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() {
        return Err(error());
    }
    let value = value_at.map_or(&[][..], |at| line[at + b"value".len()..].trim_ascii());
    Ok(Command::SetOption { name, value: name_of_bytes(value) })
}

fn position(rest: &str) -> Result<Command, CommandError> {
    let mut words = rest.split_whitespace();
    let kind = words.next().unwrap_or("");
    let before_moves: Vec<&str> = words.by_ref().take_while(|&word| word != "moves").collect();
    let fen = match kind {
        "startpos" => None,
        "fen" => Some(before_moves.join(" ")),
        _ => return Err(CommandError::Position(rest.chars().take(80).collect())),
    };
    Ok(Command::Position { fen, moves: words.map(str::to_owned).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_may_hold_spaces() {
        assert_eq!(
            parse(b"setoption name Move Overhead value 25"),
            Ok(Some(Command::SetOption { name: "Move Overhead".into(), value: "25".into() }))
        );
        assert_eq!(
            parse(b"setoption name EvalFile value  /a  b/value  c.nnue "),
            Ok(Some(Command::SetOption { name: "EvalFile".into(), value: "/a  b/value  c.nnue".into() }))
        );
        assert_eq!(
            parse(b"setoption  name Clear  Hash"),
            Ok(Some(Command::SetOption { name: "Clear Hash".into(), value: OsString::new() }))
        );
        #[cfg(unix)]
        assert_eq!(
            parse(b"\xEF\xBB\xBFsetoption name Book File value /a \xE9.bin\n"),
            Ok(Some(Command::SetOption { name: "Book File".into(), value: name_of_bytes(b"/a \xE9.bin") }))
        );
        assert!(parse(b"setoption value 3").is_err());
        assert!(parse(b"setoption nameless").is_err());
    }

    #[test]
    fn positions_are_read_with_and_without_moves() {
        assert_eq!(
            parse(b"position startpos moves e2e4 e7e5"),
            Ok(Some(Command::Position { fen: None, moves: vec!["e2e4".into(), "e7e5".into()] }))
        );
        assert_eq!(
            parse(b"position fen 8/8/8/8/8/8/8/k1K5 w - - 0 1"),
            Ok(Some(Command::Position { fen: Some("8/8/8/8/8/8/8/k1K5 w - - 0 1".into()), moves: vec![] }))
        );
        assert!(parse(b"position").is_err());
        assert!(parse(b"position e2e4").is_err());
    }

    #[test]
    fn blank_lines_are_nothing_and_strange_ones_are_refused() {
        assert_eq!(parse(b"  \t"), Ok(None));
        assert_eq!(parse(b"xyzzy now"), Err(CommandError::Unknown("xyzzy".into())));
    }
}
