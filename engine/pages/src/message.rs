//! Requests, and what is answered: a body at once or in pieces.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::{Method, StatusCode};

use super::ApiError;

/// A request, whose body is still to come.
pub type Request = hyper::Request<Incoming>;
/// An answer.
pub type Response = hyper::Response<UnsyncBoxBody<Bytes, Infallible>>;

/// An answer of this content type.
pub fn response(kind: &'static str, body: impl Into<Bytes>) -> Response {
    with_kind(kind, Full::new(body.into()).boxed_unsync())
}

/// An answer in pieces, sent as `next` gives them, until there is none.
pub fn stream<P>(kind: &'static str, next: P) -> Response
where
    P: FnMut(&mut Context<'_>) -> Poll<Option<Bytes>> + Unpin + Send + 'static,
{
    with_kind(kind, Pieces(next).boxed_unsync())
}

fn with_kind(kind: &'static str, body: UnsyncBoxBody<Bytes, Infallible>) -> Response {
    let mut answer = Response::new(body);
    answer.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

struct Pieces<P>(P);

impl<P: FnMut(&mut Context<'_>) -> Poll<Option<Bytes>> + Unpin> Body for Pieces<P> {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0(context).map(|piece| piece.map(|piece| Ok(Frame::data(piece))))
    }
}

/// The error for a path that leads nowhere.
pub fn nothing_at(request: &Request) -> ApiError {
    ApiError::not_found(format!("there is nothing at {}", request.uri().path()))
}

/// Refuses a request of another method; what may be fetched may also be asked for by its head.
///
/// # Errors
/// If the method is another.
pub fn allow(request: &Request, method: &Method) -> Result<(), ApiError> {
    let asked = request.method();
    if asked == method || asked == Method::HEAD && method == Method::GET {
        return Ok(());
    }
    let message = format!("{} does not support {asked}", request.uri().path());
    Err(ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message))
}

/// The body of a request, which must have this content type: one that forms of other sites cannot send.
///
/// # Errors
/// If it has more than `max` bytes or another content type, or does not arrive.
pub async fn body(request: Request, kind: &str, max: usize) -> Result<Bytes, ApiError> {
    let (head, body) = request.into_parts();
    let body = Limited::new(body, max).collect().await.map_err(|error| {
        if error.is::<LengthLimitError>() {
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "the request is too large")
        } else {
            ApiError::bad_request("the request is incomplete")
        }
    })?;
    let found = head.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    if found.split(';').next().is_none_or(|found| !found.trim().eq_ignore_ascii_case(kind)) {
        let message = format!("content type \"{found}\", expected {kind}");
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, message));
    }
    Ok(body.to_bytes())
}
