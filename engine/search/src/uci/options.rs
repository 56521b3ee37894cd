//! The options: their names, types and ranges, declared once.

use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

use alfiere_syzygy::{FiftyMoveRule, MOST_MEN};

use crate::engine::{Level, OpeningBook, Player, Settings, Strength};
use crate::search::{BeamShape, Table, Tunables};

/// The name for the network and for the book inside the program.
pub(super) const EMBEDDED: &str = "<embedded>";

/// How GUIs write a string without letters.
const EMPTY: &str = "<empty>";

const MAX_THREADS: usize = 1024;
const MAX_LINES: usize = 256;
const MAX_OVERHEAD_MS: usize = 5000;
const MAX_CONTEMPT: i32 = 100;
const MAX_BOOK_MOVE: u16 = OpeningBook::DEFAULT_LAST_MOVE;
const MAX_SEED: usize = i32::MAX as usize;
const MAX_PROBE_DEPTH: u32 = 100;
const LOWEST_ELO: u32 = Level::LOWEST.elo();
const HIGHEST_ELO: u32 = Level::HIGHEST.elo();
const FULL_SKILL: u32 = Strength::FULL_SKILL;

/// A checked option with its value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Setting {
    Hash(usize),
    Threads(usize),
    MultiPv(usize),
    MoveOverhead(Duration),
    /// The engine thinks the same whether the GUI lets it ponder or not.
    Ponder,
    Contempt(i32),
    Analysis(bool),
    /// Who plays against it, as the GUI names them: nothing depends on it.
    Opponent,
    Chess960(bool),
    ShowWdl(bool),
    /// `None` for the embedded network.
    EvalFile(Option<String>),
    OwnBook(bool),
    /// `None` for the embedded book.
    BookFile(Option<String>),
    BestBookMove(bool),
    /// The last full move that the book is asked for.
    BookDepth(u16),
    Player(Player),
    BeamDepth(u32),
    BeamWidth(usize),
    /// What chance begins with; 0 for something new each time.
    Seed(u64),
    /// Folders of endgame tables; `None` for none.
    SyzygyPath(Option<String>),
    SyzygyProbeDepth(u32),
    SyzygyFiftyMoves(FiftyMoveRule),
    SyzygyProbeLimit(usize),
    /// Whether the rating counts.
    LimitStrength(bool),
    Elo(Level),
    Skill(u32),
    ClearHash,
    /// A number of the search, with the feature `tune` only.
    Tunable {
        name: String,
        value: i32,
    },
}

/// Why an option cannot be set so.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum OptionError {
    #[error("no option is named '{0}'")]
    Unknown(String),
    #[error("option {name}: expected a number from {low} to {high}, found '{found}'")]
    Number { name: &'static str, low: String, high: String, found: String },
    #[error("option {name}: expected true or false, found '{found}'")]
    Check { name: &'static str, found: String },
    #[error("option Player: expected one of {known}, found '{found}'")]
    Player { known: String, found: String },
}

/// The `option` lines that answer `uci`.
pub(super) fn declarations() -> Vec<String> {
    let settings = Settings::default();
    let spin = |name: &str, default: usize, low: usize, high: usize| {
        format!("option name {name} type spin default {default} min {low} max {high}")
    };
    [
        spin("Hash", settings.hash_mib, Table::MIN_MIB, Table::MAX_MIB),
        "option name Clear Hash type button".to_owned(),
        spin("Threads", settings.threads, 1, MAX_THREADS),
        spin("MultiPV", settings.lines, 1, MAX_LINES),
        spin("Move Overhead", settings.move_overhead.as_millis() as usize, 0, MAX_OVERHEAD_MS),
        "option name Ponder type check default false".to_owned(),
        format!("option name Contempt type spin default {} min -{MAX_CONTEMPT} max {MAX_CONTEMPT}", settings.contempt),
        "option name UCI_AnalyseMode type check default false".to_owned(),
        "option name UCI_Opponent type string default <empty>".to_owned(),
        "option name UCI_Chess960 type check default false".to_owned(),
        "option name UCI_ShowWDL type check default false".to_owned(),
        format!("option name EvalFile type string default {EMBEDDED}"),
        "option name OwnBook type check default false".to_owned(),
        format!("option name Book File type string default {EMBEDDED}"),
        "option name Best Book Move type check default false".to_owned(),
        spin("Book Depth", MAX_BOOK_MOVE.into(), 1, MAX_BOOK_MOVE.into()),
        players(),
        spin("Beam Depth", settings.beam.depth as usize, 1, BeamShape::MAX_DEPTH as usize),
        spin("Beam Width", settings.beam.width, 1, BeamShape::MAX_WIDTH),
        spin("Seed", settings.seed as usize, 0, MAX_SEED),
        format!("option name SyzygyPath type string default {EMPTY}"),
        spin("SyzygyProbeDepth", settings.probe_rules.depth as usize, 1, MAX_PROBE_DEPTH as usize),
        "option name Syzygy50MoveRule type check default true".to_owned(),
        spin("SyzygyProbeLimit", settings.probe_rules.men, 0, MOST_MEN),
        "option name UCI_LimitStrength type check default false".to_owned(),
        spin("UCI_Elo", settings.strength.elo.elo() as usize, LOWEST_ELO as usize, HIGHEST_ELO as usize),
        spin("Skill Level", settings.strength.skill as usize, 0, FULL_SKILL as usize),
    ]
    .into_iter()
    .chain(tunables().map(|&(name, default, low, high)| {
        format!("option name {name} type spin default {default} min {low} max {high}")
    }))
    .collect()
}

/// The numbers of the search, for tuning by games.
fn tunables() -> impl Iterator<Item = &'static (&'static str, i32, i32, i32)> {
    Tunables::ALL.iter().filter(|_| cfg!(feature = "tune"))
}

