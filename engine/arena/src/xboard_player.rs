//! An engine that speaks the Chess Engine Communication Protocol (`XBoard`, version 2) as a player.
//!
//! Some older engines, such as Fairy-Max and Phalanx, support only this protocol. They keep the game state themselves:
//! they receive the opening in force mode, start playing at `go`, and then receive each move of the opponent once.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use alfiere_chess::board::Board;
use alfiere_chess::game::{Fault, Limit, ReportedScore, SearchReport, TimeControl};
use alfiere_chess::movegen::{CastlingNotation, format_uci_move};
use alfiere_chess::types::Color;

use super::declared_option::DeclaredOption;
use super::player::{Action, GameView, MoveLimits, PlayError, Player, Reply, excerpt};
use super::process::{Line, PipeError, Process};
use super::spec::PlayerSpec;

/// Time to wait for feature announcements of an engine that may have none.
const FEATURE_TIMEOUT: Duration = Duration::from_secs(2);
/// Time for an engine that requests it (`done=0`), and for answering `ping`.
const START_TIMEOUT: Duration = Duration::from_secs(20);
/// Time that an engine which overstepped has to answer "move now".
const STOP_TIMEOUT: Duration = Duration::from_secs(2);
/// Scores beyond this are mate scores: this plus the number of moves.
const MATE_SCORE: i32 = 100_000;

/// Features announced by the engine.
#[allow(clippy::struct_excessive_bools)]
#[derive(Debug, Default)]
struct Features {
    ping: bool,
    setboard: bool,
    usermove: bool,
    memory: bool,
    options: Vec<DeclaredOption>,
}

/// A running engine.
#[derive(Debug)]
pub struct XboardPlayer {
    process: Process,
    features: Features,
    pings: u32,
    /// The number of moves of the current game sent to or by the engine.
    known_moves: usize,
    is_playing: bool,
}

impl XboardPlayer {
    /// Starts the engine, reads its features and sets its options (`Hash` becomes `memory`).
    ///
    /// # Errors
    /// If it cannot be started or ends at once, does not declare a requested option or does not accept its value by its
    /// declaration, or the match is stopped.
    pub fn start(spec: &PlayerSpec, stop: &AtomicBool) -> Result<Self, PlayError> {
        let process = Process::spawn(spec, "quit")
            .map_err(|error| Fault::NoStart(format!("{}: {error}", spec.program.display())))?;
        let mut player = Self { process, features: Features::default(), pings: 0, known_moves: 0, is_playing: false };
        player.send("xboard")?;
        player.send("protover 2")?;
        player.read_features(stop)?;
        for (name, value) in &spec.options {
            player.set_option(name, value)?;
        }
        Ok(player)
    }

    /// The engine would play with other settings than requested if it did not know the option.
    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayError> {
        let declared = self.features.options.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let line = match declared {
            Some(option) => {
                option.check(value).map_err(Fault::NoStart)?;
                format!("option {}={value}", option.name)
            }
            None if name.eq_ignore_ascii_case("hash") && self.features.memory => format!("memory {value}"),
            None => return Err(Fault::NoStart(format!("it has no option \"{name}\"")).into()),
        };
        self.send(&line)
    }

    fn read_features(&mut self, stop: &AtomicBool) -> Result<(), PlayError> {
        let sent_at = Instant::now();
        let mut timeout = FEATURE_TIMEOUT;
        loop {
            match self.process.read(sent_at + timeout, stop) {
                Err(PipeError::Timeout) => return Ok(()),
                Err(error) => return Err(PlayError::from_pipe(error, "protover", sent_at)),
                Ok(line) => {
                    for (name, value) in feature_pairs(&line.text) {
                        match (name, value) {
                            ("done", "0") => timeout = START_TIMEOUT,
                            ("done", _) => return Ok(()),
                            ("ping", value) => self.features.ping = value == "1",
                            ("setboard", value) => self.features.setboard = value == "1",
                            ("usermove", value) => self.features.usermove = value == "1",
                            ("memory", value) => self.features.memory = value == "1",
                            ("option", text) => self.features.options.push(DeclaredOption::of_xboard(text)),
                            // Only long algebraic moves are supported.
                            ("san", _) => {
                                self.send("rejected san")?;
                                continue;
                            }
                            _ => {}
                        }
                        self.send(&format!("accepted {name}"))?;
                    }
                }
            }
        }
    }

