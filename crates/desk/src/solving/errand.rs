//! A question that another instance of the program works on: what is sent out, and what is said of it.

use std::{sync::Arc, time::Duration};

use serde::{Deserialize, Serialize};

use super::{Answer, Question, ask, asked};
use crate::{Host, lock};

/// Work that another instance of the program can do.
#[derive(Debug, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Errand {
    Solve(Question),
}

impl Errand {
    pub(super) fn text(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }
}

/// Does an errand that a desk has sent out, and tells what comes of it.
///
/// # Errors
/// A sentence, when the errand cannot be read.
pub fn do_errand(host: &Arc<dyn Host>, errand: &str, say: &dyn Fn(&[u8])) -> Result<(), String> {
    let Errand::Solve(question) =
        serde_json::from_str(errand).map_err(|error| error.to_string())?;
    let spent = Duration::from_millis(question.spent);
    let asked = &asked(host, 0, question.form, spent)?;
    let told = |answer| {
        let now = lock(&asked.now);
        let said = Said { nodes: now.nodes, step: now.step.clone(), answer };
        serde_json::to_vec(&said).map_err(|error| error.to_string())
    };
    // News that cannot be written are no reason to end.
    let found = ask(asked, &|| drop(told(None).map(|news| say(&news))));
    let mut answer = Answer::new(asked, found);
    let proof = answer.proof.take().unwrap_or_default();
    say(&[&told(Some(answer))?, &b"\n"[..], &proof].concat());
    Ok(())
}

/// What is said of a question that is asked elsewhere: a line of JSON, and the proof if there is one.
#[derive(Debug, Deserialize, Serialize)]
pub(super) struct Said {
    pub(super) nodes: u64,
    pub(super) step: String,
    pub(super) answer: Option<Answer>,
}

/// The line, and what comes after it.
pub(super) fn cut_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
    (&bytes[..end], bytes.get(end + 1..).unwrap_or_default())
}
