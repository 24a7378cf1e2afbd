//! Opening protocols played through with the page: what is asked, whether an answer is allowed, and
//! what a player answers. Nothing is kept here: the page sends all answers so far.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    time::Duration,
};

use gomoku::{
    Board, Point, PointSet, Position, Rule,
    opening::{
        Action, Allowed, Ask, NamedOpening, Opening, Protocol, Seat, are_symmetric, name_of,
    },
};
use player::{Choice, Goal, Limits, Reply, Score, Stopwatch, Task};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::{Studio, wire::WireLimits};

/// Thinking time for one answer of a player that has no limit of its own.
const USUAL_TIME: Duration = Duration::from_millis(800);
/// Chances to win that differ from one half by no more than this are even: the player has no side to
/// prefer, and rather makes the other choose.
const EVEN: f64 = 0.03;
/// No answer takes longer than this.
const MAX_TIME: Duration = Duration::from_secs(20);

/// An opening so far.
#[derive(Debug, Deserialize)]
pub(crate) struct Talk {
    protocol: String,
    rule: String,
    size: u8,
    actions: Vec<WireAction>,
}

/// A question to a player.
#[derive(Debug, Deserialize)]
pub(crate) struct Question {
    #[serde(flatten)]
    talk: Talk,
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
pub(crate) fn state(talk: &Talk) -> Result<Value, String> {
    Ok(shown(&play(talk)?))
}

/// What a player answers now.
pub(crate) fn choose(studio: &Studio, question: &Question) -> Result<Value, String> {
    let opening = play(&question.talk)?;
    let ask = opening.ask().ok_or("The opening is over.")?;
    let action = Chooser { studio, question, opening: &opening }.answer(&ask)?;
    let mut next = opening.clone();
    next.answer(&action).map_err(|error| error.to_string())?;
    Ok(json!({ "action": wire(&action), "state": shown(&next) }))
}

fn play(talk: &Talk) -> Result<Opening, String> {
    let protocol: Protocol = talk.protocol.parse().map_err(|error| format!("{error}"))?;
    let rule: Rule = talk.rule.parse().map_err(|error| format!("{error}"))?;
    Board::try_new(talk.size).ok_or("There is no such board.")?;
    let mut opening = Opening::new(protocol, rule, talk.size).map_err(|error| error.to_string())?;
    for action in &talk.actions {
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
    let make = |a: &str, points: &[Point], n| WireAction {
        a: a.to_owned(),
        points: points.iter().map(ToString::to_string).collect(),
        n,
    };
    match action {
        Action::Swap => make("swap", &[], None),
        Action::Place(point) => make("place", &[*point], None),
        Action::PlaceTwo(points) => make("place", points, None),
        Action::PlaceThree(points) => make("place", points, None),
        Action::PlaceAndDeclare(point, n) => make("declare", &[*point], Some(*n)),
        Action::Offer(points) => make("offer", points, None),
        Action::Pick { fifth, sixth } => make("pick", &[*fifth, *sixth], None),
    }
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

/// A player in an opening: it balances what the other will choose from, and takes the side that it
/// thinks is ahead.
struct Chooser<'a> {
    studio: &'a Studio,
    question: &'a Question,
    opening: &'a Opening,
}

impl Chooser<'_> {
    fn answer(&self, ask: &Ask) -> Result<Action, String> {
        let position = self.opening.position();
        let first = ask.allowed.first().ok_or("Nothing is asked.")?;
        match first {
            Allowed::PlaceThree { named: true } => Ok(Action::PlaceThree(self.even_named()?)),
            Allowed::PlaceThree { named: false } => self.three(),
            Allowed::Pick(offers) => self.pick(offers),
            Allowed::Offer(count) => Ok(Action::Offer(self.fifths(usize::from(*count), position)?)),
            _ => self.stay_or_swap(ask),
        }
    }

    /// Swaps when the side to move is behind, else goes on with it.
    fn stay_or_swap(&self, ask: &Ask) -> Result<Action, String> {
        let position = self.opening.position();
        let places = ask.points();
        // A stone that the other side may then swap away should be even; the last one, good.
        let is_judged = position.board().len() < 3 && !ask.may_swap();
        let goal = if is_judged { Goal::Balance { stones: 1, bias: 0 } } else { Goal::Best };
        let may_add_two = ask.allowed.contains(&Allowed::PlaceTwo);
        let choice = self.think(position, goal, places, 1, if may_add_two { 2 } else { 1 })?;
        if may_add_two
            && self.is_even(&choice)
            && let Some(two) = self.two()?
        {
            return Ok(Action::PlaceTwo(two));
        }
        let is_behind = choice.score.is_some_and(|score| score < Score::default());
        if ask.may_swap() && is_behind {
            return Ok(Action::Swap);
        }
        let declare = ask.allowed.iter().find_map(|one| match one {
            Allowed::PlaceAndDeclare(max) => Some(*max),
            _ => None,
        });
        let offers = ask.allowed.iter().find_map(|one| match one {
            Allowed::Offer(count) => Some(usize::from(*count)),
            _ => None,
        });
        match (declare, offers) {
            (Some(max), _) => self.declare(stone(&choice)?, max),
            (None, Some(count)) if places.is_empty() => {
                Ok(Action::Offer(self.fifths(count, position)?))
            }
            _ => Ok(Action::Place(stone(&choice)?)),
        }
    }

    fn is_even(&self, choice: &Choice) -> bool {
        let scale = self.studio.bench.scale(&self.question.player);
        choice.score.is_some_and(|score| (score.win_rate(scale) - 0.5).abs() <= EVEN)
    }

    /// Two more stones that leave the game as even as it is; `None` from a player that finds no two.
    fn two(&self) -> Result<Option<[Point; 2]>, String> {
        let goal = Goal::Balance { stones: 2, bias: 0 };
        let choice = self.think(self.opening.position(), goal, PointSet::default(), 1, 2)?;
        Ok(match choice.reply {
            Reply::Stones(points) => <[Point; 2]>::try_from(points.as_slice()).ok(),
            _ => None,
        })
    }

    /// The fourth stone, and the number of fifths that leaves Black the most even of them.
    fn declare(&self, fourth: Point, max: u8) -> Result<Action, String> {
        let mut after = self.opening.position().clone();
        after.play(fourth).map_err(|error| error.to_string())?;
        let choice = self.think(&after, Goal::Best, PointSet::default(), usize::from(max), 2)?;
        let miss = |score: Option<Score>| score.map_or(u64::MAX, |s| s.value().unsigned_abs());
        let scores = choice.candidates.iter().take(usize::from(max)).enumerate();
        let even = scores.min_by_key(|(_, one)| miss(one.score)).map_or(0, |(at, _)| at);
        Ok(Action::PlaceAndDeclare(fourth, (even as u8 + 1).min(max)))
    }

    fn even_named(&self) -> Result<[Point; 3], String> {
        let size = self.opening.position().size();
        let mut random = Random(self.question.seed);
        let mut best: Option<(u64, [Point; 3])> = None;
        for _ in 0..3 {
            let stones = NamedOpening::ALL[random.below(26)].stones(size);
            let position = Position::from_moves(self.opening.position().rule(), size, &stones)
                .map_err(|error| error.to_string())?;
            let choice = self.think(&position, Goal::Best, PointSet::default(), 1, 3)?;
            let miss = choice.score.map_or(u64::MAX, |score| score.value().unsigned_abs());
            if best.is_none_or(|(least, _)| miss < least) {
                best = Some((miss, stones));
            }
        }
        best.map(|(_, stones)| stones).ok_or_else(|| "There is no opening.".to_owned())
    }

    /// Two stones from the seed, and one that balances them.
    fn three(&self) -> Result<Action, String> {
        let mut position = self.opening.position().clone();
        let size = position.size();
        let mut random = Random(self.question.seed);
        let centre = Point::centre(size);
        let near = |position: &Position, point: Point, far: u8| -> Vec<Point> {
            let free = position.board().empty();
            free.iter().filter(|one| (1..=far).contains(&one.distance(point))).collect()
        };
        let first = near(&position, centre, (size / 2).saturating_sub(2).max(1));
        let first = first[random.below(first.len())];
        position.play(first).map_err(|error| error.to_string())?;
        let second = near(&position, first, 3);
        let second = second[random.below(second.len())];
        position.play(second).map_err(|error| error.to_string())?;
        let goal = Goal::Balance { stones: 1, bias: 0 };
        let third = stone(&self.think(&position, goal, PointSet::default(), 1, 1)?)?;
        Ok(Action::PlaceThree([first, second, third]))
    }

    /// The best fifth stones, no two of them symmetric.
    fn fifths(&self, count: usize, position: &Position) -> Result<Vec<Point>, String> {
        let choice = self.think(position, Goal::Best, PointSet::default(), 2 * count, 1)?;
        let centre = Point::centre(position.size());
        let mut near: Vec<_> = position.legal_points().iter().collect();
        near.sort_by_key(|point| (point.distance(centre), *point));
        let mut fifths: Vec<Point> = Vec::new();
        for point in choice.candidates.iter().map(|one| one.point).chain(near) {
            let is_new = position.is_legal(point)
                && !fifths.iter().any(|other| are_symmetric(position, *other, point));
            if is_new && fifths.len() < count {
                fifths.push(point);
            }
        }
        Ok(fifths)
    }

    /// Of the offered fifths the one that White likes best, and White's answer to it.
    fn pick(&self, offers: &[Point]) -> Result<Action, String> {
        let mut best: Option<(Score, Point, Point)> = None;
        for &fifth in offers {
            let mut after = self.opening.position().clone();
            after.play(fifth).map_err(|error| error.to_string())?;
            let share = offers.len() as u32;
            let choice = self.think(&after, Goal::Best, PointSet::default(), 1, share)?;
            let score = choice.score.unwrap_or_default();
            if best.is_none_or(|(most, _, _)| score > most) {
                best = Some((score, fifth, stone(&choice)?));
            }
        }
        let (_, fifth, sixth) = best.ok_or("No fifth stones are offered.")?;
        Ok(Action::Pick { fifth, sixth })
    }

    /// Asks the player about a position, with a share of the time.
    fn think(
        &self,
        position: &Position,
        goal: Goal,
        only: PointSet,
        multi_pv: usize,
        share: u32,
    ) -> Result<Choice, String> {
        let mut limits = Limits::from(self.question.limits);
        let time = limits.turn.unwrap_or(USUAL_TIME).min(MAX_TIME);
        limits.turn = Some(time / share.max(1));
        let mut task = Task::new(position.clone(), limits);
        task.goal = goal;
        task.multi_pv = multi_pv;
        if only != position.board().empty() {
            task.only = only.iter().collect();
        }
        let player = &self.question.player;
        let stop = self.studio.bench.begin().ok_or("Too many searches are running.")?;
        let watch = Stopwatch::with_flag(stop.clone());
        let taken = self.studio.bench.take(player, "opening", self.question.seed);
        let chosen = taken.map_err(|error| error.to_string()).and_then(|mut seat| {
            let think = AssertUnwindSafe(|| seat.player.choose(&task, &watch));
            let choice = catch_unwind(think).map_err(|_| format!("The player {player} failed."))?;
            self.studio.bench.give(seat);
            Ok(choice)
        });
        self.studio.bench.end(&stop);
        chosen
    }
}

fn stone(choice: &Choice) -> Result<Point, String> {
    let found = match &choice.reply {
        Reply::Move(point) => Some(*point),
        Reply::Stones(points) => points.first().copied(),
        Reply::Resign => None,
    };
    found.ok_or_else(|| "The player gives no stone.".to_owned())
}

/// Numbers from a seed, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = gomoku::zobrist::split_mix(self.0.wrapping_add(0x9e37_79b9));
        (self.0 % limit.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(protocol: &str, actions: Value) -> Talk {
        serde_json::from_value(
            json!({ "protocol": protocol, "rule": "renju", "size": 15, "actions": actions }),
        )
        .unwrap()
    }

    #[test]
    fn swap2_goes_through_every_kind_of_answer() {
        let three = json!({ "a": "place", "points": ["h8", "i9", "k8"] });
        let two = json!({ "a": "place", "points": ["g7", "j6"] });
        let seen = state(&talk("swap2", json!([three, two]))).unwrap();
        assert_eq!(seen["ask"]["seat"], 0, "the first chooses after the second placed two");
        assert_eq!(seen["moves"].as_array().unwrap().len(), 5);
        let over = state(&talk("swap2", json!([three, { "a": "swap" }]))).unwrap();
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
            let problem = state(&talk(protocol, actions)).unwrap_err();
            assert!(problem.ends_with('.'), "{problem}");
        }
    }
}
