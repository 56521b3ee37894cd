//! Searches for the analysis board: lines of UCI, streamed until the search ends or the page hangs up.

use std::convert::Infallible;
use std::error::Error;
use std::io::{self, Write};
use std::num::NonZero;
use std::sync::Arc;

use alfiere_chess::board::Board;
use alfiere_nnue::piece_values;
use alfiere_pages::{ApiError, respond};
use alfiere_search::Engine;
use alfiere_search::engine::{Position, Settings};
use alfiere_search::eval::NetworkChoice;
use alfiere_search::uci::Session;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::game::MAX_PLIES;
use super::handlers::App;
use super::request::{Json, JsonBody};

/// Searches at a time.
pub(super) const MAX_SEARCHES: usize = 8;
/// Maximum number of lines of a search.
const MAX_LINES: usize = 5;

/// The request to search a position.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct SearchRequest {
    /// The start; the initial position by default.
    fen: Option<String>,
    /// Moves from there, in UCI notation.
    #[serde(default)]
    moves: Vec<String>,
    /// The number of best lines, 1 by default.
    lines: Option<usize>,
    /// The search's nodes; without them it goes on until the page hangs up.
    nodes: Option<u64>,
    /// The number of threads, 1 by default.
    threads: Option<usize>,
    /// The size of the hash table in MiB, 16 by default.
    hash: Option<usize>,
}

impl SearchRequest {
    fn check(&self) -> Result<(), ApiError> {
        let refuse = |message: String| Err(ApiError::unprocessable(message));
        let board = self.fen.as_deref().map_or_else(|| Ok(Board::startpos()), Board::from_fen);
        let mut position = Position::new(board.map_err(|error| ApiError::unprocessable(error.to_string()))?);
        if self.moves.len() > MAX_PLIES {
            return refuse(format!("{} moves, expected at most {MAX_PLIES}", self.moves.len()));
        }
        for text in &self.moves {
            position.play_uci(text).map_err(|error| ApiError::unprocessable(error.to_string()))?;
        }
        match self.lines {
            Some(lines) if !(1..=MAX_LINES).contains(&lines) => {
                refuse(format!("{lines} lines, expected 1 to {MAX_LINES}"))
            }
            _ if self.nodes == Some(0) => refuse("0 nodes, expected at least 1".to_owned()),
            _ => Ok(()),
        }?;
        for (name, value, max) in [("threads", self.threads, max_threads()), ("MiB of hash", self.hash, MAX_HASH_MIB)] {
            if let Some(value) = value.filter(|value| !(1..=max).contains(value)) {
                return refuse(format!("{value} {name}, expected 1 to {max}"));
            }
        }
        Ok(())
    }

    /// The UCI commands of the checked request.
    fn commands(&self) -> [String; 3] {
        let start = self.fen.as_ref().map_or_else(|| "startpos".to_owned(), |fen| format!("fen {fen}"));
        let go = self.nodes.map_or_else(|| "go infinite".to_owned(), |nodes| format!("go nodes {nodes}"));
        let show_wdl = "setoption name UCI_ShowWDL value true".to_owned();
        [show_wdl, format!("position {start} moves {}", self.moves.join(" ")), go]
    }
}

/// Lines to the page.
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

/// Default size of a search's hash table in MiB: a new one for every position that is looked at.
const HASH_MIB: usize = 16;
/// Maximum size of a search's hash table in MiB.
pub(super) const MAX_HASH_MIB: usize = 1024;

/// The maximum number of threads of a search.
pub(super) fn max_threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZero::get)
}

/// A search that ends when it is dropped.
struct Search {
    lines: mpsc::UnboundedReceiver<Bytes>,
    is_over: bool,
    _session: Session,
    _permit: OwnedSemaphorePermit,
}

