//! Request bodies: parsed leniently, validated before any effect.

use std::ops::ControlFlow;

use alfiere_chess::board::Board;
use alfiere_chess::openings::Opening;
use alfiere_chess::pgn::{PgnGame, read_each};
use alfiere_chess::types::Color;
use alfiere_pages::ApiError;
use alfiere_search::engine::Player;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::game::MAX_PLIES;
use super::level::Level;
use super::view::TimeSetting;

/// Maximum size of a request body; enough for a long game with comments.
pub(super) const MAX_BYTES: usize = 256 * 1024;
/// Maximum size of a question about the rules; enough for a PGN of thousands of games.
pub(super) const MAX_QUESTION_BYTES: usize = 8 * 1024 * 1024;
/// Maximum time of a game in seconds.
const MAX_SECONDS: f64 = 3.0 * 3600.0;
const MAX_INCREMENT: f64 = 180.0;
const MAX_MOVE_SECONDS: f64 = 600.0;

/// The request to start a game.
#[derive(Deserialize, Default, Debug)]
#[serde(default, deny_unknown_fields)]
pub(super) struct NewGame {
    side: Option<String>,
    player: Option<String>,
    level: Option<String>,
    time: Option<TimeSetting>,
    position: Option<String>,
}

/// The request to play a move.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveRequest {
    /// UCI or SAN.
    #[serde(rename = "move")]
    pub(super) text: String,
    /// The ply at which the sender wants to move.
    pub(super) ply: Option<usize>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct HintRequest {
    pub(super) ply: usize,
}

/// A request body whose content type is JSON, so that forms of other sites cannot send it.
pub(super) struct JsonBody(pub(super) Bytes);

impl<S: Send + Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        let kind = kind.to_owned();
        let body = Bytes::from_request(request, state).await.map_err(|error| match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large"),
            _ => ApiError::bad_request("the request is incomplete"),
        })?;
        if kind.split(';').next().is_none_or(|kind| !kind.trim().eq_ignore_ascii_case("application/json")) {
            let message = format!("content type \"{kind}\", expected application/json");
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        // A list of its values would be accepted, too.
        if !body.trim_ascii_start().starts_with(b"{") {
            return Err(ApiError::bad_request("the request's JSON, expected an object in braces"));
        }
        Ok(Self(body))
    }
}

/// A JSON request body as a value.
pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let JsonBody(body) = JsonBody::from_request(request, state).await?;
        serde_json::from_slice(&body)
            .map(Self)
            .map_err(|error| ApiError::bad_request(format!("the request's JSON: {error}")))
    }
}

impl NewGame {
    /// The user's side; `None` for random.
    pub(super) fn side(&self) -> Result<Option<Color>, ApiError> {
        match self.side.as_deref() {
            None | Some("white") => Ok(Some(Color::White)),
            Some("black") => Ok(Some(Color::Black)),
            Some("random") => Ok(None),
            Some(other) => Err(ApiError::unprocessable(format!("side \"{other}\", expected white, black or random"))),
        }
    }

    /// The user's opponent.
    pub(super) fn player(&self) -> Result<Player, ApiError> {
        let Some(name) = self.player.as_deref() else { return Ok(Player::default()) };
        let unknown = || ApiError::unprocessable(format!("player \"{name}\", expected one of {}", Player::names()));
        Player::named(name).ok_or_else(unknown)
    }

    /// The opponent's level.
    pub(super) fn level(&self, player: Player) -> Result<Level, ApiError> {
        let Some(name) = self.level.as_deref() else { return Ok(Level::default_of(player)) };
        let unknown = || {
            let names: Vec<String> = Level::of(player).into_iter().map(Level::name).collect();
            let (player, names) = (player.name(), names.join(", "));
            ApiError::unprocessable(format!("level \"{name}\", expected one of {names} for the player {player}"))
        };
        Level::named(player, name).ok_or_else(unknown)
    }

    pub(super) fn time(&self) -> Result<TimeSetting, ApiError> {
        let time = self.time.unwrap_or_default();
        let check = |what: &str, value: f64, min: f64, max: f64| {
            if (min..=max).contains(&value) {
                return Ok(());
            }
            Err(ApiError::unprocessable(format!("{what} {value}, expected seconds from {min} to {max}")))
        };
        match time {
            TimeSetting::None => {}
            TimeSetting::Clock { seconds, increment } => {
                check("time", seconds, 1.0, MAX_SECONDS)?;
                check("increment", increment, 0.0, MAX_INCREMENT)?;
            }
            TimeSetting::Move { seconds } => check("time a move", seconds, 0.01, MAX_MOVE_SECONDS)?,
        }
        Ok(time)
    }

    /// The start of the game: a FEN, or the final position of the first game of a PGN.
    pub(super) fn opening(&self) -> Result<Opening, ApiError> {
        let text = self.position.as_deref().unwrap_or("").trim();
        if text.is_empty() {
            return Ok(Opening::startpos());
        }
        // A FEN has a word with seven slashes, a PGN does not start with one.
        if text.split_whitespace().next().is_some_and(|word| word.matches('/').count() >= 5) {
            let start = Board::from_fen(text).map_err(|error| ApiError::unprocessable(error.to_string()))?;
            return Ok(Opening { start, moves: Vec::new() });
        }
        let mut first = None;
        let _ = read_each(text.as_bytes(), |game| {
            if game.as_ref().is_ok_and(PgnGame::is_empty) {
                return ControlFlow::Continue(());
            }
            first = Some(game);
            ControlFlow::Break(())
        });
        let refused = |line: usize, what: String| {
            ApiError::unprocessable(format!("position, line {line}: {what}; expected a FEN or a PGN"))
        };
        let game = match first {
            Some(Ok(game)) => game,
            Some(Err(fault)) => return Err(refused(fault.line, fault.problem.to_string())),
            None => return Err(refused(1, "no moves found".to_owned())),
        };
        if let Some(fault) = game.cut_off {
            return Err(refused(fault.line, fault.problem.to_string()));
        }
        if game.moves.len() > MAX_PLIES {
            let plies = game.moves.len();
            return Err(ApiError::unprocessable(format!(
                "the game has {plies} half-moves, expected at most {MAX_PLIES}"
            )));
        }
        Ok(Opening { start: game.start, moves: game.moves.into_iter().map(|played| played.mv).collect() })
    }
}
