//! A UCI engine as a player.

use std::ffi::OsStr;
use std::fmt::Write;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use alfiere_chess::board::Board;
use alfiere_chess::game::{Fault, Limit, ReportedScore, SearchReport};
use alfiere_chess::movegen::{CastlingNotation, format_uci_move};

use super::player::{GameView, MoveLimits, PlayError, Player, Reply, excerpt};
use super::process::{PipeError, Process};
use super::spec::{DeclaredOption, PlayerSpec};

pub use super::process::OutputLine;

/// Time for the handshake, including loading files and answering `isready`.
const START_TIMEOUT: Duration = Duration::from_secs(20);
/// Time that an engine which overstepped has to answer `stop`.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// A UCI engine after its handshake.
#[derive(Debug)]
pub struct UciPlayer {
    process: Process,
    id_name: Option<String>,
    options: Vec<DeclaredOption>,
    /// Nodes that it is to count as a millisecond (its option `nodestime`); 0: time is time.
    nodes_per_ms: u64,
}

impl UciPlayer {
    /// Starts the engine and sets its options.
    ///
    /// # Errors
    /// If it cannot be started, does not complete the handshake in time, does not declare a requested option or does
    /// not accept its value by its declaration, rejects a value (with `info string option NAME: ...`, as this engine
    /// does), or the match is stopped.
    pub fn start(spec: &PlayerSpec, stop: &AtomicBool) -> Result<Self, PlayError> {
        let process = Process::spawn(spec, "quit")
            .map_err(|error| Fault::NoStart(format!("{}: {error}", spec.program.display())))?;
        let nodestime = spec.options.iter().rfind(|(name, _)| name.eq_ignore_ascii_case("nodestime"));
        let nodes_per_ms = nodestime.and_then(|(_, nodes)| nodes.to_str()?.parse().ok()).unwrap_or(0);
        let mut player = Self { process, id_name: None, options: Vec::new(), nodes_per_ms };
        player.handshake(stop).map_err(no_start)?;
        for (name, value) in &spec.options {
            let declared = player.option(name);
            let rejection = declared
                .map_or_else(|| Err(format!("it has no option \"{name}\"")), |it| it.check(&value.to_string_lossy()));
            rejection.map_err(Fault::NoStart)?;
            player.set_option(name, value).map_err(no_start)?;
        }
        let mut rejection = None;
        let is_rejection = |note: &str| spec.options.iter().any(|(name, _)| rejects(note, name));
        player
            .synchronise(stop, |note| {
                if is_rejection(note) {
                    rejection.get_or_insert_with(|| excerpt(note));
                }
            })
            .map_err(no_start)?;
        match rejection {
            // The engine would play with other settings than requested.
            Some(note) => Err(Fault::NoStart(note).into()),
            None => Ok(player),
        }
    }

    pub fn id_name(&self) -> Option<&str> {
        self.id_name.as_deref()
    }

    pub fn options(&self) -> &[DeclaredOption] {
        &self.options
    }

    fn option(&self, name: &str) -> Option<&DeclaredOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Sends a line outside a game, and reads lines until `last` returns true.
    ///
    /// # Errors
    /// If the engine ends, the deadline passes or the match is stopped.
    pub fn ask(
        &mut self,
        command: &str,
        timeout: Duration,
        stop: &AtomicBool,
        last: impl FnMut(&str) -> bool,
    ) -> Result<OutputLine, PlayError> {
        self.exchange("command", command, timeout, stop, last)
    }

    /// Sends a `position` command without history.
    ///
    /// # Errors
    /// If the engine has ended.
    pub fn set_position(&mut self, board: &Board) -> Result<(), PlayError> {
        self.send(format!("position fen {}", board.to_fen()), "position")
    }

    fn handshake(&mut self, stop: &AtomicBool) -> Result<(), PlayError> {
        let (mut id_name, mut options) = (None, Vec::new());
        self.exchange("uci", "uci", START_TIMEOUT, stop, |line| {
            if let Some(name) = after(line, &["id", "name"]) {
                id_name = Some(name.to_owned());
            }
            if let Some(rest) = after(line, &["option", "name"]) {
                options.push(DeclaredOption::of_uci(rest));
            }
            after(line, &["uciok"]).is_some()
        })?;
        (self.id_name, self.options) = (id_name, options);
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: impl AsRef<OsStr>) -> Result<(), PlayError> {
        let value = value.as_ref().as_encoded_bytes();
        let start = format!("setoption name {name}{}", if value.is_empty() { "" } else { " value " });
        self.send([start.as_bytes(), value].concat(), "setoption")
    }

    /// Waits for `readyok` and passes each `info string` to `on_info`.
    fn synchronise(&mut self, stop: &AtomicBool, mut on_info: impl FnMut(&str)) -> Result<(), PlayError> {
        self.exchange("isready", "isready", START_TIMEOUT, stop, |line| {
            if let Some(note) = after(line, &["info", "string"]) {
                on_info(note);
            }
            after(line, &["readyok"]).is_some()
        })?;
        Ok(())
    }

