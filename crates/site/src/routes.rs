//! Finds the route of a question, and puts its answer into the words of HTTP.

use std::collections::BTreeMap;

use desk::{Answer, AnswerResult, Call, Refusal, Route, Verb, Why};
use serde::Deserialize;

use crate::browser;

/// A question as the page's script has taken it apart.
#[derive(Debug, Deserialize)]
pub(crate) struct Question {
    verb: String,
    /// The path, cut at its slashes.
    path: Vec<String>,
    #[serde(default)]
    query: BTreeMap<String, String>,
}

/// Asks the route that a question is for.
pub(crate) fn ask(routes: &[Route], question: Question, body: Vec<u8>) {
    let found = routes.iter().find_map(|route| Some((route, names(route, &question)?)));
    let Some((route, names)) = found else {
        return refuse(404, "There is no such thing here.");
    };
    if body.len() > route.body.max() {
        return refuse(413, "The file is too large.");
    }
    answer((route.answer)(&Call { names, query: question.query, body, ..Call::default() }));
}

/// What stands for the names in a route's path, if the question is for it.
fn names(route: &Route, question: &Question) -> Option<Vec<String>> {
    let verb = match route.verb {
        Verb::Get => "GET",
        Verb::Post => "POST",
        Verb::Delete => "DELETE",
    };
    let parts: Vec<&str> = route.path.split('/').skip(1).collect();
    if question.verb != verb || parts.len() != question.path.len() {
        return None;
    }
    let mut names = Vec::new();
    for (part, given) in parts.into_iter().zip(&question.path) {
        match part.starts_with('{') {
            true => names.push(given.clone()),
            false => (part == given).then_some(())?,
        }
    }
    Some(names)
}

fn answer(reply: AnswerResult) {
    const JSON: &str = "application/json";
    const BYTES: &str = "application/octet-stream";
    match reply {
        Ok(Answer::Done) => browser::answer(204, "", b""),
        Ok(Answer::Json(text)) => browser::answer(200, JSON, text.as_bytes()),
        Ok(Answer::Bytes(bytes) | Answer::File(_, bytes)) => browser::answer(200, BYTES, &bytes),
        Ok(Answer::Text(bytes)) => browser::answer(200, "text/plain; charset=utf-8", &bytes),
        Ok(Answer::Page(bytes)) => browser::answer(200, "text/html; charset=utf-8", &bytes),
        Err(refusal) => {
            let status = match refusal.why {
                Why::Malformed => 400,
                Why::Missing => 404,
                Why::Conflict => 409,
                Why::Wrong => 422,
                Why::Busy => 503,
            };
            refuse(status, &refusal.text);
        }
    }
}

/// Says why there is no answer.
pub(crate) fn refuse(status: u32, text: &str) {
    browser::answer(status, "application/json", Refusal::document(text).as_bytes());
}
