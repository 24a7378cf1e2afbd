//! The routes of the solve page: jobs, proofs, puzzles.

use std::sync::Arc;

use axum::{
    Json, Router,
    body::Bytes,
    extract::{DefaultBodyLimit, Path, Query, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde::Deserialize;
use serde_json::json;
use tokio::task::block_in_place;

use super::{answer, found};
use crate::{
    Studio,
    jobs::{End, solving::Form},
    proofs::{self, MAX_PROOF},
    puzzles,
    wire::WirePosition,
};

pub(super) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/solve", get(list).post(start))
        .route("/api/solve/try", post(try_move))
        .route("/api/solve/{id}", get(show))
        .route("/api/solve/{id}/stop", post(stop))
        .route("/api/puzzles", get(list_puzzles))
        .route("/api/proofs", get(list_proofs).post(take).layer(DefaultBodyLimit::max(MAX_PROOF)))
        .route("/api/proofs/{id}", get(about).delete(delete))
        .route("/api/proofs/{id}/at", get(walk))
        .route("/api/proofs/{id}/check", post(check))
        .route("/api/proofs/{id}/file", get(file))
        .route("/api/proofs/{id}/sgf", get(sgf))
}

async fn list(State(studio): State<Arc<Studio>>) -> Response {
    Json(studio.solving.list()).into_response()
}

async fn start(State(studio): State<Arc<Studio>>, Json(form): Json<Form>) -> Response {
    // Questions are numbered.
    let number = |id: String| id.parse::<u64>().map_err(|error| error.to_string());
    let started = block_in_place(|| studio.solving.start(form)).and_then(number);
    answer(started.map(|id| json!({ "id": id })))
}

async fn show(State(studio): State<Arc<Studio>>, Path(id): Path<u64>) -> Response {
    found(studio.solving.show(&id.to_string()))
}

async fn stop(State(studio): State<Arc<Studio>>, Path(id): Path<u64>) -> Response {
    match studio.solving.end(&id.to_string(), End::Stop) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(_) => (StatusCode::CONFLICT, "It is not being solved.\n").into_response(),
    }
}

/// A move of a puzzle.
#[derive(Debug, Deserialize)]
struct Try {
    position: WirePosition,
    point: String,
}

async fn try_move(Json(wanted): Json<Try>) -> Response {
    answer(block_in_place(|| puzzles::try_move(&wanted.position, &wanted.point)))
}

async fn list_puzzles() -> Response {
    Json(puzzles::list()).into_response()
}

async fn list_proofs(State(studio): State<Arc<Studio>>) -> Response {
    Json(block_in_place(|| studio.proofs.list())).into_response()
}

#[derive(Debug, Deserialize)]
struct Named {
    #[serde(default)]
    name: String,
}

async fn take(
    State(studio): State<Arc<Studio>>,
    Query(named): Query<Named>,
    bytes: Bytes,
) -> Response {
    let id = proofs::new_id(0);
    answer(block_in_place(|| studio.proofs.take(&id, &named.name, &bytes)))
}

async fn about(State(studio): State<Arc<Studio>>, Path(id): Path<String>) -> Response {
    found(block_in_place(|| studio.proofs.about(&id)))
}

async fn delete(State(studio): State<Arc<Studio>>, Path(id): Path<String>) -> Response {
    if block_in_place(|| studio.proofs.delete(&id)) {
        StatusCode::NO_CONTENT.into_response()
    } else {
        (StatusCode::NOT_FOUND, "There is no such proof.\n").into_response()
    }
}

#[derive(Debug, Deserialize)]
struct At {
    #[serde(default)]
    line: String,
}

async fn walk(
    State(studio): State<Arc<Studio>>,
    Path(id): Path<String>,
    Query(at): Query<At>,
) -> Response {
    answer(block_in_place(|| {
        let line = proofs::points(&at.line)?;
        proofs::walk(&studio.proofs.tree(&id)?, &line)
    }))
}

async fn check(State(studio): State<Arc<Studio>>, Path(id): Path<String>) -> Response {
    answer(block_in_place(|| studio.proofs.check(&id)))
}

async fn file(State(studio): State<Arc<Studio>>, Path(id): Path<String>) -> Response {
    match block_in_place(|| studio.proofs.bytes(&id)) {
        Some(bytes) => attachment(&format!("{id}.proof"), bytes),
        None => (StatusCode::NOT_FOUND, "There is no such proof.\n").into_response(),
    }
}

async fn sgf(State(studio): State<Arc<Studio>>, Path(id): Path<String>) -> Response {
    match block_in_place(|| proofs::sgf(&studio.proofs.tree(&id)?)) {
        Ok(bytes) => attachment(&format!("{id}.sgf"), bytes),
        Err(problem) => (StatusCode::UNPROCESSABLE_ENTITY, problem).into_response(),
    }
}

fn attachment(name: &str, bytes: Vec<u8>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    (headers, bytes).into_response()
}
