//! The server socket and the routes.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use alfiere_pages::Listener;
use alfiere_search::engine::Settings;
use alfiere_search::eval::NetworkChoice;
use alfiere_syzygy::Tablebases;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::Uri;
use axum::routing::{get, post};
use thiserror::Error;

use super::assets;
use super::rules::{self, LargeQuestions};
use super::search::{self, Searches};
use super::tournament::{self, ResultError, Tournament};

/// The settings of a server.
#[derive(Debug)]
pub struct ServerSettings {
    /// The addresses to listen on: the first that is free; port 0 for any free port.
    pub addresses: Vec<SocketAddr>,
    /// The settings of searches, where a request has none.
    pub engine: Settings,
    /// The network for playing and evaluating.
    pub network: NetworkChoice,
    /// The endgame tables of searches.
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
    router: Router,
}

impl Server {
    /// Reads the match results and binds the address.
    ///
    /// # Errors
    /// If the address cannot be bound, or a result cannot be read.
    pub fn bind(settings: ServerSettings) -> Result<Self, ServeError> {
        let ServerSettings { addresses, engine, network, tablebases, results } = settings;
        let tournament = Tournament::read(&results)?;
        let listener = Listener::bind(&addresses)?;
        Ok(Self { listener, router: router(Searches::new(engine, network, tablebases), tournament) })
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
        Ok(self.listener.serve(self.router, 0, stop, || {})?)
    }
}

/// The pages without match results, for the server of another program, in a folder of their own.
pub fn routes(engine: Settings, network: NetworkChoice) -> Router {
    router(Searches::new(engine, network, Tablebases::default()), Tournament::default())
}

fn router(searches: Searches, tournament: Tournament) -> Router {
    let pages = Router::new()
        .route("/", get(async || assets::board()))
        .route("/tournament", get(async || assets::tournament()))
        .route("/analysis", get(async || assets::analysis()))
        .route("/assets/{name}", get(async |uri: Uri| assets::named(&uri)));
    let searches = Router::new()
        .route("/api/info", get(search::info))
        .route("/api/search", post(search::search).layer(DefaultBodyLimit::max(search::MAX_BYTES)))
        .route("/api/network", post(search::open_network).layer(DefaultBodyLimit::max(search::MAX_NETWORK_BYTES)))
        .with_state(Arc::new(searches));
    let rules = Router::new()
        .route("/api/rules", post(rules::answer).layer(DefaultBodyLimit::max(rules::MAX_BYTES)))
        .with_state(Arc::new(LargeQuestions::default()));
    let tournament = Router::new().route("/api/tournament", get(tournament::show)).with_state(Arc::new(tournament));
    pages.merge(searches).merge(rules).merge(tournament)
}
