//! Ten strengths of play, from beginner to everything the engine has.

/// What a level may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Nodes at most; `None` for no limit of its own.
    pub(crate) nodes: Option<u64>,
    /// Plies at most.
    pub(crate) depth: Option<u32>,
    /// Evaluations are off by up to this much, differently in every position and game.
    pub(crate) eval_noise: u32,
    /// In so many of a hundred positions the opponent's threats are overlooked, unless it is a five.
    pub(crate) oversight: u32,
}

impl Level {
    /// The strongest.
    pub(crate) const MAX: u32 = 10;

    /// The level with this number, 1 to 10.
    pub(crate) fn new(number: u32) -> Level {
        const fn limited(nodes: u64, depth: u32, eval_noise: u32) -> Level {
            Level { nodes: Some(nodes), depth: Some(depth), eval_noise, oversight: 0 }
        }
        match number {
            0 | 1 => Level { oversight: 60, ..limited(40, 1, 1_200) },
            2 => Level { oversight: 8, ..limited(60, 1, 420) },
            3 => limited(150, 1, 134),
            4 => limited(480, 2, 80),
            5 => limited(800, 3, 60),
            6 => limited(1_800, 5, 39),
            7 => limited(4_000, 7, 18),
            8 => limited(12_000, 9, 9),
            9 => limited(40_000, 12, 0),
            _ => Level { nodes: None, depth: None, eval_noise: 0, oversight: 0 },
        }
    }
}
