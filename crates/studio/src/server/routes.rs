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
    body::Bytes,
    extract::{ConnectInfo, DefaultBodyLimit, Query, RawPathParams, Request, State},
    http::{HeaderMap, Method, StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::{MethodFilter, any, get, on},
};
use desk::{Answer, AnswerResult, Body, Call, Route, Verb, Why};

use super::{Peer, guard, socket};
use crate::Studio;

/// The description of the interface for programs in other languages.
const OPENAPI: &str = include_str!("openapi.json");

/// The page, and everything it asks.
pub(crate) fn page_router(studio: Arc<Studio>) -> Router {
    let routes = studio.routes().into_iter().chain(studio.page_routes());
    guarded(studio, mount(routes).route("/ws", any(socket::upgrade)).fallback(page))
}

/// The interface for programs in other languages. Each route is in the description, and nothing else
/// is: the tests compare.
pub(crate) fn program_router(studio: Arc<Studio>) -> Router {
    let routes = studio.routes().into_iter().chain(studio.desk.program_routes());
    let missing = async || (StatusCode::NOT_FOUND, "See /openapi.json for what there is.\n");
    guarded(studio, mount(routes).route("/openapi.json", get(description)).fallback(missing))
}

fn guarded(studio: Arc<Studio>, router: Router<Arc<Studio>>) -> Router {
    let guard = middleware::from_fn_with_state(Arc::clone(&studio), guard::check);
    router.layer(guard).with_state(studio)
}

async fn page(State(studio): State<Arc<Studio>>, request: Request) -> Response {
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    studio.assets.get(request.uri().path(), request.headers())
}

async fn description() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
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
        let text = "A document is expected, with Content-Type: application/json.\n";
        return (StatusCode::UNSUPPORTED_MEDIA_TYPE, text).into_response();
    }
    // When the other side hangs up, this future is dropped, and a search ends.
    let _hung_up = HangUp(Arc::clone(&call.stop));
    match tokio::task::spawn_blocking(move || (route.answer)(&call)).await {
        Ok(reply) => response(reply),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn busy() -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, "The server is busy; try again in a moment.\n")
        .into_response()
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

fn response(reply: AnswerResult) -> Response {
    const BYTES: &str = "application/octet-stream";
    match reply {
        Ok(Answer::Done) => StatusCode::NO_CONTENT.into_response(),
        Ok(Answer::Json(text)) => {
            ([(header::CONTENT_TYPE, "application/json")], text).into_response()
        }
        Ok(Answer::Bytes(bytes)) => ([(header::CONTENT_TYPE, BYTES)], bytes).into_response(),
        // Always a download: a file is a document of its own, not part of the page.
        Ok(Answer::File(name, bytes)) => {
            let saved = format!("attachment; filename=\"{name}\"");
            let headers =
                [(header::CONTENT_TYPE, BYTES.to_owned()), (header::CONTENT_DISPOSITION, saved)];
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
            (status, refusal.text).into_response()
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
        let registry = Arc::default();
        let assets = super::super::Assets::Embedded;
        let studio = Studio::open(&folder, &registry, "test", guard, assets).unwrap();
        let routes = studio.routes().into_iter().chain(studio.desk.program_routes());
        let mut served: BTreeSet<_> = routes.map(|route| route.path).collect();
        served.insert("/openapi.json".to_owned());
        assert_eq!(described, served);
        assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
