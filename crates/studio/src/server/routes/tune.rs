//! The routes of the tune page.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, State},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
    routing::{get, post},
};
use serde_json::json;
use tokio::task::block_in_place;

use super::{answer, found};
use crate::{
    Studio,
    jobs::{End, tuning::Form},
};

pub(super) fn routes() -> Router<Arc<Studio>> {
    Router::new()
        .route("/api/tunes", get(list).post(start))
        .route("/api/tunes/{id}", get(show))
        .route("/api/tunes/{id}/{action}", post(act))
        .route("/api/tunes/{id}/report/{file}", get(report))
}

async fn list(State(studio): State<Arc<Studio>>) -> Response {
    Json(block_in_place(|| studio.tuning.list())).into_response()
}

async fn start(State(studio): State<Arc<Studio>>, Json(form): Json<Form>) -> Response {
    answer(block_in_place(|| studio.tuning.start(form)).map(|id| json!({ "id": id })))
}

async fn show(State(studio): State<Arc<Studio>>, Path(id): Path<String>) -> Response {
    found(block_in_place(|| studio.tuning.show(&id)))
}

async fn act(
    State(studio): State<Arc<Studio>>,
    Path((id, action)): Path<(String, String)>,
) -> Response {
    let done = block_in_place(|| match action.as_str() {
        "stop" => studio.tuning.end(&id, End::Stop),
        "resume" => studio.tuning.resume(&id),
        _ => Err("There is no such action.".to_owned()),
    });
    match done {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(problem) => (StatusCode::CONFLICT, problem).into_response(),
    }
}

async fn report(
    State(studio): State<Arc<Studio>>,
    Path((id, file)): Path<(String, String)>,
) -> Response {
    match block_in_place(|| studio.tuning.report(&id, &file)) {
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
