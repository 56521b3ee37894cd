//! The server socket and the routes.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use alfiere_pages::{ApiError, Listener, Request, Response, Routes, allow, asset, nothing_at, respond};
use alfiere_search::engine::Settings;
use alfiere_search::eval::NetworkChoice;
use alfiere_syzygy::Tablebases;
use hyper::Method;
use thiserror::Error;

use super::assets::{ANALYSIS, ASSETS, BOARD, TOURNAMENT};
use super::rules::{self, LargeQuestions};
use super::search::{self, Searches};
use super::tournament::{ResultError, Tournament};

#[derive(Debug)]
pub struct ServerSettings {
    /// The addresses to listen on: the first that is free; port 0 for any free port.
    pub addresses: Vec<SocketAddr>,
    /// The settings of searches, where a request has none.
    pub engine: Settings,
    pub network: NetworkChoice,
    pub tablebases: Tablebases,
    /// Match results written by `alfiere match --json`, for the tournament page.
    pub results: Vec<PathBuf>,
}

/// Why the server cannot start or stopped.
#[derive(Debug, Error)]
pub enum ServeError {
    #[error(transparent)]
    Result(#[from] ResultError),
    /// The address cannot be bound, or the socket failed.
    #[error(transparent)]
    Socket(#[from] alfiere_pages::ServeError),
}

/// A server that is listening but not yet responding.
pub struct Server {
    listener: Listener,
    pages: Pages,
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
        Ok(Self { listener, pages: Pages::new(Searches::new(engine, network, tablebases), tournament) })
    }

    pub fn address(&self) -> SocketAddr {
        self.listener.address()
    }

    /// Serves requests until `stop` is set.
    ///
    /// # Errors
    /// If the socket fails.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        Ok(self.listener.serve(self.pages, stop, || {})?)
    }
}

/// The pages and what they ask for.
pub struct Pages {
    searches: Arc<Searches>,
    large_questions: LargeQuestions,
    tournament: Tournament,
}

impl Pages {
    fn new(searches: Searches, tournament: Tournament) -> Self {
        Self { searches: Arc::new(searches), large_questions: LargeQuestions::default(), tournament }
    }

    /// The pages without match results, for the server of another program, in a folder of their own.
    pub fn without_results(engine: Settings, network: NetworkChoice) -> Self {
        Self::new(Searches::new(engine, network, Tablebases::default()), Tournament::default())
    }
}

impl Routes for Pages {
    async fn answer(&self, path: &str, request: Request) -> Result<Response, ApiError> {
        let (get, post) = (&Method::GET, &Method::POST);
        match path {
            "/" => allow(&request, get).map(|()| BOARD.send()),
            "/analysis" => allow(&request, get).map(|()| ANALYSIS.send()),
            "/tournament" => allow(&request, get).map(|()| TOURNAMENT.send()),
            "/api/info" => allow(&request, get).and_then(|()| self.searches.info()),
            "/api/tournament" => allow(&request, get).and_then(|()| respond(&self.tournament)),
            "/api/search" => {
                allow(&request, post)?;
                search::search(Arc::clone(&self.searches), request).await
            }
            "/api/network" => {
                allow(&request, post)?;
                search::open_network(Arc::clone(&self.searches), request).await
            }
            "/api/rules" => {
                allow(&request, post)?;
                rules::answer(&self.large_questions, request).await
            }
            _ => match path.strip_prefix("/assets/") {
                Some(name) => allow(&request, get).and_then(|()| asset(ASSETS, name)),
                None => Err(nothing_at(&request)),
            },
        }
    }
}
