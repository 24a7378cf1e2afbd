//! Designs: defaults, the parameters that follow from them, and the player they make.

use std::time::Duration;

use player::{Arg, ParamSpec, ParamValues, Player, Spec, SpecError};

use crate::{
    composed::{Composed, Forced, PlayOptions},
    eval::{self, Evaluation, Following},
    moves::{self, Candidates},
    random::Random,
    search::{
        AlphaBeta, BestPath, Greedy, Mcts, Minimax, PublicMinimax, Rollout, Search, Switches,
    },
};

use super::{LabResources, fingerprint::fingerprint};

/// The kind of search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Random,
    Greedy,
    Minimax,
    PublicMinimax,
    AlphaBeta,
    Mcts,
}

/// Defaults of a preset. Every player made of the same kind of search has the same parameters, so
/// that a reader can change one thing at a time.
#[derive(Clone, Debug)]
pub(super) struct Design {
    pub(super) kind: Kind,
    pub(super) depth: i64,
    pub(super) eval: &'static str,
    pub(super) moves: &'static str,
    pub(super) switches: Switches,
    pub(super) forced: &'static str,
    pub(super) time: f64,
    pub(super) book: bool,
    pub(super) extra: Extra,
}

/// Parameters that only one preset has: shorthands in the words of its paper. They apply while `eval`
/// or `moves` itself is the preset's, so that a spec with every parameter written out means the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Extra {
    None,
    /// The number of moves kept of these candidates.
    Width(&'static str, i64),
    /// Liao's three parameters: depth, optimized candidates, range.
    NewHeuristic,
    /// Gu's width, and the version before.
    Top12,
    /// Figueira's order.
    OpenEnds,
    /// Xie's 22 numbers, and whether the table is used.
    StaticTable {
        optimized: bool,
    },
}

/// Liao's algorithm 2, on which all other designs are variations.
pub(super) const LIAO: Design = Design {
    kind: Kind::AlphaBeta,
    depth: 3,
    eval: "liao",
    moves: "near(1)",
    switches: Switches::PLAIN,
    forced: "off",
    time: 0.0,
    book: false,
    extra: Extra::None,
};

/// How a tree is searched. The first keeps values that exceed the window (fail-soft).
const SEARCHES: [&str; 3] = ["alpha-beta", "fail-hard", "minimax"];

/// The uses of the best moves kept.
const BEST_PATHS: [(&str, BestPath); 5] = [
    ("off", BestPath::Off),
    ("order", BestPath::Order),
    ("exclude", BestPath::Exclude),
    ("exclude-on-path", BestPath::ExcludeOnPath),
    ("exclude-less", BestPath::ExcludeLess),
];

impl Design {
    /// The parameters that a player of this design takes.
    pub(super) fn params(&self) -> Vec<ParamSpec> {
        let mut params = match self.kind {
            Kind::Random => return Vec::new(),
            Kind::Greedy => Vec::new(),
            Kind::Mcts => mcts_params(),
            _ => vec![ParamSpec::integer("depth", self.depth, 1, 20, "plies searched")],
        };
        if self.kind != Kind::Mcts {
            params.push(eval::param(self.eval));
        }
        params.push(moves::param(self.moves));
        if self.kind == Kind::AlphaBeta {
            params.extend(self.switch_params());
        }
        params.push(choice(
            "forced",
            &["off", "win", "both"],
            self.forced,
            "moves played before any search: a win, or also a stop to the opponent's win",
        ));
        let help = "seconds a move, 0 for no limit; used when no other limit is given";
        params.push(ParamSpec::real("time", self.time, 0.0, 3600.0, help).step(0.1));
        params.push(ParamSpec::switch("book", self.book, "open by the book"));
        if self.kind != Kind::Mcts {
            params.push(ParamSpec::choice(
                "update",
                &["local", "full"],
                "judge only the lines through the last stone, or the whole board",
            ));
            let help = "look lines up as bits, or walk their cells";
            params.push(ParamSpec::switch("bitboard", true, help));
        }
        params.extend(self.reading_params());
        params.extend(self.extra_params());
        params
    }

    /// Other ways to read a paper, which no preset takes.
    fn reading_params(&self) -> Vec<ParamSpec> {
        let mut params = Vec::new();
        if self.kind == Kind::AlphaBeta {
            let help = "bounds that may be exceeded, bounds that may not, or none";
            params.push(ParamSpec::choice("search", &SEARCHES, help));
        }
        if matches!(self.kind, Kind::Minimax | Kind::AlphaBeta) {
            let help = "a five ends the game inside the tree; if not, play goes on after it";
            params.push(ParamSpec::switch("terminal", true, help));
        }
        if self.kind == Kind::PublicMinimax {
            let help = "colors are swapped when it plays Black; if not, it takes itself for White";
            params.push(ParamSpec::switch("swapped", true, help));
        }
        params
    }

