//! The pages and their assets, embedded in the program.

use axum::http::{HeaderValue, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use super::error::ApiError;

/// An asset of the pages.
struct Asset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

/// A page: its own content, inserted into the shell shared by all pages.
struct Page {
    title: &'static str,
    /// The page's script.
    script: &'static str,
    main: &'static str,
}

const SHELL: &str = include_str!("assets/shell.html");
/// The pages that the shell links to.
const LINKS: &str = r#"<a href="/">New game</a>
      <a href="/analysis" data-page="analysis">Analysis</a>
      <a href="/tournament">Tournament</a>"#;
const BOARD: Page = Page { title: "Alfiere", script: "main", main: include_str!("assets/board.html") };
const ANALYSIS: Page =
    Page { title: "Analysis · Alfiere", script: "analysis", main: include_str!("assets/analysis.html") };
const TOURNAMENT: Page =
    Page { title: "Tournament · Alfiere", script: "tournament", main: include_str!("assets/tournament.html") };

macro_rules! assets {
    ($($name:literal: $kind:literal,)*) => {
        &[$(Asset { name: $name, kind: $kind, text: include_str!(concat!("assets/", $name)) },)*]
    };
}

static ASSETS: &[Asset] = assets! {
    "style.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "pieces.svg": "image/svg+xml",
    "address.js": "text/javascript; charset=utf-8",
    "analysis.js": "text/javascript; charset=utf-8",
    "api.js": "text/javascript; charset=utf-8",
    "annotation.js": "text/javascript; charset=utf-8",
    "board.js": "text/javascript; charset=utf-8",
    "editor.js": "text/javascript; charset=utf-8",
    "evaluation.js": "text/javascript; charset=utf-8",
    "lines.js": "text/javascript; charset=utf-8",
    "main.js": "text/javascript; charset=utf-8",
    "moves.js": "text/javascript; charset=utf-8",
    "move-tree.js": "text/javascript; charset=utf-8",
    "notation.js": "text/javascript; charset=utf-8",
    "pgn.js": "text/javascript; charset=utf-8",
    "players.js": "text/javascript; charset=utf-8",
    "review.js": "text/javascript; charset=utf-8",
    "setup.js": "text/javascript; charset=utf-8",
    "theme.js": "text/javascript; charset=utf-8",
    "tree.js": "text/javascript; charset=utf-8",
    "tournament.js": "text/javascript; charset=utf-8",
};

/// The board page, where games are started and played.
pub(super) fn board() -> Response {
    BOARD.send()
}

/// The analysis board.
pub(super) fn analysis() -> Response {
    ANALYSIS.send()
}

/// The page with the cross table.
pub(super) fn tournament() -> Response {
    TOURNAMENT.send()
}

/// The asset named by the last segment of the URI.
pub(super) fn named(uri: &Uri) -> Response {
    let name = uri.path().rsplit('/').next().unwrap_or_default();
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => ([(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind))], asset.text).into_response(),
        None => ApiError::not_found(format!("there is no file {name}")).into_response(),
    }
}

impl Page {
    fn send(&self) -> Response {
        let text = SHELL
            .replace("{links}", LINKS)
            .replace("{title}", self.title)
            .replace("{script}", self.script)
            .replace("{main}", self.main.trim_end())
            .replace("{root}", "/");
        Html(text).into_response()
    }
}
