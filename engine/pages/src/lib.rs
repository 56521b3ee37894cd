#![doc = include_str!("../README.md")]

mod assets;
mod guard;
mod server;

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

pub use assets::{Asset, Page, asset};
pub use server::{Listener, ServeError};

/// A value as JSON.
///
/// # Errors
/// If the value cannot be written as JSON.
pub fn respond(status: StatusCode, value: &impl Serialize) -> Result<Response, ApiError> {
    let body = serde_json::to_string(value)
        .map_err(|error| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, error.to_string()))?;
    Ok((status, [(header::CONTENT_TYPE, "application/json")], body).into_response())
}

/// A rejected request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApiError {
    status: StatusCode,
    message: String,
}

impl ApiError {
    /// An error with this status; `message` is one sentence.
    pub fn new(status: StatusCode, message: impl Into<String>) -> Self {
        Self { status, message: message.into() }
    }

    /// 400: the request is malformed.
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

    /// 503: a resource is exhausted.
    pub fn unavailable(message: impl Into<String>) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, message)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body = serde_json::json!({ "error": self.message }).to_string();
        (self.status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
    }
}
