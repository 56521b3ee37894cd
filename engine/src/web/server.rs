//! The server socket and the routes.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use alfiere_pages::Listener;
use alfiere_search::engine::Settings;
use alfiere_search::eval::NetworkChoice;
use alfiere_syzygy::Tablebases;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::Uri;
use axum::routing::{get, post};
use thiserror::Error;
use tokio::sync::Semaphore;

use super::analysis::{self, MAX_SEARCHES};
use super::assets;
use super::handlers::{self, App, MAX_STREAMS};
use super::request::{MAX_BYTES, MAX_QUESTION_BYTES};
use super::sessions::Sessions;
use super::tournament::{ResultError, Tournament};

/// Interval at which idle games are dropped, in the server's ticks.
const TICKS_PER_SWEEP: u64 = 600;

/// The settings of a server.
#[derive(Debug)]
pub struct ServerSettings {
    /// The addresses to listen on: the first that is free; port 0 for any free port.
    pub addresses: Vec<SocketAddr>,
    /// The settings of the opponents' engines.
    pub engine: Settings,
    /// The network for playing and evaluating.
    pub network: NetworkChoice,
    /// The endgame tables of analyses.
    pub tablebases: Tablebases,
    /// Match results written by `alfiere match --json`, for the tournament page.
    pub results: Vec<PathBuf>,
}

/// Why the server cannot start or stopped.
#[derive(Debug, Error)]
pub enum ServeError {
    /// A match result cannot be used.
    #[error(transparent)]
    Result(#[from] ResultError),
    /// The address cannot be bound, or the socket failed.
    #[error(transparent)]
    Socket(#[from] alfiere_pages::ServeError),
}

/// A server that is listening but not yet responding.
pub struct Server {
    listener: Listener,
    app: App,
}

impl Server {
    /// Reads the match results and binds the address.
    ///
    /// # Errors
    /// If the address cannot be bound, or a result cannot be read.
    pub fn bind(settings: ServerSettings) -> Result<Self, ServeError> {
        let tournament = Tournament::read(&settings.results)?;
        let listener = Listener::bind(&settings.addresses)?;
        let app = App {
            sessions: Sessions::default(),
            settings: settings.engine,
            network: settings.network,
            tablebases: Arc::new(settings.tablebases),
            tournament,
            searches: Arc::new(Semaphore::new(MAX_SEARCHES)),
            questions: Arc::new(Semaphore::new(1)),
            streams: Arc::new(Semaphore::new(MAX_STREAMS)),
        };
        Ok(Self { listener, app })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// Serves requests until `stop` is set.
    ///
    /// # Errors
    /// If the socket fails.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let app = Arc::new(self.app);
        let mut ticks = 0_u64;
        let sweep = || {
            ticks += 1;
            if ticks.is_multiple_of(TICKS_PER_SWEEP) {
                app.sessions.sweep(Instant::now());
            }
        };
        Ok(self.listener.serve(router(Arc::clone(&app)), MAX_BYTES, stop, sweep)?)
    }
}

fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/", get(async || assets::board()))
        .route("/game/{id}", get(async || assets::board()))
        .route("/tournament", get(async || assets::tournament()))
        .route("/analysis", get(async || assets::analysis()))
        .route("/assets/{name}", get(async |uri: Uri| assets::named(&uri)))
        .route("/api/rules", post(analysis::rules).layer(DefaultBodyLimit::max(MAX_QUESTION_BYTES)))
        .route("/api/search", post(analysis::search))
        .route("/api/parts", post(analysis::parts))
        .route("/api/info", get(handlers::info))
        .route("/api/tournament", get(handlers::tournament))
        .route("/api/games", post(handlers::begin))
        .route("/api/games/{id}", get(handlers::show))
        .route("/api/games/{id}/events", get(handlers::events))
        .route("/api/games/{id}/moves", post(handlers::play))
        .route("/api/games/{id}/takeback", post(handlers::take_back))
        .route("/api/games/{id}/resign", post(handlers::resign))
        .route("/api/games/{id}/hint", post(handlers::hint))
        .route("/api/games/{id}/pgn", get(handlers::pgn))
        .with_state(app)
}
