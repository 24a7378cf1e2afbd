//! Monte Carlo tree search: selection, expansion, simulation, backpropagation (Fan and Yuan 2.1).

use gomoku::{Color, Point, Rule, zobrist::split_mix};
use player::SplitMix64;

use super::{
    Control, Found, Order, RootMove, Search,
    deepen::{iteration, with_rest},
};
use crate::{
    state::State,
    tree::{Over, Play, SearchTree},
};

/// How games are played to their end in a simulation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rollout {
    /// Any empty point.
    Uniform,
    /// Any empty point beside a stone.
    Near,
    /// A five if there is one, else a stop to the opponent's, else any empty point.
    Fives,
}

/// Upper confidence bounds applied to trees, with whole random games as evaluation.
#[derive(Debug)]
pub struct Mcts {
    /// Weight of the unexplored in the choice of a child.
    pub constant: f64,
    /// How simulations play.
    pub rollout: Rollout,
    /// Simulations a move.
    pub budget: u64,
    seed: u64,
    nodes: Vec<Node>,
}

#[derive(Debug)]
struct Node {
    point: Option<Point>,
    /// Set if the move to this node ended the game.
    over: Option<Over>,
    children: Vec<u32>,
    /// `None` until the node is first expanded.
    untried: Option<Vec<Point>>,
    visits: u32,
    /// Half points of the side that moved here.
    half_points: u32,
}

impl Node {
    fn new(point: Option<Point>, over: Option<Over>) -> Node {
        Node { point, over, children: Vec::new(), untried: None, visits: 0, half_points: 0 }
    }
}

impl Mcts {
    /// A search with this constant, rollout policy and number of simulations.
    pub fn new(constant: f64, rollout: Rollout, budget: u64) -> Mcts {
        Mcts { constant, rollout, budget, seed: 0, nodes: Vec::new() }
    }

    /// One simulation from the root.
    fn simulate(&mut self, play: &mut Play, rng: &mut SplitMix64, control: &mut Control<'_>) {
        let mut path = vec![0usize];
        // 1. Selection: down through children that have all been tried.
        let mut at = 0;
        loop {
            if self.nodes[at].over.is_some() {
                break;
            }
            let untried = self.untried(play, at, rng);
            if untried > 0 {
                // 2. Expansion: one child that has not been visited.
                at = self.expand(play, at, control);
                path.push(at);
                break;
            }
            let Some(child) = self.select(at) else { break };
            at = child;
            let point = self.nodes[at].point.expect("only the root has no move");
            if self.nodes[at].over.is_none() {
                play.play(point);
            }
            control.node();
            path.push(at);
        }
        // 3. Simulation: the game is played to its end. The last node of the path is on the board
        //    unless its move ended the game.
        let last = &self.nodes[at];
        let winner = match last.over {
            Some(Over::Win) => Some(play.state.to_move()),
            Some(Over::Draw) => None,
            None => {
                control.evaluation();
                rollout(play.state.clone(), last.point, self.rollout, rng, control)
            }
        };
        // 4. Backpropagation, taking the moves back.
        let root_side = play.me;
        for (ply, &node) in path.iter().enumerate().rev() {
            let mover = if ply % 2 == 1 { root_side } else { !root_side };
            let node = &mut self.nodes[node];
            node.visits += 1;
            node.half_points += match winner {
                Some(color) if color == mover => 2,
                Some(_) => 0,
                None => 1,
            };
            if let (Some(point), None) = (node.point, node.over) {
                play.undo(point);
            }
        }
    }

    /// Number of untried moves of a node, listed in random order on the first visit.
    fn untried(&mut self, play: &mut Play, at: usize, rng: &mut SplitMix64) -> usize {
        if self.nodes[at].untried.is_none() {
            let mut moves = play.list();
            rng.shuffle(&mut moves);
            self.nodes[at].untried = Some(moves);
        }
        self.nodes[at].untried.as_ref().map_or(0, Vec::len)
    }

    /// Tries the next move of a node; it is on the board afterwards unless it ended the game.
    fn expand(&mut self, play: &mut Play, at: usize, control: &mut Control<'_>) -> usize {
        let untried = self.nodes[at].untried.as_mut().expect("an expanded node has a list");
        let point = untried.pop().expect("there is an untried move");
        let over = play.over(point);
        let child = self.nodes.len();
        self.nodes.push(Node::new(Some(point), over));
        self.nodes[at].children.push(child as u32);
        control.node();
        if over.is_none() {
            play.play(point);
        }
        child
    }

