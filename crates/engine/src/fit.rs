//! Learns the tables of the evaluation from games: logistic regression on results for the values,
//! a softmax over candidates for the move scores. Both are linear in the tables.
//!
//! The tables start from a prior, and codes that the games never show keep it. A rule's tables take
//! the tables fitted on all rules together as their prior.

use gomoku::{Code, Color, Field, Point, Position, Rule, Rules, Threat, with_rule};

use crate::{
    eval::{self, ColorTables, GRAIN, MASKS, Tempo},
    moves::{self, Danger, Neighborhood},
};

/// One unit of log odds in the evaluation.
const SCALE: f32 = 200.0;
/// One unit of log odds in move scores.
const POLICY_SCALE: f32 = 32.0;

/// A game to learn from.
#[derive(Clone, Debug, PartialEq)]
pub struct FitGame {
    /// The rule.
    pub rule: Rule,
    /// Points a side.
    pub size: u8,
    /// All moves from the empty board.
    pub moves: Vec<Point>,
    /// For each move, what the search that chose it said, from the mover's view; `None` for moves
    /// that were not searched.
    pub scores: Vec<Option<i32>>,
    /// The result for Black: 1, 0.5 or 0.
    pub result: f32,
}

/// A position with its label.
struct ValueSample {
    us: Color,
    /// Codes of the side to move, then of the other, over the empty points.
    codes: [Vec<u16>; 2],
    mask: u16,
    /// Chance that the side to move wins.
    target: f32,
}

/// A position with the move that was chosen.
struct MoveSample {
    us: Color,
    /// Codes of the side to move and of the other for each candidate.
    candidates: Vec<[u16; 2]>,
    chosen: usize,
}

/// What was learned, as real numbers in log odds.
#[derive(Clone, Debug)]
pub struct Tables {
    /// By color.
    colors: [RealTables; 2],
}

#[derive(Clone, Debug)]
struct RealTables {
    mover: Vec<f32>,
    other: Vec<f32>,
    mask: Vec<f32>,
    make: Vec<f32>,
    take: Vec<f32>,
}

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Passes over the data.
    pub epochs: usize,
    /// Step length of the optimizer.
    pub rate: f32,
    /// Pull towards the prior, per sample.
    pub decay: f32,
    /// Share of the result in the target; the rest is the search's score.
    pub result_share: f32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { epochs: 10, rate: 0.005, decay: 1e-5, result_share: 0.7 }
    }
}

/// How well the tables describe positions: mean loss in nats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loss {
    /// Of the values.
    pub value: f32,
    /// Of the moves.
    pub moves: f32,
    /// How often the best-scored candidate is the move chosen.
    pub top: f32,
    /// Positions.
    pub n: usize,
}

/// Samples of one or several rules.
#[derive(Default)]
pub struct Samples {
    values: Vec<ValueSample>,
    moves: Vec<MoveSample>,
}

impl std::fmt::Debug for Samples {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} positions, {} moves", self.values.len(), self.moves.len())
    }
}

impl Samples {
    /// Adds the positions of a game.
    pub fn add(&mut self, game: &FitGame, result_share: f32) {
        with_rule!(game.rule, R => self.add_for::<R>(game, result_share));
    }

    fn add_for<R: Rules>(&mut self, game: &FitGame, result_share: f32) {
        let mut field = Field::<R>::from_position(&Position::new(game.rule, game.size));
        let near = Neighborhood::new(game.size);
        for (&point, score) in game.moves.iter().zip(&game.scores) {
            if let Some(score) = score.filter(|_| is_open(&field)) {
                let us = field.to_move();
                let result = if us == Color::Black { game.result } else { 1.0 - game.result };
                let searched = sigmoid(score as f32 / SCALE);
                let target = result_share * result + (1.0 - result_share) * searched;
                if moves::danger(&field) != Danger::Five {
                    self.values.push(value_sample(&field, target));
                    self.moves.extend(move_sample(&field, &near, point));
                }
            }
            field.place(point);
        }
    }
}

/// Whether the evaluation would be asked at all: neither side has a five or a winning four.
fn is_open<R: Rules>(field: &Field<R>) -> bool {
    let us = field.to_move();
    !field.has(us, Threat::Five) && !field.has(us, Threat::OpenFour)
}

fn value_sample<R: Rules>(field: &Field<R>, target: f32) -> ValueSample {
    let us = field.to_move();
    let codes = [us, !us].map(|color| {
        let codes = field.board().empty().iter().map(|point| field.code(color, point));
        codes.map(|code| code.index() as u16).filter(|&code| code != 0).collect()
    });
    ValueSample { us, codes, mask: eval::threat_mask(field) as u16, target }
}

