//! Ten strengths of play, from beginner to everything the engine has.

/// What a level may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Nodes at most; `None` for no limit of its own.
    pub(crate) nodes: Option<u64>,
    /// Plies at most.
    pub(crate) depth: Option<u32>,
    /// Evaluations are off by up to this much, differently in every position and game.
    pub(crate) blur: u32,
}

impl Level {
    /// The strongest.
    pub(crate) const MAX: u32 = 10;

    /// The level with this number, 1 to 10.
    pub(crate) fn new(number: u32) -> Level {
        const fn limited(nodes: u64, depth: u32, blur: u32) -> Level {
            Level { nodes: Some(nodes), depth: Some(depth), blur }
        }
        match number {
            0 | 1 => limited(40, 1, 900),
            2 => limited(120, 1, 250),
            3 => limited(200, 2, 180),
            4 => limited(500, 2, 85),
            5 => limited(800, 3, 60),
            6 => limited(1_600, 4, 40),
            7 => limited(4_000, 6, 20),
            8 => limited(12_000, 8, 10),
            9 => limited(32_000, 12, 0),
            _ => Level { nodes: None, depth: None, blur: 0 },
        }
    }
}
