//! The desk's routes over HTTP, with the page or for other programs alone.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{
    Router,
    body::{Bytes, to_bytes},
    extract::{ConnectInfo, DefaultBodyLimit, Query, RawPathParams, Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    middleware::{self, Next},
    response::{IntoResponse, Response},
    routing::{MethodFilter, any, get, on},
};
use desk::{Answer, AnswerResult, Body, Call, Refusal, Route, Verb, Why};

use super::{Peer, guard, socket};
use crate::Studio;

/// The description of the interface for programs in other languages.
const OPENAPI: &str = include_str!("openapi.json");

const JSON: &str = "application/json";
/// Longer sentences are not passed on.
const MAX_SENTENCE: usize = 64 * 1024;

/// The page, and everything it asks.
pub(crate) fn page_router(studio: Arc<Studio>) -> Router {
    let routes = studio.routes().into_iter().chain(studio.page_routes());
    let router = mount(routes).route("/ws", any(socket::upgrade)).fallback(page);
    guarded(studio, router)
}

/// The interface for programs in other languages. Each route is in the description, and nothing else
/// is: the tests compare.
pub(crate) fn program_router(studio: Arc<Studio>) -> Router {
    let routes = studio.routes().into_iter().chain(studio.desk.program_routes());
    let missing = async || refused(StatusCode::NOT_FOUND, "See /openapi.json for what there is.");
    let router = mount(routes).route("/openapi.json", get(description)).fallback(missing);
    guarded(studio, router)
}

/// Makes a document with a sentence of every answer of the interface that is no success, whoever gave
/// it.
async fn sentences(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_file = !path.starts_with("/api/") && path != "/openapi.json";
    let response = next.run(request).await;
    let status = response.status();
    let is_document = response
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes() == JSON.as_bytes());
    let is_refusal = status.is_client_error() || status.is_server_error();
    if is_file || is_document || !is_refusal {
        return response;
    }
    let (mut head, body) = response.into_parts();
    let bytes = to_bytes(body, MAX_SENTENCE).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&bytes);
    let text = match (status, said.trim()) {
        (StatusCode::PAYLOAD_TOO_LARGE, _) => "The body is too large.",
        (StatusCode::METHOD_NOT_ALLOWED, _) => "This path is not for this method.",
        (StatusCode::INTERNAL_SERVER_ERROR, "") => "The server has failed.",
        (_, "") => "The request cannot be answered.",
        (_, said) => said,
    };
    // The length is that of the other text.
    head.headers.remove(header::CONTENT_LENGTH);
    head.headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(JSON));
    Response::from_parts(head, Refusal::document(text).into())
}

fn refused(status: StatusCode, text: &str) -> Response {
    (status, [(header::CONTENT_TYPE, JSON)], Refusal::document(text)).into_response()
}

fn guarded(studio: Arc<Studio>, router: Router<Arc<Studio>>) -> Router {
    let guard = middleware::from_fn_with_state(Arc::clone(&studio), guard::check);
    router.layer(guard).layer(middleware::from_fn(sentences)).with_state(studio)
}

async fn page(State(studio): State<Arc<Studio>>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    studio.assets.get(request.uri().path(), request.headers())
}

async fn description() -> Response {
    ([(header::CONTENT_TYPE, JSON)], OPENAPI).into_response()
}

fn mount(routes: impl Iterator<Item = Route>) -> Router<Arc<Studio>> {
    routes.fold(Router::new(), |router, route| {
        let verb = match route.verb {
            Verb::Get => MethodFilter::GET,
            Verb::Post => MethodFilter::POST,
            Verb::Delete => MethodFilter::DELETE,
        };
        let (path, limit) = (route.path.clone(), DefaultBodyLimit::max(route.body.max()));
        let route = Arc::new(route);
        let handler = move |State(studio): State<Arc<Studio>>,
                            ConnectInfo(Peer(connection)): ConnectInfo<Peer>,
                            names: RawPathParams,
                            Query(query): Query<BTreeMap<String, String>>,
                            headers: HeaderMap,
                            body: Bytes| {
            let names = names.iter().map(|(_, name)| name.to_owned()).collect();
            let call = Call { names, query, body: body.into(), stop: Arc::default() };
            let route = Arc::clone(&route);
            async move {
                // Only now: whoever is slow to send its request takes no turn from others.
                let Some(_turn) = studio.turns.take(connection.peer()) else { return busy() };
                ask(route, call, headers).await
            }
        };
        router.route(&path, on(verb, handler).layer(limit))
    })
}

