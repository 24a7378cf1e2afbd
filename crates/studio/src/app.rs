//! The routes of the server.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{DefaultBodyLimit, Path, Request, State},
    http::StatusCode,
    middleware,
    response::{IntoResponse, Response},
    routing::{any, get},
};

use crate::{Studio, guard, schema, socket, store::MAX_DOC};

/// All routes behind the guard.
pub(crate) fn router(studio: Arc<Studio>) -> Router {
    Router::new()
        .route("/api/schema", get(get_schema))
        .route("/api/games", get(list_games))
        .route("/api/games/{id}", get(get_game).delete(delete_game))
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

async fn get_schema(State(studio): State<Arc<Studio>>) -> Response {
    Json(schema::schema(&studio.registry)).into_response()
}

async fn list_games(State(studio): State<Arc<Studio>>) -> Response {
    Json(tokio::task::block_in_place(|| studio.store.list())).into_response()
}

async fn get_game(State(studio): State<Arc<Studio>>, Path(id): Path<String>) -> Response {
    match tokio::task::block_in_place(|| studio.store.load(&id)) {
        Some((_, text)) => Json(&*text).into_response(),
        None => (StatusCode::NOT_FOUND, "There is no such game.\n").into_response(),
    }
}

async fn delete_game(State(studio): State<Arc<Studio>>, Path(id): Path<String>) -> Response {
    if tokio::task::block_in_place(|| studio.store.delete(&id)) {
        StatusCode::NO_CONTENT.into_response()
    } else {
        (StatusCode::CONFLICT, "There is no such game, or it is being played.\n").into_response()
    }
}
