//! The pages and their assets, embedded in the program.

use alfiere_pages::{Asset, Page};

/// The pages that the shell links to.
const LINKS: &str = r#"<a href="./">New game</a>
      <a href="./analysis" data-page="analysis">Analysis</a>
      <a href="./tournament" data-page="tournament">Tournament</a>"#;
/// Where games are started and played.
pub(super) const BOARD: Page =
    Page { title: "Alfiere", script: "main", main: include_str!("assets/board.html"), links: LINKS };
pub(super) const ANALYSIS: Page =
    Page { title: "Analysis · Alfiere", script: "analysis", main: include_str!("assets/analysis.html"), links: LINKS };
pub(super) const TOURNAMENT: Page = Page {
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

pub(super) static ASSETS: &[Asset] = assets! {
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
