//! Every number of the search that was chosen rather than derived: one table, and the margins and
//! reductions made of it.
//!
//! The table is declared once. The command line, the page and the tuner read it as
//! [`ParamSpec`]s; the search reads the fields. Values are in units of the evaluation (200 to the
//! factor e in odds) unless the description says otherwise.

use player::{ParamSpec, ParamValues as Given};

use crate::PLY;

macro_rules! params {
    ($($name:ident = $default:literal, $min:literal..=$max:literal, $step:literal, $help:literal;)*) => {
        /// The numbers of the search.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Params {
            $(#[doc = $help] pub $name: i32,)*
            /// Steps of the search that are left out.
            pub without: Steps,
        }

        impl Default for Params {
            fn default() -> Params {
                Params { $($name: $default,)* without: Steps::default() }
            }
        }

        impl Params {
            /// The declaration of every number.
            pub fn specs() -> Vec<ParamSpec> {
                vec![$(ParamSpec::integer(stringify!($name), $default, $min, $max, $help)
                    .step($step as f64),)*]
            }

            /// The numbers out of a player's parameters.
            pub fn read(given: &Given) -> Params {
                Params {
                    $($name: given.integer(stringify!($name)) as i32,)*
                    without: Steps::default(),
                }
            }
        }
    };
}

params! {
    aspiration_delta = 20, 4..=100, 4, "half width of the first aspiration window";
    razor_base = 20, 0..=400, 20, "razoring: how far below alpha at depth 0";
    razor_slope = 15, 0..=300, 15, "razoring: how much further per ply";
    futility_slope = 63, 10..=200, 8, "futility: how far above beta per ply";
    futility_base = 63, -100..=200, 8, "futility: how much less at any depth";
    futility_improving = 63, 0..=100, 8, "futility: how much less if the evaluation improves";
    null_margin = 250, 0..=800, 30, "null move: how far above beta";
    internal_pv = 3, 0..=16, 1, "internal reduction without a table move on principal variations, in eighths of a ply";
    old_entry = 18, 0..=64, 4, "principal variation: reduction per ply that the table's entry is shallower, in 64ths of a ply";
    old_entry_max = 28, 0..=64, 4, "principal variation: the most of that, in eighths of a ply";
    lmp_base = 3, 1..=20, 1, "late moves: moves always tried";
    lmp_linear = 160, 0..=600, 20, "late moves: more moves per ply of depth, in hundredths";
    lmp_slope = 5, 0..=300, 12, "late moves: more moves per squared ply of depth, in hundredths";
    trivial_depth = 34, 0..=64, 4, "late moves: points where nobody makes anything are not tried below this depth, in eighths of a ply";
    lmr_factor = 1000, 100..=1500, 50, "late moves: reduction by log depth times log moves, in 1024ths";
    lmr_base = 400, -1000..=1000, 60, "late moves: constant reduction, in 1024ths of a ply";
    lmr_pv = 900, 0..=3000, 100, "late moves: less reduction on principal variations, in 1024ths";
    lmr_cut = 1500, 0..=3000, 100, "late moves: more reduction where a cutoff is expected, in 1024ths";
    lmr_improving = 800, 0..=2000, 80, "late moves: less reduction if the evaluation improves, in 1024ths";
    lmr_attack = 900, 0..=3000, 100, "late moves: less reduction of moves that threaten, in 1024ths";
    lmr_killer = 900, 0..=3000, 100, "late moves: less reduction of killers and counter moves, in 1024ths";
    lmr_history = 8, 1..=40, 1, "late moves: history that is worth 1/1024 of a ply";
    lmr_policy = 12, 0..=80, 3, "late moves: reduction per point of move score below the best, in 1024ths";
    lmr_deeper = 8, 0..=16, 1, "late moves: how much deeper a good one may be searched, in eighths of a ply";
    research_margin = 34, 0..=4000, 10, "search again: one ply deeper if this far above alpha";
    research_slope = 11, 0..=40, 2, "search again: how much further above alpha per ply of reduction";
    research_shallow = 8, 0..=16, 1, "search again: shallower if hardly better than the best, in eighths of a ply";
    alpha_reduction = 8, 0..=16, 1, "later moves once one is better than alpha: reduction in eighths of a ply";
    table_extension_pv = 2, 0..=8, 1, "table move: extension on principal variations, in eighths of a ply";
    table_extension = 1, 0..=8, 1, "table move: extension elsewhere, in eighths of a ply";
    singular_slope = 15, 2..=640, 4, "singular move: margin per ply, in 16ths";
    singular_pv = 16, 0..=128, 4, "singular move: more margin per ply where a principal variation was, in 16ths";
    singular_depth = 53, 24..=96, 4, "singular move: from this depth on, in eighths of a ply";
    singular_age = 16, 8..=48, 4, "singular move: the table's entry may be this much shallower, in eighths of a ply";
    singular_double = 24, 0..=200, 10, "singular move: margin for a second extension";
    singular_negative = 12, 0..=24, 2, "singular move: reduction if it is not alone and good enough, in eighths of a ply";
    forced_extension = 10, 0..=16, 1, "forced reply: extension in eighths of a ply";
    fail_high_margin = -9, -100..=400, 15, "fail high: how far above beta costs a ply";
    fail_high_slope = 15, 0..=60, 3, "fail high: how much further above beta per ply of depth";
    history_order = 6, 0..=64, 3, "move order: weight of the main history, in 1024ths";
    continuation_order = 4, 0..=64, 3, "move order: weight of the continuation histories, in 1024ths";
    counter_order = 30, 0..=200, 8, "move order: bonus of the counter move";
    killer_order = 30, 0..=200, 8, "move order: bonus of killers";
    correction_weight = 12, 0..=64, 3, "correction history: what its largest value moves the evaluation by, in 1024ths";
    proof_share = 8, 0..=50, 2, "root: nodes or time for the search of a forced win, in hundredths";
    overhead_ms = 30, 0..=1000, 10, "time kept back from every limit, in milliseconds";
}

