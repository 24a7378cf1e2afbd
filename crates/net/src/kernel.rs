//! The loops of the arithmetic. Each is written once, in plain integers, and compiled twice: for any
//! processor, and for those with the wide registers of AVX2. Being integers they agree to the bit.

use gomoku::{Color, GRID, Point, PointSet};

use crate::{
    cells::{Cells, Change, Rows4},
    network::{CHANNELS, Dense, FEATURE_MAX, HIDDEN_MAX, POOL_MAX, Pool, Row, SPREAD, Side},
    rows::N_ROWS,
};

/// Compared features end here.
pub(crate) const SPREAD_MAX: i16 = 1_023;
/// From products of features and weights to scores of moves.
pub(crate) const SCORE_SHIFT: u32 = 11;

/// From a point of the padded grid to its neighbors in rows and columns, and on diagonals.
const BESIDE: [isize; 4] = [1, -1, 32, -32];
const DIAGONAL: [isize; 4] = [33, 31, -31, -33];

/// Defines a function that runs a plain one, on wide registers where there are any.
macro_rules! twice {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $result:ty)? = $plain:ident, $wide:ident) => {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $wide($($arg: $type),*) $(-> $result)? {
            $plain($($arg),*)
        }

        $(#[$doc])*
        #[inline]
        pub(crate) fn $name($($arg: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has just been asked for what the function needs.
                #[expect(unsafe_code, reason = "there is no safe way to call for more registers")]
                return unsafe { $wide($($arg),*) };
            }
            $plain($($arg),*)
        }
    };
}

twice! {
    /// Adds what the last stone changes to a pool.
    fn add_changes(
        rows: &[Row; N_ROWS], bias: &Row, us: Color, stone: Rows4, changes: &[Change], pool: &mut Pool,
    ) = add_changes_plain, add_changes_wide
}

twice! {
    /// What a pool says, in 1/2^19.
    fn value(side: &Side, pool: &Pool) -> i64 = value_plain, value_wide
}

twice! {
    /// Scores moves.
    fn score_moves(
        side: &Side, us: Color, cells: &Cells, empty: &PointSet, wanted: (&PointSet, u8), moves: &mut Moves,
    ) = score_moves_plain, score_moves_wide
}

/// Scores of moves, and the features of the points around them.
#[derive(Clone, Debug)]
pub struct Moves {
    features: Box<[Row; GRID]>,
    scores: Box<[i32; GRID]>,
}

impl Default for Moves {
    fn default() -> Moves {
        let features = vec![Row::ZERO; GRID].into_boxed_slice();
        Moves {
            features: features.try_into().expect("the vector has as many"),
            scores: Box::new([0; GRID]),
        }
    }
}

impl Moves {
    /// The score of a move that was asked for last time.
    #[inline(always)]
    pub fn score(&self, point: Point) -> i32 {
        self.scores[point.index() % GRID]
    }
}

/// The row as a side sees it whose rows come in twins.
#[inline(always)]
fn seen(rows: &[Row; N_ROWS], row: u16, us: Color) -> &Row {
    &rows[(row ^ us as u16) as usize % N_ROWS]
}

#[inline(always)]
fn add(sum: &mut Row, row: &Row) {
    for c in 0..CHANNELS {
        sum.0[c] = sum.0[c].wrapping_add(row.0[c]);
    }
}

#[inline(always)]
fn clipped(mut sum: Row) -> Row {
    for number in &mut sum.0 {
        *number = (*number).clamp(0, FEATURE_MAX);
    }
    sum
}

/// The features of a point.
#[inline(always)]
pub(crate) fn features(rows: &[Row; N_ROWS], bias: &Row, us: Color, four: Rows4) -> Row {
    let mut sum = *bias;
    for row in four {
        add(&mut sum, seen(rows, row, us));
    }
    clipped(sum)
}

#[inline(always)]
fn add_changes_plain(
    rows: &[Row; N_ROWS],
    bias: &Row,
    us: Color,
    stone: Rows4,
    changes: &[Change],
    pool: &mut Pool,
) {
    let gone = features(rows, bias, us, stone);
    let mut difference = Row::ZERO;
    for c in 0..CHANNELS {
        difference.0[c] = -gone.0[c];
    }
    for change in changes {
        let (old, rest) = change.replaced();
        let mut before = *bias;
        for row in rest {
            add(&mut before, seen(rows, row, us));
        }
        let mut after = before;
        add(&mut before, seen(rows, old, us));
        add(&mut after, seen(rows, change.new, us));
        let (before, after) = (clipped(before), clipped(after));
        for c in 0..CHANNELS {
            difference.0[c] = difference.0[c].wrapping_add(after.0[c].wrapping_sub(before.0[c]));
        }
    }
    for c in 0..CHANNELS {
        pool.0[c] += i32::from(difference.0[c]);
    }
}

