//! Questions about the rules.

use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;

use alfiere_pages::ApiError;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{FromRequest, Request, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::Semaphore;

use super::request::JsonBody;

/// Maximum size of a question; enough for a PGN of thousands of games.
pub(super) const MAX_BYTES: usize = 8 * 1024 * 1024;
/// Questions of up to this size are answered at once: a game of some thousand moves takes milliseconds.
const SMALL_BYTES: u64 = 16 * 1024;
/// Size of the pieces in which an answer is sent.
const ANSWER_PIECE_BYTES: usize = 64 * 1024;

/// The permit of a large question: one is answered at a time.
pub(super) struct LargeQuestions(Arc<Semaphore>);

impl Default for LargeQuestions {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(1)))
    }
}

/// Answers a question. Large ones wait for each other, from their body to the end of their answer, so that memory holds one
/// at a time.
pub(super) async fn answer(State(large): State<Arc<LargeQuestions>>, request: Request) -> Result<Response, ApiError> {
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))];
    if request.body().size_hint().upper().is_some_and(|bytes| bytes <= SMALL_BYTES) {
        let JsonBody(question) = JsonBody::from_request(request, &large).await?;
        return Ok((kind, alfiere_rules::answer(&String::from_utf8_lossy(&question))).into_response());
    }
    let failed = |error: &dyn Error| ApiError::unavailable(format!("the question cannot be answered: {error}"));
    let permit = Arc::clone(&large.0).acquire_owned().await.map_err(|error| failed(&error))?;
    let JsonBody(question) = JsonBody::from_request(request, &large).await?;
    // The permit is part of the work, which goes on if the page hangs up.
    let work = move || (alfiere_rules::answer(&String::from_utf8_lossy(&question)), permit);
    let (answer, permit) = tokio::task::spawn_blocking(work).await.map_err(|error| failed(&error))?;
    let length = [(header::CONTENT_LENGTH, HeaderValue::from(answer.len()))];
    let pieces = stream::unfold((Bytes::from(answer), permit), async |(mut rest, permit)| {
        let piece = rest.split_to(rest.len().min(ANSWER_PIECE_BYTES));
        (!piece.is_empty()).then_some((Ok::<_, Infallible>(piece), (rest, permit)))
    });
    Ok((kind, length, Body::from_stream(pieces)).into_response())
}
