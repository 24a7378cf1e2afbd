//! The players by name: for each paper the point of the design space that it describes.

mod tables;

use std::time::Duration;

use player::{ParamSpec, Params, Player, PlayerInfo, Registry, Spec, SpecError, Table};

use crate::{
    composed::{Composed, Habits},
    eval::{self, Following},
    moves::{self, Candidates},
    random::Random,
    search::{AlphaBeta, BestPath, Greedy, MemoryStore, Minimax, Search, Switches},
};

/// Adds every player of the lab.
pub fn register(registry: &mut Registry) {
    for preset in presets() {
        let Preset { name, summary, source, tables, design } = preset;
        let params = design.params();
        let info = PlayerInfo { name, summary, source, params, tables };
        registry.add(info, Box::new(move |params| design.build(params)));
    }
}

/// A name for a design, with what people are told about it.
struct Preset {
    name: &'static str,
    summary: &'static str,
    source: &'static str,
    tables: Vec<Table>,
    design: Design,
}

/// The kind of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Random,
    Greedy,
    Minimax,
    AlphaBeta,
}

/// Defaults of a preset. Every player made of the same kind of search has the same parameters, so
/// that a reader can change one thing at a time.
#[derive(Clone, Debug)]
struct Design {
    kind: Kind,
    depth: i64,
    eval: &'static str,
    moves: &'static str,
    deepening: bool,
    table: bool,
    cache: bool,
    best_path: &'static str,
    shallow: bool,
    forced: bool,
    time: f64,
    extra: Extra,
}

/// Parameters that only one preset has: shorthands in the words of its paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Extra {
    None,
    /// Xie's 22 numbers and whether the table is used.
    StaticTable {
        optimized: bool,
    },
}

const LIAO: Design = Design {
    kind: Kind::AlphaBeta,
    depth: 3,
    eval: "liao",
    moves: "near(1)",
    deepening: false,
    table: false,
    cache: false,
    best_path: "off",
    shallow: false,
    forced: false,
    time: 0.0,
    extra: Extra::None,
};

fn presets() -> Vec<Preset> {
    vec![
        Preset {
            name: "random",
            summary: "Plays any legal point.",
            source: "",
            tables: Vec::new(),
            design: Design { kind: Kind::Random, ..LIAO },
        },
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
            name: "static-table",
            summary: "Alpha-beta ordered by a table of the 572 five-cell lines, empirical numbers.",
            source: "Xie et al. 2022, sections 2 and 3.1, tables 1 and 3",
            tables: tables::xie(),
            design: xie(false),
        },
        Preset {
            name: "static-table-optimised",
            summary: "Alpha-beta ordered by the static table, numbers found by evolution.",
            source: "Xie et al. 2022, section 3.2, table 3",
            tables: tables::xie(),
            design: xie(true),
        },
    ]
}

fn xie(optimized: bool) -> Design {
    Design {
        depth: 6,
        eval: "shapes",
        moves: "near(1)|static-table|top(20)",
        extra: Extra::StaticTable { optimized },
        ..LIAO
    }
}

impl Design {
    /// The parameters that a player of this design takes.
    fn params(&self) -> Vec<ParamSpec> {
        let mut params = Vec::new();
        if self.kind == Kind::Random {
            return params;
        }
        if self.kind != Kind::Greedy {
            params.push(ParamSpec::integer("depth", self.depth, 1, 20, "plies searched"));
        }
        params.push(eval::param(self.eval));
        params.push(moves::param(self.moves));
        if self.kind == Kind::AlphaBeta {
            params.extend(self.switch_params());
        }
        params.push(ParamSpec::switch(
            "forced",
            self.forced,
            "win at once or stop a win at once, before any search",
        ));
        params.push(
            ParamSpec::real(
                "time",
                self.time,
                0.0,
                3600.0,
                "seconds a move, 0 for no limit; \
                used when no other limit is given",
            )
            .step(0.1),
        );
        params.push(ParamSpec::choice(
            "update",
            &["local", "full"],
            "judge only the lines through the last stone, or the whole board",
        ));
        params.push(ParamSpec::switch("bitboard", true, "look lines up as bits, or walk cells"));
        params.extend(self.extra_params());
        params
    }

