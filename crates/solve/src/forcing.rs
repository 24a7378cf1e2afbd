//! What forces what: fours, winning points, the moves of an attack and the replies to a threat.
//!
//! Everything is asked of the board as it stands, nothing is assumed about earlier moves. The sets
//! of attacking moves and of replies may contain too much, never too little: a move that turns out
//! to threaten nothing, or a reply that stops nothing, is seen through one ply later.

use gomoku::{Color, Direction, Field, Point, PointSet, Rule, Rules, Shape, Threat};

/// Whether fives with both ends closed do not win, so that a stone beside a five can spoil it.
const fn ends_matter<R: Rules>() -> bool {
    matches!(R::RULE, Rule::Caro | Rule::CaroExact)
}

/// Whether this color has forbidden points.
const fn is_restricted<R: Rules>(color: Color) -> bool {
    R::HAS_FORBIDDEN && matches!(color, Color::Black)
}

/// Whether this color may play on an empty point.
pub(crate) fn is_legal<R: Rules>(field: &Field<R>, color: Color, point: Point) -> bool {
    !is_restricted::<R>(color) || !field.is_forbidden(point)
}

/// The points where the other color can stop every five of `color`, which has at least one.
pub(crate) fn stops<R: Rules>(field: &Field<R>, color: Color) -> PointSet {
    let fives = field.points(color, Threat::Five);
    let mut found = PointSet::EMPTY;
    if ends_matter::<R>() {
        let each = fives.iter().map(|five| field.defenses(color, five));
        found = each.reduce(|all, stop| all & stop).unwrap_or_default();
    } else if field.count(color, Threat::Five) == 1
        && let Some(five) = fives.first()
        && is_legal(field, !color, five)
    {
        found.insert(five);
    }
    found
}

/// The legal points that make one or more fours.
pub(crate) fn fours<R: Rules>(field: &Field<R>, color: Color) -> PointSet {
    let mut found = *field.points(color, Threat::Four)
        | *field.points(color, Threat::FourPlus)
        | *field.points(color, Threat::FourThree)
        | *field.points(color, Threat::OpenFour);
    insert_allowed(field, color, Shape::is_four, &mut found);
    found
}

/// Whether a stone here makes a four that has one answer. The side has no winning point, or it must
/// stop a five first.
pub(crate) fn is_plain_four<R: Rules>(field: &Field<R>, color: Color, point: Point) -> bool {
    !ends_matter::<R>()
        && matches!(field.threat(color, point), Threat::Four | Threat::FourPlus | Threat::FourThree)
        && (!is_restricted::<R>(!color) || !field.has(!color, Threat::Forbidden))
}

/// Adds Black's points in renju that only look forbidden and make such a shape.
fn insert_allowed<R: Rules>(
    field: &Field<R>,
    color: Color,
    shape: impl Fn(Shape) -> bool,
    found: &mut PointSet,
) {
    if is_restricted::<R>(color) && field.has(color, Threat::Forbidden) {
        let suspects = field.points(color, Threat::Forbidden).iter();
        suspects
            .filter(|&p| field.shapes(color, p).count(&shape) > 0 && !field.is_forbidden(p))
            .for_each(|p| found.insert(p));
    }
}

/// Does something with the board as it is after a stone of `color`, whoever is to move.
pub(crate) fn after<R: Rules, T>(
    field: &mut Field<R>,
    color: Color,
    point: Point,
    then: impl FnOnce(&mut Field<R>) -> T,
) -> T {
    let passed = field.to_move() != color;
    if passed {
        field.pass();
    }
    field.place(point);
    let result = then(field);
    field.undo();
    if passed {
        field.undo();
    }
    result
}

/// Whether a stone on an empty point makes fives that no reply stops. The other side has no five.
pub(crate) fn is_winning<R: Rules>(field: &mut Field<R>, color: Color, point: Point) -> bool {
    is_legal(field, color, point)
        && after(field, color, point, |field| {
            field.has(color, Threat::Five) && stops(field, color).is_empty()
        })
}

/// All winning points of a color.
pub(crate) fn winning_points<R: Rules>(field: &mut Field<R>, color: Color) -> PointSet {
    let mut found = *field.points(color, Threat::OpenFour);
    if ends_matter::<R>() {
        // Two fours in different lines may have a stopping point in common.
        return found.iter().filter(|&p| is_winning(field, color, p)).collect();
    }
    insert_allowed(field, color, |shape| shape == Shape::OpenFour, &mut found);
    if is_restricted::<R>(!color) && field.has(!color, Threat::Forbidden) {
        let fours = *field.points(color, Threat::Four)
            | *field.points(color, Threat::FourPlus)
            | *field.points(color, Threat::FourThree);
        let suspects = *field.points(!color, Threat::Forbidden);
        for point in fours {
            if sees_in_some_direction(point, &suspects) && is_winning(field, color, point) {
                found.insert(point);
            }
        }
    }
    found
}

