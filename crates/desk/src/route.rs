//! Questions that are asked once and answered once: a path, and a function from a call to a reply.

use std::{
    collections::BTreeMap,
    fmt,
    str::FromStr,
    sync::{Arc, atomic::AtomicBool},
};

use serde::{Serialize, de::DeserializeOwned};
use serde_json::json;

use crate::documents::MAX_DOC;

/// A body is no larger than this, if its route does not say otherwise: any game fits.
const MAX_BODY: usize = MAX_DOC + 4096;

/// What is wanted with a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    /// To have what is there.
    Get,
    /// To have something done.
    Post,
    /// To have what is there deleted.
    Delete,
}

/// One thing that can be asked.
pub struct Route {
    /// What is wanted.
    pub verb: Verb,
    /// The path, such as `/api/games/{id}`.
    pub path: String,
    /// What a body holds.
    pub body: Body,
    /// Answers a call. It may take a while.
    pub answer: Box<dyn Fn(&Call) -> AnswerResult + Send + Sync>,
}

/// What the body of a call holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Body {
    /// A JSON document, or nothing.
    Json,
    /// At most so many bytes of a file.
    File(usize),
}

impl Body {
    /// A body is no larger than this.
    pub fn max(self) -> usize {
        match self {
            Body::Json => MAX_BODY,
            Body::File(max) => max,
        }
    }
}

/// A question, as whoever carries it has taken it apart.
#[derive(Debug, Default)]
pub struct Call {
    /// What stands for the names in the path, in their order.
    pub names: Vec<String>,
    /// What comes after the path.
    pub query: BTreeMap<String, String>,
    /// The body.
    pub body: Vec<u8>,
    /// Turns true when nobody waits for the answer any more.
    pub stop: Arc<AtomicBool>,
}

/// An answer, or why there is none.
pub type AnswerResult = Result<Answer, Refusal>;

/// An answer.
#[derive(Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is done, and there is nothing to say.
    Done,
    /// A document, as text.
    Json(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A file to be saved, with its name.
    File(String, Vec<u8>),
    /// A text to be read.
    Text(Vec<u8>),
    /// A document in HTML that stands for itself: it has no scripts and fetches nothing.
    Page(Vec<u8>),
}

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq)]
pub struct Refusal {
    /// What kind of reason it is.
    pub why: Why,
    /// A sentence.
    pub text: String,
}

/// Kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The question cannot be read.
    Malformed,
    /// What it is about is not there.
    Missing,
    /// Not in the present state of things.
    Conflict,
    /// It can be read, and asks for what cannot be.
    Wrong,
    /// Too much is going on.
    Busy,
}

impl Refusal {
    /// A refusal for a reason.
    pub fn new(why: Why, text: impl Into<String>) -> Refusal {
        Refusal { why, text: text.into() }
    }

    /// It as a document: `{"error": "A sentence."}`.
    pub fn document(text: &str) -> String {
        json!({ "error": text.trim() }).to_string()
    }
}

impl From<String> for Refusal {
    fn from(text: String) -> Refusal {
        Refusal::new(Why::Wrong, text)
    }
}

impl Answer {
    /// A document.
    ///
    /// # Errors
    /// When it cannot be written as JSON.
    pub fn json(value: &impl Serialize) -> AnswerResult {
        let text = serde_json::to_string(value).map_err(|error| error.to_string())?;
        Ok(Answer::Json(text))
    }

    /// A document if there is one.
    ///
    /// # Errors
    /// The sentence says what is not there.
    pub fn found(value: Option<impl Serialize>, missing: &str) -> AnswerResult {
        let value = value.ok_or_else(|| Refusal::new(Why::Missing, missing))?;
        Answer::json(&value)
    }
}

impl Route {
    /// A route without a body, or with a JSON document.
    pub fn new(
        verb: Verb,
        path: impl Into<String>,
        answer: impl Fn(&Call) -> AnswerResult + Send + Sync + 'static,
    ) -> Route {
        Route { verb, path: path.into(), body: Body::Json, answer: Box::new(answer) }
    }

    /// The same route for a file of at most so many bytes.
    #[must_use]
    pub fn for_file(self, max: usize) -> Route {
        Route { body: Body::File(max), ..self }
    }
}

impl Call {
    /// The name at a place of the path.
    pub fn name(&self, place: usize) -> &str {
        self.names.get(place).map_or("", String::as_str)
    }

    /// The document in the body.
    ///
    /// # Errors
    /// When it is none, or not one of this form.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        serde_json::from_slice(&self.body).map_err(|error| {
            let why = if error.is_data() { Why::Wrong } else { Why::Malformed };
            Refusal::new(why, format!("The document cannot be read: {error}."))
        })
    }

    /// What the query says of something.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn query<T: FromStr>(&self, key: &str) -> Result<Option<T>, Refusal> {
        let Some(text) = self.query.get(key) else { return Ok(None) };
        let value = text
            .parse()
            .map_err(|_| Refusal::new(Why::Malformed, format!("'{text}' is no proper {key}.")))?;
        Ok(Some(value))
    }
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Route { verb, path, body, .. } = self;
        f.debug_struct("Route").field("verb", verb).field("path", path).field("body", body).finish()
    }
}
