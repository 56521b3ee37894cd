//! Searches: lines of UCI, streamed until the search ends or the page hangs up.
//!
//! The server has one thread for all connections: engines are made, searched with and dropped on others.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Poll, ready};

use alfiere_chess::board::Board;
use alfiere_chess::game::LONGEST_GAME;
use alfiere_nnue::Network;
use alfiere_pages::{ApiError, Request, Response, body, respond, stream};
use alfiere_search::Engine;
use alfiere_search::engine::{Player, Position, Rating, Settings, Strength};
use alfiere_search::eval::NetworkChoice;
use alfiere_search::uci::Session;
use alfiere_syzygy::Tablebases;
use hyper::body::Bytes;
use serde::Deserialize;
use serde_json::json;
use tokio::runtime::Handle;
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::task::spawn_blocking;

use super::request::object;

/// Maximum size of a request; enough for the longest game.
const MAX_BYTES: usize = 256 * 1024;
/// Searches at a time.
const MAX_SEARCHES: usize = 8;
/// Maximum number of lines of a search.
const MAX_LINES: usize = 5;
/// Maximum size of a search's hash table in MiB.
const MAX_HASH_MIB: usize = 1024;
/// Maximum size of a network's file.
const MAX_NETWORK_BYTES: usize = 256 * 1024 * 1024;
/// Number of networks that pages have opened and that are kept.
const MAX_OPENED: usize = 4;
/// The words of `go` before a number, and the one without. `perft` and `ponder` are left out: they find no move.
const GO_WORDS: [&str; 8] = ["infinite", "nodes", "depth", "movetime", "wtime", "btime", "winc", "binc"];

/// What searches have in common.
pub(super) struct Searches {
    settings: Settings,
    network: NetworkChoice,
    tablebases: Arc<Tablebases>,
    free: Arc<Semaphore>,
    /// Networks that pages have opened, by a hash of their files, the latest last.
    opened: Mutex<VecDeque<(String, NetworkChoice)>>,
}

impl Searches {
    /// Searches with these settings, unless the request says otherwise.
    pub(super) fn new(settings: Settings, network: NetworkChoice, tablebases: Tablebases) -> Self {
        let free = Arc::new(Semaphore::new(MAX_SEARCHES));
        Self { settings, network, tablebases: Arc::new(tablebases), free, opened: Mutex::default() }
    }

    /// The players, the network, and the limits of searches.
    pub(super) fn info(&self) -> Result<Response, ApiError> {
        respond(&json!({
            "version": env!("CARGO_PKG_VERSION"),
            "players": Player::available().into_iter().map(Player::name).collect::<Vec<_>>(),
            "network": self.network.architecture().to_string(),
            "limits": {"threads": max_threads(), "hash": MAX_HASH_MIB},
        }))
    }

    fn engine(&self, settings: Settings, network: NetworkChoice, position: Position) -> Engine {
        let mut engine = Engine::new();
        engine.configure(settings);
        if let NetworkChoice::Loaded(_) = network {
            engine.set_network(network);
        }
        engine.set_tablebases(Arc::clone(&self.tablebases));
        engine.set_position(position);
        engine
    }
}

/// The request to search a position. Its fields are described at the head of the module [`web`](super).
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
struct SearchRequest {
    fen: Option<String>,
    #[serde(default)]
    moves: Vec<String>,
    player: Option<String>,
    network: Option<String>,
    elo: Option<u32>,
    seed: Option<u32>,
    #[serde(default)]
    analysis: bool,
    lines: Option<usize>,
    threads: Option<usize>,
    hash: Option<usize>,
    go: Option<String>,
}

impl SearchRequest {
    fn position(&self) -> Result<Position, ApiError> {
        if self.moves.len() > LONGEST_GAME {
            return refuse(format!("{} moves, expected at most {LONGEST_GAME}", self.moves.len()));
        }
        let start = self.fen.as_deref().map_or_else(|| Ok(Board::startpos()), Board::from_fen);
        let mut position = Position::new(start.map_err(|error| ApiError::unprocessable(error.to_string()))?);
        for text in &self.moves {
            position.play_uci(text).map_err(|error| ApiError::unprocessable(error.to_string()))?;
        }
        Ok(position)
    }

    /// The engine's settings: those of `default` that the request does not change.
    fn settings(&self, default: &Settings) -> Result<Settings, ApiError> {
        let name = self.player.as_deref().unwrap_or(Player::default().name());
        let unknown = || ApiError::unprocessable(format!("player \"{name}\", expected one of {}", Player::names()));
        let player = Player::named(name).ok_or_else(unknown)?;
        let elo = |elo: u32| check("Elo", elo as usize, Rating::LOWEST.elo() as usize..=Rating::HIGHEST.elo() as usize);
        let strength = match self.elo {
            Some(rating) => Strength { limited: true, elo: Rating::new(elo(rating)? as u32), ..default.strength },
            None => default.strength,
        };
        let or_default =
            |what, value: Option<usize>, default, max| value.map_or(Ok(default), |value| check(what, value, 1..=max));
        Ok(Settings {
            player,
            strength,
            seed: self.seed.map_or(default.seed, u64::from),
            analysis: self.analysis,
            lines: or_default("lines", self.lines, 1, MAX_LINES)?,
            threads: or_default("threads", self.threads, default.threads, max_threads())?,
            hash_mib: or_default("MiB of hash", self.hash, default.hash_mib, MAX_HASH_MIB)?,
            ..default.clone()
        })
    }

