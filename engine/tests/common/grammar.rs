//! A strict grammar of UCI engine output: known words only, integer numbers, no repeated or trailing words.

/// A line of engine output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Line {
    /// `info` with numbers, a variation, or both.
    Info(Info),
    /// `info string`.
    Note(String),
    /// `bestmove`, optionally with `ponder`.
    BestMove(Option<String>, Option<String>),
    /// `option`.
    Declaration(Declaration),
    /// `id name` or `id author`.
    Id(String),
    UciOk,
    ReadyOk,
    /// Free-form output of `d`, `eval`, `help`, `bench` and `go perft`.
    Prose(String),
}

/// The contents of an `info` line.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Info {
    pub depth: Option<u64>,
    pub seldepth: Option<u64>,
    pub multipv: Option<u64>,
    pub score: Option<Score>,
    /// Whether the score is a bound.
    pub bound: bool,
    pub wdl: Option<[u64; 3]>,
    pub nodes: Option<u64>,
    pub nps: Option<u64>,
    pub hashfull: Option<u64>,
    pub tbhits: Option<u64>,
    pub time: Option<u64>,
    pub currmove: Option<String>,
    pub currmovenumber: Option<u64>,
    pub pv: Option<Vec<String>>,
}

/// A score from the point of view of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    Centipawns(i64),
    Mate(i64),
}

/// A declared option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Declaration {
    pub name: String,
    pub kind: Kind,
}

/// The option type with its default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    Check { default: bool },
    Spin { default: i64, low: i64, high: i64 },
    Combo { default: String, values: Vec<String> },
    Button,
    Text { default: String },
}

impl Declaration {
    /// The `setoption` value of the default; `None` for a button.
    pub fn default(&self) -> Option<String> {
        match &self.kind {
            Kind::Check { default } => Some(default.to_string()),
            Kind::Spin { default, .. } => Some(default.to_string()),
            Kind::Combo { default, .. } | Kind::Text { default } => Some(default.clone()),
            Kind::Button => None,
        }
    }
}

/// Parses a line.
pub fn parse(line: &str) -> Result<Line, String> {
    let text = line.strip_suffix('\r').unwrap_or(line);
    if let Some(strange) = text.chars().find(|letter| letter.is_control()) {
        return Err(format!("the control character {strange:?} in {line:?}"));
    }
    let mut words = text.split(' ');
    let parsed = match words.next().unwrap_or("") {
        "info" => info(words),
        "bestmove" => best_move(words),
        "option" => declaration(text).map(Line::Declaration),
        "id" => match words.next() {
            Some("name" | "author") if words.next().is_some() => Ok(Line::Id(text.to_owned())),
            _ => Err("expected a name or an author".to_owned()),
        },
        "uciok" if text == "uciok" => Ok(Line::UciOk),
        "readyok" if text == "readyok" => Ok(Line::ReadyOk),
        "uciok" | "readyok" => Err("trailing words".to_owned()),
        _ => Ok(Line::Prose(text.to_owned())),
    };
    parsed.map_err(|problem| format!("{problem} in {line:?}"))
}