fn tuned(name: &str, value: &str) -> Option<Setting> {
    tunables().find(|tunable| tunable.0 == name)?;
    Some(Setting::Tunable { name: name.to_owned(), value: value.parse().ok()? })
}

fn players() -> String {
    let names = Player::ALL.map(|player| format!(" var {}", player.name())).concat();
    format!("option name Player type combo default {}{names}", Player::default().name())
}

impl Setting {
    /// Checks an option; names are compared without regard to case.
    pub(super) fn parse(name: &str, value: &str) -> Result<Self, OptionError> {
        Ok(match name.to_ascii_lowercase().as_str() {
            "hash" => Self::Hash(number("Hash", value, Table::MIN_MIB, Table::MAX_MIB)?),
            "threads" => Self::Threads(number("Threads", value, 1, MAX_THREADS)?),
            "multipv" => Self::MultiPv(number("MultiPV", value, 1, MAX_LINES)?),
            "move overhead" => {
                Self::MoveOverhead(Duration::from_millis(number("Move Overhead", value, 0, MAX_OVERHEAD_MS)? as u64))
            }
            "ponder" => {
                check("Ponder", value)?;
                Self::Ponder
            }
            "contempt" => Self::Contempt(number("Contempt", value, -MAX_CONTEMPT, MAX_CONTEMPT)?),
            "uci_analysemode" => Self::Analysis(check("UCI_AnalyseMode", value)?),
            "uci_opponent" => Self::Opponent,
            "uci_chess960" => Self::Chess960(check("UCI_Chess960", value)?),
            "uci_showwdl" => Self::ShowWdl(check("UCI_ShowWDL", value)?),
            "evalfile" => Self::EvalFile(file(value)),
            "ownbook" => Self::OwnBook(check("OwnBook", value)?),
            "book file" => Self::BookFile(file(value)),
            "best book move" => Self::BestBookMove(check("Best Book Move", value)?),
            "book depth" => Self::BookDepth(number("Book Depth", value, 1, MAX_BOOK_MOVE)?),
            "player" => Self::Player(player(value)?),
            "beam depth" => Self::BeamDepth(number("Beam Depth", value, 1, BeamShape::MAX_DEPTH as usize)? as u32),
            "beam width" => Self::BeamWidth(number("Beam Width", value, 1, BeamShape::MAX_WIDTH)?),
            "seed" => Self::Seed(number("Seed", value, 0, MAX_SEED)? as u64),
            "syzygypath" => Self::SyzygyPath(file(value)),
            "syzygyprobedepth" => Self::SyzygyProbeDepth(number("SyzygyProbeDepth", value, 1, MAX_PROBE_DEPTH)?),
            "syzygy50moverule" => Self::SyzygyFiftyMoves(if check("Syzygy50MoveRule", value)? {
                FiftyMoveRule::Counts
            } else {
                FiftyMoveRule::Ignored
            }),
            "syzygyprobelimit" => Self::SyzygyProbeLimit(number("SyzygyProbeLimit", value, 0, MOST_MEN)?),
            "uci_limitstrength" => Self::LimitStrength(check("UCI_LimitStrength", value)?),
            "uci_elo" => Self::Elo(Level::new(number("UCI_Elo", value, LOWEST_ELO, HIGHEST_ELO)?)),
            "skill level" => Self::Skill(number("Skill Level", value, 0, FULL_SKILL)?),
            "clear hash" => Self::ClearHash,
            tunable => return tuned(tunable, value).ok_or_else(|| OptionError::Unknown(name.to_owned())),
        })
    }
}

/// `None` for what is inside the program.
fn file(value: &str) -> Option<String> {
    (!matches!(value, "" | EMBEDDED | EMPTY)).then(|| value.to_owned())
}

fn number<N>(name: &'static str, value: &str, low: N, high: N) -> Result<N, OptionError>
where
    N: FromStr + PartialOrd + Display + Copy,
{
    value.parse().ok().filter(|number| (&low..=&high).contains(&number)).ok_or_else(|| OptionError::Number {
        name,
        low: low.to_string(),
        high: high.to_string(),
        found: value.to_owned(),
    })
}

fn player(value: &str) -> Result<Player, OptionError> {
    Player::named(value).ok_or_else(|| OptionError::Player { known: Player::names(), found: value.to_owned() })
}

fn check(name: &'static str, value: &str) -> Result<bool, OptionError> {
    match value.to_ascii_lowercase().as_str() {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(OptionError::Check { name, found: value.to_owned() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_checked_against_their_range() {
        assert_eq!(Setting::parse("hash", "64"), Ok(Setting::Hash(64)));
        assert_eq!(Setting::parse("Clear Hash", ""), Ok(Setting::ClearHash));
        assert_eq!(Setting::parse("Contempt", "-20"), Ok(Setting::Contempt(-20)));
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "lots"),
            ("Threads", "-1"),
            ("Contempt", "101"),
            ("Contempt", "99999999999999999999"),
            ("Ponder", "maybe"),
            ("Nothing", "1"),
        ] {
            assert!(Setting::parse(name, value).is_err(), "{name} {value}");
        }
    }

    #[test]
    fn names_are_unique_and_every_default_is_legal() {
        let lines = declarations();
        let mut names = Vec::new();
        for line in &lines {
            let rest = line.strip_prefix("option name ").expect("declared as an option");
            let (name, kind) = rest.split_once(" type ").expect("has a type");
            assert!(!names.contains(&name), "{name}");
            names.push(name);
            let word_after = |key: &str| kind.split_whitespace().skip_while(|word| *word != key).nth(1);
            if let Some(default) = word_after("default") {
                assert!(Setting::parse(name, default).is_ok(), "{line}");
            }
        }
    }
}
