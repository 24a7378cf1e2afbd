//! The routes of the server.

mod solve;
mod tune;

use std::sync::Arc;

use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, Query, Request, State},
    http::{StatusCode, header},
    middleware,
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use gomoku::{Board, Rule, record::Format};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{guard, socket};
use crate::{
    Studio,
    convert::{self, MAX_FILE},
    explore,
    jobs::{End, matches::Form},
    opening_protocol, schema,
    store::MAX_DOC,
    wire::WirePosition,
};

/// All routes behind the guard.
pub(crate) fn router(studio: Arc<Studio>) -> Router {
    Router::new()
        .route("/api/schema", get(get_schema))
        .route("/api/games", get(list_games))
        .route("/api/games/{id}", get(get_game).delete(delete_game))
        .route("/api/read", post(read_file).layer(DefaultBodyLimit::max(MAX_FILE)))
        .route("/api/write/{format}", post(write_file))
        .route("/api/runs", get(list_runs).post(start_run))
        .route("/api/runs/{id}", get(get_run))
        .route("/api/runs/{id}/{action}", post(act_on_run))
        .route("/api/runs/{id}/games/{pair}/{game}", get(get_run_game))
        .route("/api/runs/{id}/report/{file}", get(get_report))
        .route("/api/openings", get(list_openings))
        .route("/api/openings/{set}", get(get_set))
        .route("/api/explore", post(explore))
        .route("/api/opening", post(opening_state))
        .route("/api/opening/choose", post(opening_choose))
        .route("/api/ratings", get(ratings))
        .merge(solve::routes())
        .merge(tune::routes())
        .route("/ws", any(socket::upgrade))
        .fallback(page)
        .layer(DefaultBodyLimit::max(MAX_DOC))
        .layer(middleware::from_fn_with_state(Arc::clone(&studio), guard::check))
        .with_state(studio)
}

