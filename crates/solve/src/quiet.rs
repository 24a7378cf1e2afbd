//! Wins that need moves which threaten nothing at once.
//!
//! A *quiet* move is answered by any point of the board, so a win with `n` quiet moves is a tree
//! whose inner turns list every reply and whose leaves are forced wins. Three things keep it small.
//! A quiet move is tried only if the attacker would win by force should the defender pass; the tree
//! of that win then answers every reply that does not disturb it, which is found out by replaying
//! it ([`replay`](crate::replay)). The tree found for one of the other replies is replayed for the
//! rest of them in the same way. And a move that answered one reply is the first to be tried
//! against the next, as is a move that won in a position that differs by little.
//!
//! No theory of zones is relied upon: a reply goes without an answer of its own only if an answer
//! given to another was seen to win against it.

mod examples;
#[cfg(not(target_arch = "wasm32"))]
mod guided;
#[cfg(not(target_arch = "wasm32"))]
mod workers;

use std::{collections::BTreeMap, io};

use gomoku::{
    Color, Field, Point, PointSet, Position, Rule, Rules, Shape, Symmetry, Threat, with_rule,
};
use player::{Limits, Player, Task, Watch};

use self::examples::Examples;
#[cfg(not(target_arch = "wasm32"))]
pub use self::guided::{Guidance, GuidedProgress};
use crate::{
    forcing,
    proof::ProofStream,
    replay,
    solver::{Finding, Kind, Solver},
    tree::{Attack, Defense, Root, WinTree},
};

/// How hard to try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Quiet moves in a line, at most.
    pub quiet: u32,
    /// Nodes for each search for a forced win.
    pub nodes: u64,
    /// Quiet moves tried at each turn.
    pub candidates: usize,
}

/// Efforts that grow, up to this many quiet moves.
pub fn efforts(quiet: u32) -> Vec<Effort> {
    let step = |(quiet, nodes, candidates)| Effort { quiet, nodes, candidates };
    let steps = [
        (0, 20_000, 0),
        (1, 5_000, 8),
        (2, 20_000, 10),
        (3, 50_000, 12),
        (4, 150_000, 14),
        (5, 500_000, 16),
    ];
    let mut all: Vec<Effort> = steps.into_iter().filter(|step| step.0 <= quiet).map(step).collect();
    if quiet > 5 {
        all.push(step((quiet, 2_000_000, 20)));
    }
    // What won elsewhere is tried in earnest before the search is widened.
    if let Some(&most) = all.last().filter(|most| most.quiet > 1) {
        all.insert(1, Effort { candidates: 0, ..most });
    }
    all
}

/// The efforts that suffice to prove a book again, whose decisions are remembered: nothing is tried
/// but those.
pub fn book_efforts() -> [Effort; 2] {
    [
        Effort { quiet: 0, nodes: 20_000, candidates: 0 },
        Effort { quiet: 20, nodes: 500_000, candidates: 0 },
    ]
}

/// A decision: in a position, the attacker plays this quiet move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The stones and the side to move, turned to the least of their eight images.
    pub position: Position,
    /// The move in that image.
    pub point: Point,
}

/// Why a text is not a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecisionError(String);

impl std::fmt::Display for DecisionError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "Expected a position and a move, such as 'b:h8,g9 w:i9,a1 b f8', found '{}'.",
            self.0
        )
    }
}

impl std::error::Error for DecisionError {}

impl Decision {
    /// One line of a log.
    pub fn to_text(&self) -> String {
        format!("{} {}", self.position.to_text(), self.point)
    }

    /// Reads a line of a log.
    ///
    /// # Errors
    /// If it is not a position followed by a move that can be played there.
    pub fn parse(text: &str, rule: Rule, size: u8) -> Result<Decision, DecisionError> {
        let error = || DecisionError(text.chars().take(80).collect());
        let (position, point) = text.trim().rsplit_once(' ').ok_or_else(error)?;
        let position = Position::parse(position, rule, size).map_err(|_| error())?;
        let point: Point = point.parse().map_err(|_| error())?;
        if position.is_legal(point) { Ok(Decision { position, point }) } else { Err(error()) }
    }
}

/// Proves wins with quiet moves under one rule, and remembers the decisions that led to them.
pub struct Prover<'a> {
    solver: Solver,
    /// Suggests moves, if there is one.
    player: Option<&'a mut dyn Player>,
    /// Told of each new decision, to be appended to a log.
    on_decision: Box<dyn FnMut(&Decision) + Send + 'a>,
    /// Quiet moves known to win, by the text of the position.
    known: BTreeMap<String, Point>,
    /// Decisions of this and of other proofs, for positions like theirs.
    examples: Examples,
    /// The most that has been tried in vain, by the text of the position.
    failed: BTreeMap<String, Effort>,
    /// How often a reply has refuted a quiet move, by point.
    refutations: BTreeMap<Point, u32>,
    /// Decisions that other workers have not heard of.
    fresh: Vec<Decision>,
    nodes: u64,
}

