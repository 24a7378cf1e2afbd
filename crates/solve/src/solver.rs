//! The questions that can be asked, and their answers.

use gomoku::{Color, Field, Point, Position, Rule, Rules, with_rule, zobrist::split_mix};
use player::{
    Candidate, Choice, Counters, Iteration, Limits, PlayerReply, Progress, Proof, Reason, Score,
    Watch,
};

use crate::{
    search::{Budget, Search, Stack},
    table::{Numbers, Table},
    tree::{Root, WinTree},
};

/// What the attacker may play; see the [crate](crate) for the exact definitions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Victory by continuous fours.
    Vcf,
    /// Victory by continuous threats: fours, and moves that threaten to win in three plies.
    Vct,
}

/// Nodes for one kind before the other gets its turn.
const LADDER: [u64; 6] = [2_000, 20_000, 300_000, 5_000_000, 100_000_000, u64::MAX];

/// What was found, and what it cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SolverAnswer {
    /// What was found.
    pub finding: Finding,
    /// Stones placed in search.
    pub nodes: u64,
}

/// A win, the proof that there is none of this kind, or neither.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The attacker wins, and this is how.
    Win(Box<Win>),
    /// There is no win of the kind asked for. There may be one of another kind.
    NoWin,
    /// Not settled within the limits.
    Unknown,
}

/// A forced win with its tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Win {
    /// Every move and every answer.
    pub tree: WinTree,
    /// The win comes within this many plies.
    pub plies: u32,
}

impl Win {
    pub(crate) fn of(tree: WinTree) -> Win {
        Win { plies: tree.plies(), tree }
    }

    /// The attacker's first move, if he is to move.
    pub fn point(&self) -> Option<Point> {
        match &self.tree.root {
            Root::Attack(attack) => Some(attack.point()),
            Root::Defense(_) => None,
        }
    }

    /// A longest line.
    pub fn line(&self) -> Vec<Point> {
        self.tree.line()
    }

    /// The proof file.
    pub fn proof(&self) -> Proof {
        self.tree.proof()
    }

    /// The choice of its first move, told to the watch as a finished iteration; `None` if the defender
    /// is to move.
    pub fn choice(&self, counters: Counters, watch: &dyn Watch) -> Option<Choice> {
        let point = self.point()?;
        let score = Score::win_in(self.plies);
        let candidate = Candidate {
            score: Some(score),
            depth: self.plies,
            nodes: counters.nodes,
            line: self.line(),
            ..Candidate::new(point)
        };
        let iteration = Iteration { depth: self.plies, best: point, score, counters };
        watch.progress(&Progress {
            depth: self.plies,
            depth_max: self.plies,
            counters,
            candidates: vec![candidate.clone()],
            finished: Some(iteration.clone()),
        });
        Some(Choice {
            reply: PlayerReply::Move(point),
            score: Some(score),
            depth: self.plies,
            counters,
            candidates: vec![candidate],
            iterations: vec![iteration],
            proof: Some(self.proof()),
            ..Choice::of(point, if self.plies == 1 { Reason::Win } else { Reason::Proof })
        })
    }
}

impl From<WinTree> for Win {
    fn from(tree: WinTree) -> Win {
        Win::of(tree)
    }
}

impl SolverAnswer {
    /// The win, if one was found.
    pub fn win(&self) -> Option<&Win> {
        match &self.finding {
            Finding::Win(win) => Some(win),
            _ => None,
        }
    }

    /// Whether it is proved that there is no win of the kind asked for.
    pub fn is_no_win(&self) -> bool {
        self.finding == Finding::NoWin
    }
}

/// Finds forced wins, keeping what it learns in a table between questions.
///
/// ```
/// use gomoku::{Color, Position, Rule};
/// use player::{Limits, Unwatched};
/// let position = Position::parse("h8h9i8i9j8a1", Rule::Freestyle, 15).unwrap();
/// let (kind, limits) = (solve::Kind::Vcf, Limits::nodes(1000));
/// let mut solver = solve::Solver::new(1);
/// let answer = solver.solve(&position, Color::Black, kind, &limits, &Unwatched);
/// assert_eq!(answer.win().map(|win| win.plies), Some(3));
/// ```
#[derive(Debug)]
pub struct Solver {
    table: Table,
    stack: Stack,
    /// What is in the table is true under this rule.
    rule: Option<Rule>,
}

impl Solver {
    /// A solver with a table of this many megabytes.
    pub fn new(megabytes: usize) -> Solver {
        Solver { table: Table::new(megabytes), stack: Stack::default(), rule: None }
    }

