//! Everything that can be asked once.

use std::sync::Arc;

use gomoku::{
    Board, Rule,
    record::{Encoding, Format, Hint},
};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::json;

use crate::{
    Answer, AnswerResult, Call, Desk, End, Jobs, Refusal, Route,
    Verb::{self, Delete, Get, Post},
    Why, Work,
    convert::{self, MAX_FILE},
    explore, look, opening_protocol,
    players::SearchPlace,
    proofs::{self, MAX_PROOF},
    puzzles::{self, PuzzleGoal},
    schema, solved, think,
    wire::{LookRequest, WirePosition},
};

impl Desk {
    fn route(
        self: &Arc<Self>,
        verb: Verb,
        path: &str,
        answer: impl Fn(&Desk, &Call) -> AnswerResult + Send + Sync + 'static,
    ) -> Route {
        let desk = Arc::clone(self);
        Route::new(verb, path, move |call| answer(&desk, call))
    }

    /// What the page and other programs ask: the players, the stored games, and files.
    pub fn routes(self: &Arc<Self>) -> Vec<Route> {
        vec![
            self.route(Get, "/api/schema", |desk, _| {
                Answer::json(&schema::schema(&desk.registry, desk.host.cores()))
            }),
            self.route(Get, "/api/games", |desk, _| Answer::json(&desk.documents.list())),
            self.route(Get, "/api/games/{id}", |desk, call| {
                let game = desk.documents.load(call.name(0));
                Answer::found(game.as_ref().map(|game| &*game.text), "There is no such game.\n")
            }),
            self.route(Delete, "/api/games/{id}", |desk, call| {
                let text = "There is no such game, or it is being played.\n";
                done(desk.documents.delete(call.name(0)), Why::Conflict, text)
            }),
            Route::new(Post, "/api/read", read_file).for_file(MAX_FILE),
            Route::new(Post, "/api/write/{format}", |call| {
                let format = Format::from_name(call.name(0))
                    .ok_or_else(|| Refusal::new(Why::Missing, "There is no such format.\n"))?;
                Ok(Answer::Bytes(convert::write(&call.json()?, format)?))
            }),
        ]
    }

    /// What the page asks over its session, for programs that have none.
    pub fn program_routes(self: &Arc<Self>) -> Vec<Route> {
        vec![
            self.route(Post, "/api/look", |desk, call| {
                Answer::json(&look::look(desk, &with_legal(call.json()?)))
            }),
            self.route(Post, "/api/look/batch", |desk, call| {
                let batch = think::check_batch(call.json::<Vec<LookRequest>>()?)?.into_iter();
                let looks = batch.map(|request| look::look(desk, &with_legal(request)));
                Answer::json(&looks.collect::<Vec<_>>())
            }),
            self.route(Post, "/api/think", |desk, call| {
                let request = call.json()?;
                let _place = place(desk, call)?;
                Answer::json(&think::choose(desk, &request, &call.stop)?)
            }),
            self.batch_route(),
        ]
    }

    fn batch_route(self: &Arc<Self>) -> Route {
        let desk = Arc::clone(self);
        Route::new(Post, "/api/think/batch", move |call| {
            let batch = think::check_batch(call.json()?)?;
            let _place = place(&desk, call)?;
            let answers = think::choose_all(&desk, batch, &call.stop).into_iter();
            let told = answers.map(|answer| match answer {
                Ok(best) => serde_json::to_value(best).map_err(|error| error.to_string()),
                Err(text) => Ok(json!({ "error": text })),
            });
            Answer::json(&told.collect::<Result<Vec<_>, _>>()?)
        })
    }

    /// What only the page asks: deleted games, openings, solving, proofs and puzzles.
    pub fn page_routes(self: &Arc<Self>) -> Vec<Route> {
        let mut routes = vec![
            self.route(Get, "/api/bin", |desk, _| {
                Answer::json(&desk.documents.bin(desk.host.date()))
            }),
            self.route(Post, "/api/bin/{id}/restore", |desk, call| {
                let text = "There is no such game in the bin, or there is one of its name again.\n";
                done(desk.documents.restore(call.name(0)), Why::Conflict, text)
            }),
            self.route(Post, "/api/games", |desk, call| {
                desk.documents.add(call.json()?)?;
                Ok(Answer::Done)
            }),
            self.route(Get, "/api/openings", |desk, call| {
                let malformed = || Refusal::new(Why::Malformed, "There is no such game.\n");
                let (rule, size) = (call.query::<Rule>("rule")?, call.query::<u8>("size")?);
                let (rule, size) = rule.zip(size).ok_or_else(malformed)?;
                Board::try_new(size).ok_or_else(malformed)?;
                Answer::json(&desk.explorer.list(rule, size))
            }),
            Route::new(Get, "/api/openings/{set}", |call| {
                Answer::found(explore::set(call.name(0)), "There is no such set of openings.\n")
            }),
            self.route(Post, "/api/explore", |desk, call| {
                Answer::json(&desk.explorer.look(&call.json()?)?)
            }),
            Route::new(Post, "/api/opening", |call| {
                Answer::json(&opening_protocol::state(&call.json()?)?)
            }),
            self.route(Post, "/api/opening/choose", |desk, call| {
                Answer::json(&opening_protocol::choose(desk, &call.json()?)?)
            }),
            Route::new(Get, "/api/solved", |_| Answer::json(&solved::list())),
            Route::new(Post, "/api/solved/answer", |call| {
                Answer::json(&solved::answer(&call.json()?)?)
            }),
            Route::new(Post, "/api/solve/try", |call| {
                let Try { position, point, goal } = call.json()?;
                let goal = PuzzleGoal::from_name(goal.as_deref().unwrap_or("win"))
                    .ok_or_else(|| "The goal is 'win' or 'hold'.".to_owned())?;
                Answer::json(&puzzles::try_move(&position, &point, goal)?)
            }),
            Route::new(Get, "/api/puzzles", |_| Answer::json(&puzzles::list())),
        ];
        routes.extend(Jobs::routes(&self.solving, "/api/solve"));
        routes.extend(self.proof_routes());
        routes
    }

