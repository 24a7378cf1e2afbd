//! The engine as a player: options, and from a task to a choice.

use std::{sync::Arc, time::Duration};

use gomoku::{
    Field, Point, PointSet, Position, Rule, Rules, Threat, with_rule, zobrist::split_mix,
};
use player::{
    Candidate, Choice, Counters, Explanation, Goal, ParamSpec, Player, PlayerInfo, PlayerReply,
    Reason, Registry, Score, SpecError, Task, Watch,
};
use solve::{BookWinner, Win};

use crate::{
    balance::Offer,
    eval::Weights,
    history::Histories,
    judge::{Judge, NetChoice, OtherNet, Trained},
    level::Level,
    moves::{self, Danger, Neighborhood},
    params::{Params, Step},
    proof::Allowance,
    root::RootMove,
    search::{Shared, Worker},
    stack::{Frame, MAX_PLY},
    table::Table,
    time::Budget,
    value::Value,
};

/// What can be chosen about an engine.
#[derive(Clone, Debug)]
pub struct Options {
    /// Strength, 1 to 10.
    pub level: u32,
    /// Megabytes of the transposition table.
    pub hash: usize,
    /// Threads.
    pub threads: usize,
    /// Nodes a move when the task has no limit at all.
    pub nodes: u64,
    /// Which network judges.
    pub net: NetChoice,
    /// Wins the proved openings without thinking.
    pub book: bool,
    /// The numbers of the search.
    pub params: Params,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            level: Level::MAX,
            hash: 64,
            threads: 1,
            nodes: 1_000_000,
            net: NetChoice::default(),
            book: true,
            params: Params::default(),
        }
    }
}

impl Options {
    /// The network that judges; lower levels do with the tables.
    fn trained(&self, rule: Rule) -> Option<&Trained> {
        self.net.of(rule).filter(|_| self.level >= Level::MAX)
    }
}

/// The strong player.
///
/// ```
/// use engine::{Engine, Options};
/// use gomoku::{Position, Rule};
/// use player::{Limits, Player, Task, Unwatched};
///
/// let position = Position::parse("h8h9i8i9j8", Rule::Freestyle, 15).unwrap();
/// let mut engine = Engine::new(Options::default());
/// let choice = engine.choose(&Task::new(position, Limits::nodes(1_000)), &Unwatched);
/// assert!(["g8", "k8"].contains(&choice.point().unwrap().to_string().as_str()));
/// ```
#[derive(Debug)]
pub struct Engine {
    options: Options,
    table: Table,
    /// One for each thread.
    histories: Vec<Histories>,
    winner: BookWinner,
    seed: u64,
}

impl Engine {
    /// An engine that knows nothing yet.
    pub fn new(options: Options) -> Engine {
        let table = Table::new(options.hash.max(1) << 20);
        let threads = if cfg!(target_family = "wasm") { 1 } else { options.threads.max(1) };
        let histories = vec![Histories::new(); threads];
        Engine { options, table, histories, winner: BookWinner::default(), seed: 0 }
    }

    fn think<R: Rules>(&mut self, task: &Task, watch: &dyn Watch) -> Choice {
        let field = Field::<R>::from_position(&task.position);
        let near = Neighborhood::of_size(field.size());
        let level = Level::new(self.options.level);
        if let Some(choice) = self.choice_at_once(task, &field, near, level) {
            return choice;
        }
        let budget = self.budget(task, level, field.board().empty().len());
        let (win, spent) = self.forced_win(task, &budget, watch);
        if let Some(choice) = win.and_then(|win| win.choice(spent, watch)) {
            return choice;
        }
        let choice = self.search(task, &field, near, (level, budget, spent), watch);
        self.with_proof(choice, task, &budget, watch)
    }

    /// The answer where there is nothing to search: no move, the empty board, a beginner's slip.
    fn choice_at_once<R: Rules>(
        &self,
        task: &Task,
        field: &Field<R>,
        near: &Neighborhood,
        level: Level,
    ) -> Option<Choice> {
        if root_moves(task, field, near).is_empty() {
            return Some(without_moves(task));
        }
        if task.goal != Goal::Best {
            return None;
        }
        let is_free = task.only.is_empty() && task.exclude.is_empty();
        if field.board().is_empty() && is_free {
            return Some(Choice::of(Point::center(field.size()), Reason::Opening));
        }
        let chance = split_mix(self.seed ^ split_mix(task.position.key()));
        if chance % 100 >= u64::from(level.oversight) {
            return None;
        }
        let point = heedless_move(task, field, near, chance)?;
        Some(Choice::of(point, Reason::Evaluation))
    }

