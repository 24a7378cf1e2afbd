//! The network's numbers and what they say about a position.
//!
//! Units: rows, biases and features are in 1/64. A pool is a sum of features over the empty points,
//! less the same sum on the empty board of that size, so that blank regions count for nothing on any
//! board. The first layer reads it in 1/16; hidden values are in 1/128.

use std::{fmt, sync::OnceLock};

use gomoku::{Color, Field, MAX_SIZE, MIN_SIZE, PointSet, Rule, Rules, with_rule};

use crate::{
    POLICY_SCALE, SCALE,
    cells::{Cells, Rows4},
    kernel::{self, Moves},
    rows::N_ROWS,
    tables::{GRAIN, Tables, linear_policy, linear_value},
};

/// Features of a point, for values and as many for moves.
pub const CHANNELS: usize = 32;
/// Features for moves that are compared with the neighbors'.
pub const SPREAD: usize = 16;
/// Features end here, eight in real numbers.
pub(crate) const FEATURE_MAX: i16 = 511;
/// Hidden values end here, 64 in real numbers.
pub(crate) const HIDDEN_MAX: i32 = 8_191;
/// Pools, as the first layer reads them, end here.
pub(crate) const POOL_MAX: i32 = 16_383;

/// The numbers of a window, on one cache line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub struct Row(pub [i16; CHANNELS]);

impl Row {
    /// Nothing but zeros.
    pub const ZERO: Row = Row([0; CHANNELS]);
}

/// A layer from all channels to as many hidden values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dense {
    /// By input, then output.
    pub weights: Box<[Row; CHANNELS]>,
    /// By output, in units of the sum.
    pub bias: [i32; CHANNELS],
}

/// What one side to move knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Side {
    /// Rows for values.
    pub value_rows: Box<[Row; N_ROWS]>,
    /// What every point's sum for values begins with.
    pub value_bias: Row,
    /// The first layer, weights in 1/2^15.
    pub first: Dense,
    /// The second layer, weights in 1/2^12.
    pub second: Dense,
    /// The last weights, in 1/2^12.
    pub last: Row,
    /// The last bias, in 1/2^19.
    pub last_bias: i32,
    /// Rows for moves.
    pub move_rows: Box<[Row; N_ROWS]>,
    /// What every point's sum for moves begins with.
    pub move_bias: Row,
    /// Weights of a point, of its neighbors in rows and columns, and of those on diagonals, in
    /// 1/2^12.
    pub spread: [[i16; SPREAD]; 3],
    /// Added to the weighted sum, in 1/64.
    pub spread_bias: [i16; SPREAD],
    /// How much each feature speaks for a move, in 1/2^10.
    pub move_weights: Row,
    /// What is linear in shapes.
    pub tables: Tables,
}

/// The sums of the features of all empty points, as one side sees them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool(pub [i32; CHANNELS]);

impl Pool {
    /// The sums where there is nothing.
    pub const ZERO: Pool = Pool([0; CHANNELS]);
}

/// A network for one rule.
pub struct Network {
    rule: Rule,
    /// One side if the rule treats the colors alike, else Black and White.
    sides: Vec<Side>,
    /// By side and size: the sums on an empty board.
    blanks: Vec<[OnceLock<Pool>; MAX_SIZE as usize + 1]>,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({}, {} sides)", self.rule, self.sides.len())
    }
}

impl Network {
    /// A network out of its numbers: one side, or Black and White.
    ///
    /// # Panics
    /// If there is no side, or there are more than two.
    pub fn new(rule: Rule, sides: Vec<Side>) -> Network {
        assert!(matches!(sides.len(), 1 | 2), "a network has one side or two");
        let blanks = sides.iter().map(|_| [const { OnceLock::new() }; MAX_SIZE as usize + 1]);
        let blanks = blanks.collect();
        Network { rule, sides, blanks }
    }

    /// The rule it was made for.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// One side, or Black and White.
    pub fn sides(&self) -> &[Side] {
        &self.sides
    }

    /// What this color knows when it is to move.
    #[inline(always)]
    pub fn side(&self, color: Color) -> &Side {
        &self.sides[self.index(color)]
    }

    #[inline(always)]
    fn index(&self, color: Color) -> usize {
        (color as usize).min(self.sides.len() - 1)
    }

    /// The pool of a board as `us` sees it, from nothing.
    pub fn pool(&self, us: Color, cells: &Cells, empty: &PointSet, size: u8) -> Pool {
        let blank = self.blanks[self.index(us)][size as usize].get_or_init(|| {
            with_rule!(self.rule, R => {
                let field = Field::<R>::new(size.clamp(MIN_SIZE, MAX_SIZE));
                self.side(us).sum(us, &Cells::of(&field), &field.board().empty())
            })
        });
        let mut pool = self.side(us).sum(us, cells, empty);
        pool.0.iter_mut().zip(blank.0).for_each(|(sum, blank)| *sum -= blank);
        pool
    }

