//! From real numbers to the integers that are played with.

use std::ops::Range;

use gomoku::{Rule, with_rule};
use net::{
    CHANNELS, Dense, GRAIN, N_ROWS, Network, POLICY_SCALE, Row, SCALE, SPREAD, Side, is_own_twin,
    rows_in_use,
};

use crate::{
    model::{Loss, Model, POOL_UNIT, ROW_UNIT},
    sample::{SampleId, Samples},
};

/// A network to play with: of one model, or of Black's and White's.
pub fn export(rule: Rule, models: &[Model]) -> Network {
    let mut sides: Vec<Side> = models.iter().map(side).collect();
    // What a side is worth to its opponent was learned by the opponent.
    if let [black, white] = sides.as_mut_slice() {
        std::mem::swap(&mut black.tables.other, &mut white.tables.other);
    }
    Network::new(rule, sides)
}

/// How well the integers describe positions.
pub fn integer_loss(network: &Network, samples: &Samples, positions: &[SampleId]) -> Loss {
    let mut loss = Loss::default();
    for &at in positions {
        let sample = samples.get(at);
        let position = samples.position(at);
        with_rule!(network.rule(), R => {
            let field = gomoku::Field::<R>::from_position(&position);
            let logit = network.evaluate(&field) as f32 / SCALE as f32;
            let scores = network.policy(&field, &engine::candidates(&field));
            let most = scores.iter().copied().max().unwrap_or(0);
            let chance = |score: i32| ((score - most) as f32 / POLICY_SCALE as f32).exp();
            let mut chances: Vec<f32> = scores.into_iter().map(chance).collect();
            let sum: f32 = chances.iter().sum();
            chances.iter_mut().for_each(|chance| *chance /= sum);
            loss.count(&sample, 1.0 / (1.0 + (-logit).exp()), &chances);
        });
    }
    loss
}

fn side(model: &Model) -> Side {
    let layout = &model.layout;
    let part = |range: &Range<usize>| &model.numbers[range.clone()];
    let row = |range: &Range<usize>, unit: f32| {
        Row(std::array::from_fn(|c| rounded(model.numbers[range.start + c] * unit)))
    };
    let square = |weights: &Range<usize>, unit: f32, bias: &Range<usize>, bias_unit: f32| Dense {
        weights: Box::new(std::array::from_fn(|i| {
            Row(std::array::from_fn(|o| {
                rounded(model.numbers[weights.start + i * CHANNELS + o] * unit)
            }))
        })),
        bias: std::array::from_fn(|o| (model.numbers[bias.start + o] * bias_unit).round() as i32),
    };
    let two_to = |power: i32| 2f32.powi(power);
    let spread = part(&layout.spread);
    let mut side = Side::zero();
    side.value_rows = rows(part(&layout.value_rows));
    side.value_bias = row(&layout.value_bias, ROW_UNIT);
    side.first = square(&layout.first, two_to(15) / POOL_UNIT, &layout.first_bias, two_to(19));
    side.second = square(&layout.second, two_to(12), &layout.second_bias, two_to(19));
    side.last = row(&layout.last, two_to(12));
    side.last_bias = (part(&layout.last_bias)[0] * two_to(19)).round() as i32;
    side.move_rows = rows(part(&layout.move_rows));
    side.move_bias = row(&layout.move_bias, ROW_UNIT);
    side.spread = std::array::from_fn(|kind| {
        std::array::from_fn(|c| rounded(spread[kind * SPREAD + c] * two_to(12)))
    });
    let bias = part(&layout.spread_bias);
    side.spread_bias = std::array::from_fn(|c| rounded(bias[c] * ROW_UNIT));
    side.move_weights = row(&layout.move_weights, two_to(10));
    let grain = (SCALE * GRAIN) as f32;
    let units = [grain, grain, grain, POLICY_SCALE as f32, POLICY_SCALE as f32];
    let ranges = [&layout.mover, &layout.other, &layout.mask, &layout.make, &layout.take];
    for ((table, range), unit) in side.tables.parts_mut().into_iter().zip(ranges).zip(units) {
        *table = part(range).iter().map(|number| rounded(number * unit)).collect();
    }
    side
}

fn rounded(number: f32) -> i16 {
    number.round().clamp(-32_000.0, 32_000.0) as i16
}

/// Rows in bytes; a window that is its own twin has its numbers twice.
fn rows(numbers: &[f32]) -> Box<[Row; N_ROWS]> {
    let mut rows = vec![Row::ZERO; N_ROWS].into_boxed_slice();
    for (row, numbers) in rows.iter_mut().zip(numbers.chunks_exact(CHANNELS)) {
        *row = Row(std::array::from_fn(|c| rounded(numbers[c] * ROW_UNIT).clamp(-127, 127)));
    }
    for row in (1..rows_in_use()).step_by(2).filter(|&row| is_own_twin(row as u16)) {
        rows[row] = rows[row - 1];
    }
    rows.try_into().expect("as many as rows")
}
