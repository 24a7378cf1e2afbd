//! The network in real numbers: what it says, and how that changes with each of its numbers.

use std::ops::Range;

use gomoku::{Code, Color, Field, GRID, Rule, with_rule};
use net::{CHANNELS, MASKS, SPREAD, rows_in_use};

use crate::sample::{Cell, Sample, rows_seen};

/// Features end here.
pub(crate) const FEATURE_MAX: f32 = 511.0 / 64.0;
/// Pools are divided by this before the first layer.
pub(crate) const POOL_UNIT: f32 = 32.0;
/// Rows are kept within this, so that they fit a byte.
pub(crate) const ROW_MAX: f32 = 127.0 / ROW_UNIT;
/// Rows are counted in fractions of one.
pub(crate) const ROW_UNIT: f32 = 64.0;
const NEIGHBORS: [[isize; 4]; 2] = [[1, -1, 32, -32], [33, 31, -33, -31]];

type Channels = [f32; CHANNELS];

/// Where each part stands in the one list of all numbers.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) value_rows: Range<usize>,
    pub(crate) value_bias: Range<usize>,
    pub(crate) first: Range<usize>,
    pub(crate) first_bias: Range<usize>,
    pub(crate) second: Range<usize>,
    pub(crate) second_bias: Range<usize>,
    pub(crate) last: Range<usize>,
    pub(crate) last_bias: Range<usize>,
    pub(crate) move_rows: Range<usize>,
    pub(crate) move_bias: Range<usize>,
    pub(crate) spread: Range<usize>,
    pub(crate) spread_bias: Range<usize>,
    pub(crate) move_weights: Range<usize>,
    pub(crate) mover: Range<usize>,
    pub(crate) other: Range<usize>,
    pub(crate) mask: Range<usize>,
    pub(crate) make: Range<usize>,
    pub(crate) take: Range<usize>,
    pub(crate) len: usize,
}

impl Layout {
    pub(crate) fn new() -> Layout {
        let mut len = 0;
        let mut part = |n: usize| {
            len += n;
            len - n..len
        };
        let rows = rows_in_use() * CHANNELS;
        let (square, codes) = (CHANNELS * CHANNELS, Code::COUNT);
        let mut layout = Layout {
            value_rows: part(rows),
            value_bias: part(CHANNELS),
            first: part(square),
            first_bias: part(CHANNELS),
            second: part(square),
            second_bias: part(CHANNELS),
            last: part(CHANNELS),
            last_bias: part(1),
            move_rows: part(rows),
            move_bias: part(CHANNELS),
            spread: part(3 * SPREAD),
            spread_bias: part(SPREAD),
            move_weights: part(CHANNELS),
            mover: part(codes),
            other: part(codes),
            mask: part(MASKS),
            make: part(codes),
            take: part(codes),
            len: 0,
        };
        layout.len = len;
        layout
    }
}

/// How well a network describes samples, summed over them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loss {
    /// Divergence of the value from its target.
    pub value: f64,
    /// Samples with a value.
    pub n_values: usize,
    /// Negative logarithm of the chance given to the move that was played.
    pub moves: f64,
    /// Samples whose move was the first choice.
    pub first: usize,
    /// Samples with a move.
    pub n_moves: usize,
}

impl Loss {
    pub(crate) fn add(&mut self, other: Loss) {
        self.value += other.value;
        self.n_values += other.n_values;
        self.moves += other.moves;
        self.first += other.first;
        self.n_moves += other.n_moves;
    }

    /// Adds what was said about a sample: the chance, and the chances of the candidates.
    pub(crate) fn count(&mut self, sample: &Sample, chance: f32, chances: &[f32]) {
        if let Some(target) = sample.value {
            let cost =
                |p: f32, q: f32| if p > 0.0 { f64::from(p * (p / q.max(1e-7)).ln()) } else { 0.0 };
            self.value += cost(target, chance) + cost(1.0 - target, 1.0 - chance);
            self.n_values += 1;
        }
        if let Some(chosen) = sample.chosen.map(usize::from) {
            self.moves -= f64::from(chances[chosen].max(1e-9).ln());
            self.first += usize::from(chances.iter().all(|&chance| chance <= chances[chosen]));
            self.n_moves += 1;
        }
    }

