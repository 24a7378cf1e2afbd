//! Which moves are worth a look, by what is threatened.
//!
//! A five must be stopped; an open four must be prevented by one of a few cells or answered with
//! fours of one's own. Everywhere else the points near stones are candidates.

use std::sync::OnceLock;

use gomoku::{Direction, Field, GRID, MAX_SIZE, Point, PointSet, Rule, Rules, Threat};

/// How much freedom the opponent's threats leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Danger {
    /// The opponent makes five next.
    Five,
    /// The opponent makes an open four, or two fours, next.
    OpenFour,
    /// Nothing that must be answered at once.
    None,
}

/// What the side to move has to answer.
#[inline]
pub(crate) fn danger<R: Rules>(field: &Field<R>) -> Danger {
    let them = !field.to_move();
    if field.has(them, Threat::Five) {
        Danger::Five
    } else if field.has(them, Threat::OpenFour) {
        Danger::OpenFour
    } else {
        Danger::None
    }
}

/// The points where the side to move stops every five of the opponent.
pub(crate) fn five_stops<R: Rules>(field: &Field<R>) -> PointSet {
    let them = !field.to_move();
    let fives = field.points(them, Threat::Five).iter();
    let stops = fives.map(|five| field.defenses(them, five));
    stops.reduce(|all, stops| all & stops).unwrap_or(PointSet::EMPTY)
}

/// The points that may prevent every open four of the opponent, and the own fours. No other move
/// saves the side to move; some of these may not either.
pub(crate) fn open_four_stops<R: Rules>(field: &Field<R>) -> PointSet {
    let (us, them) = (field.to_move(), !field.to_move());
    let threats = field.points(them, Threat::OpenFour).iter();
    let stops = threats.map(|point| line_stops(field, point)).reduce(|all, stops| all & stops);
    stops.unwrap_or(PointSet::EMPTY) | field.points_at_least(us, Threat::Four)
}

/// The cells of the lines in which the opponent's stone on this point makes a four.
fn line_stops<R: Rules>(field: &Field<R>, point: Point) -> PointSet {
    let (us, them) = (field.to_move(), !field.to_move());
    // In caro a stone beyond the end of a five closes it.
    let reach = if matches!(R::RULE, Rule::Caro | Rule::CaroExact) { 5 } else { 4 };
    let shapes = field.shapes(them, point);
    let (ours, empty) = (field.board().stones(us), field.board().empty());
    let mut stops = PointSet::EMPTY;
    stops.insert(point);
    for direction in Direction::ALL {
        if !shapes.dir(direction).is_four() {
            continue;
        }
        for sign in [-1, 1] {
            let cells = (1..=reach).map_while(|i| point.step(direction, sign * i));
            for cell in cells.take_while(|&cell| !ours.contains(cell)) {
                if empty.contains(cell) {
                    stops.insert(cell);
                }
            }
        }
    }
    stops
}

/// The points around each point that become candidates when it gets a stone: all within two
/// steps, and three along its lines.
#[derive(Debug)]
pub(crate) struct Neighborhood(Vec<PointSet>);

impl Neighborhood {
    /// Of the boards of a size, computed when it is first asked for.
    pub(crate) fn of_size(size: u8) -> &'static Neighborhood {
        static KNOWN: [OnceLock<Neighborhood>; MAX_SIZE as usize + 1] =
            [const { OnceLock::new() }; MAX_SIZE as usize + 1];
        KNOWN[size as usize].get_or_init(|| Neighborhood::new(size))
    }

    fn new(size: u8) -> Neighborhood {
        let mut near = vec![PointSet::EMPTY; GRID];
        for point in Point::all(size) {
            near[point.index()] = Point::all(size).filter(|&p| is_near(point, p)).collect();
        }
        Neighborhood(near)
    }

    #[inline(always)]
    pub(crate) fn of(&self, point: Point) -> PointSet {
        self.0[point.index()]
    }

    /// All candidates of a position: everything on an empty board's centre, else what is near.
    pub(crate) fn of_all<R: Rules>(&self, field: &Field<R>) -> PointSet {
        let occupied = field.board().occupied();
        if occupied.is_empty() {
            return self.of(Point::center(field.size()));
        }
        occupied.iter().fold(PointSet::EMPTY, |all, point| all | self.of(point))
    }
}

fn is_near(a: Point, b: Point) -> bool {
    let (dc, dr) = (a.col().abs_diff(b.col()), a.row().abs_diff(b.row()));
    let on_line = dc == 0 || dr == 0 || dc == dr;
    a.distance(b) <= if on_line { 3 } else { 2 }
}

/// The moves that the search looks at in a position, for learning to put them in order.
pub fn candidates<R: Rules>(field: &Field<R>) -> PointSet {
    let points = match danger(field) {
        Danger::Five => five_stops(field),
        Danger::OpenFour => open_four_stops(field),
        Danger::None => {
            Neighborhood::of_size(field.size()).of_all(field) - field.board().occupied()
        }
    };
    let is_restricted = R::HAS_FORBIDDEN && field.to_move() == gomoku::Color::Black;
    points.iter().filter(|&point| !is_restricted || !field.is_forbidden(point)).collect()
}

/// Whether a point makes a four with the opponent unable to ignore it.
#[inline]
pub(crate) fn is_four(threat: Threat) -> bool {
    threat >= Threat::Four
}