/// A win, and whether it is made of fours and threats alone.
struct Found {
    attack: Attack,
    forcing: bool,
}

impl<'a> Prover<'a> {
    /// A prover with a table of this many megabytes.
    pub fn new(megabytes: usize) -> Prover<'a> {
        Prover {
            solver: Solver::new(megabytes),
            player: None,
            on_decision: Box::new(|_| ()),
            known: BTreeMap::new(),
            examples: Examples::default(),
            failed: BTreeMap::new(),
            refutations: BTreeMap::new(),
            fresh: Vec::new(),
            nodes: 0,
        }
    }

    /// Lets a player suggest moves.
    pub fn with_player(self, player: &'a mut dyn Player) -> Prover<'a> {
        Prover { player: Some(player), ..self }
    }

    /// Is told of each decision when its win has been proved.
    pub fn with_log(self, log: impl FnMut(&Decision) + Send + 'a) -> Prover<'a> {
        Prover { on_decision: Box::new(log), ..self }
    }

    /// Takes up a decision proved earlier. It is tried first, and proved again.
    pub fn remember(&mut self, decision: &Decision) {
        self.known.insert(decision.position.to_text(), decision.point);
        self.examples.add(decision);
    }

    /// Takes a decision of another proof as an example: its move is among the first to be tried in
    /// positions that differ by little.
    pub fn learn(&mut self, decision: &Decision) {
        self.examples.add(decision);
    }

    /// Stones placed in search so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Proves that the side to move wins, at this effort; `None` if that was not enough.
    pub fn prove(
        &mut self,
        position: &Position,
        effort: Effort,
        watch: &dyn Watch,
    ) -> Option<WinTree> {
        with_rule!(position.rule(), R => {
            let mut field = Field::<R>::from_position(position);
            let found = self.attack(&mut field, effort, &[], watch)?;
            Some(tree(position, found.attack))
        })
    }

    /// Proves that this move of the side to move wins, at efforts that grow. All replies are
    /// examined even if a pass would not lose.
    pub fn prove_move(
        &mut self,
        position: &Position,
        point: Point,
        efforts: &[Effort],
        watch: &dyn Watch,
    ) -> Option<WinTree> {
        with_rule!(position.rule(), R => {
            let mut field = Field::<R>::from_position(position);
            field.place(point);
            let defense = self.answers(&mut field, efforts, watch)?;
            Some(tree(position, Attack::Move(point, Box::new(defense))))
        })
    }

    /// Proves like [`prove_move`](Prover::prove_move) and writes the proof file as it goes, keeping
    /// no more than the answer to one reply. The claim of so many plies comes first in the file, so
    /// it must be known beforehand; the longest line is returned.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn stream_move(
        &mut self,
        position: &Position,
        point: Point,
        efforts: &[Effort],
        claim: u32,
        watch: &dyn Watch,
        out: &mut dyn io::Write,
    ) -> io::Result<Option<Vec<Point>>> {
        let (rule, side) = (position.rule(), position.to_move());
        let mut stream = ProofStream::start(out, rule, position.board(), side, claim);
        stream.first(point);
        let mut written = Ok(());
        let mut take = |group: (Vec<Point>, Attack)| {
            if written.is_ok() {
                written = stream.group(&group.0, &group.1);
            }
        };
        let (default, done) = with_rule!(rule, R => {
            let mut field = Field::<R>::from_position(position);
            field.place(point);
            let default = self.after_a_pass(&mut field, efforts, watch);
            let done = self.each_answer(&mut field, default.as_ref(), efforts, watch, &mut take);
            (default, done)
        });
        written?;
        if done.is_none() {
            return Ok(None);
        }
        stream.finish(default.as_ref()).map(Some)
    }

    fn attack<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        effort: Effort,
        hints: &[Point],
        watch: &dyn Watch,
    ) -> Option<Found> {
        if watch.stopped() {
            return None;
        }
        let (text, symmetry) = canonical(field);
        let size = field.size();
        let known = self.known.get(&text).map(|&p| symmetry.inverse().apply(p, size));
        if let Some(point) = known.filter(|_| effort.quiet > 0)
            && let Some(attack) = self.quiet(field, point, effort, watch)
        {
            return Some(Found { attack, forcing: false });
        }
        if let Some(attack) = self.forced(field, effort.nodes, watch) {
            return Some(Found { attack, forcing: true });
        }
        let hopeless = |tried: &Effort| {
            tried.quiet >= effort.quiet
                && tried.nodes >= effort.nodes
                && tried.candidates >= effort.candidates
        };
        if effort.quiet == 0 || self.failed.get(&text).is_some_and(hopeless) {
            return None;
        }
        for point in self.candidates(field, effort, hints, watch) {
            if let Some(attack) = self.quiet(field, point, effort, watch) {
                self.decide(field, &text, symmetry, point);
                return Some(Found { attack, forcing: false });
            }
        }
        if !watch.stopped() {
            self.failed.insert(text, effort);
        }
        None
    }

    /// Writes a decision down.
    fn decide<R: Rules>(&mut self, field: &Field<R>, text: &str, symmetry: Symmetry, point: Point) {
        let board = field.board().transformed(symmetry);
        let position = Position::from_board(R::RULE, board, field.to_move());
        let decision = Decision { position, point: symmetry.apply(point, field.size()) };
        self.known.insert(text.to_owned(), decision.point);
        self.examples.add(&decision);
        (self.on_decision)(&decision);
        self.fresh.push(decision);
    }

    /// A win by fours and threats for the side to move.
    fn forced<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        nodes: u64,
        watch: &dyn Watch,
    ) -> Option<Attack> {
        let attacker = field.to_move();
        for kind in [Kind::Vcf, Kind::Vct] {
            let limits = Limits::nodes(nodes);
            let answer = self.solver.solve_field(field, attacker, kind, &limits, watch);
            self.nodes += answer.nodes;
            if let Finding::Win(win) = answer.finding
                && let Root::Attack(attack) = win.tree.root
            {
                return Some(attack);
            }
        }
        None
    }

    /// The tree that begins with this quiet move.
    fn quiet<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        point: Point,
        effort: Effort,
        watch: &dyn Watch,
    ) -> Option<Attack> {
        let attacker = field.to_move();
        if !field.board().is_empty_at(point) || !forcing::is_legal(field, attacker, point) {
            return None;
        }
        field.place(point);
        let efforts = [Effort { quiet: effort.quiet - 1, ..effort }];
        let defense = self.answers_if_threatening(field, &efforts, watch);
        field.undo();
        Some(Attack::Move(point, Box::new(defense?)))
    }

    /// The answers to every reply, if a pass would lose.
    fn answers_if_threatening<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        efforts: &[Effort],
        watch: &dyn Watch,
    ) -> Option<Defense> {
        if field.has(!field.to_move(), Threat::Five) || field.has(field.to_move(), Threat::Five) {
            // A four answers itself, and a five of the defender ends it.
            return self.answers(field, efforts, watch);
        }
        let default = self.after_a_pass(field, efforts, watch)?;
        self.answers_besides(field, Some(default), efforts, watch)
    }

    fn answers<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        efforts: &[Effort],
        watch: &dyn Watch,
    ) -> Option<Defense> {
        let default = self.after_a_pass(field, efforts, watch);
        self.answers_besides(field, default, efforts, watch)
    }

    fn after_a_pass<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        efforts: &[Effort],
        watch: &dyn Watch,
    ) -> Option<Attack> {
        let nodes = efforts.first()?.nodes;
        field.pass();
        let attack = self.forced(field, nodes, watch);
        field.undo();
        attack
    }

    /// The answers to every reply, most of them perhaps by a default.
    fn answers_besides<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        default: Option<Attack>,
        efforts: &[Effort],
        watch: &dyn Watch,
    ) -> Option<Defense> {
        let mut groups = Vec::new();
        self.each_answer(field, default.as_ref(), efforts, watch, &mut |group| groups.push(group))?;
        Some(Defense { groups, default })
    }

    /// The legal replies that the default does not answer; `None` if the defender makes five.
    fn open_replies<R: Rules>(
        &self,
        field: &mut Field<R>,
        default: Option<&Attack>,
    ) -> Option<PointSet> {
        let defender = field.to_move();
        if field.has(defender, Threat::Five) {
            return None;
        }
        let open = field.board().empty();
        let open = open.iter().filter(|&reply| forcing::is_legal(field, defender, reply)).collect();
        Some(default.map_or(open, |attack| self.not_answered(field, &open, attack)))
    }

    /// Finds an answer to each reply besides the default, and hands it on as soon as it is there,
    /// with the replies that it serves.
    fn each_answer<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        default: Option<&Attack>,
        efforts: &[Effort],
        watch: &dyn Watch,
        take: &mut dyn FnMut((Vec<Point>, Attack)),
    ) -> Option<()> {
        let mut open = self.open_replies(field, default)?;
        let mut hints: Vec<Point> = Vec::new();
        while let Some(reply) = self.next_reply(&open) {
            open.remove(reply);
            field.place(reply);
            let found =
                efforts.iter().find_map(|&effort| self.attack(field, effort, &hints, watch));
            field.undo();
            let Some(Found { attack, forcing }) = found else {
                self.refute(reply);
                return None;
            };
            let mut replies = vec![reply];
            if forcing {
                let left = self.not_answered(field, &open, &attack);
                replies.extend(open - left);
                open = left;
            } else {
                hints.retain(|&hint| hint != attack.point());
                hints.insert(0, attack.point());
            }
            take((replies, attack));
        }
        Some(())
    }

    /// The replies against which a tree does not win.
    fn not_answered<R: Rules>(
        &self,
        field: &mut Field<R>,
        replies: &PointSet,
        attack: &Attack,
    ) -> PointSet {
        let attacker = !field.to_move();
        let fails = |&reply: &Point| {
            field.place(reply);
            let wins = replay::wins(field, attacker, attack);
            field.undo();
            !wins
        };
        replies.iter().filter(fails).collect()
    }

    /// Remembers that a reply refuted a quiet move.
    fn refute(&mut self, reply: Point) {
        *self.refutations.entry(reply).or_default() += 1;
    }

    /// The reply to look at next: the one that has refuted most.
    fn next_reply(&self, open: &PointSet) -> Option<Point> {
        let count = |point: &Point| self.refutations.get(point).copied().unwrap_or(0);
        open.iter().min_by_key(|point| (std::cmp::Reverse(count(point)), point.index()))
    }

    /// The quiet moves to try, the most promising first.
    fn candidates<R: Rules>(
        &mut self,
        field: &Field<R>,
        effort: Effort,
        hints: &[Point],
        watch: &dyn Watch,
    ) -> Vec<Point> {
        let (side, board) = (field.to_move(), field.board());
        if field.has(!side, Threat::Five) {
            return forcing::stops(field, !side).iter().collect();
        }
        let mut found = self.examples.suggest(board, side);
        found.extend(hints.iter().take(4));
        if let Some(player) = &mut self.player {
            let position = Position::from_board(R::RULE, *board, side);
            let mut task = Task::new(position, Limits::nodes(effort.nodes));
            task.multi_pv = effort.candidates.min(5);
            let choice = player.choose(&task, watch);
            found.extend(choice.candidates.iter().map(|candidate| candidate.point));
        }
        let near = board.occupied().grow(field.size()).grow(field.size()) - board.occupied();
        let mut liked: Vec<(u32, Point)> = near.iter().map(|p| (liking(field, p), p)).collect();
        liked.sort_by_key(|&(liking, point)| (std::cmp::Reverse(liking), point.index()));
        found.extend(liked.into_iter().take(effort.candidates).map(|(_, point)| point));
        let mut seen = PointSet::EMPTY;
        found.retain(|&point| {
            let new = !seen.contains(point) && board.is_empty_at(point);
            seen.insert(point);
            new
        });
        found
    }
}