    fn switch_params(&self) -> Vec<ParamSpec> {
        let on = self.switches;
        let uses = |(_, best_path): &&(&str, BestPath)| *best_path == on.best_path;
        let best_path = BEST_PATHS.iter().find(uses).map_or("off", |(name, _)| *name);
        vec![
            ParamSpec::switch("deepening", on.deepening, "search depth 1, then 2, and so on"),
            ParamSpec::switch("table", on.table, "take values again at equal depth and bound"),
            ParamSpec::switch("cache", on.cache, "remember static values by Zobrist key"),
            choice(
                "best-path",
                &BEST_PATHS.map(|(name, _)| name),
                best_path,
                "use of the best moves kept from earlier searches",
            ),
            ParamSpec::switch("shallow", on.shallow, "order by the results of lower depths"),
            ParamSpec::switch("win-first", on.win_first, "look for a winning candidate first"),
            ParamSpec::switch("history", on.history, "order by what has refuted other moves"),
            ParamSpec::switch(
                "scout",
                on.scout,
                "try moves with a narrow window, two plies at a time, replies before lists",
            )
            .formerly("swift"),
            ParamSpec::switch(
                "database",
                false,
                "keep the values of positions for later games, on disk where there is one",
            ),
        ]
    }

    fn extra_params(&self) -> Vec<ParamSpec> {
        let width =
            |default| ParamSpec::integer("width", default, 0, 500, "candidates a node, 0 for all");
        match self.extra {
            Extra::None => Vec::new(),
            Extra::Width(_, default) => vec![width(default)],
            Extra::NewHeuristic => vec![
                ParamSpec::switch("optimized", true, "search the candidates in sorted order")
                    .formerly("optimised"),
                ParamSpec::integer("range", 1, 1, 5, "candidates' distance from a stone"),
                width(15),
            ],
            Extra::Top12 => vec![
                width(12),
                ParamSpec::choice("value", &["sum", "max"], "all points, or the best (before)"),
                moves::evaluators("evaluators"),
            ],
            Extra::OpenEnds => {
                let help = "as they come, or points beside own stones first";
                vec![ParamSpec::choice("order", &["board", "near-own"], help)]
            }
            Extra::StaticTable { optimized } => {
                let help = "order by the static table";
                let mut params = vec![ParamSpec::switch("static", true, help), width(20)];
                params.extend(moves::table_params(optimized));
                params.extend(eval::table_params(optimized));
                params
            }
        }
    }

    /// Makes a player of this design.
    pub(super) fn build(
        &self,
        params: &ParamValues,
        resources: &LabResources,
    ) -> Result<Box<dyn Player>, SpecError> {
        if self.kind == Kind::Random {
            return Ok(Box::new(Random::default()));
        }
        let moves = self.moves(params)?;
        let candidates = Candidates::build(&moves)?;
        let (search, evaluation): (Box<dyn Search>, Box<dyn Evaluation>) = match self.kind {
            Kind::Mcts => (Box::new(mcts(params)), Box::new(eval::Nothing)),
            _ => {
                let eval = self.eval(params)?;
                let following = Following {
                    local: params.choice("update") == "local",
                    bitboard: params.switch("bitboard"),
                };
                let search: Box<dyn Search> = match self.kind {
                    Kind::Greedy => Box::new(Greedy::default()),
                    Kind::Minimax => Box::new(Minimax::default()),
                    Kind::PublicMinimax => Box::new(PublicMinimax::new(!params.switch("swapped"))),
                    _ if params.choice("search") == "minimax" => Box::new(plain_minimax(params)?),
                    _ => Box::new(alpha_beta(params, &eval, &moves, resources)?),
                };
                (search, eval::build(&eval, following, resources.network)?)
            }
        };
        let has_depth = matches!(self.kind, Kind::Minimax | Kind::PublicMinimax | Kind::AlphaBeta);
        let time = params.real("time");
        let options = PlayOptions {
            depth: if has_depth { params.integer("depth") as u32 } else { 1 },
            time: (time > 0.0).then(|| Duration::from_secs_f64(time)),
            forced: match params.choice("forced") {
                "win" => Forced::Win,
                "both" => Forced::Both,
                _ => Forced::Off,
            },
            has_end: self.has_end(params),
        };
        let book = params.switch("book").then(|| resources.book.clone());
        Ok(Box::new(Composed::new(search, evaluation, candidates, options).with_book(book)))
    }

    /// See [`Play::has_end`](crate::tree::Play::has_end).
    fn has_end(&self, params: &ParamValues) -> bool {
        match self.kind {
            Kind::Minimax | Kind::AlphaBeta => params.switch("terminal"),
            _ => true,
        }
    }

    fn eval(&self, params: &ParamValues) -> Result<Spec, SpecError> {
        if is_default(params, "eval", self.eval) {
            match self.extra {
                Extra::StaticTable { .. } => {
                    return Ok(with_args("shapes", params, eval::table_params(false)));
                }
                Extra::Top12 => return format!("points(of={})", params.choice("value")).parse(),
                _ => {}
            }
        }
        match params.component("eval") {
            [part] => Ok(part.clone()),
            _ => Err(SpecError::Other("An evaluation is one part, not a pipeline.".to_owned())),
        }
    }

