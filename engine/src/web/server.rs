//! The server socket and the routes.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use alfiere_search::engine::Settings;
use alfiere_search::eval::NetworkChoice;
use axum::extract::DefaultBodyLimit;
use axum::http::{Method, StatusCode, Uri};
use axum::routing::{get, post};
use axum::{Router, middleware};
use thiserror::Error;
use tokio::sync::Semaphore;

use super::analysis::{self, MAX_SEARCHES};
use super::assets;
use super::connections::{self, in_time};
use super::error::ApiError;
use super::guard::{Names, guard};
use super::handlers::{self, App, MAX_STREAMS};
use super::request::MAX_BYTES;
use super::sessions::Sessions;
use super::tournament::{ResultError, Tournament};

/// Interval at which the server checks whether to stop.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// Interval at which idle games are dropped, in ticks.
const CHECKS_PER_SWEEP: u64 = 600;

/// The settings of a server.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// The address to listen on; port 0 for any free port.
    pub address: SocketAddr,
    /// The settings of the opponents' engines.
    pub engine: Settings,
    /// The network for playing and evaluating.
    pub network: NetworkChoice,
    /// Match results written by `alfiere match --json`, for the tournament page.
    pub results: Vec<PathBuf>,
}

/// Why the server cannot start or stopped.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The port is in use.
    #[error("port {0} is in use: choose another with --port, or 0 for any that is free")]
    InUse(u16),
    /// The address cannot be bound.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The I/O error.
        source: io::Error,
    },
    /// A match result cannot be used.
    #[error(transparent)]
    Result(#[from] ResultError),
    /// The socket failed.
    #[error("the server stopped: {0}")]
    Socket(#[from] io::Error),
}

/// A server that is listening but not yet responding.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: App,
}

impl Server {
    /// Reads the match results and binds the address.
    ///
    /// # Errors
    /// If the address cannot be bound, or a result cannot be read.
    pub fn bind(settings: ServerSettings) -> Result<Self, ServeError> {
        let tournament = Tournament::read(&settings.results)?;
        let listener = TcpListener::bind(settings.address).map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::InUse(settings.address.port()),
            _ => ServeError::Bind { address: settings.address, source },
        })?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let app = App {
            sessions: Sessions::default(),
            settings: settings.engine,
            network: settings.network,
            tournament,
            searches: Arc::new(Semaphore::new(MAX_SEARCHES)),
            streams: Arc::new(Semaphore::new(MAX_STREAMS)),
        };
        Ok(Self { listener, address, app })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves requests until `stop` is set.
    ///
    /// # Errors
    /// If the socket fails.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let names = if self.address.ip().is_loopback() { Names::Loopback } else { Names::Any };
        let app = Arc::new(self.app);
        let router = router(Arc::clone(&app), names);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::select! {
                ended = connections::serve(listener, router) => ended?,
                () = watch(&app.sessions, stop) => {}
            }
            Ok(())
        })
    }
}

/// Drops idle games periodically, until the server stops.
async fn watch(sessions: &Sessions, stop: &AtomicBool) {
    for tick in 1_u64.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        if tick.is_multiple_of(CHECKS_PER_SWEEP) {
            sessions.sweep(Instant::now());
        }
        tokio::time::sleep(CHECK_INTERVAL).await;
    }
}

fn router(app: Arc<App>, names: Names) -> Router {
    Router::new()
        .route("/", get(async || assets::board()))
        .route("/game/{id}", get(async || assets::board()))
        .route("/tournament", get(async || assets::tournament()))
        .route("/analysis", get(async || assets::analysis()))
        .route("/assets/{name}", get(async |uri: Uri| assets::named(&uri)))
        .route("/api/rules", post(analysis::rules))
        .route("/api/search", post(analysis::search))
        .route("/api/info", get(handlers::info))
        .route("/api/tournament", get(handlers::tournament))
        .route("/api/games", post(handlers::begin))
        .route("/api/games/{id}", get(handlers::show))
        .route("/api/games/{id}/events", get(handlers::events))
        .route("/api/games/{id}/moves", post(handlers::play))
        .route("/api/games/{id}/takeback", post(handlers::take_back))
        .route("/api/games/{id}/resign", post(handlers::resign))
        .route("/api/games/{id}/hint", post(handlers::hint))
        .route("/api/games/{id}/parts/{ply}", get(handlers::pieces))
        .route("/api/games/{id}/pgn", get(handlers::pgn))
        .fallback(async |uri: Uri| ApiError::not_found(format!("there is nothing at {}", uri.path())))
        .method_not_allowed_fallback(async |method: Method, uri: Uri| {
            let message = format!("{} does not support {method}", uri.path());
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
        })
        .layer(DefaultBodyLimit::max(MAX_BYTES))
        .layer(middleware::from_fn(in_time))
        .layer(middleware::from_fn_with_state(names, guard))
        .with_state(app)
}