/// The tree of a win that begins so.
fn tree(position: &Position, attack: Attack) -> WinTree {
    let (rule, board, attacker) = (position.rule(), *position.board(), position.to_move());
    WinTree { rule, board, attacker, root: Root::Attack(attack) }
}

/// How promising a quiet move looks: what it makes of its lines for both sides.
fn liking<R: Rules>(field: &Field<R>, point: Point) -> u32 {
    let side = field.to_move();
    let weigh = |color: Color, factor: u32| -> u32 {
        let shapes = field.shapes(color, point).to_array();
        factor * shapes.into_iter().map(weight).sum::<u32>()
    };
    weigh(side, 3) + weigh(!side, 2)
}

const fn weight(shape: Shape) -> u32 {
    match shape {
        Shape::None | Shape::Overline => 0,
        Shape::BlockedOne => 1,
        Shape::FreeOne => 3,
        Shape::BlockedTwo => 3,
        Shape::FreeTwo => 8,
        Shape::WideTwo => 10,
        Shape::BroadTwo => 12,
        Shape::BlockedThree => 10,
        Shape::OpenThree | Shape::WideThree => 25,
        Shape::Four => 20,
        Shape::OpenFour | Shape::Five => 100,
    }
}

/// The text of the least image of a position, and the symmetry that leads to it.
fn canonical<R: Rules>(field: &Field<R>) -> (String, Symmetry) {
    let (board, symmetry) = field.board().canonical();
    (Position::from_board(R::RULE, board, field.to_move()).to_text(), symmetry)
}

impl std::fmt::Debug for Prover<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prover").field("known", &self.known.len()).finish_non_exhaustive()
    }
}
