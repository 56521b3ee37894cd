//! The page's files, inside the program.

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};

use super::error::ApiError;

/// A file of the page.
pub(super) struct Asset {
    name: &'static str,
    kind: &'static str,
    text: &'static str,
}

macro_rules! assets {
    ($($name:literal: $kind:literal,)*) => {
        &[$(Asset { name: $name, kind: $kind, text: include_str!(concat!("assets/", $name)) },)*]
    };
}

static ASSETS: &[Asset] = assets! {
    "page.html": "text/html; charset=utf-8",
    "tournament.html": "text/html; charset=utf-8",
    "style.css": "text/css; charset=utf-8",
    "icon.svg": "image/svg+xml",
    "pieces.svg": "image/svg+xml",
    "api.js": "text/javascript; charset=utf-8",
    "board.js": "text/javascript; charset=utf-8",
    "evaluation.js": "text/javascript; charset=utf-8",
    "main.js": "text/javascript; charset=utf-8",
    "moves.js": "text/javascript; charset=utf-8",
    "notation.js": "text/javascript; charset=utf-8",
    "players.js": "text/javascript; charset=utf-8",
    "setup.js": "text/javascript; charset=utf-8",
    "theme.js": "text/javascript; charset=utf-8",
    "tournament.js": "text/javascript; charset=utf-8",
};

/// The page on which games are begun and played.
pub(super) fn page() -> Response {
    send("page.html")
}

/// The page with the cross table.
pub(super) fn tournament() -> Response {
    send("tournament.html")
}

/// The file of this name.
pub(super) fn named(name: &str) -> Response {
    // Pages have addresses of their own.
    if name.contains(".html") { missing(name) } else { send(name) }
}

fn send(name: &str) -> Response {
    match ASSETS.iter().find(|asset| asset.name == name) {
        Some(asset) => ([(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind))], asset.text).into_response(),
        None => missing(name),
    }
}

fn missing(name: &str) -> Response {
    ApiError::not_found(format!("there is no file {name}")).into_response()
}
