//! A web page to play against the engine: a local HTTP server.
//!
//! The server owns the rules; the page only displays. `game` is one game, `session` a game with its engine (`thinker`
//! is its thread, `task` a search of that thread, `state` the state they share), `sessions` all games, `view` the JSON
//! of a game, `handlers` the requests, `tournament` the cross table, `server` the routes. The socket and its checks are
//! those of `alfiere-pages`. Searching and evaluating are left to the engine.
//!
//! Request and response bodies are JSON; an error is `{"error": "one sentence"}` with a status of 4xx or 5xx.
//!
//! | request | effect |
//! |---|---|
//! | `GET /api/info` | players with their levels, network, version, limits of searches |
//! | `POST /api/games` `{side, player, level, time, position}` | starts a game: 201 and the game |
//! | `GET /api/games/ID` | the game |
//! | `GET /api/games/ID/events` | the game on every change, as server-sent events |
//! | `POST /api/games/ID/moves` `{move, ply}` | plays a move in UCI or SAN; `ply`, if given, must be the current ply |
//! | `POST /api/games/ID/takeback` | takes back the user's last move and the reply to it |
//! | `POST /api/games/ID/resign` | resigns for the user |
//! | `POST /api/games/ID/hint` `{ply}` | requests the best line of that position; it is sent with the game |
//! | `GET /api/games/ID/pgn` | the game as PGN, in `{"pgn": ...}` |
//! | `POST /api/rules` | a question about moves or a PGN, see the crate `alfiere-rules` |
//! | `POST /api/search` `{fen, moves, lines, nodes, threads, hash}` | searches a position and streams UCI lines; closing the connection stops it |
//! | `POST /api/parts` `{fen}` | the contribution of each piece to the network's evaluation |
//! | `GET /api/tournament` | the cross table of the server's match results |
//!
//! All fields of a new game are optional. `side` is `white`, `black` or `random`. `player` and `level` are names from
//! `/api/info`; a level is a rating or `full`, and each player has its own. `time` is `{"kind": "none"}`,
//! `{"kind": "clock", "seconds": 300, "increment": 3}` or `{"kind": "move", "seconds": 2}`, which limits only the engine.
//! `position` is a FEN or a game in PGN. The game's JSON is described in `view.rs`.

mod analysis;
mod assets;
mod clock;
mod game;
mod handlers;
mod level;
mod pgn;
mod request;
mod server;
mod session;
mod sessions;
mod state;
mod thinker;
mod tournament;
mod view;

pub use server::{ServeError, Server, ServerSettings};
pub use tournament::ResultError;
