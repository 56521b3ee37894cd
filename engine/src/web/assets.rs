//! The pages and their assets, embedded in the program.

use alfiere_pages::{Asset, Page, asset};
use axum::http::Uri;
use axum::response::Response;

/// The pages that the shell links to.
const LINKS: &str = r#"<a href="./">New game</a>
      <a href="./analysis" data-page="analysis">Analysis</a>
      <a href="./tournament" data-page="tournament">Tournament</a>"#;
const BOARD: Page = Page { title: "Alfiere", script: "main", main: include_str!("assets/board.html"), links: LINKS };
const ANALYSIS: Page =
    Page { title: "Analysis · Alfiere", script: "analysis", main: include_str!("assets/analysis.html"), links: LINKS };
const TOURNAMENT: Page = Page {
    title: "Tournament · Alfiere",
    script: "tournament",
    main: include_str!("assets/tournament.html"),
    links: LINKS,
};

macro_rules! assets {
    ($($name:literal,)*) => {
        &[$(Asset { name: $name, text: include_str!(concat!("assets/", $name)) },)*]
    };
}

static ASSETS: &[Asset] = assets! {
    "style.css",
    "address.js",
    "analysis.js",
    "api.js",
    "annotation.js",
    "board.js",
    "editor.js",
    "evaluation.js",
    "explorer.js",
    "files.js",
    "game.js",
    "games.js",
    "keys.js",
    "levels.js",
    "lines.js",
    "main.js",
    "move-tree.js",
    "opening.js",
    "opening-names.js",
    "pgn.js",
    "players.js",
    "review.js",
    "reviewer.js",
    "setup.js",
    "size.js",
    "sound.js",
    "tree.js",
    "tournament.js",
    "transport.js",
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
    asset(ASSETS, uri)
}