    /// A win that the solver finds with its share of the budget, and what looking for it cost.
    fn forced_win(
        &self,
        task: &Task,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> (Option<Win>, Counters) {
        let share = Allowance::share(budget, self.options.params.proof_share);
        let Some(share) = share.filter(|_| self.may_prove(task) && task.multi_pv <= 1) else {
            return (None, Counters::default());
        };
        let (win, nodes) = share.prove(task, watch);
        (win, Counters { nodes, time: watch.elapsed(), ..Counters::default() })
    }

    /// What alpha-beta finds.
    fn search<R: Rules>(
        &mut self,
        task: &Task,
        field: &Field<R>,
        near: &Neighborhood,
        (level, budget, spent): (Level, Budget, Counters),
        watch: &dyn Watch,
    ) -> Choice {
        let (mut judge, kept) =
            Judge::new(self.options.trained(R::RULE), &self.options.params, field);
        let mut points = root_moves(task, field, near);
        judge.look_at(field, &points.iter().copied().collect());
        points.sort_by_key(|&point| -judge.policy(field, point));
        self.table.new_search(budget.nodes);
        let shared = Shared::new(&self.table, watch, budget);
        let (params, seed) = (&self.options.params, self.seed);
        let mut workers: Vec<_> = self
            .histories
            .iter_mut()
            .enumerate()
            .map(|(i, histories)| {
                let mut stack = vec![Frame::default(); MAX_PLY + 4];
                stack[0].kept = kept;
                stack[0].near = near.of_all(field);
                let n_empty = field.board().empty().len();
                Worker {
                    shared: &shared,
                    params,
                    judge: judge.clone(),
                    weights: Weights::of(R::RULE),
                    near,
                    field: field.clone(),
                    histories,
                    stack,
                    moves: Vec::with_capacity(MAX_PLY * n_empty / 2),
                    root_moves: points.iter().map(|&point| RootMove::new(point)).collect(),
                    pv_index: 0,
                    root_depth: 0,
                    n_empty,
                    counters: if i == 0 { spent } else { Counters::default() },
                    ply_max: 0,
                    next_poll: 0,
                    n_told: 0,
                    next_news: Duration::ZERO,
                    is_helper: i > 0,
                    eval_noise: level.eval_noise,
                    seed,
                }
            })
            .collect();
        let depth_max = budget.depth.unwrap_or(u32::MAX).clamp(1, MAX_PLY as u32 / 2);
        if let Goal::Balance { stones, bias } = task.goal {
            let main = &mut workers[0];
            let bias = Value::eval(bias.clamp(-20_000, 20_000) as i32);
            let offers = main.balance(stones >= 2, bias, depth_max);
            return balance_choice(&offers, main.cost());
        }
        let (iterations, best) = search_all(&mut workers, depth_max, task.multi_pv);
        let roots = &workers[best].root_moves;
        let n_lines = task.multi_pv.clamp(1, roots.len());
        let candidates: Vec<_> = roots[..n_lines].iter().map(RootMove::to_candidate).collect();
        let (first, reason) = (candidates[0].point, reason(field, &points));
        Choice {
            score: candidates[0].score,
            depth: iterations.last().map_or(0, |iteration| iteration.depth),
            counters: workers[0].cost(),
            iterations,
            candidates,
            ..Choice::of(first, reason)
        }
    }

    /// What the search claims, the solver may still prove with what is left of the budget.
    fn with_proof(
        &self,
        searched: Choice,
        task: &Task,
        budget: &Budget,
        watch: &dyn Watch,
    ) -> Choice {
        let cost = searched.counters;
        let claims_win = searched.score.and_then(Score::decisive_in).is_some_and(|plies| plies > 0);
        let rest = Allowance::rest(budget, cost).filter(|_| claims_win && self.may_prove(task));
        let Some((Some(win), nodes)) = rest.map(|rest| rest.prove(task, watch)) else {
            return searched;
        };
        let cost = Counters { nodes: cost.nodes + nodes, time: watch.elapsed(), ..cost };
        let Some(mut choice) = win.choice(cost, watch) else { return searched };
        let (n_lines, proved) = (searched.candidates.len(), choice.point());
        let others = searched.candidates.into_iter().filter(|c| Some(c.point) != proved);
        choice.candidates.extend(others);
        choice.candidates.truncate(n_lines);
        choice
    }

    fn may_prove(&self, task: &Task) -> bool {
        task.goal == Goal::Best && self.options.level >= Level::MAX
    }

    fn budget(&self, task: &Task, level: Level, n_empty: usize) -> Budget {
        let overhead = Duration::from_millis(self.options.params.overhead_ms as u64);
        let mut budget = Budget::new(&task.limits, overhead, n_empty);
        if budget == Budget::default() {
            budget.nodes = Some(self.options.nodes);
        }
        let least = |a: Option<u64>, b: Option<u64>| a.into_iter().chain(b).min();
        budget.nodes = least(budget.nodes, level.nodes);
        let depth = least(budget.depth.map(u64::from), level.depth.map(u64::from));
        budget.depth = depth.map(|depth| depth as u32);
        budget
    }
}

impl Player for Engine {
    fn new_game(&mut self, seed: u64) {
        self.seed = split_mix(seed);
        self.table.new_game();
        self.histories.iter_mut().for_each(Histories::clear);
        self.winner = BookWinner::default();
    }

