//! A strict grammar of UCI engine output: known words only, integer numbers, no repeated or trailing words.

use alfiere_arena::spec::DeclaredOption;
use alfiere_chess::game::ReportedScore;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// `info` with numbers, a variation, or both.
    Info(Info),
    Note(String),
    BestMove(Option<String>, Option<String>),
    Declaration(DeclaredOption),
    Id,
    UciOk,
    ReadyOk,
    /// Free-form output of `d`, `eval`, `help`, `bench` and `go perft`.
    Prose(String),
}

#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Info {
    numbers: Vec<(String, u64)>,
    pub score: Option<ReportedScore>,
    pub bound: bool,
    pub currmove: Option<String>,
    pub pv: Option<Vec<String>>,
}

impl Info {
    /// The number behind a word such as `depth`.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.numbers.iter().find(|(word, _)| word == name).map(|&(_, number)| number)
    }
}

pub fn parse(line: &str) -> Result<Line, String> {
    let text = line.strip_suffix('\r').unwrap_or(line);
    if let Some(strange) = text.chars().find(|letter| letter.is_control()) {
        return Err(format!("the control character {strange:?} in {line:?}"));
    }
    let words: Vec<&str> = text.split(' ').collect();
    let parsed = match words[..] {
        ["info", "string", _, ..] => Ok(Line::Note(words[2..].join(" "))),
        ["info", ..] => info(&words[1..]),
        ["bestmove", "(none)"] => Ok(Line::BestMove(None, None)),
        ["bestmove", "0000"] => Ok(Line::BestMove(Some("0000".to_owned()), None)),
        ["bestmove", best] => mv(best).map(|best| Line::BestMove(Some(best), None)),
        ["bestmove", best, "ponder", answer] => {
            mv(best).and_then(|best| Ok(Line::BestMove(Some(best), Some(mv(answer)?))))
        }
        ["option", "name", _, ..] if words.contains(&"type") => {
            Ok(Line::Declaration(DeclaredOption::of_uci(&words[2..].join(" "))))
        }
        ["id", "name" | "author", _, ..] => Ok(Line::Id),
        ["uciok"] => Ok(Line::UciOk),
        ["readyok"] => Ok(Line::ReadyOk),
        ["bestmove" | "option" | "id" | "uciok" | "readyok", ..] => Err("missing or trailing words".to_owned()),
        _ => Ok(Line::Prose(text.to_owned())),
    };
    parsed.map_err(|problem| format!("{problem} in {line:?}"))
}

fn info(mut words: &[&str]) -> Result<Line, String> {
    const NUMBERS: [&str; 8] = ["depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "time"];
    let (mut info, mut seen, mut most) = (Info::default(), Vec::new(), None);
    while let [word, rest @ ..] = words {
        if seen.contains(word) {
            return Err(format!("{word} twice"));
        }
        seen.push(*word);
        words = match (*word, rest) {
            ("pv", [_, ..]) => {
                info.pv = Some(rest.iter().map(|word| mv(word)).collect::<Result<_, _>>()?);
                &[]
            }
            ("currmove", [text, rest @ ..]) => {
                info.currmove = Some(mv(text)?);
                rest
            }
            ("score", ["cp", value, rest @ ..]) => {
                info.score = Some(ReportedScore::Centipawns(number(value)?));
                rest
            }
            ("score", ["mate", value, rest @ ..]) => {
                info.score = Some(ReportedScore::Mate(number(value)?));
                rest
            }
            ("lowerbound" | "upperbound", _) if info.score.is_some() && !info.bound => {
                info.bound = true;
                rest
            }
            ("wdl", [win, draw, loss, rest @ ..]) if info.score.is_some() => {
                most = Some(number::<u64>(win)? + number::<u64>(draw)? + number::<u64>(loss)?);
                rest
            }
            (name, [value, rest @ ..]) if name == "currmovenumber" || NUMBERS.contains(&name) => {
                info.numbers.push((name.to_owned(), number(value)?));
                rest
            }
            _ => return Err(format!("{word:?} is unknown, or out of place")),
        };
    }
    if most.is_some_and(|sum| sum != 1000) || info.number("hashfull").is_some_and(|permille| permille > 1000) {
        return Err("WDL values that do not add up to 1000, or hashfull above 1000".to_owned());
    }
    if info == Info::default() { Err("nothing".to_owned()) } else { Ok(Line::Info(info)) }
}

/// Checks the form of a UCI move.
fn mv(word: &str) -> Result<String, String> {
    let fits = match word.as_bytes() {
        [a, b, c, d, rest @ ..] => {
            [a, c].into_iter().all(|file| (b'a'..=b'h').contains(file))
                && [b, d].into_iter().all(|rank| (b'1'..=b'8').contains(rank))
                && matches!(rest, [] | [b'n' | b'b' | b'r' | b'q'])
        }
        _ => false,
    };
    if fits { Ok(word.to_owned()) } else { Err(format!("{word:?} where a move was expected")) }
}

fn number<T: std::str::FromStr>(word: &str) -> Result<T, String> {
    word.parse().map_err(|_| format!("{word:?} instead of a number"))
}