async fn page(State(studio): State<Arc<Studio>>, request: Request) -> Response {
    if request.method() != axum::http::Method::GET {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    studio.assets.get(request.uri().path(), request.headers())
}

pub(crate) async fn get_schema(State(studio): State<Arc<Studio>>) -> Response {
    Json(schema::schema(&studio.registry)).into_response()
}

pub(crate) async fn list_games(State(studio): State<Arc<Studio>>) -> Response {
    Json(tokio::task::block_in_place(|| studio.store.list())).into_response()
}

pub(crate) async fn get_game(
    State(studio): State<Arc<Studio>>,
    Path(id): Path<String>,
) -> Response {
    match tokio::task::block_in_place(|| studio.store.load(&id)) {
        Some((_, text)) => Json(&*text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such game.\n").into_response(),
    }
}

pub(crate) async fn delete_game(
    State(studio): State<Arc<Studio>>,
    Path(id): Path<String>,
) -> Response {
    if tokio::task::block_in_place(|| studio.store.delete(&id)) {
        StatusCode::NO_CONTENT.into_response()
    } else {
        (StatusCode::CONFLICT, "There is no such game, or it is being played.\n").into_response()
    }
}

/// What the page knows about a file besides its bytes.
#[derive(Debug, Deserialize)]
pub(crate) struct FileHint {
    #[serde(default)]
    name: String,
    rule: String,
    size: u8,
}

pub(crate) async fn read_file(Query(hint): Query<FileHint>, bytes: Bytes) -> Response {
    let Ok(rule) = hint.rule.parse::<Rule>() else {
        return (StatusCode::BAD_REQUEST, "There is no such rule.\n").into_response();
    };
    let read = || convert::read(&bytes, &hint.name, rule, hint.size);
    match tokio::task::block_in_place(read) {
        Ok(games) => Json(games).into_response(),
        Err(problem) => (StatusCode::UNPROCESSABLE_ENTITY, problem).into_response(),
    }
}

pub(crate) async fn write_file(
    Path(format): Path<String>,
    Json(doc): Json<convert::Doc>,
) -> Response {
    let Some(format) = Format::from_name(&format) else {
        return (StatusCode::NOT_FOUND, "There is no such format.\n").into_response();
    };
    match tokio::task::block_in_place(|| convert::write(&doc, format)) {
        Ok(bytes) => ([(header::CONTENT_TYPE, "application/octet-stream")], bytes).into_response(),
        Err(problem) => (StatusCode::UNPROCESSABLE_ENTITY, problem).into_response(),
    }
}

pub(crate) async fn list_runs(State(studio): State<Arc<Studio>>) -> Response {
    Json(tokio::task::block_in_place(|| studio.matches.list())).into_response()
}

pub(crate) async fn start_run(
    State(studio): State<Arc<Studio>>,
    Json(form): Json<Form>,
) -> Response {
    match tokio::task::block_in_place(|| studio.matches.start(form)) {
        Ok(id) => Json(json!({ "id": id })).into_response(),
        Err(problem) => (StatusCode::UNPROCESSABLE_ENTITY, problem).into_response(),
    }
}

pub(crate) async fn get_run(State(studio): State<Arc<Studio>>, Path(id): Path<String>) -> Response {
    found(tokio::task::block_in_place(|| studio.matches.show(&id)))
}

pub(crate) async fn act_on_run(
    State(studio): State<Arc<Studio>>,
    Path((id, action)): Path<(String, String)>,
) -> Response {
    let done = tokio::task::block_in_place(|| match action.as_str() {
        "finish" => studio.matches.end(&id, End::Finish),
        "stop" => studio.matches.end(&id, End::Stop),
        "resume" => studio.matches.resume(&id),
        _ => Err("There is no such action.".to_owned()),
    });
    match done {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(problem) => (StatusCode::CONFLICT, problem).into_response(),
    }
}

pub(crate) async fn get_run_game(
    State(studio): State<Arc<Studio>>,
    Path((id, pair, game)): Path<(String, u64, usize)>,
) -> Response {
    found(tokio::task::block_in_place(|| studio.matches.game(&id, pair, game)))
}

pub(crate) async fn get_report(
    State(studio): State<Arc<Studio>>,
    Path((id, file)): Path<(String, String)>,
) -> Response {
    match tokio::task::block_in_place(|| studio.matches.report(&id, &file)) {
        // Always a download: a report is a document of its own, not part of the page.
        Some(bytes) => (
            [
                (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
                (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{file}\"")),
            ],
            bytes,
        )
            .into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such report.\n").into_response(),
    }
}

/// Which game openings are asked for.
#[derive(Debug, Deserialize)]
struct GameHint {
    rule: String,
    size: u8,
}

async fn list_openings(Query(hint): Query<GameHint>) -> Response {
    match (hint.rule.parse::<Rule>(), Board::try_new(hint.size)) {
        (Ok(rule), Some(_)) => Json(explore::list(rule, hint.size)).into_response(),
        _ => (StatusCode::BAD_REQUEST, "There is no such game.\n").into_response(),
    }
}

async fn get_set(Path(set): Path<String>) -> Response {
    match explore::set(&set) {
        Some(value) => Json(value).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such set of openings.\n").into_response(),
    }
}

async fn explore(State(studio): State<Arc<Studio>>, Json(at): Json<WirePosition>) -> Response {
    answer(tokio::task::block_in_place(|| studio.explorer.look(&at)))
}

async fn opening_state(Json(request): Json<opening_protocol::OpeningRequest>) -> Response {
    answer(opening_protocol::state(&request))
}

async fn opening_choose(
    State(studio): State<Arc<Studio>>,
    Json(request): Json<opening_protocol::ChoiceRequest>,
) -> Response {
    // A player thinks for a second or more: not on a thread that serves others.
    let choose = move || opening_protocol::choose(&studio, &request);
    let chosen = tokio::task::spawn_blocking(choose).await;
    answer(chosen.unwrap_or_else(|_| Err("The player failed.".to_owned())))
}

/// Which games count for the ratings; all if nothing is said.
#[derive(Debug, Deserialize)]
struct RatingHint {
    rule: Option<String>,
    size: Option<u8>,
}

async fn ratings(State(studio): State<Arc<Studio>>, Query(hint): Query<RatingHint>) -> Response {
    let rule = hint.rule.and_then(|rule| rule.parse::<Rule>().ok());
    let filter = arena::Filter { run: None, rule, size: hint.size };
    answer(tokio::task::block_in_place(|| studio.matches.ratings(&filter)))
}

/// A value, or the sentence that says why there is none.
fn answer(value: Result<Value, String>) -> Response {
    match value {
        Ok(value) => Json(value).into_response(),
        Err(problem) => (StatusCode::UNPROCESSABLE_ENTITY, problem).into_response(),
    }
}

fn found(value: Option<Value>) -> Response {
    match value {
        Some(value) => Json(value).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such run.\n").into_response(),
    }
}