    /// Divergence of values, cost of moves in nats, share of first choices.
    pub fn means(&self) -> (f64, f64, f64) {
        let moves = self.n_moves.max(1) as f64;
        (self.value / self.n_values.max(1) as f64, self.moves / moves, self.first as f64 / moves)
    }
}

/// A network that can learn.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) layout: Layout,
    /// All numbers.
    pub(crate) numbers: Vec<f32>,
}

/// The features of the points of an empty board, which a pool does not count.
#[derive(Clone, Debug)]
pub(crate) struct Blank {
    /// By grid index: the rows and the features.
    pub(crate) cells: Vec<([u16; 4], Channels, Channels)>,
    pub(crate) size: u8,
}

/// What a thread needs while it goes through samples.
pub(crate) struct Buffer {
    values: Vec<Channels>,
    moves: Vec<Channels>,
    mixed: Vec<Channels>,
    move_slopes: Vec<Channels>,
    chances: Vec<f32>,
    grid: Vec<u16>,
}

const NO_CELL: u16 = u16::MAX;

impl Buffer {
    pub(crate) fn new() -> Buffer {
        Buffer {
            values: Vec::new(),
            moves: Vec::new(),
            mixed: Vec::new(),
            move_slopes: Vec::new(),
            chances: Vec::new(),
            grid: vec![NO_CELL; GRID],
        }
    }
}

/// The slopes of a shard: of every number, and of the blank features of each size.
pub(crate) struct Slopes {
    pub(crate) numbers: Vec<f32>,
    pub(crate) blanks: Vec<(u8, Vec<Channels>)>,
}

impl Model {
    /// A network that has learned nothing.
    pub fn new(seed: u64) -> Model {
        let layout = Layout::new();
        let mut numbers = vec![0.0; layout.len];
        let mut random = seed;
        let mut fill = |range: &Range<usize>, most: f32| {
            for number in &mut numbers[range.clone()] {
                random = gomoku::zobrist::split_mix(random);
                *number = ((random >> 40) as f32 / (1u64 << 23) as f32 - 1.0) * most;
            }
        };
        fill(&layout.value_rows, 0.12);
        fill(&layout.value_bias, 0.1);
        fill(&layout.first, 0.3);
        fill(&layout.first_bias, 0.1);
        fill(&layout.second, 0.3);
        fill(&layout.second_bias, 0.1);
        fill(&layout.last, 0.2);
        fill(&layout.move_rows, 0.12);
        fill(&layout.move_bias, 0.1);
        fill(&layout.move_weights, 0.3);
        fill(&layout.spread_bias, 0.05);
        numbers[layout.spread.start..][..SPREAD].fill(0.7);
        numbers[layout.spread.start + SPREAD..layout.spread.end].fill(0.03);
        Model { layout, numbers }
    }

    /// The blank boards of these sizes.
    pub(crate) fn blanks(&self, rule: Rule, sizes: &[u8]) -> Vec<Blank> {
        let blank = |&size: &u8| {
            let mut cells = vec![([0; 4], [0.0; CHANNELS], [0.0; CHANNELS]); GRID];
            with_rule!(rule, R => {
                let field = Field::<R>::new(size);
                for point in field.board().empty() {
                    let rows = rows_seen(&field, point, Color::Black);
                    let sum = self.sum(&self.layout.value_rows, &self.layout.value_bias, rows);
                    cells[point.index()] = (rows, sum, clipped(&sum));
                }
            });
            Blank { cells, size }
        };
        sizes.iter().map(blank).collect()
    }

    #[inline(always)]
    fn sum(&self, rows: &Range<usize>, bias: &Range<usize>, four: [u16; 4]) -> Channels {
        let mut sum: Channels = *channels(&self.numbers, bias.start);
        for row in four {
            let row = channels(&self.numbers, rows.start + row as usize * CHANNELS);
            for c in 0..CHANNELS {
                sum[c] += row[c];
            }
        }
        sum
    }

