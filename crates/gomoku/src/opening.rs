//! Opening protocols: how two players come to a fair position, as a state machine without clocks.
//!
//! A protocol asks one of the two [`Seat`]s for something and takes its answer, until the game goes
//! on as usual: [`Opening::ask`] says who is asked and what may be answered, [`Opening::answer`]
//! takes an answer, and in the end [`Opening::position`] and [`Opening::black`] tell where the game
//! stands and who has which color.
//!
//! One rule holds for all swaps: whoever is asked has the side to move, so *swap* hands the move to
//! the other, and a stone means staying and moving.

mod named;

use std::{fmt, str::FromStr};

use thiserror::Error;

pub use self::named::{NamedOpening, name_of};
use crate::{
    color::Color,
    point::{MAX_SIZE, Point},
    points::PointSet,
    position::Position,
    rule::Rule,
    symmetry::Symmetry,
};

/// How a game is opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Protocol {
    /// Turns alternate from the first stone.
    Free,
    /// One stone, then the second player may swap.
    Swap1,
    /// Three stones, then the second player may swap.
    Swap,
    /// Three stones; the second player swaps, moves, or places two more and lets the first choose.
    Swap2,
    /// Center; anywhere; outside the central 5x5.
    Pro,
    /// Center; anywhere; outside the central 7x7.
    LongPro,
    /// One of 26 openings; swap; fourth; two fifths of which White keeps one and plays the sixth.
    Rif,
    /// One of 26 openings; swap; fourth and a number of fifths up to 8; swap; offers as in RIF.
    Soosyrv8,
    /// Stones within growing squares with a swap after each, or ten fifths after the fourth.
    Taraguchi10,
}

impl Protocol {
    /// All protocols.
    pub const ALL: [Protocol; 9] = [
        Protocol::Free,
        Protocol::Swap1,
        Protocol::Swap,
        Protocol::Swap2,
        Protocol::Pro,
        Protocol::LongPro,
        Protocol::Rif,
        Protocol::Soosyrv8,
        Protocol::Taraguchi10,
    ];

    /// The name used on the command line and in files.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Free => "free",
            Protocol::Swap1 => "swap1",
            Protocol::Swap => "swap",
            Protocol::Swap2 => "swap2",
            Protocol::Pro => "pro",
            Protocol::LongPro => "long-pro",
            Protocol::Rif => "rif",
            Protocol::Soosyrv8 => "soosyrv-8",
            Protocol::Taraguchi10 => "taraguchi-10",
        }
    }

    /// The smallest board on which every step is possible.
    pub const fn min_size(self) -> u8 {
        match self {
            Protocol::Free | Protocol::Swap1 | Protocol::Swap | Protocol::Swap2 => 5,
            Protocol::Pro => 7,
            Protocol::LongPro | Protocol::Rif | Protocol::Soosyrv8 | Protocol::Taraguchi10 => 9,
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why a text is not an opening protocol.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "'{0}' is not an opening protocol: expected free, swap1, swap, swap2, pro, long-pro, rif, \
     soosyrv-8 or taraguchi-10."
)]
pub struct ParseProtocolError(String);

impl FromStr for Protocol {
    type Err = ParseProtocolError;

    fn from_str(text: &str) -> Result<Protocol, ParseProtocolError> {
        Protocol::ALL
            .into_iter()
            .find(|protocol| protocol.name().eq_ignore_ascii_case(text.trim()))
            .ok_or_else(|| ParseProtocolError(text.chars().take(40).collect()))
    }
}

/// A player, whatever its color: the one who begins, or the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Seat {
    /// The player who is asked first.
    First,
    /// The other.
    Second,
}

impl Seat {
    /// The opponent.
    pub const fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }
}

/// One kind of answer that is allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Allowed {
    /// [`Action::Swap`].
    Swap,
    /// [`Action::Place`] on one of these points.
    Place(PointSet),
    /// [`Action::PlaceTwo`], White's stone and Black's.
    PlaceTwo,
    /// [`Action::PlaceThree`]: Black's stone, White's and Black's.
    PlaceThree {
        /// Whether they must be one of the 26 named openings.
        named: bool,
    },
    /// [`Action::PlaceAndDeclare`] with a number from 1 to this.
    PlaceAndDeclare(u8),
    /// [`Action::Offer`] this many points, no two of them symmetric.
    Offer(u8),
    /// [`Action::Pick`] one of these offers and play the sixth stone.
    Pick(Vec<Point>),
}

