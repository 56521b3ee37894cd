//! One function per request: parse it, call the session, respond.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use alfiere_chess::types::Color;
use alfiere_pages::{ApiError, respond};
use alfiere_search::engine::{Player, Settings};
use alfiere_search::eval::NetworkChoice;
use alfiere_syzygy::Tablebases;
use axum::extract::{FromRequestParts, RawPathParams, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::stream::{self, Stream};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::analysis::{MAX_HASH_MIB, max_threads};
use super::game::Game;
use super::level::Level;
use super::request::{HintRequest, Json, MoveRequest, NewGame};
use super::session::Session;
use super::sessions::Sessions;
use super::thinker::EngineConfig;
use super::tournament::Tournament;
use super::view::GameConditions;

/// State shared by all requests.
pub(super) struct App {
    pub(super) sessions: Sessions,
    /// The opponent's settings, except for the player.
    pub(super) settings: Settings,
    pub(super) network: NetworkChoice,
    pub(super) tablebases: Arc<Tablebases>,
    pub(super) tournament: Tournament,
    /// Limits the searches of analysis boards.
    pub(super) searches: Arc<Semaphore>,
    /// Limits the large questions about the rules.
    pub(super) questions: Arc<Semaphore>,
    /// Limits the pages that follow a game.
    pub(super) streams: Arc<Semaphore>,
}

/// Pages that may follow games at a time; the other connections are left for requests.
pub(super) const MAX_STREAMS: usize = 96;

type HandlerResult = Result<Response, ApiError>;

/// The game in the request's path.
pub(super) struct GameRef {
    session: Arc<Session>,
}

impl FromRequestParts<Arc<App>> for GameRef {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, ApiError> {
        let names = RawPathParams::from_request_parts(parts, app).await;
        let names = names.map_err(|error| ApiError::bad_request(format!("the address: {}", error.body_text())))?;
        let id = names.iter().find(|&(name, _)| name == "id").map_or("", |(_, value)| value);
        Ok(Self { session: app.sessions.get(id)? })
    }
}

/// Minimum interval between events: a long game's evaluations arrive in quick succession.
const EVENT_INTERVAL: Duration = Duration::from_millis(60);
/// Interval of keep-alive messages on an idle connection.
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// Returns the players with their levels, and the network.
pub(super) async fn info(State(app): State<Arc<App>>) -> HandlerResult {
    let players = Player::ALL.map(|player| {
        let level = |level: Level| json!({"name": level.name(), "title": level.title(player)});
        let levels: Vec<_> = Level::of(player).into_iter().map(level).collect();
        json!({"name": player.name(), "levels": levels, "level": Level::default_of(player).name()})
    });
    let value = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "players": players,
        "network": app.network.architecture().to_string(),
        "limits": {"threads": max_threads(), "hash": MAX_HASH_MIB},
    });
    respond(StatusCode::OK, &value)
}

/// Starts a game.
pub(super) async fn begin(State(app): State<Arc<App>>, Json(request): Json<NewGame>) -> HandlerResult {
    let you = match request.side()? {
        Some(side) => side,
        None if random_seed()?.is_multiple_of(2) => Color::White,
        None => Color::Black,
    };
    let (player, time) = (request.player()?, request.time()?);
    let level = request.level(player)?;
    let game = Game::new(&request.opening()?, you, time.control(), Instant::now());
    let conditions = GameConditions { you, player, level, time, began: SystemTime::now() };
    // The seed is kept for the game: a limited player makes the same mistakes when its engine is recreated.
    let opponent = Settings { player, strength: level.strength(), seed: random_seed()?.max(1), ..app.settings.clone() };
    let config = EngineConfig { opponent, network: app.network.clone() };
    let session = app.sessions.add(|id| Session::begin(id, game, conditions, config))?;
    respond(StatusCode::CREATED, &session.view())
}

fn random_seed() -> Result<u64, ApiError> {
    getrandom::u64().map_err(|error| ApiError::unavailable(format!("no random numbers: {error}")))
}

/// Returns a game.
pub(super) async fn show(GameRef { session }: GameRef) -> HandlerResult {
    respond(StatusCode::OK, &session.view())
}

/// Streams a game on every change.
pub(super) async fn events(State(app): State<Arc<App>>, GameRef { session }: GameRef) -> HandlerResult {
    let permit = Arc::clone(&app.streams)
        .try_acquire_owned()
        .map_err(|_| ApiError::unavailable(format!("{MAX_STREAMS} pages follow games, which is the maximum")))?;
    Ok(Sse::new(views(&session, permit)).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)).into_response())
}

/// The current state of the game, then every change; ends when the game is dropped.
fn views(
    session: &Arc<Session>,
    permit: OwnedSemaphorePermit,
) -> impl Stream<Item = Result<Event, Infallible>> + use<> {
    let mut watch = session.watch();
    watch.mark_changed();
    let session = Arc::downgrade(session);
    stream::unfold((session, watch, permit), async |(session, mut watch, permit)| {
        watch.changed().await.ok()?;
        let view = session.upgrade()?.view();
        let data = serde_json::to_string(&view).ok()?;
        tokio::time::sleep(EVENT_INTERVAL).await;
        Some((Ok(Event::default().data(data)), (session, watch, permit)))
    })
}

/// Plays a move.
pub(super) async fn play(GameRef { session }: GameRef, Json(request): Json<MoveRequest>) -> HandlerResult {
    session.play(&request.text, request.ply)?;
    respond(StatusCode::OK, &session.view())
}

/// Takes back a move.
pub(super) async fn take_back(GameRef { session }: GameRef) -> HandlerResult {
    session.take_back()?;
    respond(StatusCode::OK, &session.view())
}

pub(super) async fn resign(GameRef { session }: GameRef) -> HandlerResult {
    session.resign()?;
    respond(StatusCode::OK, &session.view())
}

/// Requests the best line, which is sent with the game.
pub(super) async fn hint(GameRef { session }: GameRef, Json(request): Json<HintRequest>) -> HandlerResult {
    session.ask_hint(request.ply)?;
    respond(StatusCode::ACCEPTED, &session.view())
}

/// Returns the game as PGN.
pub(super) async fn pgn(GameRef { session }: GameRef) -> HandlerResult {
    respond(StatusCode::OK, &json!({"pgn": session.pgn()}))
}

/// Returns the cross table of the server's match results.
pub(super) async fn tournament(State(app): State<Arc<App>>) -> HandlerResult {
    respond(StatusCode::OK, &app.tournament)
}
