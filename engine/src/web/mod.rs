//! The board in a browser: a small server that plays games against whoever opens its page.
//!
//! The server alone knows the rules; the page shows what it is told. `game` is one game, `session` a game with the
//! engine that plays it (`thinker` is its thread, `task` what that thread is asked for), `sessions` all of them,
//! `view` what of it goes out, `handlers` the requests, `guard` what every request must pass and every answer carries,
//! `tournament` the table of matches, `server` the socket. Nothing here searches or evaluates: that is asked of the engine.
//!
//! Requests carry and answers are JSON; an error is `{"error": "one sentence"}` with a status of 4xx or 5xx.
//!
//! | request | does |
//! |---|---|
//! | `GET /api/info` | players and the levels of each, network, version |
//! | `POST /api/games` `{side, player, level, time, position}` | begins a game: 201 and the game |
//! | `GET /api/games/ID` | the game |
//! | `GET /api/games/ID/events` | the game whenever it changes, as server-sent events |
//! | `POST /api/games/ID/moves` `{move, ply}` | plays a move in UCI or SAN; `ply`, if given, is where the sender believes the game to be |
//! | `POST /api/games/ID/takeback` | takes the person's last move back, and the answer to it |
//! | `POST /api/games/ID/resign` | the person gives up |
//! | `POST /api/games/ID/hint` `{ply}` | asks for the best line of that position; it arrives with the game |
//! | `GET /api/games/ID/parts/PLY` | the network's value of that position without each piece in turn |
//! | `GET /api/games/ID/pgn` | the game as PGN, in `{"pgn": ...}` |
//! | `GET /api/tournament` | the cross table of the matches that the server was given |
//!
//! Every field of a new game may be missing. `side` is `white`, `black` or `random`; `player` and `level` are names from
//! `/api/info` (a level is a rating or `full`, and each player has its own); `time` is `{"kind": "none"}`, `{"kind": "clock", "seconds": 300, "increment": 3}` or
//! `{"kind": "move", "seconds": 2}`, which binds only the engine; `position` is a FEN or a game in PGN. The game is
//! described in `view.rs`.

mod assets;
mod clock;
mod connections;
mod error;
mod game;
mod guard;
mod handlers;
mod level;
mod pgn;
mod request;
mod server;
mod session;
mod sessions;
mod state;
mod task;
mod thinker;
mod tournament;
mod valuation;
mod view;

pub use server::{ServeError, Server, ServerSettings};
pub use tournament::ResultError;