/// Searches a position and streams the lines.
pub(super) async fn search(
    State(app): State<Arc<App>>,
    Json(request): Json<SearchRequest>,
) -> Result<Response, ApiError> {
    request.check()?;
    let permit = Arc::clone(&app.searches)
        .try_acquire_owned()
        .map_err(|_| ApiError::unavailable(format!("{MAX_SEARCHES} searches are running, which is the maximum")))?;
    let mut engine = Engine::new();
    let lines = request.lines.unwrap_or(1);
    let (threads, hash_mib) = (request.threads.unwrap_or(1), request.hash.unwrap_or(HASH_MIB));
    engine.configure(Settings { lines, analysis: true, threads, hash_mib, ..app.settings.clone() });
    if let NetworkChoice::Loaded(_) = app.network {
        engine.set_network(app.network.clone());
    }
    engine.set_tablebases(Arc::clone(&app.tablebases));
    let (sender, receiver) = mpsc::unbounded_channel();
    let mut session = Session::new(engine, Lines(sender));
    for command in request.commands() {
        // Only "quit" breaks.
        let _ = session.execute_line(&command);
    }
    let search = Search { lines: receiver, is_over: false, _session: session, _permit: permit };
    let body = stream::unfold(search, async |mut search| {
        if search.is_over {
            return None;
        }
        let line = search.lines.recv().await?;
        search.is_over = line.starts_with(b"bestmove");
        Some((Ok::<_, Infallible>(line), search))
    });
    let kind = HeaderValue::from_static("text/plain; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, kind)], Body::from_stream(body)).into_response())
}

/// The request for the contributions of the pieces.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct PartsRequest {
    fen: String,
}

/// Returns the network's contributions of the pieces in a position.
pub(super) async fn parts(
    State(app): State<Arc<App>>,
    Json(PartsRequest { fen }): Json<PartsRequest>,
) -> Result<Response, ApiError> {
    let board = Board::from_fen(&fen).map_err(|error| ApiError::unprocessable(error.to_string()))?;
    let values = piece_values(&app.network, &board);
    let pieces: serde_json::Map<String, serde_json::Value> =
        values.pieces.iter().map(|&(_, square, part)| (square.to_string(), part.into())).collect();
    respond(StatusCode::OK, &json!({"value": values.value, "pieces": pieces}))
}

/// Questions of up to this size are answered at once: a game of some thousand moves takes milliseconds.
const SMALL_QUESTION_BYTES: u64 = 16 * 1024;
/// Size of the pieces in which an answer is sent.
const ANSWER_PIECE_BYTES: usize = 64 * 1024;

/// Answers a question about the rules. Large questions wait for each other, from their body to the end of their answer, so
/// that memory holds one at a time.
pub(super) async fn rules(State(app): State<Arc<App>>, request: Request) -> Result<Response, ApiError> {
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    if request.body().size_hint().upper().is_some_and(|bytes| bytes <= SMALL_QUESTION_BYTES) {
        let JsonBody(question) = JsonBody::from_request(request, &app).await?;
        return Ok((kind, alfiere_rules::answer(&String::from_utf8_lossy(&question))).into_response());
    }
    let failed = |error: &dyn Error| ApiError::unavailable(format!("the question cannot be answered: {error}"));
    let permit = Arc::clone(&app.questions).acquire_owned().await.map_err(|error| failed(&error))?;
    let JsonBody(question) = JsonBody::from_request(request, &app).await?;
    // The permit is part of the work, which goes on if the page hangs up.
    let work = move || (alfiere_rules::answer(&String::from_utf8_lossy(&question)), permit);
    let (answer, permit) = tokio::task::spawn_blocking(work).await.map_err(|error| failed(&error))?;
    let length = [(header::CONTENT_LENGTH, HeaderValue::from(answer.len()))];
    let pieces = stream::unfold((Bytes::from(answer), permit), async |(mut rest, permit)| {
        let piece = rest.split_to(rest.len().min(ANSWER_PIECE_BYTES));
        (!piece.is_empty()).then_some((Ok::<_, Infallible>(piece), (rest, permit)))
    });
    Ok((kind, length, Body::from_stream(pieces)).into_response())
}