    fn send(&mut self, line: &str) -> Result<(), PlayError> {
        self.process.send(line).map_err(|error| PlayError::from_pipe(error, "command", Instant::now()))
    }

    fn send_move(&mut self, game: &GameView, index: usize) -> Result<(), PlayError> {
        let text = format_uci_move(game.moves[index], CastlingNotation::Standard);
        let line = if self.features.usermove { format!("usermove {text}") } else { text.to_string() };
        self.known_moves = index + 1;
        self.send(&line)
    }

    fn synchronise(&mut self, stop: &AtomicBool) -> Result<(), PlayError> {
        if !self.features.ping {
            return Ok(());
        }
        self.pings += 1;
        let sent_at = Instant::now();
        self.send(&format!("ping {}", self.pings))?;
        let pong = format!("pong {}", self.pings);
        loop {
            let line = self.process.read(sent_at + START_TIMEOUT, stop);
            if line.map_err(|error| PlayError::from_pipe(error, "ping", sent_at))?.text == pong {
                return Ok(());
            }
        }
    }

    fn send_clocks(&mut self, limits: &MoveLimits) -> Result<(), PlayError> {
        if let Some(clock) = limits.clock {
            let centiseconds = |time: Duration| (time.as_millis() / 10).max(1);
            let other = limits.opponent_clock.unwrap_or(clock);
            self.send(&format!("time {}", centiseconds(clock.remaining())))?;
            self.send(&format!("otim {}", centiseconds(other.remaining())))?;
        }
        Ok(())
    }

    /// Waits for a move or the end of the game and collects search reports.
    fn await_action(
        &mut self,
        deadline: Instant,
        stop: &AtomicBool,
        side: Color,
        report: &mut SearchReport,
    ) -> Result<(Line, Option<Action>), PipeError> {
        loop {
            let line = self.process.read(deadline, stop)?;
            let lower = line.text.to_ascii_lowercase();
            if lower.starts_with("illegal move") {
                return Ok((line, None));
            }
            if let Some(action) = read_action(&line.text, side) {
                return Ok((line, Some(action)));
            }
            update_report(report, &line.text);
        }
    }
}

impl Player for XboardPlayer {
    fn new_game(&mut self, game: &GameView, limit: Limit, stop: &AtomicBool) -> Result<(), PlayError> {
        if game.notation == CastlingNotation::Chess960 {
            return Err(Fault::NoStart("Chess960 is not supported over the XBoard protocol".to_owned()).into());
        }
        if game.start != Board::startpos() && !self.features.setboard {
            let reason =
                "it does not support start positions (no setboard); use PGN openings, which are played move by move";
            return Err(Fault::NoStart(reason.to_owned()).into());
        }
        self.send("new")?;
        self.send(&limit_line(limit)?)?;
        for line in ["easy", "post", "force"] {
            self.send(line)?;
        }
        if game.start != Board::startpos() {
            self.send(&format!("setboard {}", game.start.to_fen()))?;
        }
        self.known_moves = 0;
        self.is_playing = false;
        self.synchronise(stop)
    }

    fn choose(&mut self, game: &GameView, limits: &MoveLimits, stop: &AtomicBool) -> Result<Reply, PlayError> {
        self.process.discard_pending();
        let last_index = if self.is_playing { game.moves.len() - 1 } else { game.moves.len() };
        for index in self.known_moves..last_index {
            self.send_move(game, index)?;
        }
        self.send_clocks(limits)?;
        let sent_at = Instant::now();
        if self.is_playing {
            self.send_move(game, last_index)?;
        } else {
            self.send("go")?;
            self.is_playing = true;
        }
        let white_moves = game.moves.len() % 2 == usize::from(game.start.side_to_move() == Color::Black);
        let side = if white_moves { Color::White } else { Color::Black };
        let mut report = SearchReport::default();
        let deadline = sent_at + limits.wait();
        let (line, action) = match self.await_action(deadline, stop, side, &mut report) {
            Err(PipeError::Timeout) => {
                self.send("?")?;
                let late = self.await_action(Instant::now() + STOP_TIMEOUT, stop, side, &mut report);
                late.map_err(|error| PlayError::from_pipe(error, "go", sent_at))?
            }
            other => other.map_err(|error| PlayError::from_pipe(error, "go", sent_at))?,
        };
        let used = line.at.saturating_duration_since(sent_at);
        limits.check(used)?;
        let Some(action) = action else { return Err(Fault::RefusedMove { answer: excerpt(&line.text) }.into()) };
        self.known_moves = game.moves.len() + 1;
        Ok(Reply { action, report, time: used })
    }
}