macro_rules! steps {
    ($($name:ident $text:literal,)*) => {
        /// A step of the search that can be left out, to measure what it is worth.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u32)]
        pub enum Step { $(#[doc = $text] $name,)* }

        impl Step {
            /// All steps.
            pub const ALL: &[Step] = &[$(Step::$name,)*];

            /// The name in `without=...`.
            pub const fn name(self) -> &'static str {
                match self { $(Step::$name => $text,)* }
            }
        }
    };
}

steps! {
    Razoring "razoring",
    Futility "futility",
    NullMove "null-move",
    InternalReduction "internal-reduction",
    FailHighReduction "fail-high-reduction",
    LateMovePruning "late-move-pruning",
    LateMoveReduction "late-move-reduction",
    ForcedExtension "forced-extension",
    Singular "singular",
    Killers "killers",
    CounterMove "counter-move",
    MainHistory "main-history",
    ContinuationHistory "continuation-history",
    Aspiration "aspiration",
    ForcedWins "forced-wins",
    DefenceCells "defence-cells",
    Policy "policy",
    CorrectionHistory "correction-history",
    NetPolicy "net-policy",
    NetValue "net-value",
}

/// A set of [`Step`]s.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Steps(u32);

impl Steps {
    /// Adds a step.
    pub fn insert(&mut self, step: Step) {
        self.0 |= 1 << step as u32;
    }
}

impl Params {
    /// Whether a step is part of the search.
    #[inline(always)]
    pub(crate) fn has(&self, step: Step) -> bool {
        self.without.0 >> step as u32 & 1 == 0
    }

    /// How far below alpha a node must be to be left to forced wins alone.
    pub(crate) fn razor_margin(&self, depth: i32) -> i32 {
        self.razor_base + self.razor_slope * depth / PLY
    }

    /// How far above beta a node must be to be believed without search.
    pub(crate) fn futility_margin(&self, depth: i32, improving: bool) -> i32 {
        let slope = self.futility_slope * depth / PLY - self.futility_base;
        (slope - if improving { self.futility_improving } else { 0 }).max(0)
    }

    /// How many moves are tried at this depth before the rest is given up.
    pub(crate) fn late_move_count(&self, depth: i32, improving: bool) -> usize {
        let depth = depth.max(0);
        let more = (self.lmp_slope * depth / PLY + self.lmp_linear) * depth / (100 * PLY);
        let count = (self.lmp_base + more) as usize;
        if improving { count } else { count / 2 + 1 }
    }

    /// Reduction of a late move by depth and number, in 1024ths of a ply.
    pub(crate) fn late_move_reduction(&self, depth: i32, n_moves: usize) -> i32 {
        let depth = LOGARITHMS[(depth as usize).clamp(PLY as usize, LOGARITHMS.len() - 1)];
        let plies = depth - LOGARITHMS[PLY as usize];
        let moves = LOGARITHMS[n_moves.min(LOGARITHMS.len() - 1)];
        self.lmr_base + ((plies * moves) >> 10) * self.lmr_factor / 1024
    }

    /// What a cutoff at this depth adds to the histories.
    pub(crate) fn history_bonus(&self, depth: i32) -> i32 {
        (140 * depth / PLY - 60).clamp(20, 1_600)
    }
}

/// Natural logarithms in 1024ths; that of 0 is not asked for.
static LOGARITHMS: [i32; 1024] = {
    let mut table = [0; 1024];
    let mut n = 1;
    while n < table.len() {
        table[n] = ln_1024(n as u32);
        n += 1;
    }
    table
};

/// Natural logarithm in 1024ths, by integers alone so that every machine agrees.
pub(crate) const fn ln_1024(n: u32) -> i32 {
    // log2 bit by bit: squaring the mantissa shifts the next bit of the logarithm out.
    let whole = n.ilog2();
    let mut mantissa = ((n as u64) << 31) >> whole;
    let mut bits = whole as u64;
    let mut i = 0;
    while i < 16 {
        mantissa = (mantissa * mantissa) >> 31;
        bits <<= 1;
        if mantissa >= 1 << 32 {
            mantissa >>= 1;
            bits |= 1;
        }
        i += 1;
    }
    // ln 2 = 45426 / 65536, and the result is in 1024ths.
    ((bits * 45_426) >> 22) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_logarithms_are_right() {
        for n in 1..2_000u32 {
            let exact = f64::from(n).ln() * 1024.0;
            assert!((f64::from(ln_1024(n)) - exact).abs() < 1.5, "ln {n}");
        }
    }

    #[test]
    fn defaults_are_in_range() {
        for spec in Params::specs() {
            let player::ParamKind::Integer { default, min, max, step, .. } = spec.kind else {
                panic!("{} is not an integer", spec.name)
            };
            assert!(min <= default && default <= max && step > 0, "{}", spec.name);
        }
    }
}