/// A question to a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Who is asked.
    pub seat: Seat,
    /// What may be answered, at least one.
    pub allowed: Vec<Allowed>,
}

/// An answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// Changes colors: the other player moves.
    Swap,
    /// Places a stone of the side to move.
    Place(Point),
    /// Places a white and a black stone.
    PlaceTwo([Point; 2]),
    /// Places a black, a white and a black stone.
    PlaceThree([Point; 3]),
    /// Places the fourth stone and says how many fifths Black will have to offer.
    PlaceAndDeclare(Point, u8),
    /// Offers fifth stones.
    Offer(Vec<Point>),
    /// Keeps one of the offered fifths and plays the sixth.
    Pick {
        /// Which offer Black gets.
        fifth: Point,
        /// White's answer to it.
        sixth: Point,
    },
}

impl Action {
    /// The stones that the answer names, in order.
    pub fn stones(&self) -> Vec<Point> {
        match self {
            Action::Swap => Vec::new(),
            Action::Place(point) | Action::PlaceAndDeclare(point, _) => vec![*point],
            Action::PlaceTwo(points) => points.to_vec(),
            Action::PlaceThree(points) => points.to_vec(),
            Action::Offer(points) => points.clone(),
            Action::Pick { fifth, sixth } => vec![*fifth, *sixth],
        }
    }
}

/// Why an answer is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OpeningError {
    /// The board is too small for the protocol, or larger than any.
    #[error("The {protocol} opening needs a board of {}x{0} to 22x22, not {size}x{size}.", protocol.min_size())]
    Size {
        /// The protocol.
        protocol: Protocol,
        /// The side asked for.
        size: u8,
    },
    /// The opening is done.
    #[error("The opening is over.")]
    Over,
    /// Another kind of answer is wanted.
    #[error("This answer is not one of those the opening asks for now.")]
    NotAsked,
    /// A stone may not stand there.
    #[error("{0} is not one of the points that the opening allows now.")]
    Point(Point),
    /// The three stones are none of the 26 openings.
    #[error("The three stones are none of the 26 renju openings.")]
    NotNamed,
    /// A declared number is too small or too large.
    #[error("{declared} fifth stones cannot be declared: 1 to {max} can.")]
    Declared {
        /// The number declared.
        declared: u8,
        /// The largest allowed.
        max: u8,
    },
    /// The wrong number of offers.
    #[error("{asked} different fifth stones must be offered, not {offered}.")]
    OfferCount {
        /// How many are wanted.
        asked: u8,
        /// How many were offered.
        offered: usize,
    },
    /// Two offers come to the same.
    #[error("{0} and {1} are symmetric: they would be the same offer.")]
    Symmetric(Point, Point),
    /// The picked stone was not offered.
    #[error("{0} was not offered.")]
    NotOffered(Point),
}

/// An opening under way.
///
/// ```
/// use gomoku::{Rule, opening::{Action, Opening, Protocol, Seat}};
/// let mut opening = Opening::new(Protocol::Swap2, Rule::Standard, 15).unwrap();
/// let three = ["h8", "i9", "k8"].map(|point| point.parse().unwrap());
/// opening.answer(&Action::PlaceThree(three)).unwrap();
/// assert_eq!(opening.ask().unwrap().seat, Seat::Second);
/// opening.answer(&Action::Swap).unwrap();
/// assert_eq!((opening.ask(), opening.black()), (None, Seat::Second));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    protocol: Protocol,
    position: Position,
    black: Seat,
    /// Whether the last answer was a swap, so that another one makes no sense.
    swapped: bool,
    declared: u8,
    offers: Vec<Point>,
}

impl Opening {
    /// The beginning of an opening.
    ///
    /// # Errors
    /// If the board is too small for the protocol.
    pub fn new(protocol: Protocol, rule: Rule, size: u8) -> Result<Opening, OpeningError> {
        if !(protocol.min_size()..=MAX_SIZE).contains(&size) {
            return Err(OpeningError::Size { protocol, size });
        }
        Ok(Opening {
            protocol,
            position: Position::new(rule, size),
            black: Seat::First,
            swapped: false,
            declared: 2,
            offers: Vec::new(),
        })
    }