    fn switch_params(&self) -> Vec<ParamSpec> {
        let mut options = vec!["off", "order", "exclude"];
        options.sort_by_key(|option| *option != self.best_path);
        vec![
            ParamSpec::switch("deepening", self.deepening, "search depth 1, then 2, and so on"),
            ParamSpec::switch("table", self.table, "take values again at equal depth and bound"),
            ParamSpec::switch("cache", self.cache, "remember static values by Zobrist key"),
            ParamSpec::choice("best-path", &options, "use of best moves kept between moves"),
            ParamSpec::switch("shallow", self.shallow, "order by the results of lower depths"),
            ParamSpec::switch("database", false, "keep positions from game to game"),
        ]
    }

    fn extra_params(&self) -> Vec<ParamSpec> {
        match self.extra {
            Extra::None => Vec::new(),
            Extra::StaticTable { optimized } => {
                let mut params = vec![
                    ParamSpec::switch("static", true, "order by the static table"),
                    ParamSpec::integer("width", 20, 0, 500, "moves a node, 0 for all"),
                ];
                params.extend(moves::table_params(optimized));
                params.extend(eval::table_params(optimized));
                params
            }
        }
    }

    /// Makes a player of this design.
    fn build(&self, params: &Params) -> Result<Box<dyn Player>, SpecError> {
        if self.kind == Kind::Random {
            return Ok(Box::new(Random::default()));
        }
        let (eval, moves) = self.parts(params)?;
        let following = Following {
            local: params.choice("update") == "local",
            bitboard: params.switch("bitboard"),
        };
        let evaluation = eval::build(&eval, following)?;
        let candidates = Candidates::build(&moves)?;
        let time = params.real("time");
        let habits = Habits {
            depth: if self.kind == Kind::Greedy { 1 } else { params.integer("depth") as u32 },
            time: (time > 0.0).then(|| Duration::from_secs_f64(time)),
            forced: params.switch("forced"),
        };
        let search: Box<dyn Search> = match self.kind {
            Kind::Greedy => Box::new(Greedy::default()),
            Kind::Minimax => Box::new(Minimax::default()),
            _ => Box::new(alpha_beta(params, &eval, &moves)),
        };
        Ok(Box::new(Composed::new(search, evaluation, candidates, habits)))
    }

    /// Evaluation and candidates, the preset's shorthands applied.
    fn parts(&self, params: &Params) -> Result<(Spec, Vec<Spec>), SpecError> {
        let mut moves = params.component("moves").to_vec();
        let mut eval = one(params.component("eval"))?;
        if let Extra::StaticTable { .. } = self.extra {
            if !params.is_given("eval") {
                eval = with_args("shapes", params, eval::table_params(false));
            }
            if !params.is_given("moves") {
                moves = Spec::parse_pipeline("near(1)")?;
                if params.switch("static") {
                    moves.push(with_args("static-table", params, moves::table_params(false)));
                }
                push_top(&mut moves, params.integer("width"));
            }
        }
        Ok((eval, moves))
    }
}

/// A component with its parameters taken from those of the player.
fn with_args(name: &str, params: &Params, declared: Vec<ParamSpec>) -> Spec {
    let arg = |spec: ParamSpec| player::Arg {
        key: Some(spec.name.to_owned()),
        value: vec![Spec::word(&params.real(spec.name).to_string())],
    };
    Spec { name: name.to_owned(), args: declared.into_iter().map(arg).collect() }
}

fn push_top(moves: &mut Vec<Spec>, width: i64) {
    if width > 0 {
        let value = vec![Spec::word(&width.to_string())];
        moves.push(Spec { name: "top".to_owned(), args: vec![player::Arg { key: None, value }] });
    }
}

fn one(parts: &[Spec]) -> Result<Spec, SpecError> {
    match parts {
        [part] => Ok(part.clone()),
        _ => Err(SpecError::Other("An evaluation is one part, not a pipeline.".to_owned())),
    }
}

fn alpha_beta(params: &Params, eval: &Spec, moves: &[Spec]) -> AlphaBeta {
    let search = AlphaBeta::new(Switches {
        deepening: params.switch("deepening"),
        table: params.switch("table"),
        cache: params.switch("cache"),
        best_path: match params.choice("best-path") {
            "order" => BestPath::Order,
            "exclude" => BestPath::Exclude,
            _ => BestPath::Off,
        },
        shallow: params.switch("shallow"),
    });
    if !params.switch("database") {
        return search;
    }
    let text =
        format!("{eval} {}", moves.iter().map(Spec::to_string).collect::<Vec<_>>().join("|"));
    let mix = |hash, byte| gomoku::zobrist::split_mix(hash ^ u64::from(byte));
    search.with_database(Box::new(MemoryStore::default()), text.bytes().fold(0, mix))
}
