//! Connections: how many there may be, and how long a request may take to arrive.
//!
//! Without these limits, a few hundred clients that send incomplete requests, or read no answers, would exhaust the
//! program's file descriptors and block all others.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::error::ApiError;

/// Connections at a time. Some systems allow a program 256 open files.
const MAX_CONNECTIONS: usize = 128;
/// How long the head of a request may take, the wait for it on an open connection included.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// How long the body of a request and its answer's head may take together.
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// How long a client may read nothing of an answer.
const READ_TIME: Duration = Duration::from_secs(10);
/// Wait after an accept fails for lack of file descriptors.
const BACK_OFF: Duration = Duration::from_millis(50);

/// Answers requests on all connections. Further connections wait until one of [`MAX_CONNECTIONS`] ends.
///
/// # Errors
/// If the listening socket fails.
pub(super) async fn serve(listener: TcpListener, router: Router) -> io::Result<()> {
    let free = Arc::new(Semaphore::new(MAX_CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&free).acquire_owned().await else { return Ok(()) };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) if concerns_one_connection(&error) => continue,
            Err(error) if error.kind() == io::ErrorKind::InvalidInput => return Err(error),
            Err(_) => {
                sleep(BACK_OFF).await;
                continue;
            }
        };
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(READ_TIME));
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let connection = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_TIME)
                .serve_connection(TokioIo::new(Box::pin(stream)), service);
            // Errors of a single connection are ignored.
            let _ = connection.await;
            drop(permit);
        });
    }
}

/// Refuses requests whose body does not arrive in time. Events that follow an answer's head may take as long as they like.
pub(super) async fn in_time(request: Request, next: Next) -> Response {
    timeout(ANSWER_TIME, next.run(request)).await.unwrap_or_else(|_| {
        let message = format!("the request took longer than {} seconds", ANSWER_TIME.as_secs());
        ApiError::new(StatusCode::REQUEST_TIMEOUT, message).into_response()
    })
}

fn concerns_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