    /// The protocol.
    pub fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// The stones placed so far.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Who has Black, for now or for good.
    pub fn black(&self) -> Seat {
        self.black
    }

    /// Who has a color, for now or for good.
    pub fn seat_of(&self, color: Color) -> Seat {
        match color {
            Color::Black => self.black,
            Color::White => self.black.other(),
        }
    }

    /// The fifth stones on offer.
    pub fn offers(&self) -> &[Point] {
        &self.offers
    }

    /// Whether the game goes on as usual.
    pub fn is_over(&self) -> bool {
        self.ask().is_none()
    }

    /// Who is asked and what may be answered; `None` when the game goes on as usual.
    pub fn ask(&self) -> Option<Ask> {
        let mut allowed = self.steps()?;
        if self.swapped {
            allowed.retain(|allowed| *allowed != Allowed::Swap);
        }
        // After a swap there may be nothing left to ask: the move is an ordinary one.
        let is_picking = matches!(allowed[..], [Allowed::Pick(_)]);
        let to_move = self.position.to_move();
        let color = if is_picking { !to_move } else { to_move };
        Some(Ask { seat: self.seat_of(color), allowed })
    }

    /// The answers that the protocol knows at this point, a swap included.
    fn steps(&self) -> Option<Vec<Allowed>> {
        use Allowed::{Offer, Pick, Place, PlaceAndDeclare, PlaceThree, PlaceTwo, Swap};
        let anywhere = || Place(self.position.board().empty());
        let within = |radius| Place(self.central(radius) & self.position.board().empty());
        let outside = |radius| Place(self.position.board().empty() - self.central(radius));
        if !self.offers.is_empty() {
            return Some(vec![Pick(self.offers.clone())]);
        }
        let stones = self.position.board().len();
        let ask = match (self.protocol, stones) {
            (Protocol::Swap1, 0) => vec![anywhere()],
            (Protocol::Swap | Protocol::Swap2, 0) => vec![PlaceThree { named: false }],
            (Protocol::Swap1, 1) | (Protocol::Swap, 3) | (Protocol::Swap2, 5) if !self.swapped => {
                vec![Swap, anywhere()]
            }
            (Protocol::Swap2, 3) if !self.swapped => vec![Swap, anywhere(), PlaceTwo],
            (Protocol::Pro | Protocol::LongPro, 0) => vec![within(0)],
            (Protocol::Pro | Protocol::LongPro, 1) => vec![anywhere()],
            (Protocol::Pro, 2) => vec![outside(2)],
            (Protocol::LongPro, 2) => vec![outside(3)],
            (Protocol::Rif | Protocol::Soosyrv8, 0) => vec![PlaceThree { named: true }],
            (Protocol::Rif, 3) => vec![Swap, anywhere()],
            (Protocol::Rif, 4) => vec![Offer(self.declared)],
            (Protocol::Soosyrv8, 3) => vec![Swap, PlaceAndDeclare(8)],
            (Protocol::Soosyrv8, 4) => vec![Swap, Offer(self.declared)],
            (Protocol::Taraguchi10, 0) => vec![within(0)],
            (Protocol::Taraguchi10, stones @ 1..=3) => vec![Swap, within(stones as u8)],
            (Protocol::Taraguchi10, 4) if self.swapped => vec![within(4)],
            (Protocol::Taraguchi10, 4) => vec![Swap, within(4), Offer(10)],
            (Protocol::Taraguchi10, 5) if !self.swapped => vec![Swap, anywhere()],
            _ => return None,
        };
        Some(ask)
    }

    /// The square of points around the center: 1x1, 3x3, 5x5 and so on.
    fn central(&self, radius: u8) -> PointSet {
        let size = self.position.size();
        let center = Point::center(size);
        Point::all(size).filter(|point| point.distance(center) <= radius).collect()
    }

    /// Takes an answer; a refused one changes nothing.
    ///
    /// # Errors
    /// If the answer is not one of those asked for.
    pub fn answer(&mut self, action: &Action) -> Result<(), OpeningError> {
        let ask = self.ask().ok_or(OpeningError::Over)?;
        let done = ask.allowed.iter().find_map(|allowed| self.try_answer(allowed, action));
        *self = done.unwrap_or(Err(OpeningError::NotAsked))?;
        Ok(())
    }