    fn choose(&mut self, task: &Task, watch: &dyn Watch) -> Choice {
        // A search limited by depth or evaluations is asked for exactly that.
        let is_exact = task.limits.depth.is_some() || task.limits.evaluations.is_some();
        if self.options.level >= Level::MAX
            && self.options.book
            && !is_exact
            && let Some(choice) = self.winner.choose(task, watch)
        {
            return choice;
        }
        with_rule!(task.position.rule(), R => self.think::<R>(task, watch))
    }

    fn explain(&mut self, position: &Position) -> Explanation {
        with_rule!(position.rule(), R => explain::<R>(position, &self.options))
    }
}

/// The answer to a balance goal; the candidates are other offers.
fn balance_choice(offers: &[Offer], counters: Counters) -> Choice {
    let candidate = |offer: &Offer| Candidate {
        score: Some(offer.value.to_score()),
        depth: offer.depth,
        line: offer.stones.clone(),
        ..Candidate::new(offer.stones[0])
    };
    let candidates: Vec<_> = offers.iter().map(candidate).collect();
    let best = &offers[0];
    Choice {
        reply: PlayerReply::Stones(best.stones.clone()),
        score: Some(best.value.to_score()),
        depth: best.depth,
        counters,
        candidates,
        ..Choice::of(best.stones[0], Reason::Search)
    }
}

/// Runs the main worker and, where there are any, the helpers. Says which worker has the answer.
fn search_all<R: Rules>(
    workers: &mut [Worker<'_, R>],
    depth_max: u32,
    n_lines: usize,
) -> (Vec<player::Iteration>, usize) {
    let (main, helpers) = workers.split_first_mut().expect("there is a main worker");
    #[cfg(target_family = "wasm")]
    let iterations = {
        debug_assert!(helpers.is_empty());
        main.deepen(depth_max, n_lines)
    };
    #[cfg(not(target_family = "wasm"))]
    let iterations = std::thread::scope(|scope| {
        for helper in helpers {
            scope.spawn(|| helper.deepen(depth_max, n_lines));
        }
        main.deepen(depth_max, n_lines)
    });
    // A helper may have seen further; a win always counts more.
    let rank = |worker: &Worker<'_, R>| {
        let root = &worker.root_moves[0];
        let is_win = root.value.is_win();
        (is_win, if is_win { root.value.get() } else { root.depth as i32 })
    };
    let mut best = 0;
    if n_lines == 1 {
        for i in 1..workers.len() {
            if rank(&workers[i]) > rank(&workers[best]) {
                best = i;
            }
        }
    }
    (iterations, best)
}

/// The moves to consider at the root: what a task asks for, or what the threats leave.
fn root_moves<R: Rules>(task: &Task, field: &Field<R>, near: &Neighborhood) -> Vec<Point> {
    let allowed = |points: PointSet| -> Vec<Point> {
        points.iter().filter(|&point| task.allows(point)).collect()
    };
    if !task.only.is_empty() {
        return allowed(task.only.iter().copied().collect());
    }
    let empty = field.board().empty();
    let us = field.to_move();
    let narrow = match moves::danger(field) {
        _ if field.has(us, Threat::Five) => *field.points(us, Threat::Five),
        Danger::Five => moves::five_stops(field),
        Danger::OpenFour if !field.has(us, Threat::OpenFour) => moves::open_four_stops(field),
        _ => near.of_all(field) & empty,
    };
    // Where nothing helps, make the opponent show it.
    let try_anyway = *field.points(!us, Threat::Five) | field.points_at_least(us, Threat::Four);
    let tries = [narrow, try_anyway, near.of_all(field) & empty, empty];
    tries.into_iter().map(allowed).find(|points| !points.is_empty()).unwrap_or_default()
}

/// What a beginner plays who looks at the own stones alone; nobody overlooks a five.
fn heedless_move<R: Rules>(
    task: &Task,
    field: &Field<R>,
    near: &Neighborhood,
    chance: u64,
) -> Option<Point> {
    let us = field.to_move();
    if field.has(us, Threat::Five) || moves::danger(field) == Danger::Five {
        return None;
    }
    let points = near.of_all(field) & field.board().empty();
    let points = points.iter().filter(|&point| task.allows(point));
    points.max_by_key(|&point| (field.threat(us, point), split_mix(chance ^ point.index() as u64)))
}

/// Why a move is played that a search has chosen among these.
fn reason<R: Rules>(field: &Field<R>, points: &[Point]) -> Reason {
    match moves::danger(field) {
        _ if points.iter().any(|&point| field.is_five(field.to_move(), point)) => Reason::Win,
        _ if points.len() == 1 => Reason::Only,
        Danger::Five => Reason::Block,
        _ => Reason::Search,
    }
}

/// Every point is forbidden or ruled out: something must be played all the same.
fn without_moves(task: &Task) -> Choice {
    let empty = task.position.board().empty();
    let wanted = empty.iter().find(|point| !task.exclude.contains(point));
    let point = wanted.or(empty.first());
    let mut choice = match point {
        Some(point) => Choice::of(point, Reason::Only),
        None => Choice { reply: PlayerReply::Resign, ..Choice::of(Point::center(5), Reason::Only) },
    };
    choice.score = Some(Score::loss_in(1));
    choice
}

fn explain<R: Rules>(position: &Position, options: &Options) -> Explanation {
    let field = Field::<R>::from_position(position);
    let (mut judge, mut kept) = Judge::new(options.trained(R::RULE), &options.params, &field);
    let value = judge.evaluate(&field, None, &mut kept);
    let weights = Weights::of(R::RULE);
    Explanation {
        value: Some(value.to_score()),
        points: weights.point_values(&field),
        policy: policy(&field, &mut judge),
        ..Explanation::default()
    }
}

/// What the scores of moves say of each, as chances that add up to 1.
#[allow(clippy::float_arithmetic, reason = "this is for showing, not for deciding")]
fn policy<R: Rules>(field: &Field<R>, judge: &mut Judge<'_>) -> Vec<(Point, f64)> {
    let points = moves::candidates(field);
    judge.look_at(field, &points);
    let mut chances: Vec<_> = points
        .iter()
        .map(|point| (point, f64::from(judge.policy(field, point)) / f64::from(net::POLICY_SCALE)))
        .collect();
    chances.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let best = chances.first().map_or(0.0, |&(_, score)| score);
    chances.iter_mut().for_each(|(_, score)| *score = (*score - best).exp());
    let sum: f64 = chances.iter().map(|(_, chance)| chance).sum();
    chances.iter_mut().for_each(|(_, chance)| *chance /= sum);
    chances
}

/// Reads a network from a file, or says in a sentence why it cannot be read.
pub type LoadNet = Box<dyn Fn(&str) -> Result<Arc<OtherNet>, String> + Send + Sync>;

/// Adds the engine to a registry, where networks other than the shipped ones cannot be read.
pub fn register(registry: &mut Registry) {
    register_with(registry, Box::new(|_| Err("Networks are not read from files here.".to_owned())));
}

/// Adds the engine to a registry.
pub fn register_with(registry: &mut Registry, load: LoadNet) {
    let mut params = vec![
        ParamSpec::integer("level", 10, 1, 10, "strength, from beginner to everything"),
        ParamSpec::integer("hash", 64, 1, 65_536, "megabytes of the transposition table"),
        ParamSpec::integer("threads", 1, 1, 256, "threads"),
        ParamSpec::integer("nodes", 1_000_000, 1, i64::MAX, "nodes a move without other limits")
            .log_scale(),
        ParamSpec::file(
            "net",
            &["on", "off"],
            "the network that judges positions and moves, or tables alone",
        ),
        ParamSpec::choice(
            "book",
            &["on", "off"],
            "win the proved openings at once, or think about them too",
        ),
        ParamSpec {
            name: "without",
            former_name: None,
            help: "a step of the search to leave out, to see what it is worth",
            kind: player::ParamKind::Choice {
                default: "nothing",
                options: std::iter::once("nothing")
                    .chain(Step::ALL.iter().map(|step| step.name()))
                    .collect(),
            },
        },
    ];
    params.extend(Params::specs());
    let info = PlayerInfo {
        name: "engine",
        summary: "Alpha-beta search with threats, forced wins and learned tables.",
        source: "",
        params,
        tables: Vec::new(),
    };
    registry.add(
        info,
        Box::new(move |given| {
            let mut params = Params::read(given);
            let without = given.choice("without");
            let step = Step::ALL.iter().find(|step| step.name() == without);
            step.into_iter().for_each(|&step| params.without.insert(step));
            Ok(Box::new(Engine::new(Options {
                level: given.integer("level") as u32,
                hash: given.integer("hash") as usize,
                threads: given.integer("threads") as usize,
                nodes: given.integer("nodes") as u64,
                net: match given.choice("net") {
                    "on" => NetChoice::Shipped,
                    "off" => NetChoice::Off,
                    file => NetChoice::Other(load(file).map_err(SpecError::Other)?),
                },
                book: given.choice("book") == "on",
                params,
            })))
        }),
    );
}
