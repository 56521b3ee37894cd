#![doc = include_str!("../README.md")]

mod assets;
mod guard;
mod message;
mod server;

use hyper::StatusCode;
use serde::Serialize;

pub use assets::{Asset, Page, asset};
pub use message::{Request, Response, allow, body, nothing_at, response, stream};
pub use server::{Listener, Routes, ServeError};

/// A value as JSON.
///
/// # Errors
/// If the value cannot be written as JSON.
pub fn respond(value: &impl Serialize) -> Result<Response, ApiError> {
    let body = serde_json::to_string(value)
        .map_err(|error| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok(response(JSON, body))
}

/// The content type of answers that programs read.
pub const JSON: &str = "application/json";

/// A rejected request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    pub fn bad_request(message: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, message)
    }

    /// 404: there is no such page or asset.
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, message)
    }

    /// 422: the request is well-formed but invalid, such as an illegal move or an unknown player.
    pub fn unprocessable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, message)
    }

    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }
}

impl From<ApiError> for Response {
    fn from(error: ApiError) -> Self {
        let mut answer = response(JSON, serde_json::json!({ "error": error.message }).to_string());
        *answer.status_mut() = error.status;
        answer
    }
}