    /// Sends a command, which errors call `name`, and reads lines until `last` returns true.
    fn exchange(
        &mut self,
        name: &'static str,
        command: &str,
        timeout: Duration,
        stop: &AtomicBool,
        mut last: impl FnMut(&str) -> bool,
    ) -> Result<OutputLine, PlayError> {
        let sent_at = Instant::now();
        let outcome = self.process.send(command).and_then(|()| {
            loop {
                let line = self.process.read(sent_at + timeout, stop)?;
                if last(&line.text) {
                    return Ok(line);
                }
            }
        });
        outcome.map_err(|error| PlayError::from_pipe(error, name, sent_at))
    }

    fn send(&mut self, line: impl AsRef<[u8]>, command: &'static str) -> Result<(), PlayError> {
        self.process.send(line).map_err(|error| PlayError::from_pipe(error, command, Instant::now()))
    }

    /// Waits for `bestmove` and collects search reports.
    fn await_move(
        &mut self,
        deadline: Instant,
        stop: &AtomicBool,
        report: &mut SearchReport,
    ) -> Result<OutputLine, PipeError> {
        loop {
            let line = self.process.read(deadline, stop)?;
            if after(&line.text, &["bestmove"]).is_some() {
                return Ok(line);
            }
            if let Some(info) = after(&line.text, &["info"]) {
                update_report(report, info);
            }
        }
    }
}

impl Player for UciPlayer {
    fn new_game(&mut self, notation: CastlingNotation, stop: &AtomicBool) -> Result<(), PlayError> {
        if self.option("UCI_Chess960").is_some() {
            let value = if notation == CastlingNotation::Chess960 { "true" } else { "false" };
            self.set_option("UCI_Chess960", value)?;
        } else if notation == CastlingNotation::Chess960 {
            return Err(Fault::NoStart("it does not support Chess960 (no option UCI_Chess960)".to_owned()).into());
        }
        self.send("ucinewgame", "ucinewgame")?;
        self.synchronise(stop, |_| {})
    }

    fn choose(&mut self, game: &GameView, limits: &MoveLimits, stop: &AtomicBool) -> Result<Reply, PlayError> {
        self.process.discard_pending();
        self.send(position_line(game), "position")?;
        let go = go_line(limits, game);
        let sent_at = Instant::now();
        self.send(&go, "go")?;
        let deadline = sent_at + if self.nodes_per_ms > 0 { limits.patience } else { limits.wait() };
        let mut report = SearchReport::default();
        let line = match self.await_move(deadline, stop, &mut report) {
            Err(PipeError::Timeout) => {
                self.send("stop", "stop")?;
                let late = self.await_move(Instant::now() + STOP_TIMEOUT, stop, &mut report);
                late.map_err(|error| PlayError::from_pipe(error, "go", sent_at))?
            }
            other => other.map_err(|error| PlayError::from_pipe(error, "go", sent_at))?,
        };
        let used = match report.nodes.unwrap_or(0).saturating_mul(1000).checked_div(self.nodes_per_ms) {
            Some(microseconds) => Duration::from_micros(microseconds),
            None => line.at.saturating_duration_since(sent_at),
        };
        limits.check(used)?;
        let text = line.text.split_whitespace().nth(1).unwrap_or("").to_owned();
        Ok(Reply { text, report, time: used })
    }
}

/// The rest of a line that begins with these words, which white space separates.
fn after<'a>(line: &'a str, words: &[&str]) -> Option<&'a str> {
    words.iter().try_fold(line.trim(), |line, word| {
        let rest = line.strip_prefix(word)?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
    })
}

/// Whether an `info string` rejects the value of an option.
fn rejects(note: &str, option: &str) -> bool {
    let Some((start, rest)) = note.strip_prefix("option ").and_then(|rest| rest.split_at_checked(option.len())) else {
        return false;
    };
    start.eq_ignore_ascii_case(option) && rest.starts_with(':')
}

/// Converts a fault before the first game to a failed start; a stop by the user is unchanged.
fn no_start(error: PlayError) -> PlayError {
    match error {
        PlayError::Fault(Fault::NoStart(_)) | PlayError::Stopped => error,
        PlayError::Fault(fault) => Fault::NoStart(fault.to_string()).into(),
    }
}

fn position_line(game: &GameView) -> String {
    let fen = match game.notation {
        CastlingNotation::Chess960 => game.start.to_shredder_fen(),
        CastlingNotation::Standard => game.start.to_fen(),
    };
    let mut line =
        if game.start == Board::startpos() { "position startpos".to_owned() } else { format!("position fen {fen}") };
    if !game.moves.is_empty() {
        line.push_str(" moves");
        for &mv in &game.moves {
            line.push(' ');
            line.push_str(&format_uci_move(mv, game.notation).to_string());
        }
    }
    line
}

