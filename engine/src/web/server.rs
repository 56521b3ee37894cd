//! The socket and the table of requests.

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

use super::assets;
use super::connections::{self, in_time};
use super::error::ApiError;
use super::guard::{Names, guard};
use super::handlers::{self, App};
use super::request::MOST_BYTES;
use super::sessions::Sessions;
use super::tournament::{ResultError, Tournament};

/// How often the server looks whether it is to stop.
const TICK: Duration = Duration::from_millis(100);
/// How often forgotten games are looked for, in ticks.
const SWEEP: u64 = 600;

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct ServerSettings {
    /// Where it listens; port 0 for any that is free.
    pub address: SocketAddr,
    /// What the engine's opponents play with.
    pub engine: Settings,
    /// The network that plays and judges.
    pub network: NetworkChoice,
    /// Results of matches, as `alfiere match --json` writes them, for the tournament's page.
    pub results: Vec<PathBuf>,
}

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Something else listens there.
    #[error("port {0} is in use: choose another with --port, or 0 for any that is free")]
    InUse(u16),
    /// The address cannot be listened to.
    #[error("{address} cannot be listened to: {source}")]
    Bind {
        /// Where.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// A match's result cannot be shown.
    #[error(transparent)]
    Result(#[from] ResultError),
    /// The system gives up on the socket.
    #[error("the server stopped: {0}")]
    Socket(#[from] io::Error),
}

/// A server that listens and does not answer yet.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    app: App,
}

impl Server {
    /// Reads the results and takes the address.
    ///
    /// # Errors
    /// If it is taken or not this machine's, or a result cannot be read.
    pub fn bind(settings: ServerSettings) -> Result<Self, ServeError> {
        let tournament = Tournament::read(&settings.results)?;
        let listener = TcpListener::bind(settings.address).map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::InUse(settings.address.port()),
            _ => ServeError::Bind { address: settings.address, source },
        })?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let app =
            App { sessions: Sessions::default(), settings: settings.engine, network: settings.network, tournament };
        Ok(Self { listener, address, app })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` is set.
    ///
    /// # Errors
    /// If the system gives up on the socket.
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

/// Drops forgotten games now and then, until the server is to stop.
async fn watch(sessions: &Sessions, stop: &AtomicBool) {
    for tick in 1_u64.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        if tick.is_multiple_of(SWEEP) {
            sessions.sweep(Instant::now());
        }
        tokio::time::sleep(TICK).await;
    }
}

fn router(app: Arc<App>, names: Names) -> Router {
    Router::new()
        .route("/", get(async || assets::board()))
        .route("/game/{id}", get(async || assets::board()))
        .route("/tournament", get(async || assets::tournament()))
        .route("/assets/{name}", get(async |uri: Uri| assets::named(&uri)))
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
            let message = format!("{} does not answer to {method}", uri.path());
            ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
        })
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(middleware::from_fn(in_time))
        .layer(middleware::from_fn_with_state(names, guard))
        .with_state(app)
}
