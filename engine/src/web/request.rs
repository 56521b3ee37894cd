//! Request bodies.

use alfiere_pages::ApiError;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

/// A request body whose content type is JSON, so that forms of other sites cannot send it.
pub(super) struct JsonBody(pub(super) Bytes);

/// A file as the body of a request. Forms of other sites cannot send its content type.
pub(super) struct FileBody(pub(super) Bytes);

/// The body of a request with a content type.
async fn body_of<S: Send + Sync>(request: Request, state: &S, expected: &str) -> Result<Bytes, ApiError> {
    let kind = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let kind = kind.to_owned();
    let body = Bytes::from_request(request, state).await.map_err(|error| match error.status() {
        StatusCode::PAYLOAD_TOO_LARGE => ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large"),
        _ => ApiError::bad_request("the request is incomplete"),
    })?;
    if kind.split(';').next().is_none_or(|kind| !kind.trim().eq_ignore_ascii_case(expected)) {
        let message = format!("content type \"{kind}\", expected {expected}");
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    Ok(body)
}

impl<S: Send + Sync> FromRequest<S> for FileBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        Ok(Self(body_of(request, state, "application/octet-stream").await?))
    }
}

impl<S: Send + Sync> FromRequest<S> for JsonBody {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Self, ApiError> {
        let body = body_of(request, state, "application/json").await?;
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
