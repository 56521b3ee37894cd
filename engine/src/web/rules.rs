//! Questions about the rules.

use std::error::Error;
use std::sync::Arc;
use std::task::Poll;

use alfiere_pages::{ApiError, JSON, Request, Response, response, stream};
use hyper::body::{Body, Bytes};
use hyper::header::{CONTENT_LENGTH, HeaderValue};
use tokio::sync::Semaphore;

use super::request::object;

/// Maximum size of a question; enough for a PGN of thousands of games.
const MAX_BYTES: usize = 8 * 1024 * 1024;
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
pub(super) async fn answer(large: &LargeQuestions, request: Request) -> Result<Response, ApiError> {
    if request.body().size_hint().upper().is_some_and(|bytes| bytes <= SMALL_BYTES) {
        let question = object(request, MAX_BYTES).await?;
        return Ok(response(JSON, alfiere_rules::answer(&String::from_utf8_lossy(&question))));
    }
    let failed = |error: &dyn Error| ApiError::unavailable(format!("the question cannot be answered: {error}"));
    let permit = Arc::clone(&large.0).acquire_owned().await.map_err(|error| failed(&error))?;
    let question = object(request, MAX_BYTES).await?;
    // The permit is part of the work, which goes on if the page hangs up.
    let work = move || (alfiere_rules::answer(&String::from_utf8_lossy(&question)), permit);
    let (answer, permit) = tokio::task::spawn_blocking(work).await.map_err(|error| failed(&error))?;
    let length = HeaderValue::from(answer.len());
    let mut rest = (Bytes::from(answer), permit);
    let mut answer = stream(JSON, move |_| {
        let (rest, _permit) = &mut rest;
        let piece = rest.split_to(rest.len().min(ANSWER_PIECE_BYTES));
        Poll::Ready((!piece.is_empty()).then_some(piece))
    });
    answer.headers_mut().insert(CONTENT_LENGTH, length);
    Ok(answer)
}
