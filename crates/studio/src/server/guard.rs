//! Who may talk to the server: this machine's own page, and nobody else's.
//!
//! Any web page can reach a server on localhost, by its address or through a name that an attacker
//! re-binds to 127.0.0.1. So every request must name us in `Host`, and a request that a page made
//! must come from our own page (`Origin`, `Sec-Fetch-Site`). When the server listens to a network,
//! a token is needed as well.

use std::{net::IpAddr, sync::Arc, time::Duration};

use axum::{
    body::Body,
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderValue, Method, Response, StatusCode, header},
    middleware::Next,
};

use futures_util::{StreamExt, stream};
use tokio::time::{Instant, timeout_at};

use super::Peer;
use crate::Studio;

const COOKIE: &str = "tengen-token";
/// A request whose body takes longer than this to arrive is refused.
const BODY_TIME: Duration = Duration::from_secs(10);

/// The rule for one server.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    pub(crate) port: u16,
    /// Set when the server can be reached from other machines.
    pub(crate) token: Option<String>,
}

impl Guard {
    /// Why a request is refused, if it is.
    fn refusal(&self, method: &Method, path: &str, headers: &HeaderMap) -> Option<&'static str> {
        let text = |name| headers.get(name).and_then(|value: &HeaderValue| value.to_str().ok());
        let Some(host) = text(header::HOST).filter(|host| self.is_our_host(host)) else {
            return Some("This server answers only under its own address.");
        };
        if headers.contains_key(header::ORIGIN) {
            let ours = text(header::ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
            if ours != Some(host) {
                return Some("Another site may not use this server.");
            }
        }
        let from_elsewhere = headers
            .get("sec-fetch-site")
            .is_some_and(|site| site != "same-origin" && site != "none");
        let is_page = matches!(*method, Method::GET | Method::HEAD)
            && !path.starts_with("/api/")
            && path != "/ws";
        if from_elsewhere && !is_page {
            return Some("Another site may not use this server.");
        }
        let known = match &self.token {
            Some(token) => cookie(headers).is_some_and(|given| same(given, token)),
            None => true,
        };
        (!known).then_some("Open the address that the server printed, with its token.")
    }

    fn is_our_host(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let name = name.trim_start_matches('[').trim_end_matches(']');
        let is_loopback = name.eq_ignore_ascii_case("localhost")
            || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
        // On a network the address is one of many, but it is an address: a name could be re-bound.
        let is_address = self.token.is_some() && name.parse::<IpAddr>().is_ok();
        port == Some(self.port) && (is_loopback || is_address)
    }
}

/// Refuses strangers and adds the headers that keep the page to itself.
pub(crate) async fn check(
    State(studio): State<Arc<Studio>>,
    ConnectInfo(Peer(connection)): ConnectInfo<Peer>,
    request: Request,
    next: Next,
) -> Response<Body> {
    let host = request.headers().get(header::HOST).cloned();
    let refusal = studio.guard.refusal(request.method(), request.uri().path(), request.headers());
    let mut response = match (studio.guard.log_in(&request), refusal) {
        (Some(response), _) => response,
        (None, Some(reason)) => refused(reason),
        (None, None) => {
            let answering = connection.answering();
            let response = next.run(request.map(|body| in_time(body, BODY_TIME))).await;
            if response.status() == StatusCode::SWITCHING_PROTOCOLS {
                answering.forever();
            }
            response
        }
    };
    secure(response.headers_mut(), host.as_ref().and_then(|host| host.to_str().ok()));
    response
}

/// A body that ends with an error if it has not arrived in time.
fn in_time(body: Body, time: Duration) -> Body {
    let deadline = Instant::now() + time;
    let parts = stream::unfold(body.into_data_stream(), move |mut parts| async move {
        let late = || axum::Error::new(std::io::Error::from(std::io::ErrorKind::TimedOut));
        let part = timeout_at(deadline, parts.next()).await;
        part.unwrap_or_else(|_| Some(Err(late()))).map(|part| (part, parts))
    });
    Body::from_stream(parts)
}

