//! Request bodies that are JSON.

use alfiere_pages::{ApiError, JSON, Request, body};
use hyper::body::Bytes;

/// The body of a request of at most `max` bytes, which must be a JSON object.
pub(super) async fn object(request: Request, max: usize) -> Result<Bytes, ApiError> {
    let body = body(request, JSON, max).await?;
    // A list of its values would be accepted, too.
    if !body.trim_ascii_start().starts_with(b"{") {
        return Err(ApiError::bad_request("the request's JSON, expected an object in braces"));
    }
    Ok(body)
}