    /// What the network says about a sample: the chance of the side to move, and of each candidate.
    /// With slopes it also learns: they get what each number contributes to the error.
    #[inline(always)]
    pub(crate) fn run<'b>(
        &self,
        sample: &Sample,
        blanks: &[Blank],
        buffer: &'b mut Buffer,
        slopes: Option<&mut Slopes>,
    ) -> (f32, &'b [f32]) {
        let layout = &self.layout;
        let blank = blanks.iter().find(|blank| blank.size == sample.size).expect("sizes are known");
        // The pool.
        let mut pool = [0.0; CHANNELS];
        buffer.values.clear();
        for cell in &sample.cells {
            let sum = self.sum(&layout.value_rows, &layout.value_bias, cell.rows);
            let (now, before) = (clipped(&sum), &blank.cells[cell.at as usize].2);
            for c in 0..CHANNELS {
                pool[c] += now[c] - before[c];
            }
            buffer.values.push(sum);
        }
        for &stone in &sample.stones {
            let before = &blank.cells[stone as usize].2;
            for c in 0..CHANNELS {
                pool[c] -= before[c];
            }
        }
        let input = pool.map(|sum| sum / POOL_UNIT);
        // The layers.
        let first = self.layer(&layout.first, &layout.first_bias, &input);
        let second = self.layer(&layout.second, &layout.second_bias, &first);
        let mut logit = self.numbers[layout.last_bias.start];
        let last = channels(&self.numbers, layout.last.start);
        for c in 0..CHANNELS {
            logit += last[c] * second[c];
        }
        for [own, other] in sample.codes() {
            logit += self.numbers[layout.mover.start + own as usize]
                - self.numbers[layout.other.start + other as usize];
        }
        logit += self.numbers[layout.mask.start + sample.mask as usize];
        let chance = 1.0 / (1.0 + (-logit).exp());
        self.score_moves(sample, buffer);
        if let Some(slopes) = slopes {
            if let Some(target) = sample.value {
                let slope = chance - target;
                self.learn_value(sample, blank, buffer, slopes, (slope, &input, &first, &second));
            }
            if sample.chosen.is_some() {
                self.learn_moves(sample, buffer, slopes);
            }
        }
        (chance, &buffer.chances)
    }

    #[inline(always)]
    fn layer(&self, weights: &Range<usize>, bias: &Range<usize>, input: &Channels) -> Channels {
        // By input, then output: no sum runs across a register.
        let mut sums: Channels = *channels(&self.numbers, bias.start);
        for (i, &value) in input.iter().enumerate() {
            let row = channels(&self.numbers, weights.start + i * CHANNELS);
            for o in 0..CHANNELS {
                sums[o] += value * row[o];
            }
        }
        sums.map(|sum| sum.clamp(0.0, 63.9))
    }

    #[inline(always)]
    fn score_moves(&self, sample: &Sample, buffer: &mut Buffer) {
        let layout = &self.layout;
        buffer.chances.clear();
        buffer.moves.clear();
        buffer.mixed.clear();
        if sample.chosen.is_none() {
            return;
        }
        for (i, cell) in sample.cells.iter().enumerate() {
            let sum = self.sum(&layout.move_rows, &layout.move_bias, cell.rows);
            buffer.moves.push(clipped(&sum));
            buffer.grid[cell.at as usize] = i as u16;
        }
        let weights = channels(&self.numbers, layout.move_weights.start);
        let spread = &self.numbers[layout.spread.clone()];
        let spread_bias = &self.numbers[layout.spread_bias.clone()];
        for &number in &sample.candidates {
            let cell = &sample.cells[number as usize];
            let mut mixed = buffer.moves[number as usize];
            let [beside, diagonal] =
                [0, 1].map(|kind| around(&buffer.moves, &buffer.grid, cell, kind));
            for c in 0..SPREAD {
                mixed[c] = (spread_bias[c]
                    + spread[c] * mixed[c]
                    + spread[SPREAD + c] * beside[c]
                    + spread[2 * SPREAD + c] * diagonal[c])
                    .clamp(0.0, 1023.0 / 64.0);
            }
            let mut logit = self.numbers[layout.make.start + cell.codes[0] as usize]
                + self.numbers[layout.take.start + cell.codes[1] as usize];
            for c in 0..CHANNELS {
                logit += weights[c] * mixed[c];
            }
            buffer.chances.push(logit);
            buffer.mixed.push(mixed);
        }
        let most = buffer.chances.iter().fold(f32::MIN, |most, &logit| most.max(logit));
        buffer.chances.iter_mut().for_each(|chance| *chance = (*chance - most).exp());
        let sum: f32 = buffer.chances.iter().sum();
        buffer.chances.iter_mut().for_each(|chance| *chance /= sum);
    }

    #[inline(always)]
    fn learn_value(
        &self,
        sample: &Sample,
        blank: &Blank,
        buffer: &Buffer,
        slopes: &mut Slopes,
        (slope, input, first, second): (f32, &Channels, &Channels, &Channels),
    ) {
        let layout = &self.layout;
        let all = &mut slopes.numbers;
        for [own, other] in sample.codes() {
            all[layout.mover.start + own as usize] += slope;
            all[layout.other.start + other as usize] -= slope;
        }
        all[layout.mask.start + sample.mask as usize] += slope;
        all[layout.last_bias.start] += slope;
        let last = channels(&self.numbers, layout.last.start);
        let mut of_second = [0.0; CHANNELS];
        for c in 0..CHANNELS {
            all[layout.last.start + c] += slope * second[c];
            of_second[c] = if second[c] > 0.0 { slope * last[c] } else { 0.0 };
        }
        let of_first =
            self.learn_layer(all, &layout.second, &layout.second_bias, first, &of_second);
        let of_first = std::array::from_fn(|c| if first[c] > 0.0 { of_first[c] } else { 0.0 });
        let of_input = self.learn_layer(all, &layout.first, &layout.first_bias, input, &of_first);
        let of_pool = of_input.map(|slope| slope / POOL_UNIT);
        let blanks = slopes.blanks.iter_mut().find(|(size, _)| *size == blank.size);
        let (_, blanks) = blanks.expect("sizes are known");
        for (cell, sum) in sample.cells.iter().zip(&buffer.values) {
            let of_blank = &mut blanks[cell.at as usize];
            for c in 0..CHANNELS {
                of_blank[c] -= of_pool[c];
            }
            let slope = through_clip(sum, &of_pool);
            learn_cell(all, &layout.value_rows, &layout.value_bias, cell.rows, &slope);
        }
        for &stone in &sample.stones {
            let of_blank = &mut blanks[stone as usize];
            for c in 0..CHANNELS {
                of_blank[c] -= of_pool[c];
            }
        }
    }

    /// The slopes of a layer's weights; returns those of its input.
    #[inline(always)]
    fn learn_layer(
        &self,
        all: &mut [f32],
        weights: &Range<usize>,
        bias: &Range<usize>,
        input: &Channels,
        slopes: &Channels,
    ) -> Channels {
        for o in 0..CHANNELS {
            all[bias.start + o] += slopes[o];
        }
        let mut of_input = [0.0; CHANNELS];
        for i in 0..CHANNELS {
            let row = channels(&self.numbers, weights.start + i * CHANNELS);
            let of_row = channels_mut(all, weights.start + i * CHANNELS);
            let mut products = [0.0; CHANNELS];
            for o in 0..CHANNELS {
                of_row[o] += slopes[o] * input[i];
                products[o] = slopes[o] * row[o];
            }
            of_input[i] = products.iter().sum();
        }
        of_input
    }

    #[inline(always)]
    fn learn_moves(&self, sample: &Sample, buffer: &mut Buffer, slopes: &mut Slopes) {
        let layout = &self.layout;
        let all = &mut slopes.numbers;
        let chosen = sample.chosen.expect("a move was played") as usize;
        let weights = channels(&self.numbers, layout.move_weights.start);
        let spread = &self.numbers[layout.spread.clone()];
        buffer.move_slopes.clear();
        buffer.move_slopes.resize(sample.cells.len(), [0.0; CHANNELS]);
        for (i, &number) in sample.candidates.iter().enumerate() {
            let cell = &sample.cells[number as usize];
            let slope = buffer.chances[i] - if i == chosen { 1.0 } else { 0.0 };
            all[layout.make.start + cell.codes[0] as usize] += slope;
            all[layout.take.start + cell.codes[1] as usize] += slope;
            let mixed = &buffer.mixed[i];
            let mut of_mixed = [0.0; CHANNELS];
            for c in 0..CHANNELS {
                all[layout.move_weights.start + c] += slope * mixed[c];
                of_mixed[c] = slope * weights[c];
            }
            let own = &buffer.moves[number as usize];
            let [beside, diagonal] =
                [0, 1].map(|kind| around(&buffer.moves, &buffer.grid, cell, kind));
            for c in 0..SPREAD {
                if mixed[c] <= 0.0 || mixed[c] >= 1023.0 / 64.0 {
                    of_mixed[c] = 0.0;
                }
                let slope = of_mixed[c];
                all[layout.spread_bias.start + c] += slope;
                all[layout.spread.start + c] += slope * own[c];
                all[layout.spread.start + SPREAD + c] += slope * beside[c];
                all[layout.spread.start + 2 * SPREAD + c] += slope * diagonal[c];
            }
            for (kind, steps) in NEIGHBORS.iter().enumerate() {
                let weights = &spread[(kind + 1) * SPREAD..][..SPREAD];
                for &step in steps {
                    let other = buffer.grid[(cell.at as usize).wrapping_add_signed(step) % GRID];
                    if other != NO_CELL {
                        let of_other = &mut buffer.move_slopes[other as usize];
                        for c in 0..SPREAD {
                            of_other[c] += of_mixed[c] * weights[c];
                        }
                    }
                }
            }
            let of_own = &mut buffer.move_slopes[number as usize];
            for c in 0..CHANNELS {
                of_own[c] += if c < SPREAD { of_mixed[c] * spread[c] } else { of_mixed[c] };
            }
        }
        for (i, cell) in sample.cells.iter().enumerate() {
            let slope = through_clip(&buffer.moves[i], &buffer.move_slopes[i]);
            learn_cell(all, &layout.move_rows, &layout.move_bias, cell.rows, &slope);
            buffer.grid[cell.at as usize] = NO_CELL;
        }
    }

    /// Hands the slopes of blank features on to the rows they are made of.
    pub(crate) fn learn_blanks(&self, slopes: &mut Slopes, blanks: &[Blank]) {
        let Slopes { numbers, blanks: of_blanks } = slopes;
        for ((_, of_blank), blank) in of_blanks.iter().zip(blanks) {
            for (slope, (rows, sum, _)) in of_blank.iter().zip(&blank.cells) {
                if slope.iter().any(|&slope| slope != 0.0) {
                    let slope = through_clip(sum, slope);
                    let layout = &self.layout;
                    learn_cell(numbers, &layout.value_rows, &layout.value_bias, *rows, &slope);
                }
            }
        }
    }
}