fn go_line(limits: &MoveLimits, game: &GameView) -> String {
    match (limits.limit, limits.clock) {
        (Limit::Nodes(nodes), _) => format!("go nodes {nodes}"),
        (Limit::Depth(depth), _) => format!("go depth {depth}"),
        (Limit::MoveTime(time), _) => format!("go movetime {}", time.as_millis()),
        (Limit::Clock(control), clock) => {
            let own = clock.unwrap_or_else(|| alfiere_chess::game::Clock::new(control));
            let other = limits.opponent_clock.unwrap_or(own);
            let black_moves =
                game.moves.len() % 2 == usize::from(game.start.side_to_move() == alfiere_chess::types::Color::White);
            let (white, black) = if black_moves { (other, own) } else { (own, other) };
            let mut line = format!(
                "go wtime {} btime {} winc {} binc {}",
                white.remaining().as_millis(),
                black.remaining().as_millis(),
                white.increment().as_millis(),
                black.increment().as_millis()
            );
            if let Some(moves) = own.moves_to_go() {
                // Writing to a string cannot fail.
                let _ = write!(line, " movestogo {moves}");
            }
            line
        }
    }
}

/// Updates the report from the words of an `info` line; bounds and secondary lines of `MultiPV` are ignored.
fn update_report(report: &mut SearchReport, line: &str) {
    let mut words = line.split_whitespace().peekable();
    let mut found = report.clone();
    let mut is_exact = true;
    while let Some(word) = words.next() {
        match word {
            "string" | "pv" => break,
            "multipv" if words.peek().is_some_and(|&number| number != "1") => return,
            "depth" => found.depth = words.next().and_then(|value| value.parse().ok()).or(found.depth),
            "nodes" => found.nodes = words.next().and_then(|value| value.parse().ok()).or(found.nodes),
            "score" => {
                let unit = words.next();
                let value = words.next().and_then(|value| value.parse().ok());
                found.reported_score = match (unit, value) {
                    (Some("cp"), Some(value)) => Some(ReportedScore::Centipawns(value)),
                    (Some("mate"), Some(value)) => Some(ReportedScore::Mate(value)),
                    _ => found.reported_score,
                };
            }
            "lowerbound" | "upperbound" => is_exact = false,
            _ => {}
        }
    }
    if !is_exact && report.reported_score.is_some() {
        found.reported_score = report.reported_score;
    }
    *report = found;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_keep_the_last_exact_score() {
        let mut report = SearchReport::default();
        update_report(&mut report, "depth 5 seldepth 8 multipv 1 score cp -31 nodes 1234 nps 100 pv e2e4");
        assert_eq!(
            report,
            SearchReport { reported_score: Some(ReportedScore::Centipawns(-31)), depth: Some(5), nodes: Some(1234) }
        );
        update_report(&mut report, "depth 6 score cp 200 lowerbound nodes 2000");
        assert_eq!((report.reported_score, report.depth), (Some(ReportedScore::Centipawns(-31)), Some(6)));
        update_report(&mut report, "depth 7 multipv 2 score cp 9 nodes 9");
        assert_eq!(report.depth, Some(6));
        update_report(&mut report, "string depth 99");
        update_report(&mut report, "depth 8 score mate -3 nodes 2001 pv a1a2 depth 3");
        assert_eq!(
            report,
            SearchReport { reported_score: Some(ReportedScore::Mate(-3)), depth: Some(8), nodes: Some(2001) }
        );
        assert_eq!(ReportedScore::Mate(-3).centipawns(), -99_997);
    }

    #[test]
    fn lines_are_words() {
        for (line, words, rest) in [
            ("  bestmove   e2e4 ", &["bestmove"][..], Some("e2e4")),
            ("bestmove", &["bestmove"], Some("")),
            ("bestmoveX e2e4", &["bestmove"], None),
            ("bestmov", &["bestmove"], None),
            ("id \t name  a  b", &["id", "name"], Some("a  b")),
            ("id names", &["id", "name"], None),
        ] {
            assert_eq!(after(line, words), rest, "{line}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn white_space_before_lines_is_ignored() {
        let script = r"while read -r word rest; do case $word in
            uci) printf '  id  name  a b\n\toption  name  Own   Book  type  combo  default x  var x  y  var z\n  uciok \n';;
            isready) printf '\t readyok\n';;
            go) printf 'infox depth 9\n\t info  depth 3  score  cp 77\nbestmoveX a1a1\n  bestmove  e2e4  ponder e7e5\n';;
            esac; done";
        let spec = PlayerSpec {
            program: "sh".into(),
            arguments: vec!["-c".into(), script.into()],
            options: vec![("Own Book".to_owned(), "x y".into())],
            ..PlayerSpec::default()
        };
        let stop = AtomicBool::new(false);
        let mut player = UciPlayer::start(&spec, &stop).expect("an engine");
        assert_eq!(player.id_name(), Some("a b"));
        let game = GameView { start: Board::startpos(), moves: Vec::new(), notation: CastlingNotation::Standard };
        let (limit, wait) = (Limit::Depth(3), Duration::from_secs(5));
        let limits = MoveLimits { limit, clock: None, opponent_clock: None, margin: wait, patience: wait };
        let Reply { text, report, .. } = player.choose(&game, &limits, &stop).expect("a move");
        assert_eq!((text.as_str(), report.depth), ("e2e4", Some(3)));
        assert_eq!(report.reported_score, Some(ReportedScore::Centipawns(77)));
    }
}
