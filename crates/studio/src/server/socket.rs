//! A page's session over a WebSocket.

use std::{sync::Arc, time::Duration};

use axum::{
    body::Bytes,
    extract::{
        State, WebSocketUpgrade,
        ws::{CloseFrame, Message as Frame, WebSocket, close_code},
    },
    http::StatusCode,
    response::{IntoResponse, Response},
};
use desk::{MAX_DOC, Outbox, SLOT_INTERVAL, Session};
use futures_util::{SinkExt, StreamExt, stream::SplitSink};
use tokio::{
    sync::Notify,
    task::block_in_place,
    time::{Instant, sleep_until, timeout},
};

use crate::Studio;

/// A page that takes longer than this to read a message is gone.
const SEND_TIME: Duration = Duration::from_secs(20);
/// A page that is let go has this long to take what was sent before.
const CLOSE_TIME: Duration = Duration::from_secs(2);
/// Silence for this long is answered with a ping, to find pages that have vanished.
const PING_TIME: Duration = Duration::from_secs(30);

/// Opens a socket.
pub(crate) async fn upgrade(
    State(studio): State<Arc<Studio>>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let news = Arc::new(Notify::new());
    let wake = Arc::clone(&news);
    let Some(session) = studio.desk.connect(move || wake.notify_one()) else {
        return (StatusCode::SERVICE_UNAVAILABLE, "Too many pages are open.\n").into_response();
    };
    upgrade
        .max_message_size(MAX_DOC + 4096)
        .max_frame_size(MAX_DOC + 4096)
        .on_upgrade(move |socket| run(session, news, socket))
}

async fn run(session: Session, news: Arc<Notify>, socket: WebSocket) {
    let (sink, mut stream) = socket.split();
    let mut writer = tokio::spawn(write(sink, Arc::clone(session.outbox()), news));
    while let Some(Ok(frame)) = stream.next().await {
        match frame {
            Frame::Text(text) => block_in_place(|| session.handle(&text)),
            Frame::Close(_) => break,
            Frame::Binary(_) => session.refuse("Only text is understood."),
            Frame::Ping(_) | Frame::Pong(_) => {}
        }
        if session.outbox().is_closed() {
            break;
        }
    }
    drop(session);
    // The writer ends when it sees the closed box; one that nobody reads from is not waited for.
    if timeout(CLOSE_TIME, &mut writer).await.is_err() {
        writer.abort();
    }
}

/// Sends what is in the box: messages at once, slots at their pace.
async fn write(mut sink: SplitSink<WebSocket, Frame>, outbox: Arc<Outbox>, news: Arc<Notify>) {
    let mut next_slots = Instant::now();
    loop {
        let has_slots = outbox.has_slots();
        let ping_at = Instant::now() + PING_TIME;
        tokio::select! {
            () = news.notified() => {}
            () = sleep_until(next_slots), if has_slots => {}
            () = sleep_until(ping_at) => {
                if !send(&mut sink, Frame::Ping(Bytes::new())).await {
                    break;
                }
            }
        }
        while let Some(text) = outbox.next() {
            if !send(&mut sink, Frame::Text(text.into())).await {
                outbox.close();
            }
        }
        if outbox.is_closed() {
            break;
        }
        if Instant::now() >= next_slots {
            for text in outbox.take_slots() {
                if !send(&mut sink, Frame::Text(text.into())).await {
                    outbox.close();
                }
            }
            next_slots = Instant::now() + SLOT_INTERVAL;
        }
    }
    let close = CloseFrame { code: close_code::AWAY, reason: "".into() };
    // The page may be gone already.
    let _ = timeout(Duration::from_secs(1), sink.send(Frame::Close(Some(close)))).await;
}

async fn send(sink: &mut SplitSink<WebSocket, Frame>, frame: Frame) -> bool {
    matches!(timeout(SEND_TIME, sink.send(frame)).await, Ok(Ok(())))
}
