//! The players by name: for each paper the point of the design space that it describes.

mod design;
mod fingerprint;
mod tables;

use std::sync::Arc;

use player::{PaperTable, PlayerInfo, PositionStore, Registry};

use crate::{
    book::LineBook,
    eval::NetworkValue,
    search::{BestPath, MemoryStore, Switches},
};
use design::{Design, Extra, Kind, LIAO};

/// What a program hands to the players of the lab.
#[derive(Clone)]
pub struct LabResources {
    /// The openings of the players that open by a book.
    pub book: LineBook,
    /// Makes the database of positions of a player with `database=on`.
    pub positions: Arc<dyn Fn() -> Box<dyn PositionStore> + Send + Sync>,
    /// What `eval=network` asks, if there is a network.
    pub network: Option<NetworkValue>,
}

impl std::fmt::Debug for LabResources {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LabResources").field("book", &self.book).finish_non_exhaustive()
    }
}

impl Default for LabResources {
    /// The 26 named openings, and databases that live as long as their players.
    fn default() -> LabResources {
        LabResources {
            book: LineBook::named_openings(),
            positions: Arc::new(|| Box::new(MemoryStore::default())),
            network: None,
        }
    }
}

/// Adds every player of the lab.
pub fn register(registry: &mut Registry) {
    register_with(registry, &LabResources::default());
}

/// Adds every player of the lab, with an opening book and a database of the program's own.
pub fn register_with(registry: &mut Registry, resources: &LabResources) {
    for preset in presets() {
        let Preset { name, summary, source, tables, design } = preset;
        let info = PlayerInfo { name, summary, source, params: design.params(), tables };
        let resources = resources.clone();
        registry.add(info, Box::new(move |params| design.build(params, &resources)));
    }
    registry.rename("static-table-optimised", "static-table-optimized");
}

/// A name for a design, with what people are told about it.
struct Preset {
    name: &'static str,
    summary: &'static str,
    source: &'static str,
    tables: Vec<PaperTable>,
    design: Design,
}

fn presets() -> Vec<Preset> {
    let mut presets = vec![Preset {
        name: "random",
        summary: "Plays any legal point.",
        source: "",
        tables: Vec::new(),
        design: Design { kind: Kind::Random, ..LIAO },
    }];
    presets.extend(liao());
    presets.extend(fan_and_yuan());
    presets.extend(gu_and_figueira());
    presets.extend(xie());
    presets
}

fn liao() -> Vec<Preset> {
    vec![
        Preset {
            name: "greedy",
            summary: "Attacks when ahead on the board and defends when behind, without search.",
            source: "Liao 2019, section 1.2.5",
            tables: tables::liao(),
            design: Design { kind: Kind::Greedy, moves: "near(1)|probability", ..LIAO },
        },
        Preset {
            name: "minimax",
            summary: "Looks at every candidate to a fixed depth: the reference for all others.",
            source: "Liao 2019, section 1.2.1, algorithm 1",
            tables: tables::liao(),
            design: Design { kind: Kind::Minimax, ..LIAO },
        },
        Preset {
            name: "alpha-beta",
            summary: "Finds minimax's move without looking at what cannot matter.",
            source: "Liao 2019, section 1.2.2, algorithm 2",
            tables: tables::liao(),
            design: LIAO,
        },
        Preset {
            name: "public-minimax",
            summary: "The public program that Liao's tables have for an opponent, move by move.",
            source: "Liao 2019, chapter 4",
            tables: tables::public(),
            design: Design {
                kind: Kind::PublicMinimax,
                eval: "ratio",
                moves: "near(1)|rows",
                ..LIAO
            },
        },
        Preset {
            name: "new-heuristic",
            summary: "Few candidates sorted by completion probability, best paths kept, depth 8.",
            source: "Liao 2019, chapters 2 and 3, algorithm 3",
            tables: tables::liao(),
            design: Design {
                depth: 8,
                moves: "near(1)|probability|top(15)",
                switches: Switches {
                    best_path: BestPath::Order,
                    deepening: true,
                    win_first: true,
                    ..Switches::PLAIN
                },
                book: true,
                extra: Extra::NewHeuristic,
                ..LIAO
            },
        },
    ]
}

fn fan_and_yuan() -> Vec<Preset> {
    let compositions = Design {
        depth: 2,
        eval: "compositions",
        moves: "near(1)|utility|top(10)",
        switches: Switches { cache: true, ..Switches::PLAIN },
        time: 15.0,
        extra: Extra::Width("near(1)|utility", 10),
        ..LIAO
    };
    let mcts = Design { kind: Kind::Mcts, moves: "near(2)", time: 15.0, ..LIAO };
    vec![
        Preset {
            name: "compositions",
            summary: "Depth 2 over the ten best moves by weighted compositions.",
            source: "Fan and Yuan, sections 3 and 4 (result table: depth 2, branch 10)",
            tables: tables::fan_and_yuan(),
            design: compositions.clone(),
        },
        Preset {
            name: "compositions-d1",
            summary: "Depth 1 over the four best moves by weighted compositions.",
            source: "Fan and Yuan, section 3.2.1 (text: depth 1, top four)",
            tables: tables::fan_and_yuan(),
            design: Design {
                depth: 1,
                moves: "near(1)|utility|top(4)",
                extra: Extra::Width("near(1)|utility", 4),
                ..compositions
            },
        },
        Preset {
            name: "mcts",
            summary: "Monte Carlo tree search with games played to their end.",
            source: "",
            tables: Vec::new(),
            design: Design { time: 0.0, ..mcts.clone() },
        },
        Preset {
            name: "fan-yuan-mcts",
            summary: "Monte Carlo tree search, which the authors tried first and gave up.",
            source: "Fan and Yuan, section 2.1",
            tables: Vec::new(),
            design: mcts,
        },
    ]
}

fn gu_and_figueira() -> Vec<Preset> {
    vec![
        Preset {
            name: "top12",
            summary: "Depth 6 over the twelve best points, values of points summed.",
            source: "Gu 2018, sections 3 and 5",
            tables: tables::gu(),
            design: Design {
                depth: 6,
                eval: "points",
                moves: "near(1)|point-value|top(12)",
                time: 1.0,
                extra: Extra::Top12,
                ..LIAO
            },
        },
        Preset {
            name: "open-ends",
            summary: "Runs by open ends and turn, deepening until the clock runs out.",
            source: "Figueira, whole text",
            tables: tables::figueira(),
            design: Design {
                depth: 20,
                eval: "open-ends",
                switches: Switches { deepening: true, ..Switches::PLAIN },
                forced: "both",
                time: 9.9,
                extra: Extra::OpenEnds,
                ..LIAO
            },
        },
    ]
}

fn xie() -> Vec<Preset> {
    let design = |optimized| Design {
        depth: 6,
        eval: "shapes",
        moves: "near(1)|static-table|top(20)",
        extra: Extra::StaticTable { optimized },
        ..LIAO
    };
    vec![
        Preset {
            name: "static-table",
            summary: "Alpha-beta ordered by a table of the 572 five-cell lines, empirical numbers.",
            source: "Xie et al. 2022, sections 2 and 3.1, tables 1 and 3",
            tables: tables::xie(),
            design: design(false),
        },
        Preset {
            name: "static-table-optimized",
            summary: "Alpha-beta ordered by the static table, numbers found by evolution.",
            source: "Xie et al. 2022, section 3.2, table 3",
            tables: tables::xie(),
            design: design(true),
        },
    ]
}
