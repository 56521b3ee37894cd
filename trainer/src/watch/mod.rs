//! The page of training runs: what `trainer train --watch` and `trainer watch` serve.
//!
//! The page reads only the records of the runs, so it cannot disturb them, and it shows a finished run as it showed a
//! running one. `view` is the JSON of the runs, `pictures` their charts, `server` the routes.
//!
//! | request | answer |
//! |---|---|
//! | `GET /` | the page |
//! | `GET /api/runs` | the runs and the list of pictures, see `view.rs` |
//! | `GET /pictures/NAME.svg?width=PIXELS` | a picture of that list |

pub mod pictures;
mod view;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use alfiere_charts::color::MAX_SERIES;
use alfiere_pages::{ApiError, Asset, Listener, Page, ServeError, asset, respond};
use alfiere_training::record::RunRecord;
use axum::Router;
use axum::extract::{RawPathParams, RawQuery, State};
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use self::view::{NamedRun, View, figure};

/// Largest number of runs on a page: each has a colour.
pub const MAX_RUNS: usize = MAX_SERIES;

const PAGE: Page = Page {
    title: "Training · Alfiere",
    script: "watch",
    main: include_str!("assets/watch.html"),
    links: "<span id=\"connection\" role=\"status\"></span>",
};
static ASSETS: &[Asset] = &[
    Asset { name: "style.css", text: include_str!("assets/style.css") },
    Asset { name: "watch.js", text: include_str!("assets/watch.js") },
];
/// Width of a picture in pixels, unless the page asks for less.
const WIDTH: u32 = 900;

/// A server that is listening but not yet responding.
#[derive(Debug)]
pub struct WatchServer {
    listener: Listener,
    runs: Vec<WatchedRun>,
}

/// A run, and its record as last read.
#[derive(Debug)]
struct WatchedRun {
    name: String,
    path: PathBuf,
    read: Mutex<Reading>,
}

#[derive(Clone, Debug)]
struct Reading {
    /// Size and time of the file that was read.
    file: Option<(u64, SystemTime)>,
    record: Result<Arc<RunRecord>, String>,
}

impl WatchServer {
    /// Binds a port of this machine, 0 for any free one, for the page of these records.
    ///
    /// # Errors
    /// If the port cannot be bound.
    pub fn bind(port: u16, records: &[PathBuf]) -> Result<Self, ServeError> {
        let listener = Listener::bind(&[SocketAddr::from((Ipv4Addr::LOCALHOST, port))])?;
        let short: Vec<String> = records.iter().map(|path| name(path)).collect();
        let runs = records.iter().zip(&short).map(|(path, name)| WatchedRun {
            // Two runs of the same name in different folders.
            name: if short.iter().filter(|other| *other == name).count() > 1 {
                path.display().to_string()
            } else {
                name.clone()
            },
            path: path.clone(),
            read: Mutex::new(Reading { file: None, record: Err("there is no record yet".to_owned()) }),
        });
        Ok(Self { listener, runs: runs.collect() })
    }

    pub fn page(&self) -> String {
        format!("http://{}/", self.listener.address())
    }

    /// Serves requests until `stop` is set.
    ///
    /// # Errors
    /// If the socket fails.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let router = Router::new()
            .route("/", get(async || PAGE.send()))
            .route("/assets/{name}", get(async |uri: Uri| asset(ASSETS, &uri)))
            .route("/api/runs", get(runs))
            .route("/pictures/{name}", get(picture))
            .with_state(Arc::new(self.runs));
        // The page sends no bodies.
        self.listener.serve(router, 0, stop, || {})
    }
}

/// The name of a run: its file's, without extensions.
fn name(record: &Path) -> String {
    let file = record.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let file = file.strip_suffix(".jsonl").unwrap_or(&file);
    file.strip_suffix(".run").unwrap_or(file).to_owned()
}

impl WatchedRun {
    /// The record, read again if its file has changed.
    fn record(&self) -> Result<Arc<RunRecord>, String> {
        let mut reading = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let file = std::fs::metadata(&self.path).and_then(|file| Ok((file.len(), file.modified()?))).ok();
        if file.is_none() || file != reading.file {
            let record = RunRecord::read(&self.path).map(Arc::new).map_err(|error| error.to_string());
            *reading = Reading { file, record };
        }
        reading.record.clone()
    }
}

/// Calls `of` with the runs as they are now.
fn with_runs<T>(runs: &[WatchedRun], of: impl FnOnce(&[NamedRun<'_>]) -> T) -> T {
    let records: Vec<Result<Arc<RunRecord>, String>> = runs.iter().map(WatchedRun::record).collect();
    let named: Vec<NamedRun<'_>> = runs
        .iter()
        .zip(&records)
        .map(|(run, record)| NamedRun {
            name: &run.name,
            record: record.as_ref().map(Arc::as_ref).map_err(String::as_str),
        })
        .collect();
    of(&named)
}

async fn runs(State(runs): State<Arc<Vec<WatchedRun>>>) -> Result<Response, ApiError> {
    with_runs(&runs, |runs| respond(StatusCode::OK, &View::of(runs)))
}

async fn picture(
    State(runs): State<Arc<Vec<WatchedRun>>>,
    path: RawPathParams,
    RawQuery(query): RawQuery,
) -> Result<Response, ApiError> {
    let file = path.iter().next().map_or("", |(_, value)| value).to_owned();
    let width = query.as_deref().and_then(|query| query.split('&').find_map(|part| part.strip_prefix("width=")));
    let width = match width {
        Some(width) => width
            .parse()
            .map_err(|_| ApiError::bad_request(format!("width \"{width}\", expected a number of pixels")))?,
        None => WIDTH,
    };
    let figure = file.strip_suffix(".svg").and_then(|name| with_runs(&runs, |runs| figure(runs, name)));
    let figure = figure.ok_or_else(|| ApiError::not_found(format!("there is no picture {file}")))?;
    let svg = figure.svg_within(width).map_err(|error| ApiError::unavailable(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}