fn info<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Line, String> {
    let mut info = Info::default();
    while let Some(word) = words.next() {
        let slot = match word {
            "string" => {
                let text: Vec<&str> = words.collect();
                let alone = info == Info::default() && !text.is_empty();
                return if alone { Ok(Line::Note(text.join(" "))) } else { Err("a string after other words".into()) };
            }
            "depth" => &mut info.depth,
            "seldepth" => &mut info.seldepth,
            "multipv" => &mut info.multipv,
            "nodes" => &mut info.nodes,
            "nps" => &mut info.nps,
            "hashfull" => &mut info.hashfull,
            "tbhits" => &mut info.tbhits,
            "time" => &mut info.time,
            "currmovenumber" => &mut info.currmovenumber,
            "currmove" => {
                once(&mut info.currmove, word, mv(words.next())?)?;
                continue;
            }
            "score" => {
                let kind = words.next();
                let value: i64 = number(words.next(), "score")?;
                let score = match kind {
                    Some("cp") => Score::Centipawns(value),
                    Some("mate") => Score::Mate(value),
                    other => return Err(format!("a score in {other:?}")),
                };
                once(&mut info.score, word, score)?;
                continue;
            }
            "lowerbound" | "upperbound" if info.score.is_some() && !info.bound => {
                info.bound = true;
                continue;
            }
            "wdl" if info.score.is_some() => {
                let wdl = [number(words.next(), word)?, number(words.next(), word)?, number(words.next(), word)?];
                once(&mut info.wdl, word, wdl)?;
                continue;
            }
            "pv" => {
                let moves = words.map(|word| mv(Some(word))).collect::<Result<Vec<_>, _>>()?;
                if moves.is_empty() {
                    return Err("an empty pv".to_owned());
                }
                info.pv = Some(moves);
                break;
            }
            other => return Err(format!("the unknown word {other:?}")),
        };
        let value = number(words.next(), word)?;
        once(slot, word, value)?;
    }
    if info.wdl.is_some_and(|wdl| wdl.iter().sum::<u64>() != 1000) {
        return Err("WDL values that do not add up to 1000".to_owned());
    }
    if info.hashfull.is_some_and(|permille| permille > 1000) {
        return Err("hashfull above 1000".to_owned());
    }
    if info == Info::default() { Err("nothing".to_owned()) } else { Ok(Line::Info(info)) }
}

fn best_move<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<Line, String> {
    let best = match words.next() {
        Some("(none)") => None,
        Some(null @ "0000") => Some(null.to_owned()),
        word => Some(mv(word)?),
    };
    let ponder = match (words.next(), best.is_some()) {
        (None, _) => None,
        (Some("ponder"), true) => Some(mv(words.next())?),
        (Some(other), _) => return Err(format!("{other:?} after the move")),
    };
    words.next().map_or(Ok(Line::BestMove(best, ponder)), |left| Err(format!("{left:?} at the end")))
}

fn declaration(text: &str) -> Result<Declaration, String> {
    let rest = text.strip_prefix("option name ").ok_or("an option without a name")?;
    let (name, kind) = rest.split_once(" type ").ok_or("an option without a type")?;
    if name.is_empty() || name.trim() != name || name.contains("  ") {
        return Err("a name with leading or trailing spaces".to_owned());
    }
    let (kind, rest) = kind.split_once(' ').unwrap_or((kind, ""));
    let kind = match kind {
        "button" if rest.is_empty() => Kind::Button,
        "check" => match rest {
            "default true" => Kind::Check { default: true },
            "default false" => Kind::Check { default: false },
            _ => return Err("a check without true or false".to_owned()),
        },
        "string" => Kind::Text { default: rest.strip_prefix("default ").ok_or("no default")?.to_owned() },
        "spin" => match rest.split(' ').collect::<Vec<_>>()[..] {
            ["default", default, "min", low, "max", high] => Kind::Spin {
                default: number(Some(default), "default")?,
                low: number(Some(low), "min")?,
                high: number(Some(high), "max")?,
            },
            _ => return Err("a spin without default, min and max".to_owned()),
        },
        "combo" => {
            let mut parts = rest.strip_prefix("default ").ok_or("no default")?.split(" var ");
            let default = parts.next().unwrap_or("").to_owned();
            Kind::Combo { default, values: parts.map(str::to_owned).collect() }
        }
        other => return Err(format!("the unknown type {other:?}")),
    };
    Ok(Declaration { name: name.to_owned(), kind })
}

/// Checks the form of a UCI move.
fn mv(word: Option<&str>) -> Result<String, String> {
    let word = word.ok_or("a missing move")?;
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

fn number<T: std::str::FromStr>(word: Option<&str>, name: &str) -> Result<T, String> {
    word.and_then(|word| word.parse().ok()).ok_or_else(|| format!("{name} with {word:?} instead of a number"))
}

fn once<T>(slot: &mut Option<T>, name: &str, value: T) -> Result<(), String> {
    if slot.replace(value).is_some() { Err(format!("{name} twice")) } else { Ok(()) }
}
