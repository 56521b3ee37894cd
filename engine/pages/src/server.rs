//! The listening socket, the checks around every route, and the limits of connections.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::ApiError;
use super::guard::{Names, guard};

/// Interval at which the server checks whether to stop.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Why the server cannot start or stopped.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "the messages say what each is")]
pub enum ServeError {
    #[error("port {0} is in use: choose another, or 0 for any that is free")]
    InUse(u16),
    #[error("cannot listen on {address}: {source}")]
    Bind { address: SocketAddr, source: io::Error },
    #[error("the server stopped: {0}")]
    Socket(#[from] io::Error),
}

/// A socket that is listening but does not answer yet.
#[derive(Debug)]
pub struct Listener {
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Binds the first of the addresses that is free; port 0 stands for any free port.
    ///
    /// # Errors
    /// If no address can be bound.
    pub fn bind(addresses: &[SocketAddr]) -> Result<Self, ServeError> {
        let address = addresses.first().copied().unwrap_or_else(|| SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        let socket = TcpListener::bind(addresses).map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::InUse(address.port()),
            _ => ServeError::Bind { address, source },
        })?;
        socket.set_nonblocking(true)?;
        let address = socket.local_addr()?;
        Ok(Self { socket, address })
    }

    /// The address it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` is set, with request bodies up to `max_bytes`; calls `tick` every 100 ms.
    ///
    /// # Errors
    /// If the socket fails.
    pub fn serve(
        self,
        router: Router,
        max_bytes: usize,
        stop: &AtomicBool,
        mut tick: impl FnMut(),
    ) -> Result<(), ServeError> {
        let names = if self.address.ip().is_loopback() { Names::Loopback } else { Names::Any };
        let router = router
            .fallback(async |uri: Uri| ApiError::not_found(format!("there is nothing at {}", uri.path())))
            .method_not_allowed_fallback(async |method: Method, uri: Uri| {
                let message = format!("{} does not support {method}", uri.path());
                ApiError::new(StatusCode::METHOD_NOT_ALLOWED, message)
            })
            .layer(DefaultBodyLimit::max(max_bytes))
            .layer(middleware::from_fn(in_time))
            .layer(middleware::from_fn_with_state(names, guard));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.socket)?;
            let stopped = async {
                while !stop.load(Ordering::Relaxed) {
                    tick();
                    sleep(CHECK_INTERVAL).await;
                }
            };
            tokio::select! {
                ended = serve(listener, router) => ended?,
                () = stopped => {}
            }
            Ok(())
        })
    }
}

// Connections: how many there may be, and how long a request may take to arrive.
//
// Without these limits, a few hundred clients that send incomplete requests, or read no answers, would exhaust the
// program's file descriptors and block all others.

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
async fn serve(listener: tokio::net::TcpListener, router: Router) -> io::Result<()> {
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
async fn in_time(request: Request, next: Next) -> Response {
    timeout(ANSWER_TIME, next.run(request)).await.unwrap_or_else(|_| {
        let message = format!("the request took longer than {} seconds", ANSWER_TIME.as_secs());
        ApiError::new(StatusCode::REQUEST_TIMEOUT, message).into_response()
    })
}

fn concerns_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
