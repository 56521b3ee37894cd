//! The options of the engine, each declared once: name, description, default, range, and what it sets.

use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

use alfiere_chess::movegen::CastlingNotation;
use alfiere_syzygy::{FiftyMoveRule, MAX_PIECES};

use super::option::{EMBEDDED, EMPTY, Effect, Kind, OptionError, Target, UciOption};
use crate::engine::{OpeningBook, Player, Rating, Settings, Strength};
use crate::platform::max_threads;
use crate::search::{BeamShape, Table};

static OPTIONS: LazyLock<Vec<UciOption>> = LazyLock::new(|| table().into_iter().chain(tunables()).collect());

/// All options, in the order of the answer to `uci`.
pub fn options() -> &'static [UciOption] {
    &OPTIONS
}

/// The option of this name, in upper or lower case.
pub(super) fn find(name: &str) -> Result<&'static UciOption, OptionError> {
    let found = options().iter().find(|option| option.name.eq_ignore_ascii_case(name));
    found.ok_or_else(|| OptionError::Unknown(name.to_owned()))
}

const MAX_LINES: i64 = 256;
const MAX_OVERHEAD_MS: i64 = 5000;
const MAX_NODES_PER_MS: i64 = 10_000;
const MAX_CONTEMPT: i64 = 100;
const MAX_PROBE_DEPTH: i64 = 100;

