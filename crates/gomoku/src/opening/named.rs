//! The 26 openings of renju: a stone in the center, one beside it, and one within the central 5x5.

use crate::{
    board::Board,
    color::Color,
    point::{Direction, Point},
    position::Position,
    rule::Rule,
    symmetry::Symmetry,
};

/// A named opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedOpening {
    /// `D1` to `D13` with the second stone straight up, `I1` to `I13` with it up and to the right.
    pub id: &'static str,
    /// The name in Latin letters.
    pub romaji: &'static str,
    /// The name as it is written in Japan.
    pub kanji: &'static str,
    /// The third stone, right and up from the first.
    third: (i32, i32),
}

macro_rules! openings {
    ($($id:literal $romaji:literal $kanji:literal $dx:literal $dy:literal;)*) => {
        /// All named openings, direct ones first.
        pub const ALL: [NamedOpening; 26] = [$(NamedOpening {
            id: $id,
            romaji: $romaji,
            kanji: $kanji,
            third: ($dx, $dy),
        }),*];
    };
}

impl NamedOpening {
    openings! {
        "D1" "Kansei" "寒星" 0 2;
        "D2" "Keigetsu" "溪月" 1 2;
        "D3" "Sosei" "疏星" 2 2;
        "D4" "Kagetsu" "花月" 1 1;
        "D5" "Zangetsu" "残月" 2 1;
        "D6" "Ugetsu" "雨月" 1 0;
        "D7" "Kinsei" "金星" 2 0;
        "D8" "Shogetsu" "松月" 0 -1;
        "D9" "Kyugetsu" "丘月" 1 -1;
        "D10" "Shingetsu" "新月" 2 -1;
        "D11" "Zuisei" "瑞星" 0 -2;
        "D12" "Sangetsu" "山月" 1 -2;
        "D13" "Yusei" "遊星" 2 -2;
        "I1" "Chosei" "長星" 2 2;
        "I2" "Kyogetsu" "峡月" 2 1;
        "I3" "Kosei" "恒星" 2 0;
        "I4" "Suigetsu" "水月" 2 -1;
        "I5" "Ryusei" "流星" 2 -2;
        "I6" "Ungetsu" "雲月" 1 0;
        "I7" "Hogetsu" "浦月" 1 -1;
        "I8" "Rangetsu" "嵐月" 1 -2;
        "I9" "Gingetsu" "銀月" 0 -1;
        "I10" "Myojo" "明星" 0 -2;
        "I11" "Shagetsu" "斜月" -1 -1;
        "I12" "Meigetsu" "名月" -1 -2;
        "I13" "Suisei" "彗星" -2 -2;
    }

    /// Whether the second stone touches the first along a row or column.
    pub fn is_direct(&self) -> bool {
        self.id.starts_with('D')
    }

    /// The opening with this id or name, in any case.
    pub fn find(text: &str) -> Option<&'static NamedOpening> {
        const { &NamedOpening::ALL }.iter().find(|opening| {
            [opening.id, opening.romaji].iter().any(|name| name.eq_ignore_ascii_case(text.trim()))
                || opening.kanji == text.trim()
        })
    }

    /// The three stones on a board of this side.
    ///
    /// # Panics
    /// If the board is smaller than 5x5 or larger than 22x22.
    pub fn stones(&self, size: u8) -> [Point; 3] {
        let center = Point::center(size);
        let beside = if self.is_direct() { Direction::North } else { Direction::NorthEast };
        let second = center.step(beside, 1).expect("5x5 has the neighbors of its center");
        let (dx, dy) = self.third;
        let third = Point::new(
            center.col().strict_add_signed(dx as i8),
            center.row().strict_add_signed(dy as i8),
        );
        [center, second, third]
    }

    /// The position on a board of this side.
    pub fn position(&self, rule: Rule, size: u8) -> Position {
        Position::from_moves(rule, size, &self.stones(size)).expect("three different points")
    }
}

/// The name of the opening that a position is, or began with if its moves are known.
///
/// It does not matter how the board is turned, nor in which order the stones were placed.
///
/// ```
/// use gomoku::{Position, Rule, opening::name_of};
/// let position = Position::parse("h8g7g8", Rule::Renju, 15).unwrap();
/// assert_eq!(name_of(&position).unwrap().romaji, "Ungetsu");
/// ```
pub fn name_of(position: &Position) -> Option<&'static NamedOpening> {
    let stones = position.board().len();
    if stones == 3 {
        return name_of_stones(position.board());
    }
    // With stones set up before them, the first moves known are not the first of the game.
    let first = position.moves().get(..3).filter(|_| position.moves().len() == stones)?;
    let start = Position::from_moves(position.rule(), position.size(), first).ok()?;
    name_of_stones(start.board())
}

fn name_of_stones(board: &Board) -> Option<&'static NamedOpening> {
    // On a board with four middle points no symmetry keeps the first stone in its place.
    if board.size().is_multiple_of(2) || board.stones(Color::Black).len() != 2 {
        return None;
    }
    const { &NamedOpening::ALL }.iter().find(|opening| {
        let [first, second, third] = opening.stones(board.size());
        Symmetry::all().any(|symmetry| {
            let image = |point| board.get(symmetry.apply(point, board.size()));
            image(first) == Some(Color::Black)
                && image(second) == Some(Color::White)
                && image(third) == Some(Color::Black)
        })
    })
}
