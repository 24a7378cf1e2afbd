//! Learning: batches, shards, and the steps of the Adam optimizer (Kingma and Ba, 2015).

use std::{f32::consts::PI, ops::Range, thread};

use gomoku::zobrist::split_mix;

use crate::{
    model::{Blank, Buffer, Layout, Loss, Model, ROW_MAX, ROW_UNIT, Slopes},
    sample::{SampleId, Samples},
};

/// How to learn.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Passes over the games.
    pub passes: u32,
    /// Positions between two steps.
    pub batch: usize,
    /// Length of the first steps; it falls like half a cosine wave.
    pub rate: f32,
    /// Where chance begins.
    pub seed: u64,
    /// Threads; the result does not depend on them.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { passes: 3, batch: 1024, rate: 2e-3, seed: 1, threads: 2 }
    }
}

/// What learning tells as it goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// Positions seen, and to be seen in all.
    pub seen: u64,
    /// Positions that will have been seen in the end.
    pub total: u64,
    /// On what was learned from since the last report.
    pub training: Loss,
}

/// Bytes that are not the state of a learning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("These bytes are not the state of a learning.")]
pub struct StateError;

/// A batch is cut into so many parts, whatever the number of threads.
const SHARDS: usize = 4;
/// Steps that get longer, before they get shorter.
const WARM_UP: u64 = 200;
/// After this share of the steps the rows are rounded to what will be played with, and everything
/// else learns on to make up for it: the same few rows are added up at every point, and so are
/// their errors.
const FREEZE: f32 = 0.8;
/// The linear values are sums over the whole board, and get shorter steps.
const LINEAR_RATE: f32 = 0.1;

/// A network and the state of its learning.
#[derive(Clone, Debug)]
pub struct Trainer {
    /// The network.
    pub model: Model,
    settings: Settings,
    mean: Vec<f32>,
    square: Vec<f32>,
    step: u64,
}

impl Trainer {
    /// Learning from the beginning, or from a network.
    pub fn new(model: Model, settings: Settings) -> Trainer {
        let n = model.numbers.len();
        Trainer { model, settings, mean: vec![0.0; n], square: vec![0.0; n], step: 0 }
    }

    /// Learns from all samples and reports now and then.
    pub fn run(&mut self, samples: &Samples, mut report: impl FnMut(&Trainer, Learned)) {
        let Some(rule) = samples.rule() else { return };
        let sizes = samples.sizes();
        let batch = self.settings.batch.max(SHARDS);
        let steps = self.settings.passes as u64 * samples.training.len().div_ceil(batch) as u64;
        let report_every = (steps / 50).max(1);
        let mut order = samples.training.clone();
        let mut training = Loss::default();
        let (mut seen, mut number, done) = (0, 0, self.step);
        let mut all: Vec<Slopes> = (0..SHARDS).map(|_| Slopes::new(&self.model, &sizes)).collect();
        for pass in 0..self.settings.passes {
            shuffle(&mut order, self.settings.seed ^ u64::from(pass) << 32);
            for positions in order.chunks(batch) {
                seen += positions.len() as u64;
                number += 1;
                if number <= done {
                    continue; // of an earlier run
                }
                let blanks = self.model.blanks(rule, &sizes);
                training.add(self.learn_batch(samples, positions, &blanks, &mut all));
                self.take_step(&mut all, positions.len(), steps);
                if self.step.is_multiple_of(report_every) || self.step == steps {
                    let total = u64::from(self.settings.passes) * order.len() as u64;
                    report(self, Learned { seen, total, training });
                    training = Loss::default();
                }
            }
        }
    }

