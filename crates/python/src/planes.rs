//! Planes: what a network may want to see of a position.

use gomoku::{Color, Field, Point, PointSet, Position, Rule, Rules, Threat, renju, with_rule};
use pyo3::prelude::*;

use crate::{arguments::refuse, arrays::array, position::PyPosition};

pub(crate) const N_PLANES: usize = 14;

/// The names of the planes, in order.
pub(crate) const NAMES: [&str; N_PLANES] = [
    "own",
    "other",
    "legal",
    "forbidden",
    "last_move",
    "black_to_move",
    "own_five",
    "own_open_four",
    "own_four",
    "own_open_three",
    "other_five",
    "other_open_four",
    "other_four",
    "other_open_three",
];

/// The threats with planes of their own, strongest first, each with those that count as it.
const THREATS: [(Threat, &[Threat]); 4] = [
    (Threat::Five, &[Threat::Five]),
    (Threat::OpenFour, &[Threat::OpenFour]),
    (Threat::Four, &[Threat::Four, Threat::FourPlus, Threat::FourThree]),
    (Threat::OpenThree, &[Threat::OpenThree, Threat::OpenThreePlus, Threat::DoubleThree]),
];

/// A word for a threat, if it is worth one.
pub(crate) fn threat_name(threat: Threat) -> Option<&'static str> {
    let kind = THREATS.iter().find(|(_, same)| same.contains(&threat)).map(|(kind, _)| *kind);
    match kind.unwrap_or(threat) {
        Threat::Five => Some("five"),
        Threat::OpenFour => Some("open four"),
        Threat::Four => Some("four"),
        Threat::OpenThree => Some("open three"),
        Threat::Three | Threat::ThreePlus => Some("three"),
        _ => None,
    }
}

/// Adds the planes of a position, one byte a cell.
pub(crate) fn append(position: &Position, cells: &mut Vec<u8>) {
    with_rule!(position.rule(), R => append_with::<R>(position, cells));
}

fn append_with<R: Rules>(position: &Position, cells: &mut Vec<u8>) {
    let (board, us) = (position.board(), position.to_move());
    let all = PointSet::full(position.size());
    let mut planes = vec![*board.stones(us), *board.stones(!us), position.legal_points()];
    planes.push(match position.rule() {
        Rule::Renju => renju::forbidden_points(board),
        _ => PointSet::EMPTY,
    });
    planes.push(position.last_move().into_iter().collect());
    planes.push(if us == Color::Black { all } else { PointSet::EMPTY });
    let field = Field::<R>::from_position(position);
    for color in [us, !us] {
        for (_, same) in THREATS {
            let mut points = PointSet::EMPTY;
            same.iter().for_each(|&threat| points |= *field.points(color, threat));
            planes.push(points);
        }
    }
    debug_assert_eq!(planes.len(), N_PLANES);
    for plane in planes {
        cells.extend(Point::all(position.size()).map(|point| u8::from(plane.contains(point))));
    }
}

/// The planes of many positions of one board size, as an array `planes[i, plane, y, x]`.
///
/// >>> tengen.planes([tengen.Position(), tengen.Position("h8")]).shape == (2, len(tengen.PLANES), 15, 15)
/// True
#[pyfunction]
pub(crate) fn planes<'py>(
    py: Python<'py>,
    positions: Vec<PyRef<'py, PyPosition>>,
) -> PyResult<Bound<'py, PyAny>> {
    let positions: Vec<&Position> = positions.iter().map(|position| &position.0).collect();
    of_sized(py, &positions, positions.first().map_or(15, |position| position.size()))
}

/// The planes of positions on boards of one size.
pub(crate) fn of_sized<'py>(
    py: Python<'py>,
    positions: &[&Position],
    size: u8,
) -> PyResult<Bound<'py, PyAny>> {
    if positions.iter().any(|position| position.size() != size) {
        return Err(refuse("Positions that share an array have boards of one size."));
    }
    let cells = py.detach(|| {
        let mut cells = Vec::new();
        positions.iter().for_each(|position| append(position, &mut cells));
        cells
    });
    let side = usize::from(size);
    array(py, &cells, "uint8", &[positions.len(), N_PLANES, side, side])
}
