//! The listening socket, and the checks around every route.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::{Method, StatusCode, Uri};
use axum::{Router, middleware};
use thiserror::Error;

use super::connections::{self, in_time};
use super::error::ApiError;
use super::guard::{Names, guard};

/// Interval at which the server checks whether to stop.
const CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Why the server cannot start or stopped.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The port is in use.
    #[error("port {0} is in use: choose another, or 0 for any that is free")]
    InUse(u16),
    /// The address cannot be bound.
    #[error("cannot listen on {address}: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The I/O error.
        source: io::Error,
    },
    /// The socket failed.
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
                    tokio::time::sleep(CHECK_INTERVAL).await;
                }
            };
            tokio::select! {
                ended = connections::serve(listener, router) => ended?,
                () = stopped => {}
            }
            Ok(())
        })
    }
}
