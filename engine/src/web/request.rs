//! Requests: read leniently where a person's intention is clear, checked before anything is done.

use alfiere_chess::board::Board;
use alfiere_chess::openings::Opening;
use alfiere_chess::pgn::read_games;
use alfiere_chess::types::Color;
use alfiere_search::engine::Player;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::error::ApiError;
use super::game::MOST_PLIES;
use super::level::Level;
use super::view::TimeSetting;

/// The largest body of a request: a long game with comments fits.
pub(super) const MOST_BYTES: usize = 256 * 1024;
/// The longest time for a move and for a whole game, in seconds.
const MOST_SECONDS: f64 = 3.0 * 3600.0;
const MOST_INCREMENT: f64 = 180.0;
const MOST_MOVE_SECONDS: f64 = 600.0;

/// A new game.
#[derive(Deserialize, Default, Debug)]
#[serde(default, deny_unknown_fields)]
pub(super) struct NewGame {
    side: Option<String>,
    player: Option<String>,
    level: Option<String>,
    time: Option<TimeSetting>,
    position: Option<String>,
}

/// A move.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveRequest {
    /// In UCI or SAN.
    #[serde(rename = "move")]
    pub(super) text: String,
    /// Where the sender believes the game to be.
    pub(super) ply: Option<usize>,
}

/// A hint.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct HintRequest {
    pub(super) ply: usize,
}

/// A body read as JSON. Only what says that it is JSON is read: so no other site's form can send it.
pub(super) struct Json<T>(pub(super) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        let kind = kind.to_owned();
        let body = Bytes::from_request(request, state).await.map_err(|error| match error.status() {
            StatusCode::PAYLOAD_TOO_LARGE => {
                ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, format!("the request is larger than {MOST_BYTES} bytes"))
            }
            _ => ApiError::bad_request("the request broke off"),
        })?;
        if kind.split(';').next().is_none_or(|kind| !kind.trim().eq_ignore_ascii_case("application/json")) {
            let message = format!("content type \"{kind}\", expected application/json");
            return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
        }
        serde_json::from_slice(&body)
            .map(Self)
            .map_err(|error| ApiError::bad_request(format!("the request's JSON: {error}")))
    }
}

impl NewGame {
    /// The person's side, if it was not left to chance.
    pub(super) fn side(&self) -> Result<Option<Color>, ApiError> {
        match self.side.as_deref() {
            None | Some("white") => Ok(Some(Color::White)),
            Some("black") => Ok(Some(Color::Black)),
            Some("random") => Ok(None),
            Some(other) => Err(ApiError::unprocessable(format!("side \"{other}\", expected white, black or random"))),
        }
    }

    /// Who plays against the person.
    pub(super) fn player(&self) -> Result<Player, ApiError> {
        let Some(name) = self.player.as_deref() else { return Ok(Player::default()) };
        let unknown = || ApiError::unprocessable(format!("player \"{name}\", expected one of {}", Player::names()));
        Player::named(name).ok_or_else(unknown)
    }

    /// How strong this player is to be.
    pub(super) fn level(&self, player: Player) -> Result<Level, ApiError> {
        let Some(name) = self.level.as_deref() else { return Ok(Level::default_of(player)) };
        let unknown = || {
            let names: Vec<String> = Level::of(player).into_iter().map(Level::name).collect();
            let (player, names) = (player.name(), names.join(", "));
            ApiError::unprocessable(format!("level \"{name}\", expected one of {names} for the player {player}"))
        };
        Level::named(player, name).ok_or_else(unknown)
    }

    /// What time there is.
    pub(super) fn time(&self) -> Result<TimeSetting, ApiError> {
        let time = self.time.unwrap_or_default();
        let check = |what: &str, value: f64, least: f64, most: f64| {
            if (least..=most).contains(&value) {
                return Ok(());
            }
            Err(ApiError::unprocessable(format!("{what} {value}, expected seconds from {least} to {most}")))
        };
        match time {
            TimeSetting::None => {}
            TimeSetting::Clock { seconds, increment } => {
                check("time", seconds, 1.0, MOST_SECONDS)?;
                check("increment", increment, 0.0, MOST_INCREMENT)?;
            }
            TimeSetting::Move { seconds } => check("time a move", seconds, 0.01, MOST_MOVE_SECONDS)?,
        }
        Ok(time)
    }

    /// Where the game begins: a FEN, or the end of the first game of a PGN.
    pub(super) fn opening(&self) -> Result<Opening, ApiError> {
        let text = self.position.as_deref().unwrap_or("").trim();
        if text.is_empty() {
            return Ok(Opening::startpos());
        }
        // The pieces of a FEN are seven slashes in one word; no game begins so.
        if text.split_whitespace().next().is_some_and(|word| word.matches('/').count() >= 5) {
            let start = Board::from_fen(text).map_err(|error| ApiError::unprocessable(error.to_string()))?;
            return Ok(Opening { start, moves: Vec::new() });
        }
        let mut games = Vec::new();
        let outcome = read_games(text.as_bytes(), |game| games.push(game));
        // A flaw after the first game is none of ours.
        let Some(game) = games.into_iter().next() else {
            let (line, what) = match outcome {
                Err((line, problem)) => (line, problem.to_string()),
                Ok(()) => (1, "no move found".to_owned()),
            };
            return Err(ApiError::unprocessable(format!("position, line {line}: {what}; expected a FEN or a PGN")));
        };
        if game.moves.len() > MOST_PLIES {
            let plies = game.moves.len();
            return Err(ApiError::unprocessable(format!(
                "the game has {plies} half-moves, expected {MOST_PLIES} at most"
            )));
        }
        Ok(Opening { start: game.start, moves: game.moves.into_iter().map(|played| played.mv).collect() })
    }
}