fn move_sample<R: Rules>(
    field: &Field<R>,
    near: &Neighborhood,
    chosen: Point,
) -> Option<MoveSample> {
    let us = field.to_move();
    let points = match moves::danger(field) {
        Danger::OpenFour => moves::open_four_stops(field),
        _ => near.of_all(field) - field.board().occupied(),
    };
    let allowed = |point: &Point| us == Color::White || !field.is_forbidden(*point);
    let points: Vec<_> = points.iter().filter(allowed).collect();
    let chosen = points.iter().position(|&point| point == chosen)?;
    let codes = |&point: &Point| [us, !us].map(|color| field.code(color, point).index() as u16);
    Some(MoveSample { us, candidates: points.iter().map(codes).collect(), chosen })
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Tables {
    /// The tables made by hand.
    pub fn by_hand(rule: Rule) -> Tables {
        let real =
            |values: &[i16], unit: f32| values.iter().map(|&v| f32::from(v) / unit).collect();
        let colors = Color::ALL.map(|color| {
            let tables = ColorTables::by_hand(rule, color);
            let unit = SCALE * GRAIN as f32;
            let part = |part: fn(&Tempo) -> i16| tables.value.iter().map(part).collect::<Vec<_>>();
            RealTables {
                mover: real(&part(|tempo| tempo.mover), unit),
                other: real(&part(|tempo| tempo.other), unit),
                mask: real(&tables.mask, unit),
                make: real(&tables.make, POLICY_SCALE),
                take: real(&tables.take, POLICY_SCALE),
            }
        });
        Tables { colors }
    }

    /// The tables as the engine reads them: one set, or one for each color if they differ.
    pub fn to_bytes(&self, shared: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        for tables in &self.colors[..if shared { 1 } else { 2 }] {
            let unit = SCALE * GRAIN as f32;
            let mut put = |values: &[f32], unit: f32| {
                for value in values {
                    let value = (value * unit).round().clamp(-32_000.0, 32_000.0) as i16;
                    bytes.extend(value.to_le_bytes());
                }
            };
            put(&tables.mover, unit);
            put(&tables.other, unit);
            put(&tables.mask, unit);
            put(&tables.make, POLICY_SCALE);
            put(&tables.take, POLICY_SCALE);
        }
        bytes
    }

    /// Fits the tables to samples, pulled towards what they are now. Colors that the rule treats
    /// alike share their tables.
    pub fn fit(&self, samples: &Samples, settings: &Settings, shared: bool) -> Tables {
        let mut fitted = self.clone();
        let mut adam = Adam::default();
        for epoch in 0..settings.epochs {
            let rate = settings.rate * (1.0 - epoch as f32 / settings.epochs as f32);
            fit_values(&mut fitted, self, samples, settings, (rate, shared), &mut adam);
            fit_moves(&mut fitted, self, samples, settings, (rate, shared), &mut adam);
        }
        if shared {
            fitted.colors[1] = fitted.colors[0].clone();
        }
        fitted
    }

    /// How well the tables describe samples.
    pub fn loss(&self, samples: &Samples) -> Loss {
        let mut value = 0.0;
        for sample in &samples.values {
            let p = sigmoid(self.logit(sample)).clamp(1e-6, 1.0 - 1e-6);
            value -= sample.target * p.ln() + (1.0 - sample.target) * (1.0 - p).ln();
        }
        let (mut moves, mut top) = (0.0, 0);
        for sample in &samples.moves {
            let chances = self.chances(sample);
            moves -= chances[sample.chosen].max(1e-9).ln();
            let is_best = chances.iter().all(|&chance| chance <= chances[sample.chosen]);
            top += usize::from(is_best);
        }
        let n = samples.values.len();
        Loss {
            value: value / n as f32,
            moves: moves / samples.moves.len() as f32,
            top: top as f32 / samples.moves.len() as f32,
            n,
        }
    }

    fn logit(&self, sample: &ValueSample) -> f32 {
        let (us, them) = (sample.us as usize, !sample.us as usize);
        let sum = |table: &[f32], codes: &[u16]| {
            codes.iter().map(|&code| table[code as usize]).sum::<f32>()
        };
        sum(&self.colors[us].mover, &sample.codes[0])
            - sum(&self.colors[them].other, &sample.codes[1])
            + self.colors[us].mask[sample.mask as usize]
    }

    fn chances(&self, sample: &MoveSample) -> Vec<f32> {
        let tables = &self.colors[sample.us as usize];
        let score =
            |&[own, other]: &[u16; 2]| tables.make[own as usize] + tables.take[other as usize];
        let mut chances: Vec<f32> = sample.candidates.iter().map(score).collect();
        let most = chances.iter().fold(f32::MIN, |a, &b| a.max(b));
        chances.iter_mut().for_each(|chance| *chance = (*chance - most).exp());
        let sum: f32 = chances.iter().sum();
        chances.iter_mut().for_each(|chance| *chance /= sum);
        chances
    }
}

/// Which table of a color.
#[derive(Clone, Copy)]
enum Part {
    Mover,
    Other,
    Mask,
    Make,
    Take,
}

impl RealTables {
    fn part(&mut self, part: Part) -> &mut Vec<f32> {
        match part {
            Part::Mover => &mut self.mover,
            Part::Other => &mut self.other,
            Part::Mask => &mut self.mask,
            Part::Make => &mut self.make,
            Part::Take => &mut self.take,
        }
    }
}

/// Samples between two steps of the optimizer.
const BATCH: usize = 512;

fn fit_values(
    tables: &mut Tables,
    prior: &Tables,
    samples: &Samples,
    settings: &Settings,
    (rate, shared): (f32, bool),
    adam: &mut Adam,
) {
    let home = |color: Color| if shared { 0 } else { color as usize };
    for batch in samples.values.chunks(BATCH) {
        let mut gradient = Gradient::default();
        for sample in batch {
            let error = sigmoid(tables.logit(sample)) - sample.target;
            let (us, them) = (home(sample.us), home(!sample.us));
            for &code in &sample.codes[0] {
                gradient.add(us, Part::Mover, code, error);
            }
            for &code in &sample.codes[1] {
                gradient.add(them, Part::Other, code, -error);
            }
            gradient.add(us, Part::Mask, sample.mask, error);
        }
        adam.step(tables, prior, gradient, rate, settings.decay);
        if shared {
            tables.colors[1] = tables.colors[0].clone();
        }
    }
}

fn fit_moves(
    tables: &mut Tables,
    prior: &Tables,
    samples: &Samples,
    settings: &Settings,
    (rate, shared): (f32, bool),
    adam: &mut Adam,
) {
    for batch in samples.moves.chunks(BATCH) {
        let mut gradient = Gradient::default();
        for sample in batch {
            let us = if shared { 0 } else { sample.us as usize };
            let chances = tables.chances(sample);
            for (i, (&[own, other], chance)) in sample.candidates.iter().zip(chances).enumerate() {
                let error = chance - if i == sample.chosen { 1.0 } else { 0.0 };
                gradient.add(us, Part::Make, own, error);
                gradient.add(us, Part::Take, other, error);
            }
        }
        adam.step(tables, prior, gradient, rate, settings.decay);
        if shared {
            tables.colors[1] = tables.colors[0].clone();
        }
    }
}

const SLOTS: usize = if Code::COUNT > MASKS { Code::COUNT } else { MASKS };
const PARTS: usize = 5;

/// The gradient of a batch, all tables in one row.
struct Gradient(Vec<f32>);

impl Default for Gradient {
    fn default() -> Gradient {
        Gradient(vec![0.0; 2 * PARTS * SLOTS])
    }
}

impl Gradient {
    #[inline]
    fn add(&mut self, color: usize, part: Part, at: u16, value: f32) {
        self.0[(color * PARTS + part as usize) * SLOTS + at as usize] += value;
    }
}

/// The Adam optimizer (Kingma and Ba, 2015), on the numbers a batch touches.
struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: Vec<i32>,
}