impl Buffer {
    /// Forgets where the cells of a sample are; learning does so by itself.
    pub(crate) fn forget(&mut self, sample: &Sample) {
        sample.cells.iter().for_each(|cell| self.grid[cell.at as usize] = NO_CELL);
    }
}

#[inline(always)]
fn around(features: &[Channels], grid: &[u16], cell: &Cell, kind: usize) -> [f32; SPREAD] {
    let mut sum = [0.0; SPREAD];
    for step in NEIGHBORS[kind] {
        let other = grid[(cell.at as usize).wrapping_add_signed(step) % GRID];
        if other != NO_CELL {
            let features = &features[other as usize];
            for c in 0..SPREAD {
                sum[c] += features[c];
            }
        }
    }
    sum
}

#[inline(always)]
fn channels(numbers: &[f32], at: usize) -> &Channels {
    numbers[at..].first_chunk().expect("a part has all channels")
}

#[inline(always)]
fn channels_mut(numbers: &mut [f32], at: usize) -> &mut Channels {
    numbers[at..].first_chunk_mut().expect("a part has all channels")
}

#[inline(always)]
fn clipped(sum: &Channels) -> Channels {
    let mut cut = *sum;
    for number in &mut cut {
        *number = number.clamp(0.0, FEATURE_MAX);
    }
    cut
}

/// The slope before the cut, given the one after it.
#[inline(always)]
fn through_clip(sum: &Channels, slope: &Channels) -> Channels {
    let mut before = *slope;
    for c in 0..CHANNELS {
        if sum[c] <= 0.0 || sum[c] >= FEATURE_MAX {
            before[c] = 0.0;
        }
    }
    before
}

#[inline(always)]
fn learn_cell(
    all: &mut [f32],
    rows: &Range<usize>,
    bias: &Range<usize>,
    four: [u16; 4],
    slope: &Channels,
) {
    let of_bias = channels_mut(all, bias.start);
    for c in 0..CHANNELS {
        of_bias[c] += slope[c];
    }
    for row in four {
        let of_row = channels_mut(all, rows.start + row as usize * CHANNELS);
        for c in 0..CHANNELS {
            of_row[c] += slope[c];
        }
    }
}