    /// The slopes of a batch, in shards.
    fn learn_batch(
        &self,
        samples: &Samples,
        positions: &[SampleId],
        blanks: &[Blank],
        all: &mut [Slopes],
    ) -> Loss {
        let shard = positions.len().div_ceil(SHARDS).max(1);
        let mut work: Vec<_> = positions.chunks(shard).zip(all.iter_mut()).collect();
        let per_thread = work.len().div_ceil(self.settings.threads.max(1)).max(1);
        let model = &self.model;
        let losses: Vec<Vec<Loss>> = thread::scope(|scope| {
            let threads: Vec<_> = work
                .chunks_mut(per_thread)
                .map(|work| {
                    scope.spawn(move || {
                        let mut buffer = Buffer::new();
                        let learn = |(positions, slopes): &mut (&[SampleId], &mut Slopes)| {
                            learn_shard(model, samples, positions, blanks, &mut buffer, slopes)
                        };
                        work.iter_mut().map(learn).collect()
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("a shard is learned")).collect()
        });
        let mut sum = Loss::default();
        losses.into_iter().flatten().for_each(|loss| sum.add(loss));
        sum
    }

    fn take_step(&mut self, all: &mut [Slopes], n: usize, steps: u64) {
        const MEAN_DECAY: f32 = 0.9;
        const SQUARE_DECAY: f32 = 0.999;
        self.step += 1;
        let done = self.step as f32 / steps.max(1) as f32;
        let warm = (self.step as f32 / WARM_UP as f32).min(1.0);
        let rate = self.settings.rate * warm * 0.5 * (1.0 + (PI * done.min(1.0)).cos());
        let power = self.step.min(100_000) as i32;
        let (mean_share, square_share) =
            (1.0 - MEAN_DECAY.powi(power), 1.0 - SQUARE_DECAY.powi(power));
        let (sum, others) = all.split_first_mut().expect("there are shards");
        for other in others.iter_mut() {
            sum.numbers.iter_mut().zip(&other.numbers).for_each(|(sum, slope)| *sum += slope);
        }
        if done >= FREEZE {
            for rows in self.model.layout.rounded() {
                sum.numbers[rows.clone()].fill(0.0);
                self.mean[rows].fill(0.0);
            }
            self.model.round_rows();
        }
        let layout = &self.model.layout;
        let linear = layout.mover.start..layout.mask.end;
        let scale = 1.0 / n as f32;
        let slow = |range: Range<usize>, rate: f32, trainer: &mut Trainer| {
            let (numbers, slopes) = (&mut trainer.model.numbers[range.clone()], &sum.numbers);
            let slopes = &slopes[range.clone()];
            let mean = &mut trainer.mean[range.clone()];
            let square = &mut trainer.square[range];
            for i in 0..numbers.len() {
                let slope = slopes[i] * scale;
                mean[i] = MEAN_DECAY * mean[i] + (1.0 - MEAN_DECAY) * slope;
                square[i] = SQUARE_DECAY * square[i] + (1.0 - SQUARE_DECAY) * slope * slope;
                let (mean, square) = (mean[i] / mean_share, square[i] / square_share);
                numbers[i] -= rate * mean / (square.sqrt() + 1e-8);
            }
        };
        let end = layout.len;
        slow(0..linear.start, rate, self);
        slow(linear.clone(), rate * LINEAR_RATE, self);
        slow(linear.end..end, rate, self);
        self.model.keep_in_range();
        for slopes in all {
            slopes.clear();
        }
    }

    /// The state, to be continued from.
    pub fn save(&self) -> Vec<u8> {
        let parts = [&self.model.numbers, &self.mean, &self.square];
        let numbers = parts.into_iter().flatten().flat_map(|number| number.to_le_bytes());
        self.step.to_le_bytes().into_iter().chain(numbers).collect()
    }

    /// Continues from a state that was saved with the same games and settings.
    ///
    /// # Errors
    /// If the bytes are not such a state.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), StateError> {
        let n = self.model.numbers.len();
        let (step, numbers) = bytes.split_first_chunk().ok_or(StateError)?;
        if numbers.len() != 3 * n * size_of::<f32>() {
            return Err(StateError);
        }
        self.step = u64::from_le_bytes(*step);
        let mut numbers = numbers.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        for part in [&mut self.model.numbers, &mut self.mean, &mut self.square] {
            part.iter_mut().zip(numbers.by_ref()).for_each(|(slot, number)| *slot = number);
        }
        Ok(())
    }

    /// How well the network describes these positions.
    pub fn loss(&self, samples: &Samples, positions: &[SampleId]) -> Loss {
        let Some(rule) = samples.rule() else { return Loss::default() };
        let blanks = self.model.blanks(rule, &samples.sizes());
        let part = positions.len().div_ceil(self.settings.threads.max(1)).max(1);
        let losses: Vec<Loss> = thread::scope(|scope| {
            let (model, blanks) = (&self.model, &blanks);
            let spawn = |positions| scope.spawn(move || judge(model, samples, positions, blanks));
            let threads: Vec<_> = positions.chunks(part).map(spawn).collect();
            threads.into_iter().map(|thread| thread.join().expect("a part is judged")).collect()
        });
        let mut sum = Loss::default();
        losses.into_iter().for_each(|loss| sum.add(loss));
        sum
    }
}

impl Slopes {
    pub(crate) fn new(model: &Model, sizes: &[u8]) -> Slopes {
        let blanks = sizes.iter().map(|&size| (size, vec![Default::default(); gomoku::GRID]));
        Slopes { numbers: vec![0.0; model.numbers.len()], blanks: blanks.collect() }
    }

    fn clear(&mut self) {
        self.numbers.fill(0.0);
        self.blanks.iter_mut().for_each(|(_, cells)| cells.fill(Default::default()));
    }
}

impl Layout {
    /// What is rounded before the end.
    fn rounded(&self) -> [Range<usize>; 2] {
        [self.value_rows.start..self.value_bias.end, self.move_rows.start..self.move_bias.end]
    }
}

impl Model {
    fn round_rows(&mut self) {
        for rows in self.layout.rounded() {
            for number in &mut self.numbers[rows] {
                *number = (*number * ROW_UNIT).round() / ROW_UNIT;
            }
        }
    }

    /// Cuts off what would not fit a byte in the end.
    fn keep_in_range(&mut self) {
        for rows in [self.layout.value_rows.clone(), self.layout.move_rows.clone()] {
            for number in &mut self.numbers[rows] {
                *number = number.clamp(-ROW_MAX, ROW_MAX);
            }
        }
    }
}

/// Goes through a shard, on wide registers where there are any.
fn learn_shard(
    model: &Model,
    samples: &Samples,
    positions: &[SampleId],
    blanks: &[Blank],
    buffer: &mut Buffer,
    slopes: &mut Slopes,
) -> Loss {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has just been asked for what the function needs.
        #[expect(unsafe_code, reason = "there is no safe way to call for more registers")]
        return unsafe { learn_shard_wide(model, samples, positions, blanks, buffer, slopes) };
    }
    learn_shard_plain(model, samples, positions, blanks, buffer, slopes)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn learn_shard_wide(
    model: &Model,
    samples: &Samples,
    positions: &[SampleId],
    blanks: &[Blank],
    buffer: &mut Buffer,
    slopes: &mut Slopes,
) -> Loss {
    learn_shard_plain(model, samples, positions, blanks, buffer, slopes)
}

#[inline(always)]
fn learn_shard_plain(
    model: &Model,
    samples: &Samples,
    positions: &[SampleId],
    blanks: &[Blank],
    buffer: &mut Buffer,
    slopes: &mut Slopes,
) -> Loss {
    let mut loss = Loss::default();
    for &position in positions {
        let sample = samples.get(position);
        let (chance, chances) = model.run(&sample, blanks, buffer, Some(slopes));
        loss.count(&sample, chance, chances);
    }
    model.learn_blanks(slopes, blanks);
    loss
}

fn judge(model: &Model, samples: &Samples, positions: &[SampleId], blanks: &[Blank]) -> Loss {
    let mut loss = Loss::default();
    let mut buffer = Buffer::new();
    for &position in positions {
        let sample = samples.get(position);
        let (chance, chances) = model.run(&sample, blanks, &mut buffer, None);
        loss.count(&sample, chance, chances);
        buffer.forget(&sample);
    }
    loss
}

fn shuffle(positions: &mut [SampleId], seed: u64) {
    let mut random = split_mix(seed);
    for i in (1..positions.len()).rev() {
        random = split_mix(random);
        positions.swap(i, (random % (i as u64 + 1)) as usize);
    }
}