    fn moves(&self, params: &ParamValues) -> Result<Vec<Spec>, SpecError> {
        if !is_default(params, "moves", self.moves) || self.extra == Extra::None {
            return Ok(params.component("moves").to_vec());
        }
        let mut moves = match self.extra {
            Extra::NewHeuristic => {
                format!("near({})|probability", params.integer("range"))
            }
            Extra::Width(moves, _) => moves.to_owned(),
            Extra::Top12 => format!("near(1)|point-value(of={})", params.choice("evaluators")),
            Extra::OpenEnds if params.choice("order") == "near-own" => {
                "near(1)|near-own".to_owned()
            }
            Extra::StaticTable { .. } if params.switch("static") => {
                format!("near(1)|{}", with_args("static-table", params, moves::table_params(false)))
            }
            _ => "near(1)".to_owned(),
        };
        if self.extra != Extra::OpenEnds && params.integer("width") > 0 {
            moves += &format!("|top({})", params.integer("width"));
        }
        if self.extra == Extra::NewHeuristic && !params.switch("optimized") {
            moves += "|board";
        }
        Spec::parse_pipeline(&moves)
    }
}

fn is_default(params: &ParamValues, name: &str, default: &str) -> bool {
    Spec::parse_pipeline(default).is_ok_and(|default| params.component(name) == default)
}

fn mcts_params() -> Vec<ParamSpec> {
    vec![
        ParamSpec::integer("budget", 10_000, 1, 100_000_000, "simulations a move").log_scale(),
        ParamSpec::real("constant", 1.4, 0.0, 10.0, "weight of the unexplored (UCT)").step(0.1),
        choice(
            "rollout",
            &["uniform", "near", "fives"],
            "uniform",
            "how simulated games are played: any point, beside stones, or fives seen",
        ),
    ]
}

fn mcts(params: &ParamValues) -> Mcts {
    let rollout = match params.choice("rollout") {
        "near" => Rollout::Near,
        "fives" => Rollout::Fives,
        _ => Rollout::Uniform,
    };
    Mcts::new(params.real("constant"), rollout, params.integer("budget") as u64)
}

/// A choice whose default need not be the first word.
fn choice(
    name: &'static str,
    options: &[&'static str],
    default: &'static str,
    help: &'static str,
) -> ParamSpec {
    let kind = player::ParamKind::Choice { default, options: options.to_vec() };
    ParamSpec::new(name, help, kind)
}

/// A component with its parameters taken from those of the player.
fn with_args(name: &str, params: &ParamValues, declared: Vec<ParamSpec>) -> Spec {
    let arg = |spec: ParamSpec| Arg {
        key: Some(spec.name.to_owned()),
        value: vec![Spec::word(&params.real(spec.name).to_string())],
    };
    Spec { name: name.to_owned(), args: declared.into_iter().map(arg).collect() }
}

fn alpha_beta(
    params: &ParamValues,
    eval: &Spec,
    moves: &[Spec],
    resources: &LabResources,
) -> Result<AlphaBeta, SpecError> {
    let best_path = best_path(params);
    if best_path == BestPath::ExcludeLess && !moves.iter().any(|stage| stage.name == "probability")
    {
        let why = "best-path=exclude-less compares probabilities: it needs 'probability' in moves.";
        return Err(SpecError::Other(why.to_owned()));
    }
    let search = AlphaBeta::new(Switches {
        deepening: params.switch("deepening"),
        table: params.switch("table"),
        cache: params.switch("cache"),
        best_path,
        shallow: params.switch("shallow"),
        win_first: params.switch("win-first"),
        history: params.switch("history"),
        scout: params.switch("scout"),
        fail_hard: params.choice("search") == "fail-hard",
    });
    if !params.switch("database") {
        return Ok(search);
    }
    if best_path.excludes() {
        let why = format!(
            "A database keeps values, and best-path={} changes them: use one of the two.",
            params.choice("best-path")
        );
        return Err(SpecError::Other(why));
    }
    let fingerprint = fingerprint(eval, moves, params.switch("terminal"), resources.network)?;
    Ok(search.with_database((resources.positions)(), fingerprint))
}

fn best_path(params: &ParamValues) -> BestPath {
    let wanted = |(name, _): &&(&str, BestPath)| *name == params.choice("best-path");
    BEST_PATHS.iter().find(wanted).map_or(BestPath::Off, |(_, best_path)| *best_path)
}

/// Minimax in place of alpha-beta: what would change its values is refused, what would only make it
/// faster does nothing.
fn plain_minimax(params: &ParamValues) -> Result<Minimax, SpecError> {
    if best_path(params).excludes() || params.switch("database") {
        let why = "search=minimax looks at all candidates and remembers nothing: it goes neither \
                   with database=on nor with a best-path that excludes.";
        return Err(SpecError::Other(why.to_owned()));
    }
    Ok(Minimax::default())
}