    fn proof_routes(self: &Arc<Self>) -> Vec<Route> {
        const MISSING: &str = "There is no such proof.\n";
        vec![
            self.route(Get, "/api/proofs", |desk, _| Answer::json(&desk.proofs.list())),
            self.route(Post, "/api/proofs", |desk, call| {
                let name: String = call.query("name")?.unwrap_or_default();
                Answer::json(&desk.proofs.take(&name, &call.body)?)
            })
            .for_file(MAX_PROOF),
            self.route(Get, "/api/proofs/{id}", |desk, call| {
                Answer::found(desk.proofs.about(call.name(0)), MISSING)
            }),
            self.route(Delete, "/api/proofs/{id}", |desk, call| {
                done(desk.proofs.delete(call.name(0)), Why::Missing, MISSING)
            }),
            self.route(Get, "/api/proofs/{id}/at", |desk, call| {
                let line: String = call.query("line")?.unwrap_or_default();
                let line = proofs::points(&line)?;
                Answer::json(&proofs::walk(&desk.proofs.tree(call.name(0))?, &line)?)
            }),
            self.route(Post, "/api/proofs/{id}/check", |desk, call| {
                Answer::json(&desk.proofs.check(call.name(0))?)
            }),
            self.route(Post, "/api/check", |desk, call| {
                Answer::json(&desk.proofs.check_bytes(&call.body))
            })
            .for_file(MAX_PROOF),
            self.route(Get, "/api/proofs/{id}/file", |desk, call| {
                let id = call.name(0);
                let bytes = desk.proofs.bytes(id);
                let bytes = bytes.ok_or_else(|| Refusal::new(Why::Missing, MISSING))?;
                Ok(Answer::File(format!("{id}.proof"), bytes))
            }),
            self.route(Get, "/api/proofs/{id}/sgf", |desk, call| {
                let id = call.name(0);
                let bytes = proofs::sgf(&desk.proofs.tree(id)?)?;
                Ok(Answer::File(format!("{id}.sgf"), bytes))
            }),
        ]
    }
}

impl<W: Work<Form: DeserializeOwned>> Jobs<W> {
    /// Starts, lists, shows and ends the jobs under a path.
    pub fn routes(jobs: &Arc<Self>, path: &str) -> Vec<Route> {
        let route = |verb, rest: &str, answer: fn(&Arc<Self>, &Call) -> AnswerResult| {
            let jobs = Arc::clone(jobs);
            Route::new(verb, format!("{path}{rest}"), move |call| answer(&jobs, call))
        };
        vec![
            route(Get, "", |jobs, _| Answer::json(&W::list(jobs))),
            route(Post, "", |jobs, call| {
                let job = jobs.start(call.json()?)?;
                Answer::json(&json!({ "id": job.news()["id"] }))
            }),
            route(Get, "/{id}", |jobs, call| {
                Answer::found(W::show(jobs, call.name(0)), "There is no such run.\n")
            }),
            route(Post, "/{id}/{action}", |jobs, call| {
                let (id, action) = (call.name(0), call.name(1));
                let done = match action {
                    _ if !W::ACTIONS.contains(&action) => {
                        Err("There is no such action.".to_owned())
                    }
                    "resume" => jobs.resume(id),
                    "finish" => jobs.end(id, End::Finish),
                    _ => jobs.end(id, End::Stop),
                };
                done.map_err(|text| Refusal::new(Why::Conflict, text))?;
                Ok(Answer::Done)
            }),
        ]
    }
}

/// A place for the search of a call.
fn place(desk: &Desk, call: &Call) -> Result<SearchPlace, Refusal> {
    let place = desk.players.begin_search(&call.stop);
    place.ok_or_else(|| Refusal::new(Why::Busy, think::TOO_MANY))
}

/// Programs are always told the legal moves.
fn with_legal(request: LookRequest) -> LookRequest {
    LookRequest { legal: true, ..request }
}

fn done(is_done: bool, why: Why, text: &str) -> AnswerResult {
    if is_done { Ok(Answer::Done) } else { Err(Refusal::new(why, text)) }
}

fn read_file(call: &Call) -> AnswerResult {
    let malformed = || Refusal::new(Why::Malformed, "There is no such rule.\n");
    let (rule, size) = (call.query::<Rule>("rule")?, call.query::<u8>("size")?);
    let (rule, size) = rule.zip(size).ok_or_else(malformed)?;
    let name: String = call.query("name")?.unwrap_or_default();
    let set: Option<String> = call.query("encoding")?;
    let encoding = set.map(|name| {
        let text = format!("There is no character set '{name}'.\n");
        Encoding::from_name(&name).ok_or_else(|| Refusal::new(Why::Malformed, text))
    });
    let hint = Hint {
        name: &name,
        rule: Some(rule),
        size: Some(size),
        encoding: encoding.transpose()?,
        ..Hint::default()
    };
    Answer::json(&convert::read(&call.body, &hint)?)
}

/// A move of a puzzle.
#[derive(Debug, Deserialize)]
struct Try {
    position: WirePosition,
    point: String,
    /// `win` if it is not said.
    goal: Option<String>,
}