impl Default for Adam {
    fn default() -> Adam {
        let n = 2 * PARTS * SLOTS;
        Adam { mean: vec![0.0; n], square: vec![0.0; n], steps: vec![0; n] }
    }
}

impl Adam {
    fn step(
        &mut self,
        tables: &mut Tables,
        prior: &Tables,
        gradient: Gradient,
        rate: f32,
        decay: f32,
    ) {
        const MEAN_DECAY: f32 = 0.9;
        const SQUARE_DECAY: f32 = 0.999;
        let parts = [Part::Mover, Part::Other, Part::Mask, Part::Make, Part::Take];
        for color in 0..2 {
            for part in parts {
                let mut prior_tables = prior.colors[color].clone();
                let prior = prior_tables.part(part);
                let table = tables.colors[color].part(part);
                for (at, value) in table.iter_mut().enumerate() {
                    let i = (color * PARTS + part as usize) * SLOTS + at;
                    if gradient.0[i] == 0.0 {
                        continue;
                    }
                    let slope =
                        gradient.0[i] / BATCH as f32 + decay * BATCH as f32 * (*value - prior[at]);
                    self.steps[i] += 1;
                    let (mean, square) = (&mut self.mean[i], &mut self.square[i]);
                    *mean = MEAN_DECAY * *mean + (1.0 - MEAN_DECAY) * slope;
                    *square = SQUARE_DECAY * *square + (1.0 - SQUARE_DECAY) * slope * slope;
                    let mean = *mean / (1.0 - MEAN_DECAY.powi(self.steps[i]));
                    let square = *square / (1.0 - SQUARE_DECAY.powi(self.steps[i]));
                    *value -= rate * mean / (square.sqrt() + 1e-8);
                }
            }
        }
    }
}