/// Formats the limit as `level`, `st` or `sd`; the protocol cannot limit nodes.
fn limit_line(limit: Limit) -> Result<String, PlayError> {
    match limit {
        Limit::Clock(TimeControl { moves, base, increment }) => {
            let seconds = base.as_secs_f64().ceil() as u64;
            let minutes = format!("{}:{:02}", seconds / 60, seconds % 60);
            Ok(format!("level {} {minutes} {}", moves.unwrap_or(0), increment.as_secs_f64()))
        }
        Limit::MoveTime(time) if time.as_secs() > 0 && time.subsec_nanos() == 0 => Ok(format!("st {}", time.as_secs())),
        Limit::MoveTime(_) => {
            let problem = "the XBoard protocol limits moves to whole seconds; use tc, depth or another movetime";
            Err(Fault::NoStart(problem.to_owned()).into())
        }
        Limit::Depth(depth) => Ok(format!("sd {depth}")),
        Limit::Nodes(_) => {
            Err(Fault::NoStart("the XBoard protocol cannot limit nodes; use tc, depth or movetime".to_owned()).into())
        }
    }
}

/// The `name=value` pairs of a `feature` line; values may be quoted.
fn feature_pairs(line: &str) -> Vec<(&str, &str)> {
    let mut pairs = Vec::new();
    let Some(mut rest) = line.strip_prefix("feature ") else { return pairs };
    while let Some((name, after)) = rest.trim_start().split_once('=') {
        let (value, next) = match after.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => after.split_once(' ').unwrap_or((after, "")),
        };
        pairs.push((name, value));
        rest = next;
    }
    pairs
}

/// Parses a move, a resignation or a draw claim; `side` is the engine's colour.
fn read_action(line: &str, side: Color) -> Option<Action> {
    let mut words = line.split_whitespace();
    match words.next()?.to_ascii_lowercase().as_str() {
        "move" => Some(Action::Move(long_move(words.next()?, side).to_owned())),
        "resign" => Some(Action::Resign),
        "1/2-1/2" => Some(Action::ClaimDraw),
        "1-0" if side == Color::Black => Some(Action::Resign),
        "0-1" if side == Color::White => Some(Action::Resign),
        _ => None,
    }
}

/// Converts castling written as `O-O`, which some engines use, to the king's move of standard chess.
fn long_move(text: &str, side: Color) -> &str {
    match (text, side) {
        ("O-O" | "0-0" | "o-o", Color::White) => "e1g1",
        ("O-O" | "0-0" | "o-o", Color::Black) => "e8g8",
        ("O-O-O" | "0-0-0" | "o-o-o", Color::White) => "e1c1",
        ("O-O-O" | "0-0-0" | "o-o-o", Color::Black) => "e8c8",
        _ => text,
    }
}

