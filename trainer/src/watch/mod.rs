//! The page of training runs: what `trainer train --watch` and `trainer watch` serve.
//!
//! The page reads only the records of the runs, so it cannot disturb them, and it shows a finished run as it showed a
//! running one. `view` is the JSON of the runs and their charts; `pictures` has the curves, also for files.
//!
//! | request | answer |
//! |---|---|
//! | `GET /` | the page |
//! | `GET /api/runs` | the runs and their charts, see `view.rs` |
//! | `GET /networks/{run}/{name}` | the network of a run, by its number on the page |
//! | `/board/...` | the pages of `alfiere play`, to analyse positions |

pub mod pictures;
mod view;

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{self, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use alfiere::web::Pages;
use alfiere_charts::color::MAX_SERIES;
use alfiere_pages::{
    ApiError, Asset, Listener, Page, Request, Response, Routes, ServeError, allow, asset, nothing_at, respond, response,
};
use alfiere_search::engine::Settings;
use alfiere_search::eval::NetworkChoice;
use alfiere_training::record::RunRecord;
use hyper::Method;

use self::view::{NamedRun, View, network_path};

/// Largest number of runs on a page: each has a colour.
pub const MAX_RUNS: usize = MAX_SERIES;

const PAGE: Page = Page {
    title: "Training · Alfiere",
    script: "watch",
    main: include_str!("assets/watch.html"),
    links: "<span id=\"connection\" role=\"status\"></span>",
};
static ASSETS: &[Asset] = &[
    Asset { name: "chart.js", text: include_str!("assets/chart.js") },
    Asset {
        name: "style.css",
        text: concat!(include_str!("assets/uplot/uPlot.min.css"), include_str!("assets/style.css")),
    },
    // The library as it is published, as a module.
    Asset {
        name: "uplot.js",
        text: concat!(include_str!("assets/uplot/uPlot.iife.min.js"), "\nexport default uPlot;\n"),
    },
    Asset { name: "watch.js", text: include_str!("assets/watch.js") },
];

/// A server that is listening but not yet responding.
#[derive(Debug)]
pub struct WatchServer {
    listener: Listener,
    runs: Vec<WatchedRun>,
    answers: Arc<AtomicU64>,
}

/// Counts the answers of a server, so that a program can end after the page has seen the end of its run.
#[derive(Clone, Debug)]
pub struct Answers(Arc<AtomicU64>);

impl Answers {
    /// Waits for the next question of a page, if one has been open, but only a little longer than pages wait between two.
    pub fn wait_for_next(&self) {
        let seen = self.0.load(Ordering::Relaxed);
        let patience = Instant::now() + Duration::from_secs(3);
        while seen > 0 && self.0.load(Ordering::Relaxed) == seen && Instant::now() < patience {
            std::thread::sleep(Duration::from_millis(50));
        }
        if seen > 0 {
            // The answer is on its way.
            std::thread::sleep(Duration::from_millis(200));
        }
    }
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
        Ok(Self { listener, runs: runs.collect(), answers: Arc::default() })
    }

    /// Counts what pages have been answered.
    pub fn answers(&self) -> Answers {
        Answers(Arc::clone(&self.answers))
    }

    pub fn page(&self) -> String {
        format!("http://{}/", self.listener.address())
    }

    /// Serves requests until `stop` is set.
    ///
    /// # Errors
    /// If the socket fails.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let board = Pages::without_results(Settings::default(), NetworkChoice::default());
        self.listener.serve(WatchPages { runs: self.runs, answers: self.answers, board }, stop, || {})
    }
}

struct WatchPages {
    runs: Vec<WatchedRun>,
    answers: Arc<AtomicU64>,
    board: Pages,
}

impl Routes for WatchPages {
    async fn answer(&self, path: &str, request: Request) -> Result<Response, ApiError> {
        if let Some(path) = path.strip_prefix("/board")
            && path.starts_with('/')
        {
            return self.board.answer(path, request).await;
        }
        let allowed = allow(&request, &Method::GET);
        match path.split('/').collect::<Vec<_>>()[..] {
            ["", ""] => allowed.map(|()| PAGE.send()),
            ["", "assets", name] => allowed.and_then(|()| asset(ASSETS, name)),
            ["", "api", "runs"] => allowed.and_then(|()| self.show()),
            ["", "networks", run, _] => allowed.and_then(|()| self.network(run)),
            _ => Err(nothing_at(&request)),
        }
    }
}

impl WatchPages {
    fn show(&self) -> Result<Response, ApiError> {
        let answer = with_runs(&self.runs, |runs| respond(&View::of(runs)));
        self.answers.fetch_add(1, Ordering::Relaxed);
        answer
    }

    /// The file of a run's network.
    fn network(&self, run: &str) -> Result<Response, ApiError> {
        let run = run.parse().ok().and_then(|run: usize| self.runs.get(run));
        let file = run.and_then(|run| std::fs::read(network_path(&run.path)).ok());
        let file = file.ok_or_else(|| ApiError::not_found("there is no network of this run"))?;
        Ok(response("application/octet-stream", file))
    }
}

/// The name of a run: its file's, without extensions.
fn name(record: &path::Path) -> String {
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
            path: &run.path,
            record: record.as_ref().map(Arc::as_ref).map_err(String::as_str),
        })
        .collect();
    of(&named)
}
