//! From real numbers to the integers that are played with, and back.

use std::ops::Range;

use gomoku::{Rule, with_rule};
use net::{GRAIN, Network, POLICY_SCALE, Row, SCALE, Side, is_own_twin, rows_in_use};

use crate::{
    model::{Layout, Loss, Model, POOL_UNIT, ROW_UNIT},
    sample::{SampleId, Samples},
};

/// A network to play with: of one model, or of Black's and White's.
pub fn export(rule: Rule, models: &[Model]) -> Network {
    let mut sides: Vec<Side> = models.iter().map(side).collect();
    swap_others(&mut sides);
    Network::new(rule, sides)
}

/// The models of a network, to learn more: one, or Black's and White's.
pub fn import(network: &Network) -> Vec<Model> {
    let mut sides = network.sides().to_vec();
    swap_others(&mut sides);
    sides.iter_mut().map(model).collect()
}

/// What a side is worth to its opponent is learned by the opponent.
fn swap_others(sides: &mut [Side]) {
    if let [black, white] = sides {
        std::mem::swap(&mut black.tables.other, &mut white.tables.other);
    }
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
    let mut side = Side::zero();
    each_number(&mut side, &model.layout, |at, unit, integer| {
        let number = (model.numbers[at] * unit).round();
        match integer {
            Integer::Short(short) => *short = number.clamp(-32_000.0, 32_000.0) as i16,
            Integer::Long(long) => *long = number as i32,
        }
    });
    // A window that is its own twin has its numbers twice.
    for row in (1..rows_in_use()).step_by(2).filter(|&row| is_own_twin(row as u16)) {
        side.value_rows[row] = side.value_rows[row - 1];
        side.move_rows[row] = side.move_rows[row - 1];
    }
    side
}

fn model(side: &mut Side) -> Model {
    let mut model = Model::new(0);
    let Model { layout, numbers } = &mut model;
    each_number(side, layout, |at, unit, integer| {
        numbers[at] = match integer {
            Integer::Short(short) => f32::from(*short) / unit,
            Integer::Long(long) => *long as f32 / unit,
        }
    });
    model
}

/// A number of a network.
enum Integer<'a> {
    Short(&'a mut i16),
    Long(&'a mut i32),
}

/// Visits all numbers of a side: where each stands in the model, its unit, and its place.
fn each_number(side: &mut Side, layout: &Layout, mut visit: impl FnMut(usize, f32, Integer<'_>)) {
    let mut shorts = |range: &Range<usize>,
                      unit: f32,
                      numbers: &mut dyn Iterator<Item = &mut i16>| {
        range.clone().zip(numbers).for_each(|(at, short)| visit(at, unit, Integer::Short(short)));
    };
    let two_to = |power: i32| 2f32.powi(power);
    let (first, second) = (two_to(15) / POOL_UNIT, two_to(12));
    shorts(&layout.value_rows, ROW_UNIT, &mut all(&mut side.value_rows[..]));
    shorts(&layout.value_bias, ROW_UNIT, &mut side.value_bias.0.iter_mut());
    shorts(&layout.first, first, &mut all(&mut side.first.weights[..]));
    shorts(&layout.second, second, &mut all(&mut side.second.weights[..]));
    shorts(&layout.last, two_to(12), &mut side.last.0.iter_mut());
    shorts(&layout.move_rows, ROW_UNIT, &mut all(&mut side.move_rows[..]));
    shorts(&layout.move_bias, ROW_UNIT, &mut side.move_bias.0.iter_mut());
    shorts(&layout.spread, two_to(12), &mut side.spread.iter_mut().flatten());
    shorts(&layout.spread_bias, ROW_UNIT, &mut side.spread_bias.iter_mut());
    shorts(&layout.move_weights, two_to(10), &mut side.move_weights.0.iter_mut());
    let grain = (SCALE * GRAIN) as f32;
    let units = [grain, grain, grain, POLICY_SCALE as f32, POLICY_SCALE as f32];
    let ranges = [&layout.mover, &layout.other, &layout.mask, &layout.make, &layout.take];
    for ((table, range), unit) in side.tables.parts_mut().into_iter().zip(ranges).zip(units) {
        shorts(range, unit, &mut table.iter_mut());
    }
    let mut longs = |range: &Range<usize>, numbers: &mut [i32]| {
        let numbers = range.clone().zip(numbers);
        numbers.for_each(|(at, long)| visit(at, two_to(19), Integer::Long(long)));
    };
    longs(&layout.first_bias, &mut side.first.bias);
    longs(&layout.second_bias, &mut side.second.bias);
    longs(&layout.last_bias, std::slice::from_mut(&mut side.last_bias));
}

fn all(rows: &mut [Row]) -> impl Iterator<Item = &mut i16> {
    rows.iter_mut().flat_map(|row| &mut row.0)
}