/// Updates the report from a thinking line, `ply score centiseconds nodes pv`.
fn update_report(report: &mut SearchReport, line: &str) {
    let mut words = line.split_whitespace();
    let depth = words.next().and_then(|word| word.trim_end_matches(['.', '&', '+', '-']).parse().ok());
    let mut number = || words.next().and_then(|word| word.parse::<i64>().ok());
    if let (Some(depth), Some(score), Some(_), Some(nodes)) = (depth, number(), number(), number()) {
        let limit = i64::from(2 * MATE_SCORE);
        let score = score.clamp(-limit, limit) as i32;
        let reported_score = if score.abs() >= MATE_SCORE {
            ReportedScore::Mate(score - score.signum() * MATE_SCORE)
        } else {
            ReportedScore::Centipawns(score)
        };
        *report =
            SearchReport { reported_score: Some(reported_score), depth: Some(depth), nodes: u64::try_from(nodes).ok() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_with_and_without_quotes() {
        let line = "feature myname=\"Phalanx XXV\" ping=1 option=\"Randomizer -slider 0 0 50\" done=1";
        let pairs = feature_pairs(line);
        assert_eq!(pairs[0], ("myname", "Phalanx XXV"));
        assert_eq!(pairs[1], ("ping", "1"));
        assert_eq!(pairs[3], ("done", "1"));
        assert!(feature_pairs("tellics say hello=1").is_empty());
    }

    #[test]
    fn results_are_interpreted_by_the_engines_colour() {
        assert_eq!(read_action("move e2e4", Color::White), Some(Action::Move("e2e4".to_owned())));
        assert_eq!(read_action("move O-O-O", Color::Black), Some(Action::Move("e8c8".to_owned())));
        assert_eq!(read_action("1-0 {White mates}", Color::White), None);
        assert_eq!(read_action("1-0 {Black resigns}", Color::Black), Some(Action::Resign));
        assert_eq!(read_action("1/2-1/2 {Draw by repetition}", Color::Black), Some(Action::ClaimDraw));
        assert_eq!(read_action("Hint: e2e4", Color::White), None);
    }

    #[test]
    fn thinking_lines_are_parsed() {
        let mut report = SearchReport::default();
        update_report(&mut report, " 6      2       40     224418 c2c4 d7d6");
        let expected =
            SearchReport { reported_score: Some(ReportedScore::Centipawns(2)), depth: Some(6), nodes: Some(224_418) };
        assert_eq!(report, expected);
        update_report(&mut report, "# promo = 0 (`) GT = 0");
        assert_eq!(report, expected);
        update_report(&mut report, "9. -100003 1 500 a1a2");
        assert_eq!(report.reported_score, Some(ReportedScore::Mate(-3)));
        for (score, sign) in [(i64::MAX, 1), (i64::from(i32::MIN), -1), (1 << 32, 1)] {
            update_report(&mut report, &format!("9 {score} 1 500 a1a2"));
            assert_eq!(report.reported_score, Some(ReportedScore::Mate(sign * 100_000)), "{score}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn options_that_the_engine_does_not_declare_are_refused() {
        let features = r#"echo 'feature ping=1 memory=1 option="Style -combo calm /// *wild" done=1'"#;
        let start = |option: (&str, &str)| {
            let script =
                format!("while read -r word rest; do case $word in protover) {features};; quit) exit;; esac; done");
            let spec = PlayerSpec {
                program: "sh".into(),
                arguments: vec!["-c".to_owned(), script],
                options: vec![(option.0.to_owned(), option.1.to_owned())],
                ..PlayerSpec::default()
            };
            XboardPlayer::start(&spec, &AtomicBool::new(false)).map(drop).map_err(|error| error.to_string())
        };
        assert_eq!((start(("Hash", "16")), start(("style", "calm"))), (Ok(()), Ok(())));
        let refused = |option| start(option).expect_err("refused");
        assert_eq!(refused(("Threads", "2")), "did not start: it has no option \"Threads\"");
        assert!(refused(("Style", "mad")).contains("option Style: expected one of calm, wild, found 'mad'"));
    }

    #[test]
    fn limits_are_formatted_for_the_protocol() {
        let clock = |text: &str| limit_line(Limit::Clock(text.parse().expect("valid"))).expect("possible");
        assert_eq!(clock("1+0.01"), "level 0 0:01 0.01");
        assert_eq!(clock("40/300"), "level 40 5:00 0");
        assert!(limit_line(Limit::Nodes(5)).is_err());
        assert_eq!(limit_line(Limit::MoveTime(Duration::from_secs(2))).expect("possible"), "st 2");
        assert!(limit_line(Limit::MoveTime(Duration::from_millis(1500))).is_err());
    }
}