/// Whether the color has a winning point; the cheap question asked most often.
pub(crate) fn has_winning_point<R: Rules>(field: &mut Field<R>, color: Color) -> bool {
    if !ends_matter::<R>() && field.has(color, Threat::OpenFour) {
        return true;
    }
    if !R::HAS_FORBIDDEN && !ends_matter::<R>() {
        return false;
    }
    !winning_points(field, color).is_empty()
}

/// The other side's replies to the winning points of `color`, all of them together: the points
/// that stop them all, and fours. `color` has winning points and nobody has a five.
pub(crate) fn replies<R: Rules>(
    field: &mut Field<R>,
    color: Color,
    winning: &PointSet,
) -> PointSet {
    let mut found = field.board().empty();
    let mut doubtful = false;
    for point in *winning {
        let (stopping, is_exact) = stopping_points(field, color, point);
        found &= stopping;
        doubtful |= !is_exact;
    }
    if is_restricted::<R>(!color) && field.has(!color, Threat::Forbidden) {
        found = found.iter().filter(|&reply| is_legal(field, !color, reply)).collect();
    }
    if doubtful && !is_restricted::<R>(color) {
        for point in *winning {
            found = after(field, color, point, |field| {
                let stops = |&reply: &Point| reply == point || stops_fives(field, color, reply);
                found.iter().filter(stops).collect()
            });
        }
    } else if doubtful {
        found = found.iter().filter(|&p| !leaves_a_win(field, color, winning, p)).collect();
    }
    found | fours(field, !color)
}

/// Whether the other side, after a stone here, has a five or can stop those of `color`, which has
/// just placed a stone.
fn stops_fives<R: Rules>(field: &mut Field<R>, color: Color, reply: Point) -> bool {
    after(field, !color, reply, |field| {
        field.has(!color, Threat::Five)
            || !field.has(color, Threat::Five)
            || !stops(field, color).is_empty()
    })
}

/// A superset of the replies that take a winning point away, counter-fours not included, and whether
/// all of them probably do: where what is forbidden plays a part it may be any point of the board.
fn stopping_points<R: Rules>(field: &mut Field<R>, color: Color, point: Point) -> (PointSet, bool) {
    if is_restricted::<R>(color) && field.threat(color, point) == Threat::Forbidden {
        return (field.board().empty(), false);
    }
    let (mut found, is_exact) = match ends_of_straight_four(field, color, point) {
        Some(ends) => (ends, true),
        None => after(field, color, point, |field| points_against_fives(field, color)),
    };
    found.insert(point);
    (found, is_exact)
}

/// The same with the stone on the winning point already placed.
fn points_against_fives<R: Rules>(field: &Field<R>, color: Color) -> (PointSet, bool) {
    let fives = *field.points(color, Threat::Five);
    if ends_matter::<R>() {
        return (fives.iter().fold(fives, |all, five| all | beside(field, color, five)), true);
    }
    match field.count(color, Threat::Five) {
        // One five that Black may not stop. If it is so because of fours or an overline, only a
        // stone in line with it can change that.
        1 => {
            let five = fives.first().expect("there is one");
            let shapes = field.shapes(!color, five);
            let is_final = shapes.count(|shape| shape == Shape::Overline) > 0
                || shapes.count(Shape::is_four) > 1;
            let near =
                if is_final { in_line_with(five, field.size()) } else { field.board().empty() };
            (near, false)
        }
        2 => (fives, true),
        // Whichever five is stopped now, two others are left for the next turn.
        _ => (PointSet::EMPTY, true),
    }
}

/// The two fives that an open four of four adjacent stones leads to, if the point makes one and no
/// other four.
fn ends_of_straight_four<R: Rules>(
    field: &Field<R>,
    color: Color,
    point: Point,
) -> Option<PointSet> {
    let shapes = field.shapes(color, point);
    if ends_matter::<R>() || shapes.count(Shape::is_four) != 1 {
        return None;
    }
    let direction = Direction::ALL.into_iter().find(|&d| shapes.dir(d) == Shape::OpenFour)?;
    let beyond = |sign| field.board().stones_beyond(point, direction, sign, color) as i32;
    let (after, before) = (beyond(1), beyond(-1));
    if after + before != 3 {
        return None;
    }
    let ends = [point.step(direction, after + 1), point.step(direction, -before - 1)];
    Some(ends.into_iter().flatten().collect())
}

