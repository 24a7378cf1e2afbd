//! Whether a win tree made for one position also wins another, with more stones on the board.
//!
//! This asks the same question as `verify`, of the same tree, and is used to decide for which
//! replies one answer serves: it takes the place of a theory of relevance zones. Where the rules
//! allow it a reply is not played out but seen to be without influence.

use gomoku::{Color, Field, Point, PointSet, Rule, Rules, Threat};

use crate::{
    forcing,
    tree::{Attack, Defense},
};

/// Whether the attacker, to move, wins by this tree.
pub(crate) fn wins<R: Rules>(field: &mut Field<R>, attacker: Color, attack: &Attack) -> bool {
    let point = attack.point();
    if !field.board().is_empty_at(point) {
        return false;
    }
    if field.is_five(attacker, point) {
        return true;
    }
    match attack {
        Attack::Win(_) => false,
        Attack::Move(_, _) if !forcing::is_legal(field, attacker, point) => false,
        Attack::Move(_, defense) => {
            field.place(point);
            let wins = wins_against_all(field, attacker, defense);
            field.undo();
            wins
        }
    }
}

/// Whether every reply has an answer that wins.
fn wins_against_all<R: Rules>(field: &mut Field<R>, attacker: Color, defense: &Defense) -> bool {
    if field.has(!attacker, Threat::Five) {
        return false;
    }
    let mut others = field.board().empty();
    if others.is_empty() {
        return false;
    }
    for (replies, answer) in &defense.groups {
        for &reply in replies {
            if others.contains(reply) && !wins_against(field, attacker, reply, answer) {
                return false;
            }
            others.remove(reply);
        }
    }
    match &defense.default {
        None => others.iter().all(|reply| !forcing::is_legal(field, !attacker, reply)),
        Some(answer) => {
            let matter = match effect(answer) {
                Effect::Five(five) => replies_to_five(field, attacker, five, &others),
                Effect::Finish => replies_to_finish(field, attacker, answer, &others),
                Effect::Other => Some(others),
            };
            let Some(matter) = matter else { return false };
            matter.iter().all(|reply| wins_against(field, attacker, reply, answer))
        }
    }
}

fn wins_against<R: Rules>(
    field: &mut Field<R>,
    attacker: Color,
    reply: Point,
    answer: &Attack,
) -> bool {
    if !forcing::is_legal(field, !attacker, reply) {
        return true;
    }
    field.place(reply);
    let wins = wins(field, attacker, answer);
    field.undo();
    wins
}

/// How far an answer reaches.
enum Effect {
    /// It makes five here.
    Five(Point),
    /// It makes a four, and then five whatever is replied.
    Finish,
    Other,
}

fn effect(answer: &Attack) -> Effect {
    match answer {
        Attack::Win(point) => Effect::Five(*point),
        Attack::Move(_, defense) => {
            let answers = defense.groups.iter().map(|(_, answer)| answer).chain(&defense.default);
            let all_win = answers.into_iter().all(|answer| matches!(answer, Attack::Win(_)));
            if all_win { Effect::Finish } else { Effect::Other }
        }
    }
}

/// The replies that need a look when the answer to all of them is a five; `None` if it is not one.
fn replies_to_five<R: Rules>(
    field: &Field<R>,
    attacker: Color,
    five: Point,
    others: &PointSet,
) -> Option<PointSet> {
    if !field.board().is_empty_at(five) || !field.is_five(attacker, five) {
        return None;
    }
    Some(field.defenses(attacker, five) & *others)
}

/// The replies that need a look when the answer to all of them is an open four or the like; `None`
/// if that does not even win against a pass.
fn replies_to_finish<R: Rules>(
    field: &mut Field<R>,
    attacker: Color,
    answer: &Attack,
    others: &PointSet,
) -> Option<PointSet> {
    if !matches!(R::RULE, Rule::Freestyle | Rule::Standard) {
        return Some(*others);
    }
    field.pass();
    let works = wins(field, attacker, answer);
    field.undo();
    // Stones that make no four and stand elsewhere cannot take the attacker's fives away.
    works.then(|| (answer.points() | forcing::fours(field, !attacker)) & *others)
}