impl Guard {
    /// Takes the token from the printed address into a cookie.
    fn log_in(&self, request: &Request) -> Option<Response<Body>> {
        let token = self.token.as_ref()?;
        let given = request.uri().query()?.strip_prefix("token=")?;
        if !same(given, token) {
            return Some(refused("The token is wrong."));
        }
        Response::builder()
            .status(StatusCode::SEE_OTHER)
            .header(header::LOCATION, "/")
            .header(
                header::SET_COOKIE,
                format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict"),
            )
            .body(Body::empty())
            .ok()
    }
}

fn secure(headers: &mut HeaderMap, host: Option<&str>) {
    let host = host
        .filter(|host| host.bytes().all(|b| b.is_ascii_alphanumeric() || b".:[]-".contains(&b)));
    let policy = format!(
        "default-src 'self'; img-src 'self' data: blob:; connect-src 'self' ws://{}; \
         object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        host.unwrap_or("127.0.0.1")
    );
    let fixed = [
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cross-origin-resource-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // A report has a stricter one of its own.
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(policy);
    }
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get(header::COOKIE)?.to_str().ok()?;
    all.split("; ").find_map(|one| one.strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Compares without telling by its time where the difference is.
fn same(given: &str, token: &str) -> bool {
    given.len() == token.len()
        && given.bytes().zip(token.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

fn refused(reason: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(format!("{reason}\n")));
    *response.status_mut() = StatusCode::FORBIDDEN;
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(token: Option<&str>, path: &str, headers: &[(&str, &str)]) -> bool {
        let guard = Guard { port: 7531, token: token.map(str::to_owned) };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name = axum::http::HeaderName::try_from(*name).unwrap();
            map.insert(name, HeaderValue::from_str(value).unwrap());
        }
        guard.refusal(&Method::GET, path, &map).is_none()
    }

    #[test]
    fn only_our_own_address_is_answered() {
        for host in ["127.0.0.1:7531", "localhost:7531", "LOCALHOST:7531", "[::1]:7531"] {
            assert!(answer(None, "/", &[("host", host)]), "{host}");
        }
        for host in ["evil.example:7531", "127.0.0.1", "127.0.0.1:80", "localhost.evil:7531", ""] {
            assert!(!answer(None, "/", &[("host", host)]), "{host}");
        }
        assert!(!answer(None, "/", &[]));
    }

    #[test]
    fn only_our_own_page_may_ask() {
        let host = ("host", "127.0.0.1:7531");
        assert!(answer(None, "/ws", &[host, ("origin", "http://127.0.0.1:7531")]));
        for origin in
            ["http://evil.example", "null", "http://localhost:7531", "https://127.0.0.1:7531"]
        {
            assert!(!answer(None, "/ws", &[host, ("origin", origin)]), "{origin}");
        }
        assert!(!answer(None, "/api/schema", &[host, ("sec-fetch-site", "cross-site")]));
        assert!(answer(None, "/", &[host, ("sec-fetch-site", "cross-site")]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_does_not_come_is_not_waited_for() {
        let slow = stream::iter([Ok::<_, std::io::Error>("part")]).chain(stream::pending());
        let body = in_time(Body::from_stream(slow), BODY_TIME);
        assert!(axum::body::to_bytes(body, 100).await.is_err());
        let quick = in_time(Body::from("all of it"), BODY_TIME);
        assert_eq!(axum::body::to_bytes(quick, 100).await.unwrap(), "all of it");
    }

    #[test]
    fn a_network_needs_the_token() {
        let host = ("host", "192.168.1.5:7531");
        assert!(!answer(Some("abc"), "/", &[host]));
        assert!(!answer(Some("abc"), "/", &[host, ("cookie", "tengen-token=abd")]));
        assert!(answer(Some("abc"), "/", &[host, ("cookie", "a=b; tengen-token=abc")]));
        assert!(!answer(None, "/", &[host]));
    }
}
