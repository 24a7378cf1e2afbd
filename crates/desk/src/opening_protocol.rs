//! Opening protocols played through with the page: what is asked, whether an answer is allowed, and
//! what a player answers. Nothing is kept here: the page sends all answers so far.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    time::Duration,
};

use gomoku::{
    Board, Point, Rule,
    opening::{Action, Allowed, Opening, Protocol, Seat, name_of},
};
use player::{Choice, Limits, OpeningOptions, Task, answer_opening};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Desk, host::HostWatch, wire::WireLimits};

/// Thinking time for one answer of a player that has no limit of its own.
const USUAL_TIME: Duration = Duration::from_millis(800);
/// An advantage is even up to this part of a fair one: 53 % against 47 %. The player then has no side
/// to prefer, and rather makes the other choose.
const EVEN: f64 = 0.12;
/// No answer takes longer than this.
const MAX_TIME: Duration = Duration::from_secs(20);

/// An opening so far.
#[derive(Debug, Deserialize)]
pub(crate) struct OpeningRequest {
    protocol: String,
    rule: String,
    size: u8,
    actions: Vec<WireAction>,
}

/// A question to a player.
#[derive(Debug, Deserialize)]
pub(crate) struct ChoiceRequest {
    #[serde(flatten)]
    opening: OpeningRequest,
    player: String,
    #[serde(default)]
    limits: WireLimits,
    /// Makes one game's opening differ from another's.
    #[serde(default)]
    seed: u64,
}

/// An answer as the page writes it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct WireAction {
    /// `swap`, `place` (one to three stones), `declare`, `offer` or `pick`.
    a: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    points: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    n: Option<u8>,
}

/// Where an opening stands.
pub(crate) fn state(request: &OpeningRequest) -> Result<Value, String> {
    Ok(shown(&play(request)?))
}

/// What a player answers now.
pub(crate) fn choose(desk: &Desk, request: &ChoiceRequest) -> Result<Value, String> {
    let mut opening = play(&request.opening)?;
    let ask = opening.ask().ok_or("The opening is over.")?;
    let mut limits = Limits::from(request.limits);
    limits.turn = Some(limits.turn.unwrap_or(USUAL_TIME).min(MAX_TIME));
    let even = EVEN * desk.players.scale(&request.player).unwrap_or(0.0);
    let options = OpeningOptions { limits, seed: request.seed, even: even as u64 };
    let mut think = |task| think(desk, request, &task).map(Some);
    let action = answer_opening(opening.position(), &ask.allowed, options, &mut think)?;
    opening.answer(&action).map_err(|error| error.to_string())?;
    Ok(json!({ "action": wire(&action), "state": shown(&opening) }))
}

fn play(request: &OpeningRequest) -> Result<Opening, String> {
    let protocol: Protocol = request.protocol.parse().map_err(|error| format!("{error}"))?;
    let rule: Rule = request.rule.parse().map_err(|error| format!("{error}"))?;
    Board::try_new(request.size).ok_or("There is no such board.")?;
    let mut opening =
        Opening::new(protocol, rule, request.size).map_err(|error| error.to_string())?;
    for action in &request.actions {
        let action = read(action, &opening)?;
        opening.answer(&action).map_err(|error| error.to_string())?;
    }
    Ok(opening)
}

fn read(wire: &WireAction, opening: &Opening) -> Result<Action, String> {
    let points = wire.points.iter().map(|text| text.parse::<Point>());
    let points = points.collect::<Result<Vec<_>, _>>().map_err(|error| error.to_string())?;
    let size = opening.position().size();
    if let Some(point) = points.iter().find(|point| !point.is_on(size)) {
        return Err(format!("{point} is not on the board."));
    }
    Ok(match (wire.a.as_str(), points.as_slice()) {
        ("swap", []) => Action::Swap,
        ("place", &[a]) => Action::Place(a),
        ("place", &[a, b]) => Action::PlaceTwo([a, b]),
        ("place", &[a, b, c]) => Action::PlaceThree([a, b, c]),
        ("declare", &[a]) => Action::PlaceAndDeclare(a, wire.n.unwrap_or(1)),
        ("offer", points) => Action::Offer(points.to_vec()),
        ("pick", &[fifth, sixth]) => Action::Pick { fifth, sixth },
        _ => return Err("This answer is not one of those the opening asks for now.".to_owned()),
    })
}

