//! Searches for the analysis board: lines of UCI, streamed until the search ends or the page hangs up.

use std::convert::Infallible;
use std::error::Error;
use std::io::{self, Write};
use std::sync::Arc;

use alfiere_chess::board::Board;
use alfiere_pages::ApiError;
use alfiere_search::Engine;
use alfiere_search::engine::{Position, Settings};
use alfiere_search::eval::NetworkChoice;
use alfiere_search::uci::Session;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use serde::Deserialize;
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
        }
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

/// Hash table size of a search in MiB: a new one for every position that is looked at.
const HASH_MIB: usize = 16;

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
    engine.configure(Settings { lines, analysis: true, threads: 1, hash_mib: HASH_MIB, ..app.settings.clone() });
    if let NetworkChoice::Loaded(_) = app.network {
        engine.set_network(app.network.clone());
    }
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