/// Has a route answer on a thread that may block.
async fn ask(route: Arc<Route>, call: Call, headers: HeaderMap) -> Response {
    if route.body == Body::Json && !call.body.is_empty() && !is_json(&headers) {
        let text = "A document is expected, with Content-Type: application/json.";
        return refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, text);
    }
    // When the other side hangs up, this future is dropped, and a search ends.
    let _hung_up = HangUp(Arc::clone(&call.stop));
    match tokio::task::spawn_blocking(move || (route.answer)(&call)).await {
        Ok(reply) => response(reply),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn busy() -> Response {
    refused(StatusCode::SERVICE_UNAVAILABLE, "The server is busy; try again in a moment.")
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.split(';').next() == Some("application/json"))
}

struct HangUp(Arc<AtomicBool>);

impl Drop for HangUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// What a report may do that is read in the browser.
const REPORT_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

fn response(reply: AnswerResult) -> Response {
    const BYTES: &str = "application/octet-stream";
    match reply {
        Ok(Answer::Done) => StatusCode::NO_CONTENT.into_response(),
        Ok(Answer::Json(text)) => ([(header::CONTENT_TYPE, JSON)], text).into_response(),
        Ok(Answer::Bytes(bytes)) => ([(header::CONTENT_TYPE, BYTES)], bytes).into_response(),
        // Always a download: a file is a document of its own, not part of the page.
        Ok(Answer::File(name, bytes)) => {
            let saved = format!("attachment; filename=\"{name}\"");
            let headers =
                [(header::CONTENT_TYPE, BYTES.to_owned()), (header::CONTENT_DISPOSITION, saved)];
            (headers, bytes).into_response()
        }
        Ok(Answer::Text(bytes)) => {
            let headers = [
                (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
                (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
            ];
            (headers, bytes).into_response()
        }
        // A report may show what others have typed, so it can do nothing: no scripts, no requests, no
        // part in this origin.
        Ok(Answer::Page(bytes)) => {
            let headers = [
                (header::CONTENT_TYPE, "text/html; charset=utf-8"),
                (header::CONTENT_SECURITY_POLICY, REPORT_POLICY),
            ];
            (headers, bytes).into_response()
        }
        Err(refusal) => {
            let status = match refusal.why {
                Why::Malformed => StatusCode::BAD_REQUEST,
                Why::Missing => StatusCode::NOT_FOUND,
                Why::Conflict => StatusCode::CONFLICT,
                Why::Wrong => StatusCode::UNPROCESSABLE_ENTITY,
                Why::Busy => StatusCode::SERVICE_UNAVAILABLE,
            };
            refused(status, &refusal.text)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_description_has_every_route_and_no_other() {
        let document: serde_json::Value = serde_json::from_str(OPENAPI).unwrap();
        let described: BTreeSet<_> =
            document["paths"].as_object().unwrap().keys().cloned().collect();
        let folder = std::env::temp_dir().join(format!("studio-routes-{}", std::process::id()));
        let guard = super::super::Guard { port: 0, token: None };
        let options = crate::Options::new(folder.clone(), Arc::default());
        let assets = super::super::Assets::Embedded;
        let studio = Studio::open(&options, guard, assets).unwrap();
        let routes = studio.routes().into_iter().chain(studio.desk.program_routes());
        let mut served: BTreeSet<_> = routes.map(|route| route.path).collect();
        served.insert("/openapi.json".to_owned());
        assert_eq!(described, served);
        assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
