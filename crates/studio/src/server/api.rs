//! The interface for programs in other languages: the studio's routes without the page, and over
//! plain HTTP what the page asks over its socket. `openapi.json` describes it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, State},
    http::{StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::{MethodRouter, get, post},
};
use player::Stopwatch;

use super::{guard, routes};
use crate::{
    Studio,
    convert::MAX_FILE,
    look,
    store::MAX_DOC,
    think,
    wire::{Best, LookRequest, ThinkRequest},
};

/// The description that is served.
const OPENAPI: &str = include_str!("openapi.json");

/// Every route. Each is in the description, and nothing else is: the tests compare.
fn all_routes() -> Vec<(&'static str, MethodRouter<Arc<Studio>>)> {
    vec![
        ("/openapi.json", get(description)),
        ("/api/schema", get(routes::get_schema)),
        ("/api/look", post(look_at)),
        ("/api/think", post(think_about)),
        ("/api/games", get(routes::list_games)),
        ("/api/games/{id}", get(routes::get_game).delete(routes::delete_game)),
        ("/api/read", post(routes::read_file).layer(DefaultBodyLimit::max(MAX_FILE))),
        ("/api/write/{format}", post(routes::write_file)),
        ("/api/runs", get(routes::list_runs).post(routes::start_run)),
        ("/api/runs/{id}", get(routes::get_run)),
        ("/api/runs/{id}/{action}", post(routes::act_on_run)),
        ("/api/runs/{id}/games/{pair}/{game}", get(routes::get_run_game)),
        ("/api/runs/{id}/report/{file}", get(routes::get_report)),
    ]
}

/// All routes behind the guard.
pub(crate) fn router(studio: Arc<Studio>) -> Router {
    let all = all_routes().into_iter();
    all.fold(Router::new(), |router, (path, handler)| router.route(path, handler))
        .fallback(async || (StatusCode::NOT_FOUND, "See /openapi.json for what there is.\n"))
        .layer(DefaultBodyLimit::max(MAX_DOC))
        .layer(middleware::from_fn_with_state(Arc::clone(&studio), guard::check))
        .with_state(studio)
}

async fn description() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

async fn look_at(State(studio): State<Arc<Studio>>, Json(request): Json<LookRequest>) -> Response {
    Json(tokio::task::block_in_place(|| look::look(&studio, &request))).into_response()
}

async fn think_about(
    State(studio): State<Arc<Studio>>,
    Json(request): Json<ThinkRequest>,
) -> Response {
    let Some(flag) = studio.players.begin_search() else {
        let text = "Too many searches are running.\n";
        return (StatusCode::SERVICE_UNAVAILABLE, text).into_response();
    };
    // When the other side hangs up, this future is dropped and the search ends.
    let search = Search { studio, flag };
    let (studio, stop) = (Arc::clone(&search.studio), Arc::clone(&search.flag));
    let found = tokio::task::spawn_blocking(move || choose(&studio, &request, stop)).await;
    match found.unwrap_or_else(|_| Err("The player failed.".to_owned())) {
        Ok(best) => Json(best).into_response(),
        Err(problem) => (StatusCode::UNPROCESSABLE_ENTITY, problem).into_response(),
    }
}

/// A search that is stopped when nobody waits for it any more.
struct Search {
    studio: Arc<Studio>,
    flag: Arc<AtomicBool>,
}

impl Drop for Search {
    fn drop(&mut self) {
        self.flag.store(true, Ordering::Relaxed);
        self.studio.players.end_search(&self.flag);
    }
}

fn choose(studio: &Studio, request: &ThinkRequest, stop: Arc<AtomicBool>) -> Result<Best, String> {
    let task = think::task(request)?;
    let mut pooled = studio
        .players
        .acquire(&request.player, &request.game, request.seed)
        .map_err(|problem| problem.to_string())?;
    let scale = studio.players.scale(&request.player);
    let watch = Stopwatch::with_flag(stop);
    // A player that panics loses its memory and nothing else.
    let choice = catch_unwind(AssertUnwindSafe(|| pooled.player.choose(&task, &watch)))
        .map_err(|_| format!("The player {} failed.", request.player))?;
    studio.players.release(pooled);
    Ok(think::best(request, &choice, &watch, scale))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_description_has_every_route_and_no_other() {
        let document: serde_json::Value = serde_json::from_str(OPENAPI).unwrap();
        let described: BTreeSet<_> =
            document["paths"].as_object().unwrap().keys().map(String::as_str).collect();
        let served: BTreeSet<_> = all_routes().into_iter().map(|(path, _)| path).collect();
        assert_eq!(described, served);
        assert_eq!(document["info"]["version"], env!("CARGO_PKG_VERSION"));
    }
}