fn check(
    name: &'static str,
    default: bool,
    help: &'static str,
    set: impl Fn(&mut Target<'_>, bool) + Send + Sync + 'static,
) -> UciOption {
    UciOption { name, help, kind: Kind::Check { default, set: Box::new(set) } }
}

fn spin(
    name: &'static str,
    default: impl TryInto<i64>,
    (low, high): (i64, i64),
    help: &'static str,
    set: impl Fn(&mut Target<'_>, i64) + Send + Sync + 'static,
) -> UciOption {
    let default = default.try_into().unwrap_or(high);
    UciOption { name, help, kind: Kind::Spin { default, low, high, set: Box::new(set) } }
}

fn file(
    name: &'static str,
    default: &'static str,
    help: &'static str,
    effect: fn(Option<PathBuf>) -> Effect,
) -> UciOption {
    UciOption { name, help, kind: Kind::File { default, effect } }
}

fn text(name: &'static str, help: &'static str) -> UciOption {
    UciOption { name, help, kind: Kind::Text }
}

#[expect(clippy::too_many_lines, reason = "one table")]
fn table() -> Vec<UciOption> {
    let defaults = Settings::default();
    let last_book_move = i64::from(OpeningBook::DEFAULT_LAST_MOVE);
    vec![
        spin(
            "Hash",
            defaults.hash_mib,
            (Table::MIN_MIB as i64, Table::MAX_MIB as i64),
            "Size of the transposition table in MiB.",
            |target, mib| target.settings.hash_mib = mib as usize,
        ),
        UciOption {
            name: "Clear Hash",
            help: "Empties the transposition table.",
            kind: Kind::Button(Effect::ClearHash),
        },
        spin(
            "Threads",
            defaults.threads,
            (1, max_threads() as i64),
            "Number of threads that search.",
            |target, threads| {
                target.settings.threads = threads as usize;
            },
        ),
        spin("MultiPV", defaults.lines, (1, MAX_LINES), "Number of best lines to report.", |target, lines| {
            target.settings.lines = lines as usize;
        }),
        spin(
            "Move Overhead",
            defaults.move_overhead.as_millis() as i64,
            (0, MAX_OVERHEAD_MS),
            "Milliseconds of each move that the GUI and the connection may need.",
            |target, milliseconds| target.settings.move_overhead = Duration::from_millis(milliseconds as u64),
        ),
        spin(
            "nodestime",
            0,
            (0, MAX_NODES_PER_MS),
            "Nodes that count as a millisecond of the clock, so that the machine's load does not matter; 0: time is time.",
            |target, nodes| target.format.nodes_per_ms = nodes as u64,
        ),
        check(
            "Ponder",
            false,
            "Declares that the engine can ponder. Its time management is the same either way.",
            |_, _| {},
        ),
        spin(
            "Contempt",
            defaults.contempt,
            (-MAX_CONTEMPT, MAX_CONTEMPT),
            "Normalised centipawns by which a draw scores below an even position; 0 in analysis.",
            |target, centipawns| target.settings.contempt = centipawns as i32,
        ),
        check("UCI_AnalyseMode", false, "Switches off contempt, the book and limited strength.", |target, on| {
            target.settings.analysis = on;
        }),
        text("UCI_Opponent", "The opponent's title, rating and name. Accepted and ignored."),
        check("UCI_Chess960", false, "Writes castling as the king capturing its own rook.", |target, on| {
            target.format.castling = if on { CastlingNotation::Chess960 } else { CastlingNotation::Standard };
        }),
        check(
            "UCI_ShowWDL",
            false,
            "Adds win, draw and loss probabilities in thousandths to each score.",
            |target, on| target.format.show_wdl = on,
        ),
        file("EvalFile", EMBEDDED, "The network file.", Effect::LoadNetwork),
        check("OwnBook", false, "Plays from the opening book, except in analysis.", |target, on| {
            target.book.is_on = on;
        }),
        file("Book File", EMBEDDED, "The opening book, a Polyglot file.", Effect::LoadBook),
        check(
            "Best Book Move",
            false,
            "Always plays the book move with the most weight; otherwise one is drawn by weight.",
            |target, on| target.book.plays_best = on,
        ),
        spin(
            "Book Depth",
            last_book_move,
            (1, last_book_move),
            "The last full move that is played from the book.",
            |target, last| target.book.last_move = last as u16,
        ),
        UciOption {
            name: "Player",
            help: "Who plays: nnue is the engine; the others are described in docs/guide/playing.md.",
            kind: Kind::Combo {
                default: Player::default().name(),
                choices: Player::available().into_iter().map(Player::name).collect(),
                set: Box::new(|target, chosen| target.settings.player = Player::available()[chosen]),
            },
        },
        spin(
            "Beam Depth",
            defaults.beam.depth,
            (1, i64::from(BeamShape::MAX_DEPTH)),
            "Search depth of the player beam, in plies.",
            |target, plies| target.settings.beam.depth = plies as u32,
        ),
        spin(
            "Beam Width",
            defaults.beam.width as i64,
            (1, BeamShape::MAX_WIDTH as i64),
            "Moves that the player beam keeps at each node.",
            |target, moves| target.settings.beam.width = moves as usize,
        ),
        spin(
            "Seed",
            defaults.seed as i64,
            (0, i64::from(i32::MAX)),
            "Seed of the player random and of limited strength; 0 draws a new one at each start.",
            |target, seed| target.settings.seed = seed as u64,
        ),
        file(
            "SyzygyPath",
            EMPTY,
            "Folders of Syzygy endgame tables, separated by `:` (on Windows by `;`).",
            Effect::LoadTablebases,
        ),
        spin(
            "SyzygyProbeDepth",
            defaults.probe_rules.depth,
            (1, MAX_PROBE_DEPTH),
            "Minimum depth of a node that probes the largest tables.",
            |target, depth| target.settings.probe_rules.depth = depth as u32,
        ),
        check(
            "Syzygy50MoveRule",
            defaults.probe_rules.fifty_moves == FiftyMoveRule::Counts,
            "Whether a win that takes more than fifty moves is a draw.",
            |target, on| {
                target.settings.probe_rules.fifty_moves =
                    if on { FiftyMoveRule::Counts } else { FiftyMoveRule::Ignored };
            },
        ),
        spin(
            "SyzygyProbeLimit",
            defaults.probe_rules.pieces,
            (0, MAX_PIECES as i64),
            "Maximum number of pieces of a position that is probed; 0 never probes.",
            |target, pieces| target.settings.probe_rules.pieces = pieces as usize,
        ),
        check("UCI_LimitStrength", false, "Limits the strength to UCI_Elo.", |target, on| {
            target.settings.strength.limited = on;
        }),
        spin(
            "UCI_Elo",
            defaults.strength.elo.elo(),
            (i64::from(Rating::LOWEST.elo()), i64::from(Rating::HIGHEST.elo())),
            "The rating to play at with UCI_LimitStrength.",
            |target, elo| target.settings.strength.elo = Rating::new(elo as u32),
        ),
        spin(
            "Skill Level",
            defaults.strength.skill,
            (0, i64::from(Strength::FULL_SKILL)),
            "The rating in equal steps: 0 is the weakest level, 20 full strength.",
            |target, skill| target.settings.strength.skill = skill as u32,
        ),
    ]
}

/// The numbers of the search, for tuning by games.
#[cfg(feature = "tune")]
fn tunables() -> impl Iterator<Item = UciOption> {
    crate::search::TUNABLES.iter().map(|&(name, default, low, high)| {
        let set = move |_: &mut Target<'_>, value: i64| {
            let is_set = crate::search::set_tunable(name, value as i32);
            debug_assert!(is_set, "{name} {value}: in range, as the option has checked");
        };
        spin(name, default, (i64::from(low), i64::from(high)), "A number of the search.", set)
    })
}

#[cfg(not(feature = "tune"))]
fn tunables() -> [UciOption; 0] {
    []
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::uci::reporter::InfoFormat;
    use std::collections::HashSet;

    fn set(name: &str, value: &str) -> Result<(Settings, Effect), OptionError> {
        let (mut settings, mut book, mut format) = (Settings::default(), OpeningBook::default(), InfoFormat::default());
        let mut target = Target { settings: &mut settings, book: &mut book, format: &mut format };
        let effect = find(name)?.set(value.as_ref(), &mut target)?;
        Ok((settings, effect))
    }

    #[test]
    fn values_are_checked_against_their_range() {
        assert_eq!(set("hash", "64").map(|(settings, _)| settings.hash_mib), Ok(64));
        assert_eq!(set("Clear Hash", "").map(|(_, effect)| effect), Ok(Effect::ClearHash));
        assert_eq!(set("Contempt", "-20").map(|(settings, _)| settings.contempt), Ok(-20));
        assert_eq!(set("EvalFile", "a.nnue").map(|(_, effect)| effect), Ok(Effect::LoadNetwork(Some("a.nnue".into()))));
        for (name, value) in [
            ("Hash", "0"),
            ("Hash", "lots"),
            ("Threads", "-1"),
            ("Contempt", "101"),
            ("Contempt", "99999999999999999999"),
            ("Ponder", "maybe"),
            ("Player", "bogus"),
            ("Nothing", "1"),
        ] {
            assert!(set(name, value).is_err(), "{name} {value}");
        }
    }

    #[test]
    fn names_are_unique_and_defaults_are_accepted_and_change_nothing() {
        let mut names = HashSet::new();
        for option in options() {
            assert!(names.insert(option.name.to_ascii_lowercase()), "{option}");
            let (_, default) = option.values();
            assert_eq!(set(option.name, &default).map(|(settings, _)| settings), Ok(Settings::default()), "{option}");
        }
    }
}