fn wire(action: &Action) -> WireAction {
    let (a, n) = match action {
        Action::Swap => ("swap", None),
        Action::Place(_) | Action::PlaceTwo(_) | Action::PlaceThree(_) => ("place", None),
        Action::PlaceAndDeclare(_, n) => ("declare", Some(*n)),
        Action::Offer(_) => ("offer", None),
        Action::Pick { .. } => ("pick", None),
    };
    let points = action.stones().iter().map(ToString::to_string).collect();
    WireAction { a: a.to_owned(), points, n }
}

fn shown(opening: &Opening) -> Value {
    let texts = |points: &[Point]| points.iter().map(ToString::to_string).collect::<Vec<_>>();
    let ask = opening.ask().map(|ask| {
        let allowed: Vec<_> = ask.allowed.iter().map(|one| allowed(one, opening)).collect();
        json!({ "seat": number(ask.seat), "allowed": allowed })
    });
    json!({
        "ask": ask, "black": number(opening.black()), "moves": texts(opening.position().moves()),
        "offers": texts(opening.offers()),
        "name": name_of(opening.position()).map(|one| one.romaji),
    })
}

fn number(seat: Seat) -> u8 {
    u8::from(seat == Seat::Second)
}

fn allowed(one: &Allowed, opening: &Opening) -> Value {
    match one {
        Allowed::Swap => json!({ "a": "swap" }),
        Allowed::Place(points) if *points == opening.position().board().empty() => {
            json!({ "a": "place", "count": 1 })
        }
        Allowed::Place(points) => json!({
            "a": "place", "count": 1,
            "points": points.iter().map(|point| point.to_string()).collect::<Vec<_>>(),
        }),
        Allowed::PlaceTwo => json!({ "a": "place", "count": 2 }),
        Allowed::PlaceThree { named } => json!({ "a": "place", "count": 3, "named": named }),
        Allowed::PlaceAndDeclare(max) => json!({ "a": "declare", "count": 1, "max": max }),
        Allowed::Offer(count) => json!({ "a": "offer", "count": count }),
        Allowed::Pick(offers) => json!({
            "a": "pick", "count": 2,
            "points": offers.iter().map(ToString::to_string).collect::<Vec<_>>(),
        }),
    }
}

/// Asks the player of a request.
fn think(desk: &Desk, request: &ChoiceRequest, task: &Task) -> Result<Choice, String> {
    let player = &request.player;
    let stop = Arc::default();
    let _place = desk.players.begin_search(&stop).ok_or("Too many searches are running.")?;
    let watch = HostWatch::start(&desk.host, &stop);
    let taken = desk.players.acquire(player, "opening", request.seed);
    taken.and_then(|mut pooled| {
        let think = AssertUnwindSafe(|| pooled.player.choose(task, &watch));
        let choice = catch_unwind(think).map_err(|_| format!("The player {player} failed."))?;
        desk.players.release(pooled);
        Ok(choice)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(protocol: &str, actions: Value) -> OpeningRequest {
        serde_json::from_value(
            json!({ "protocol": protocol, "rule": "renju", "size": 15, "actions": actions }),
        )
        .unwrap()
    }

    #[test]
    fn swap2_goes_through_every_kind_of_answer() {
        let three = json!({ "a": "place", "points": ["h8", "i9", "k8"] });
        let two = json!({ "a": "place", "points": ["g7", "j6"] });
        let seen = state(&request("swap2", json!([three, two]))).unwrap();
        assert_eq!(seen["ask"]["seat"], 0, "the first chooses after the second placed two");
        assert_eq!(seen["moves"].as_array().unwrap().len(), 5);
        let over = state(&request("swap2", json!([three, { "a": "swap" }]))).unwrap();
        assert_eq!((&over["ask"], &over["black"]), (&Value::Null, &json!(1)));
    }

    #[test]
    fn wrong_answers_are_refused_with_a_sentence() {
        for (protocol, actions) in [
            ("swap2", json!([{ "a": "swap" }])),
            ("swap2", json!([{ "a": "place", "points": ["h8", "h8", "i9"] }])),
            ("soosyrv-8", json!([{ "a": "place", "points": ["a1", "i9", "k8"] }])),
            ("pro", json!([{ "a": "place", "points": ["a1"] }])),
            ("pro", json!([{ "a": "place", "points": ["z99"] }])),
            ("chess", json!([])),
        ] {
            let problem = state(&request(protocol, actions)).unwrap_err();
            assert!(problem.ends_with('.'), "{problem}");
        }
    }
}