    /// The UCI commands after the position.
    fn commands(&self) -> Result<Vec<String>, ApiError> {
        let Some(go) = &self.go else { return Ok(vec!["eval".to_owned(), "isready".to_owned()]) };
        let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
        match go.split_whitespace().find(|word| !GO_WORDS.contains(word) && !is_number(word)) {
            Some(word) => refuse(format!("go {word}, expected {} and numbers", GO_WORDS.join(", "))),
            None => Ok(vec!["setoption name UCI_ShowWDL value true".to_owned(), format!("go {go}")]),
        }
    }

    /// Starts the search, which writes to `lines`; dropping the session stops it.
    fn start(&self, searches: &Searches, lines: Lines) -> Result<Session, ApiError> {
        let (settings, commands) = (self.settings(&searches.settings)?, self.commands()?);
        let network = match &self.network {
            Some(id) => searches.opened(id)?,
            None => searches.network.clone(),
        };
        let mut session = Session::new(searches.engine(settings, network, self.position()?), lines);
        for command in commands {
            // Only "quit" breaks.
            let _ = session.execute_line(&command);
        }
        Ok(session)
    }
}

impl Searches {
    /// A network that a page has opened.
    fn opened(&self, id: &str) -> Result<NetworkChoice, ApiError> {
        let opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        let found = opened.iter().find(|(known, _)| known == id).map(|(_, network)| network.clone());
        found.ok_or_else(|| ApiError::not_found(format!("there is no network {id}")))
    }

    /// Reads a network's file and keeps the network; returns its id and architecture.
    fn open(&self, bytes: &[u8]) -> Result<(String, String), ApiError> {
        let network = Network::from_bytes(bytes).map_err(|error| ApiError::unprocessable(error.to_string()))?;
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let (id, architecture) = (format!("{:016x}", hasher.finish()), network.architecture().to_string());
        let mut opened = self.opened.lock().unwrap_or_else(PoisonError::into_inner);
        opened.retain(|(known, _)| *known != id);
        opened.push_back((id.clone(), NetworkChoice::Loaded(Arc::new(network))));
        if opened.len() > MAX_OPENED {
            opened.pop_front();
        }
        Ok((id, architecture))
    }
}

/// Opens a network for searches.
pub(super) async fn open_network(searches: Arc<Searches>, request: Request) -> Result<Response, ApiError> {
    let bytes = body(request, "application/octet-stream", MAX_NETWORK_BYTES).await?;
    let opened = spawn_blocking(move || searches.open(&bytes)).await;
    let failed = |_| ApiError::unavailable("the network cannot be read");
    let (id, architecture) = opened.map_err(failed)??;
    respond(&json!({"id": id, "architecture": architecture}))
}

fn refuse<T>(message: String) -> Result<T, ApiError> {
    Err(ApiError::unprocessable(message))
}

fn check(what: &str, value: usize, range: RangeInclusive<usize>) -> Result<usize, ApiError> {
    if range.contains(&value) {
        return Ok(value);
    }
    refuse(format!("{value} {what}, expected {} to {}", range.start(), range.end()))
}

/// The maximum number of threads of a search.
fn max_threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// Lines to the page.
#[derive(Clone)]
struct Lines(mpsc::UnboundedSender<Bytes>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.send(Bytes::copy_from_slice(bytes)).map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Searches a position and streams the lines.
pub(super) async fn search(searches: Arc<Searches>, request: Request) -> Result<Response, ApiError> {
    let request: SearchRequest = serde_json::from_slice(&object(request, MAX_BYTES).await?)
        .map_err(|error| ApiError::bad_request(format!("the request's JSON: {error}")))?;
    let permit = Arc::clone(&searches.free)
        .try_acquire_owned()
        .map_err(|_| ApiError::unavailable(format!("{MAX_SEARCHES} searches are running, which is the maximum")))?;
    let (sender, receiver) = mpsc::unbounded_channel();
    let (started, starts) = oneshot::channel();
    spawn_blocking(move || {
        let session = request.start(&searches, Lines(sender.clone()));
        let (session, problem) = session.map_or_else(|error| (None, Some(error)), |session| (Some(session), None));
        // A page that has hung up is not answered.
        let _ = started.send(problem);
        if session.is_some() {
            Handle::current().block_on(sender.closed());
        }
        drop((session, permit));
    });
    let failed = |_| ApiError::unavailable("the search ended unexpectedly");
    if let Some(problem) = starts.await.map_err(failed)? {
        return Err(problem);
    }
    // The search ends when nobody receives its lines any more.
    let mut receiver = Some(receiver);
    Ok(stream("text/plain; charset=utf-8", move |context| {
        let Some(lines) = &mut receiver else { return Poll::Ready(None) };
        let line = ready!(lines.poll_recv(context));
        if line.as_ref().is_none_or(|line| line.starts_with(b"bestmove") || line.starts_with(b"readyok")) {
            receiver = None;
        }
        Poll::Ready(line)
    }))
}