    /// The child with the highest upper confidence bound; the first of equals.
    fn select(&self, at: usize) -> Option<usize> {
        let log = libm::log(f64::from(self.nodes[at].visits.max(1)));
        let bound = |child: u32| {
            let child = &self.nodes[child as usize];
            let visits = f64::from(child.visits.max(1));
            f64::from(child.half_points) / (2.0 * visits) + self.constant * (log / visits).sqrt()
        };
        let mut best: Option<(f64, u32)> = None;
        for &child in &self.nodes[at].children {
            let value = bound(child);
            if best.is_none_or(|(highest, _)| value > highest) {
                best = Some((value, child));
            }
        }
        best.map(|(_, child)| child as usize)
    }

    /// The most visited line from a child of the root.
    fn line(&self, mut at: usize) -> Vec<Point> {
        let mut line = Vec::new();
        while let Some(point) = self.nodes[at].point {
            line.push(point);
            let children = self.nodes[at].children.iter().rev();
            match children.max_by_key(|&&child| self.nodes[child as usize].visits) {
                Some(&child) => at = child as usize,
                None => break,
            }
        }
        line
    }
}

impl Search for Mcts {
    fn forget(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn search(&mut self, play: &mut Play, order: &Order, control: &mut Control<'_>) -> Found {
        let mut rng = SplitMix64::new(split_mix(self.seed ^ play.key()));
        rng.next_u64(); // recorded games were played without the first number
        self.nodes.clear();
        self.nodes.push(Node::new(None, None));
        let mut moves = order.moves.clone();
        rng.shuffle(&mut moves);
        self.nodes[0].untried = Some(moves);
        for _ in 0..self.budget {
            self.simulate(play, &mut rng, control);
            if control.stopped() {
                break;
            }
        }
        let mut moves = Vec::new();
        for &child in &self.nodes[0].children {
            let node = &self.nodes[child as usize];
            let visits = i64::from(node.visits.max(1));
            moves.push(RootMove {
                point: node.point.expect("only the root has no move"),
                value: Some(1000 * i64::from(node.half_points) / visits - 1000),
                line: self.line(child as usize),
                nodes: u64::from(node.visits),
            });
        }
        moves.sort_by_key(|found| std::cmp::Reverse((found.nodes, found.value)));
        let moves = with_rest(moves, order);
        let depth = moves.first().map_or(0, |best| best.line.len() as u32);
        let iterations = moves.first().map(|best| iteration(best, depth, 1, control));
        Found { depth, iterations: iterations.into_iter().collect(), moves, ..Found::default() }
    }
}

/// Plays a game to its end and says who won. `last` is the last move, if one is known.
fn rollout(
    mut state: State,
    mut last: Option<Point>,
    policy: Rollout,
    rng: &mut SplitMix64,
    control: &mut Control<'_>,
) -> Option<Color> {
    let mut free: Vec<Point> = state.empty().into_iter().collect();
    let mut before = None;
    let mut n_stones = 0;
    let winner = loop {
        if free.is_empty() {
            break None;
        }
        let at = pick(&state, &free, policy, last, before, rng);
        let point = free.swap_remove(at);
        if state.rule() == Rule::Renju && state.is_forbidden(point) {
            // A forbidden point is never played: Black passes it by, and it stays empty.
            continue;
        }
        n_stones += 1;
        if state.wins(point) {
            break Some(state.to_move());
        }
        state.place(point);
        (before, last) = (last, Some(point));
    };
    control.nodes(n_stones);
    winner
}

/// The number of the next point in the list of free ones.
fn pick(
    state: &State,
    free: &[Point],
    policy: Rollout,
    last: Option<Point>,
    before: Option<Point>,
    rng: &mut SplitMix64,
) -> usize {
    let any = rng.below(free.len() as u64) as usize;
    match policy {
        Rollout::Uniform => any,
        Rollout::Near => {
            let order = (any..free.len()).chain(0..any);
            order.into_iter().find(|&i| state.has_neighbor(free[i])).unwrap_or(any)
        }
        Rollout::Fives => {
            let me = state.to_move();
            let own = before.and_then(|stone| five_beside(state, stone, me));
            let five = own.or_else(|| last.and_then(|stone| five_beside(state, stone, !me)));
            five.and_then(|point| free.iter().position(|&p| p == point)).unwrap_or(any)
        }
    }
}

/// A point on a line with this stone where its color makes five.
fn five_beside(state: &State, stone: Point, color: Color) -> Option<Point> {
    let lines = state.lines();
    for place in lines.places(stone) {
        let line = state.line(place.line as usize);
        let window = (0x1ff << place.cell) >> 4;
        if (line.stones[color as usize] & window).count_ones() < 4 {
            continue;
        }
        let cells = u32::from(place.cell).saturating_sub(4)
            ..=(u32::from(place.cell) + 4).min(line.length - 1);
        for cell in cells {
            let point = lines.point(place.line as usize, cell);
            if state.is_empty_at(point) && state.is_win(point, color) {
                return Some(point);
            }
        }
    }
    None
}