    /// The pool after the last stone, given the one before it.
    #[inline]
    pub fn pool_after(&self, us: Color, before: &Pool, cells: &Cells) -> Pool {
        let mut pool = *before;
        if let Some((stone, changes)) = cells.last() {
            let side = self.side(us);
            kernel::add_changes(&side.value_rows, &side.value_bias, us, stone, changes, &mut pool);
        }
        pool
    }

    /// What a pool says about the chances of `us`, to be added to the linear part.
    #[inline]
    pub fn value(&self, us: Color, pool: &Pool) -> i32 {
        let side = self.side(us);
        ((kernel::value(side, pool) * i64::from(SCALE)) >> 19) as i32
    }

    /// Scores the moves on these points, without the linear part: they stand in `moves` afterwards.
    #[inline]
    pub fn score_moves(
        &self,
        us: Color,
        cells: &Cells,
        empty: &PointSet,
        (points, size): (&PointSet, u8),
        moves: &mut Moves,
    ) {
        kernel::score_moves(self.side(us), us, cells, empty, (points, size), moves);
    }

    /// The evaluation of a position for the side to move, all from nothing.
    pub fn evaluate<R: Rules>(&self, field: &Field<R>) -> i32 {
        let us = field.to_move();
        let pool = self.pool(us, &Cells::of(field), &field.board().empty(), field.size());
        let tables = Color::ALL.map(|color| &self.side(color).tables);
        self.value(us, &pool) + linear_value(field, tables) / GRAIN
    }

    /// The scores of moves, [`POLICY_SCALE`] to a factor of e in odds, all from nothing.
    pub fn policy<R: Rules>(&self, field: &Field<R>, points: &PointSet) -> Vec<i32> {
        let mut moves = Moves::default();
        let (us, empty) = (field.to_move(), field.board().empty());
        self.score_moves(us, &Cells::of(field), &empty, (points, field.size()), &mut moves);
        let tables = &self.side(us).tables;
        let score = |point| moves.score(point) + linear_policy(field, point, tables);
        points.iter().map(score).collect()
    }
}

const _: () = assert!(POLICY_SCALE == 1 << 5 && kernel::SCORE_SHIFT == 16 - 5);

impl Side {
    fn sum(&self, us: Color, cells: &Cells, empty: &PointSet) -> Pool {
        let mut pool = Pool::ZERO;
        for point in empty.iter() {
            let features = self.value_features(us, cells.rows(point));
            pool.0.iter_mut().zip(features).for_each(|(sum, feature)| *sum += i32::from(feature));
        }
        pool
    }

    fn value_features(&self, us: Color, rows: Rows4) -> [i16; CHANNELS] {
        kernel::features(&self.value_rows, &self.value_bias, us, rows).0
    }

    /// A side of zeros.
    pub fn zero() -> Side {
        let rows = || -> Box<[Row; N_ROWS]> {
            vec![Row::ZERO; N_ROWS].into_boxed_slice().try_into().expect("as many as rows")
        };
        let dense = || Dense { weights: Box::new([Row::ZERO; CHANNELS]), bias: [0; CHANNELS] };
        Side {
            value_rows: rows(),
            value_bias: Row::ZERO,
            first: dense(),
            second: dense(),
            last: Row::ZERO,
            last_bias: 0,
            move_rows: rows(),
            move_bias: Row::ZERO,
            spread: [[0; SPREAD]; 3],
            spread_bias: [0; SPREAD],
            move_weights: Row::ZERO,
            tables: Tables::zero(),
        }
    }

    /// Whether no sum of the arithmetic can leave its range, whatever the position.
    pub fn is_in_range(&self) -> bool {
        let fits = |weights: &Row, bias: i32, most: i32| {
            let sum: i64 = weights.0.iter().map(|&w| i64::from(w).abs()).sum();
            sum * i64::from(most) + i64::from(bias).abs() <= i64::from(i32::MAX)
        };
        let layer = |dense: &Dense, most| {
            (0..CHANNELS).all(|o| {
                let weights = Row(std::array::from_fn(|i| dense.weights[i].0[o]));
                fits(&weights, dense.bias[o], most)
            })
        };
        // Four rows, a bias, and one row more while one is replaced.
        let small = |row: &Row| row.0.iter().all(|&number| number.abs() <= i16::MAX / 8);
        let rows = self.value_rows.iter().chain(self.move_rows.iter());
        let spread = (0..SPREAD)
            .map(|c| self.spread.iter().map(|weights| i32::from(weights[c]).abs()).sum::<i32>());
        rows.chain([&self.value_bias, &self.move_bias]).all(small)
            && layer(&self.first, POOL_MAX)
            && layer(&self.second, HIDDEN_MAX)
            && fits(&self.last, 0, HIDDEN_MAX)
            && fits(&self.move_weights, 0, i32::from(kernel::SPREAD_MAX))
            && spread
                .zip(self.spread_bias)
                .all(|(sum, bias)| sum / 2 + i32::from(bias).abs() < i32::from(i16::MAX))
    }
}