    /// The opening after an answer, if it is of the kind that is allowed here.
    fn try_answer(
        &self,
        allowed: &Allowed,
        action: &Action,
    ) -> Option<Result<Opening, OpeningError>> {
        let mut next = self.clone();
        next.swapped = false;
        let done = match (allowed, action) {
            (Allowed::Swap, Action::Swap) => {
                next.black = self.black.other();
                next.swapped = true;
                Ok(())
            }
            (Allowed::Place(points), Action::Place(point)) => match points.contains(*point) {
                true => next.place(&[*point]),
                false => Err(OpeningError::Point(*point)),
            },
            (Allowed::PlaceTwo, Action::PlaceTwo(points)) => {
                // The side that moves next now belongs to the other player, who may choose.
                next.black = self.black.other();
                next.place(points)
            }
            (Allowed::PlaceThree { named }, Action::PlaceThree(points)) => {
                next.place(points).and_then(|()| match name_of(&next.position) {
                    None if *named => Err(OpeningError::NotNamed),
                    _ => Ok(()),
                })
            }
            (Allowed::PlaceAndDeclare(max), Action::PlaceAndDeclare(point, declared)) => {
                let (declared, max) = (*declared, *max);
                next.declared = declared;
                match (1..=max).contains(&declared) {
                    true => next.place(&[*point]),
                    false => Err(OpeningError::Declared { declared, max }),
                }
            }
            (Allowed::Offer(count), Action::Offer(points)) => {
                self.check_offers(*count, points).map(|()| next.offers.clone_from(points))
            }
            (Allowed::Pick(offers), Action::Pick { fifth, sixth }) => {
                next.offers.clear();
                match offers.contains(fifth) {
                    true => next.place(&[*fifth, *sixth]),
                    false => Err(OpeningError::NotOffered(*fifth)),
                }
            }
            _ => return None,
        };
        Some(done.map(|()| next))
    }

    fn place(&mut self, points: &[Point]) -> Result<(), OpeningError> {
        points.iter().try_for_each(|&point| {
            self.position.play(point).map(drop).map_err(|_| OpeningError::Point(point))
        })
    }

    fn check_offers(&self, count: u8, points: &[Point]) -> Result<(), OpeningError> {
        let board = self.position.board();
        let distinct: PointSet = points.iter().copied().collect();
        if points.len() != usize::from(count) || distinct.len() != points.len() {
            return Err(OpeningError::OfferCount { asked: count, offered: distinct.len() });
        }
        if let Some(&taken) = points.iter().find(|&&point| !board.is_empty_at(point)) {
            return Err(OpeningError::Point(taken));
        }
        for (i, &a) in points.iter().enumerate() {
            if let Some(&b) = points[..i].iter().find(|&&b| are_symmetric(&self.position, a, b)) {
                return Err(OpeningError::Symmetric(b, a));
            }
        }
        Ok(())
    }
}

/// Whether a stone of the side to move on either point gives the same shape, turned, mirrored or
/// moved. The edge of the board does not count: players take such offers for the same.
pub fn are_symmetric(position: &Position, a: Point, b: Point) -> bool {
    a == b
        || Symmetry::all()
            .any(|symmetry| shape(position, a, symmetry) == shape(position, b, Symmetry::IDENTITY))
}

/// The stones of a position and one more, mirrored or turned, moved into the corner and sorted.
fn shape(position: &Position, more: Point, symmetry: Symmetry) -> Vec<(u8, u8, Color)> {
    let board = position.board();
    let stones = Color::ALL
        .into_iter()
        .flat_map(|color| board.stones(color).iter().map(move |point| (point, color)));
    let mut stones: Vec<_> = stones
        .chain([(more, position.to_move())])
        .map(|(point, color)| {
            let point = symmetry.apply(point, board.size());
            (point.col(), point.row(), color)
        })
        .collect();
    let left = stones.iter().map(|stone| stone.0).min().unwrap_or(0);
    let bottom = stones.iter().map(|stone| stone.1).min().unwrap_or(0);
    for stone in &mut stones {
        *stone = (stone.0 - left, stone.1 - bottom, stone.2);
    }
    stones.sort_unstable();
    stones
}