#[inline(always)]
fn value_plain(side: &Side, pool: &Pool) -> i64 {
    let mut input = Row::ZERO;
    for c in 0..CHANNELS {
        input.0[c] = (pool.0[c] >> 2).clamp(-POOL_MAX, POOL_MAX) as i16;
    }
    let second = hidden(&side.second, &hidden(&side.first, &input));
    let mut sum = 0;
    for c in 0..CHANNELS {
        sum += i32::from(side.last.0[c]) * i32::from(second.0[c]);
    }
    i64::from(sum) + i64::from(side.last_bias)
}

/// The values of a layer, cut off below zero.
#[inline(always)]
fn hidden(layer: &Dense, input: &Row) -> Row {
    let mut sums = layer.bias;
    for (weights, &value) in layer.weights.iter().zip(&input.0) {
        if value != 0 {
            for o in 0..CHANNELS {
                sums[o] = sums[o].wrapping_add(i32::from(weights.0[o]) * i32::from(value));
            }
        }
    }
    let mut values = Row::ZERO;
    for o in 0..CHANNELS {
        values.0[o] = (sums[o] >> 12).clamp(0, HIDDEN_MAX) as i16;
    }
    values
}

/// The sum of the features of four neighbors.
#[inline(always)]
fn around(features: &[Row; GRID], at: usize, steps: [isize; 4]) -> [i16; SPREAD] {
    let neighbor = |i: usize| &features[at.wrapping_add_signed(steps[i]) % GRID].0;
    let [a, b, c, d] = [neighbor(0), neighbor(1), neighbor(2), neighbor(3)];
    let mut sum = [0; SPREAD];
    for i in 0..SPREAD {
        sum[i] = a[i] + b[i] + c[i] + d[i];
    }
    sum
}

#[inline(always)]
fn weighed(weight: i16, feature: i16) -> i16 {
    ((i32::from(weight) * i32::from(feature << 4)) >> 16) as i16
}

#[inline(always)]
fn score_moves_plain(
    side: &Side,
    us: Color,
    cells: &Cells,
    empty: &PointSet,
    (points, size): (&PointSet, u8),
    moves: &mut Moves,
) {
    for point in points.grow(size).iter() {
        moves.features[point.index() % GRID] = if empty.contains(point) {
            features(&side.move_rows, &side.move_bias, us, cells.rows(point))
        } else {
            Row::ZERO
        };
    }
    for point in points.iter() {
        let at = point.index() % GRID;
        let mut own = moves.features[at];
        let beside = around(&moves.features, at, BESIDE);
        let diagonal = around(&moves.features, at, DIAGONAL);
        for c in 0..SPREAD {
            let sum = side.spread_bias[c]
                + weighed(side.spread[0][c], own.0[c])
                + weighed(side.spread[1][c], beside[c])
                + weighed(side.spread[2][c], diagonal[c]);
            own.0[c] = sum.clamp(0, SPREAD_MAX);
        }
        let mut score = 0i32;
        for c in 0..CHANNELS {
            score = score.wrapping_add(i32::from(own.0[c]) * i32::from(side.move_weights.0[c]));
        }
        moves.scores[at] = score >> SCORE_SHIFT;
    }
}

// The features of 33 points, and of four neighbors shifted by four bits, fit 16 bits.
const _: () = assert!(33 * (FEATURE_MAX as i32) < i16::MAX as i32);
const _: () = assert!((4 * FEATURE_MAX as i32) << 4 <= i16::MAX as i32);

/// Compares the plain loops with those that are run.
#[cfg(test)]
pub(crate) fn check_twins(
    side: &Side,
    us: Color,
    cells: &Cells,
    empty: &PointSet,
    (plain, run): (&mut Moves, &mut Moves),
) {
    let (stone, changes) = cells.last().expect("a stone was placed");
    let mut pools = [Pool::ZERO; 2];
    let (rows, bias) = (&side.value_rows, &side.value_bias);
    add_changes_plain(rows, bias, us, stone, changes, &mut pools[0]);
    add_changes(rows, bias, us, stone, changes, &mut pools[1]);
    assert_eq!(pools[0], pools[1]);
    assert_eq!(value_plain(side, &pools[0]), value(side, &pools[0]));
    let size = 15;
    score_moves_plain(side, us, cells, empty, (empty, size), plain);
    score_moves(side, us, cells, empty, (empty, size), run);
    assert!(empty.iter().all(|point| plain.score(point) == run.score(point)));
}