/// The points so near in a line that a stone there can matter to what a stone here makes.
pub(crate) fn in_line_with(point: Point, size: u8) -> PointSet {
    let steps = (-6..=6).filter(|&steps| steps != 0);
    let all = steps.flat_map(|steps| Direction::ALL.map(|direction| point.step(direction, steps)));
    all.flatten().filter(|point| point.is_on(size)).collect()
}

/// The empty points at the ends of the runs through a five.
fn beside<R: Rules>(field: &Field<R>, color: Color, five: Point) -> PointSet {
    let board = field.board();
    let end = |direction, sign| {
        let beyond = board.stones_beyond(five, direction, sign, color) as i32;
        five.step(direction, sign * (beyond + 1))
    };
    let ends = Direction::ALL.into_iter().flat_map(|d| [end(d, 1), end(d, -1)]);
    ends.flatten().filter(|&point| board.is_empty_at(point)).collect()
}

/// Whether one of the winning points still wins after a reply that makes no four.
pub(crate) fn leaves_a_win<R: Rules>(
    field: &mut Field<R>,
    color: Color,
    winning: &PointSet,
    reply: Point,
) -> bool {
    after(field, !color, reply, |field| {
        !field.has(!color, Threat::Five)
            && winning.iter().any(|point| point != reply && is_winning(field, color, point))
    })
}

/// About how many [`fours`] or, with threats, [`threats`] there are: 0 only if there is none.
pub(crate) fn count_attacks<R: Rules>(field: &Field<R>, color: Color, with_threats: bool) -> usize {
    const FOURS: [Threat; 4] =
        [Threat::Four, Threat::FourPlus, Threat::FourThree, Threat::OpenFour];
    const THREES: [Threat; 3] = [Threat::OpenThree, Threat::OpenThreePlus, Threat::DoubleThree];
    let count = |classes: &[Threat]| -> usize {
        classes.iter().map(|&class| field.count(color, class)).sum()
    };
    match count(&FOURS) + if with_threats { count(&THREES) } else { 0 } {
        0 if with_threats => threats(field, color).len(),
        0 if is_restricted::<R>(color) => fours(field, color).len(),
        count => count,
    }
}

/// The attacking moves of a side that has neither a five nor (`kind` VCT) a winning point, while
/// the other side has no five: fours, and moves that may create a winning point.
pub(crate) fn threats<R: Rules>(field: &Field<R>, color: Color) -> PointSet {
    let mut found = fours(field, color)
        | *field.points(color, Threat::OpenThree)
        | *field.points(color, Threat::OpenThreePlus)
        | *field.points(color, Threat::DoubleThree);
    if is_restricted::<R>(color) {
        insert_allowed(field, color, Shape::is_open_three, &mut found);
        return found;
    }
    // A blocked three is a threat if its four comes together with a second four, or with a point
    // that Black may not block.
    let mut partners = *field.points(color, Threat::Four)
        | *field.points(color, Threat::FourPlus)
        | *field.points(color, Threat::FourThree);
    if is_restricted::<R>(!color) {
        partners |= *field.points(!color, Threat::Forbidden);
    }
    if !partners.is_empty() {
        let threes = *field.points(color, Threat::Three) | *field.points(color, Threat::ThreePlus);
        for point in threes {
            let shapes = field.shapes(color, point);
            let sees_partner =
                |&d: &Direction| shapes.dir(d) == Shape::BlockedThree && sees(point, d, &partners);
            if Direction::ALL.iter().any(sees_partner) {
                found.insert(point);
            }
        }
    }
    found
}

/// Whether one of the targets lies in line with a point, near enough for a five with both.
fn sees_in_some_direction(point: Point, targets: &PointSet) -> bool {
    targets.iter().any(|target| {
        let (dc, dr) = between(point, target);
        (dc == 0 || dr == 0 || dc == dr || dc == -dr) && dc.abs().max(dr.abs()) <= 4
    })
}

/// The same in one direction.
fn sees(point: Point, direction: Direction, targets: &PointSet) -> bool {
    targets.iter().any(|target| {
        let (dc, dr) = between(point, target);
        let is_in_line = match direction {
            Direction::East => dr == 0,
            Direction::North => dc == 0,
            Direction::NorthEast => dc == dr,
            Direction::NorthWest => dc == -dr,
        };
        is_in_line && dc.abs().max(dr.abs()) <= 4 && target != point
    })
}

/// Columns and rows from one point to another.
fn between(from: Point, to: Point) -> (i32, i32) {
    let difference = |to: u8, from: u8| i32::from(to) - i32::from(from);
    (difference(to.col(), from.col()), difference(to.row(), from.row()))
}
