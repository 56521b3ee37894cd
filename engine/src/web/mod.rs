//! The pages of `alfiere play`: a local HTTP server.
//!
//! A game is played in the page, which keeps it; the server answers questions about the rules and searches, and keeps nothing
//! between requests but networks that pages have opened. `search` runs the engine, `rules` asks `alfiere-rules`, `tournament` is the cross table, `assets` the
//! pages, `request` the bodies of requests, `server` the routes. The socket and its checks are those of `alfiere-pages`.
//!
//! Request bodies are JSON; an error is `{"error": "one sentence"}` with a status of 4xx or 5xx.
//!
//! | request | answer |
//! |---|---|
//! | `GET /api/info` | names of the players, network, version, limits of searches |
//! | `POST /api/rules` | moves, the end of a game, a PGN: see the crate `alfiere-rules` |
//! | `POST /api/search` | lines of UCI up to `bestmove`; closing the connection stops the search |
//! | `POST /api/network` | a network's file, for searches: its `id` and `architecture`; the latest four are kept |
//! | `GET /api/tournament` | the cross table of the server's match results |
//!
//! A search is `{"fen": F, "moves": [...], "player": P, "network": ID, "elo": N, "seed": N, "analysis": B, "lines": N, "threads": N, "hash": MIB,
//! "go": WORDS}`, all optional. `go` has the words of the UCI command, such as `movetime 1000` or `nodes 5000`; without it
//! the position is only evaluated, up to `readyok`. `analysis` is the UCI option `UCI_AnalyseMode`. Without `elo` the player
//! has its full strength, without `threads` and `hash` those of the command line.

mod assets;
mod request;
mod rules;
mod search;
mod server;
mod tournament;

pub use server::{Pages, ServeError, Server, ServerSettings};
pub use tournament::ResultError;
