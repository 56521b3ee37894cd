//! Request checks and response headers for security.
//!
//! A page of another site could reach this server through the user's browser: by a DNS name that points to this
//! machine, or by cross-site requests. So the `Host` header must be a name of this machine, and requests from other
//! origins are rejected.

use std::net::IpAddr;

use hyper::StatusCode;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};

use super::{ApiError, Request, Response};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Names {
    /// Loopback names of this machine.
    Loopback,
    /// All names, because the server listens to other machines and does not know its names there.
    Any,
}

/// No external resources, no inline code, no framing by other sites.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; \
                      base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS: [(HeaderName, &str); 5] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "same-origin"),
    (header::CACHE_CONTROL, "no-cache"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Answers a request unless the checks forbid it, and adds the headers.
pub(super) async fn guard(
    names: Names,
    request: Request,
    answer: impl AsyncFnOnce(Request) -> Result<Response, ApiError>,
) -> Response {
    let known = request.headers().get(header::IF_NONE_MATCH).cloned();
    let answer = match check(names, request.headers()) {
        Ok(()) => answer(request).await,
        Err(error) => Err(error),
    };
    let mut answer = answer.unwrap_or_else(Response::from);
    if let Some(tag) = known.filter(|tag| answer.headers().get(header::ETAG) == Some(tag)) {
        answer = Response::default();
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
        answer.headers_mut().insert(header::ETAG, tag);
    }
    for (name, value) in HEADERS {
        answer.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    answer
}

fn check(names: Names, headers: &HeaderMap) -> Result<(), ApiError> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    for name in [header::HOST, header::ORIGIN] {
        if headers.get_all(&name).iter().count() > 1 {
            return Err(ApiError::bad_request(format!("the request has several headers {name}")));
        }
    }
    let host = text(header::HOST).ok_or_else(|| ApiError::bad_request("the request has no host"))?;
    if names == Names::Loopback && !is_loopback(host) {
        let message = format!("this server is not called {host}: it answers only to names of this machine");
        return Err(ApiError::new(StatusCode::MISDIRECTED_REQUEST, message));
    }
    match text(header::ORIGIN) {
        Some(origin) if origin.split_once("://").is_none_or(|(_, from)| !from.eq_ignore_ascii_case(host)) => {
            let message = format!("requests from the site {origin} are not answered");
            Err(ApiError::new(StatusCode::FORBIDDEN, message))
        }
        _ => Ok(()),
    }
}

/// Whether a host, with or without a port, is a loopback name.
fn is_loopback(host: &str) -> bool {
    let name = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    };
    let address = name.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(name);
    name.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_names_are_loopback() {
        for name in ["localhost", "LOCALHOST:80", "127.0.0.1", "127.0.0.1:8080", "127.9.9.9", "[::1]", "[::1]:8080"] {
            assert!(is_loopback(name), "{name}");
        }
        for name in [
            "",
            "example.org",
            "localhost.example.org",
            "127.0.0.1.example.org:8080",
            "192.168.1.7:8080",
            "[::2]:1",
            ":80",
        ] {
            assert!(!is_loopback(name), "{name}");
        }
    }

    #[test]
    fn other_origins_are_rejected() {
        let check_with = |host: &'static str, origin: &'static str, names| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(host));
            headers.insert(header::ORIGIN, HeaderValue::from_static(origin));
            check(names, &headers).is_ok()
        };
        assert!(check_with("localhost:8080", "http://localhost:8080", Names::Loopback));
        assert!(check_with("chess.example.org", "https://chess.example.org", Names::Any));
        for origin in ["null", "http://localhost:9090", "http://evil.example.org", "localhost:8080"] {
            assert!(!check_with("localhost:8080", origin, Names::Loopback), "{origin}");
        }
        assert!(check(Names::Any, &HeaderMap::new()).is_err());
    }
}
