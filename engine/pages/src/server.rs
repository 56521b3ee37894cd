//! The listening socket, the checks around every route, and the limits of connections.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hyper::StatusCode;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use thiserror::Error;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};
use tokio_io_timeout::TimeoutStream;

use super::guard::{Names, guard};
use super::{ApiError, Request, Response};

const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Why the server cannot start or stopped.
#[derive(Debug, Error)]
pub enum ServeError {
    #[error("port {0} is in use: choose another, or 0 for any that is free")]
    InUse(u16),
    #[error("cannot listen on {address}: {source}")]
    Bind { address: SocketAddr, source: io::Error },
    #[error("the server stopped: {0}")]
    Socket(#[from] io::Error),
}

/// What answers the requests of a program.
pub trait Routes: Send + Sync + 'static {
    /// The answer at `path`, which a program that serves another's pages in a folder has shortened.
    fn answer(&self, path: &str, request: Request) -> impl Future<Output = Result<Response, ApiError>> + Send;
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

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` is set; calls `tick` every 100 ms.
    ///
    /// # Errors
    /// If the socket fails.
    pub fn serve(self, routes: impl Routes, stop: &AtomicBool, mut tick: impl FnMut()) -> Result<(), ServeError> {
        let names = if self.address.ip().is_loopback() { Names::Loopback } else { Names::Any };
        let routes = Arc::new(routes);
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
                ended = serve(listener, names, routes) => ended?,
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
async fn serve(listener: tokio::net::TcpListener, names: Names, routes: Arc<impl Routes>) -> io::Result<()> {
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
        let routes = Arc::clone(&routes);
        let service = service_fn(move |request| {
            let routes = Arc::clone(&routes);
            async move { Ok::<_, Infallible>(guard(names, request, async |request| in_time(&*routes, request).await).await) }
        });
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
async fn in_time(routes: &impl Routes, request: Request) -> Result<Response, ApiError> {
    let path = request.uri().path().to_owned();
    timeout(ANSWER_TIME, routes.answer(&path, request)).await.unwrap_or_else(|_| {
        let message = format!("the request took longer than {} seconds", ANSWER_TIME.as_secs());
        Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, message))
    })
}

fn concerns_one_connection(error: &io::Error) -> bool {
    use io::ErrorKind::{ConnectionAborted, ConnectionRefused, ConnectionReset};
    matches!(error.kind(), ConnectionAborted | ConnectionRefused | ConnectionReset)
}