    /// Looks for a win of the attacker, whoever is to move. Nobody has won on this board yet. Of
    /// the limits those on nodes and time count.
    ///
    /// With the defender to move there is a win only if something is threatened already; to ask
    /// what a side could do if it were its turn, make it the side to move.
    pub fn solve(
        &mut self,
        position: &Position,
        attacker: Color,
        kind: Kind,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> SolverAnswer {
        with_rule!(position.rule(), R => {
            let mut field = Field::<R>::from_position(position);
            self.solve_field(&mut field, attacker, kind, limits, watch)
        })
    }

    /// Like [`solve`](Solver::solve); the field is left as it was.
    pub(crate) fn solve_field<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        attacker: Color,
        kind: Kind,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> SolverAnswer {
        let most = limits.nodes.unwrap_or(u64::MAX);
        let mut budget = Budget::new(most, limits.hard_time(), watch);
        self.table.grow_older();
        let board = *field.board();
        let mut search = self.search(field, attacker, kind, &mut budget);
        let mut numbers = search.glance();
        let mut root = None;
        if !numbers.is_settled() {
            root = search.few_fours();
            numbers = if root.is_none() { search.run().numbers } else { Numbers::PROVED };
        }
        let finding = match numbers {
            _ if numbers.is_disproved() => Finding::NoWin,
            _ if numbers.is_proved() => {
                let root = root.or_else(|| search.explain());
                root.map_or(Finding::Unknown, |root| {
                    let tree = WinTree { rule: R::RULE, board, attacker, root };
                    Finding::Win(Box::new(Win::of(tree)))
                })
            }
            _ => Finding::Unknown,
        };
        SolverAnswer { finding, nodes: budget.nodes }
    }

    /// Looks for a win of either kind, with growing limits for one and the other in turn: fours
    /// alone give shorter proofs. *No win* is said of threats, fours included.
    pub fn any(
        &mut self,
        position: &Position,
        attacker: Color,
        limits: &Limits,
        watch: &dyn Watch,
    ) -> SolverAnswer {
        let most = limits.nodes.unwrap_or(u64::MAX);
        let deadline = limits.hard_time().map(|time| watch.elapsed().saturating_add(time));
        let mut nodes = 0;
        let mut open = vec![Kind::Vcf, Kind::Vct];
        for step in LADDER {
            for kind in open.clone() {
                let time = deadline.map(|deadline| deadline.saturating_sub(watch.elapsed()));
                let nodes_left = step.min(most - nodes);
                let limits = Limits { nodes: Some(nodes_left), turn: time, ..Limits::default() };
                let answer = self.solve(position, attacker, kind, &limits, watch);
                nodes += answer.nodes.min(most - nodes);
                match (kind, &answer.finding) {
                    (_, Finding::Win(_)) | (Kind::Vct, Finding::NoWin) => {
                        return SolverAnswer { nodes, ..answer };
                    }
                    (Kind::Vcf, Finding::NoWin) => open.retain(|&kind| kind != Kind::Vcf),
                    (_, Finding::Unknown) => {}
                }
                if watch.stopped() || nodes >= most || time.is_some_and(|time| time.is_zero()) {
                    return SolverAnswer { finding: Finding::Unknown, nodes };
                }
            }
        }
        SolverAnswer { finding: Finding::Unknown, nodes }
    }

    pub(crate) fn search<'a, 'w, R: Rules>(
        &'a mut self,
        field: &'a mut Field<R>,
        attacker: Color,
        kind: Kind,
        budget: &'a mut Budget<'w>,
    ) -> Search<'a, 'w, R> {
        if self.rule.replace(R::RULE).is_some_and(|rule| rule != R::RULE) {
            self.table.clear();
        }
        let salt = salt(kind, attacker, field.size());
        let (table, stack) = (&mut self.table, &mut self.stack);
        Search { field, table, stack, budget, attacker, kind, salt, failures: None }
    }
}

/// Tells the questions apart in the table.
pub(crate) fn salt(kind: Kind, attacker: Color, size: u8) -> u64 {
    split_mix(0x736f_6c76 << 32 | u64::from(size) << 16 | (kind as u64) << 8 | attacker as u64)
}

/// Answers one question about a position with a solver made for it; no kind means
/// [any](Solver::any). The attacker is the side to move.
///
/// There is nothing to win in a game that is over: that is *no win*.
pub fn solve_position(
    position: &Position,
    kind: Option<Kind>,
    megabytes: usize,
    limits: &Limits,
    watch: &dyn Watch,
) -> SolverAnswer {
    if position.outcome().is_some() {
        return SolverAnswer { finding: Finding::NoWin, nodes: 0 };
    }
    let (mut solver, attacker) = (Solver::new(megabytes), position.to_move());
    match kind {
        Some(kind) => solver.solve(position, attacker, kind, limits, watch),
        None => solver.any(position, attacker, limits, watch),
    }
}
