//! Judges positions and moves: the tables alone, or with a network on top.
//!
//! What an evaluation needs is kept from node to node. The sums of the tables follow every stone; the
//! network's pools, one for each side's view, are computed when they are first needed: the view of
//! the side to move to evaluate a node, both before a stone is placed on it.

use std::sync::{Arc, OnceLock};

use gomoku::{
    Board, ByColor, Color, Direction, Field, Observer, Point, PointSet, Rule, Rules, Shapes,
    Threat, with_rule,
};
use net::{Cells, FileError, Moves, Network, Pool};

use crate::{
    eval::{Sums, Weights},
    moves,
    params::{Params, Step},
    value::Value,
};

/// What is kept of a node for its evaluation and that of the nodes below it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Kept {
    sums: Sums,
    /// By the color that looks.
    pools: [Option<Pool>; 2],
}

/// A network and the tables that belong to it.
#[derive(Debug)]
pub(crate) struct Trained {
    pub(crate) network: Network,
    pub(crate) weights: Weights,
}

impl Trained {
    pub(crate) fn new(network: Network) -> Trained {
        let tables = Color::ALL.map(|color| &network.side(color).tables);
        Trained { weights: Weights::from_tables(tables), network }
    }

    /// The network of a rule that comes with the program. In a browser they are files of their own, and
    /// there is none until it is supplied.
    #[inline]
    fn shipped(rule: Rule) -> Option<&'static Trained> {
        SHIPPED[rule as usize].of(rule)
    }
}

/// By rule.
static SHIPPED: [Shipped; Rule::ALL.len()] = [const { Shipped(OnceLock::new()) }; Rule::ALL.len()];

struct Shipped(OnceLock<Trained>);

impl Shipped {
    #[cfg(not(target_family = "wasm"))]
    fn of(&self, rule: Rule) -> Option<&Trained> {
        const FILES: [&[u8]; Rule::ALL.len()] = [
            include_bytes!("../data/freestyle.net"),
            include_bytes!("../data/standard.net"),
            include_bytes!("../data/renju.net"),
            include_bytes!("../data/caro.net"),
            include_bytes!("../data/caro-exact.net"),
        ];
        Some(self.0.get_or_init(|| {
            let network = Network::from_bytes(FILES[rule as usize]);
            Trained::new(network.expect("the network is part of the program"))
        }))
    }

    #[cfg(target_family = "wasm")]
    fn of(&self, _: Rule) -> Option<&Trained> {
        self.0.get()
    }
}

/// Supplies a network that comes with the program but is a file of its own, as in a browser: from now on
/// it is the one of its rule, unless there is one already.
///
/// # Errors
/// When the bytes are no network.
pub fn supply_network(bytes: &[u8]) -> Result<(), FileError> {
    let network = Network::from_bytes(bytes)?;
    SHIPPED[network.rule() as usize].0.get_or_init(|| Trained::new(network));
    Ok(())
}

/// What the network that comes with the program says of a board, for the color that is to move; where
/// there is none, what the tables say. A network has never seen a five within reach, so a five or an
/// open four of the side to move counts as won, and the other side's five is stopped first.
pub fn evaluate(board: &Board, to_move: Color, rule: Rule) -> i64 {
    with_rule!(rule, R => evaluate_field(&mut Field::<R>::from_board(board, to_move)))
}

/// As good as won, for a search that sees no threats of its own.
const AS_GOOD_AS_WON: i64 = 4_000;

fn evaluate_field<R: Rules>(field: &mut Field<R>) -> i64 {
    let (us, them) = (field.to_move(), !field.to_move());
    if field.has(us, Threat::Five) {
        return AS_GOOD_AS_WON;
    }
    if field.has(them, Threat::Five) {
        let may_play = |point: &Point| us == Color::White || !field.is_forbidden(*point);
        let stop = moves::five_stops(field).iter().find(may_play);
        let Some(stop) = stop else { return -AS_GOOD_AS_WON };
        field.place(stop);
        return -evaluate_field(field);
    }
    if field.has(us, Threat::OpenFour) {
        return AS_GOOD_AS_WON;
    }
    i64::from(match Trained::shipped(R::RULE) {
        Some(trained) => trained.network.evaluate(field),
        None => {
            let weights = Weights::of(R::RULE);
            weights.evaluate(field, &weights.sums(field))
        }
    })
}

/// Which network judges.
#[derive(Clone, Debug, Default)]
pub enum NetChoice {
    /// The one that comes with the program.
    #[default]
    Shipped,
    /// None: the tables alone.
    Off,
    /// Another one, for positions of its own rule.
    Other(Arc<OtherNet>),
}

/// A network from outside the program.
#[derive(Debug)]
pub struct OtherNet(Trained);

impl OtherNet {
    /// A network to play with.
    pub fn new(network: Network) -> OtherNet {
        OtherNet(Trained::new(network))
    }
}

impl NetChoice {
    pub(crate) fn of(&self, rule: Rule) -> Option<&Trained> {
        match self {
            NetChoice::Shipped => Trained::shipped(rule),
            NetChoice::Off => None,
            NetChoice::Other(net) => Some(&net.0).filter(|net| net.network.rule() == rule),
        }
    }
}

/// Judges the positions of one search.
#[derive(Clone, Debug)]
pub(crate) struct Judge<'a> {
    /// The tables of values, and those of moves.
    weights: [&'a Weights; 2],
    net: Option<Net<'a>>,
}

#[derive(Clone, Debug)]
struct Net<'a> {
    network: &'a Network,
    cells: Cells,
    moves: Moves,
    /// Whether the network judges positions, and moves; else the tables made without it do.
    has_values: bool,
    has_policy: bool,
}

impl<'a> Judge<'a> {
    /// A judge for a search that begins here, and what it keeps of the root.
    pub(crate) fn new<R: Rules>(
        trained: Option<&'a Trained>,
        params: &Params,
        field: &Field<R>,
    ) -> (Self, Kept) {
        let (has_values, has_policy) = (params.has(Step::NetValue), params.has(Step::NetPolicy));
        let weights = [has_values, has_policy].map(|has| match trained {
            Some(trained) if has => &trained.weights,
            _ => Weights::of(R::RULE),
        });
        let mut kept = Kept { sums: weights[0].sums(field), pools: [None; 2] };
        let net = trained.map(|Trained { network, .. }| {
            let (cells, empty) = (Cells::of(field), field.board().empty());
            kept.pools = Color::ALL.map(|us| Some(network.pool(us, &cells, &empty, field.size())));
            Net { network, cells, moves: Moves::default(), has_values, has_policy }
        });
        (Judge { weights, net }, kept)
    }

    /// Places a stone from the node that `before` and `here` belong to (the last one and this one).
    #[inline]
    pub(crate) fn place<R: Rules>(
        &mut self,
        field: &mut Field<R>,
        point: Point,
        before: Option<&Kept>,
        (here, next): (&mut Kept, &mut Kept),
    ) {
        self.complete(before, here);
        next.sums = here.sums;
        next.pools = [None; 2];
        let (weights, sums) = (self.weights[0], &mut next.sums);
        match &mut self.net {
            None => field.place_observed(point, &mut Keep { weights, sums }),
            Some(net) => {
                net.cells.place(point);
                let cells = &mut net.cells;
                field.place_observed(point, &mut KeepAll { keep: Keep { weights, sums }, cells });
            }
        }
    }

    /// The last stone was taken back.
    #[inline]
    pub(crate) fn undo(&mut self) {
        if let Some(net) = &mut self.net {
            net.cells.undo();
        }
    }

    /// All stones since the root were taken back.
    pub(crate) fn rewind(&mut self) {
        if let Some(net) = &mut self.net {
            net.cells.rewind();
        }
    }

    /// The move is handed over without a stone.
    pub(crate) fn pass(&self, before: Option<&Kept>, (here, next): (&mut Kept, &mut Kept)) {
        self.complete(before, here);
        *next = *here;
    }

    /// Computes the pools of the node that the board stands on, for both views.
    #[inline]
    fn complete(&self, before: Option<&Kept>, here: &mut Kept) {
        if let Some(net) = self.net.as_ref().filter(|net| net.has_values) {
            for color in Color::ALL {
                net.pool(color, before, here);
            }
        }
    }

    /// The evaluation of the node that the board stands on.
    #[inline]
    pub(crate) fn evaluate<R: Rules>(
        &self,
        field: &Field<R>,
        before: Option<&Kept>,
        here: &mut Kept,
    ) -> Value {
        let value = self.weights[0].evaluate(field, &here.sums);
        let net = self.net.as_ref().filter(|net| net.has_values);
        let Some(net) = net else { return Value::eval(value) };
        let us = field.to_move();
        let pool = net.pool(us, before, here);
        Value::eval(value + net.network.value(us, &pool))
    }

    /// Gets ready to be asked for the scores of these moves.
    #[inline]
    pub(crate) fn look_at<R: Rules>(&mut self, field: &Field<R>, points: &PointSet) {
        if let Some(Net { network, cells, moves, has_policy: true, .. }) = &mut self.net {
            let empty = field.board().empty();
            network.score_moves(field.to_move(), cells, &empty, (points, field.size()), moves);
        }
    }

    /// How promising one of these moves looks.
    #[inline(always)]
    pub(crate) fn policy<R: Rules>(&self, field: &Field<R>, point: Point) -> i32 {
        let linear = self.weights[1].policy(field, point);
        let net = self.net.as_ref().filter(|net| net.has_policy);
        net.map_or(linear, |net| linear + net.moves.score(point))
    }

    /// How promising a single move looks.
    pub(crate) fn policy_alone<R: Rules>(&mut self, field: &Field<R>, point: Point) -> i32 {
        self.look_at(field, &[point].into_iter().collect());
        self.policy(field, point)
    }
}

impl Net<'_> {
    #[inline]
    fn pool(&self, color: Color, before: Option<&Kept>, here: &mut Kept) -> Pool {
        *here.pools[color as usize].get_or_insert_with(|| {
            let before = before.and_then(|kept| kept.pools[color as usize].as_ref());
            let before = before.expect("the node above was completed before a stone was placed");
            self.network.pool_after(color, before, &self.cells)
        })
    }
}

/// Keeps the sums up to date while a stone is placed.
struct Keep<'a> {
    weights: &'a Weights,
    sums: &'a mut Sums,
}

impl Observer for Keep<'_> {
    #[inline(always)]
    fn changed(&mut self, color: Color, _: Point, old: Shapes, new: Shapes) {
        self.weights.change(self.sums, color, old, new);
    }

    #[inline(always)]
    fn occupied(&mut self, _: Point, old: ByColor<Shapes>) {
        Color::ALL.into_iter().for_each(|color| self.weights.remove(self.sums, color, old[color]));
    }

    #[inline(always)]
    fn emptied(&mut self, _: Point, _: ByColor<Shapes>) {}
}

/// Keeps the sums and the rows.
struct KeepAll<'a> {
    keep: Keep<'a>,
    cells: &'a mut Cells,
}

impl Observer for KeepAll<'_> {
    #[inline(always)]
    fn changed(&mut self, color: Color, point: Point, old: Shapes, new: Shapes) {
        self.keep.changed(color, point, old, new);
    }

    #[inline(always)]
    fn occupied(&mut self, point: Point, old: ByColor<Shapes>) {
        self.keep.occupied(point, old);
    }

    #[inline(always)]
    fn emptied(&mut self, _: Point, _: ByColor<Shapes>) {}

    #[inline(always)]
    fn window_changed(&mut self, point: Point, direction: Direction, window: u16) {
        self.cells.window_changed(point, direction, window);
    }
}

#[cfg(test)]
mod tests {
    use gomoku::Position;

    use super::*;

    #[test]
    fn what_is_kept_is_what_is_computed() {
        for rule in Rule::ALL {
            with_rule!(rule, R => {
                let mut field = Field::<R>::from_position(&Position::new(rule, 9));
                let trained = Trained::shipped(rule);
                assert!(trained.is_some());
                let params = Params::default();
                let (mut judge, mut here) = Judge::new(trained, &params, &field);
                let mut before = None;
                let mut random = 1;
                for _ in 0..60 {
                    random = gomoku::zobrist::split_mix(random);
                    let empty = field.board().empty();
                    let point = empty.iter().nth(random as usize % empty.len()).unwrap();
                    let mut next = Kept::default();
                    judge.place(&mut field, point, before.as_ref(), (&mut here, &mut next));
                    (before, here) = (Some(here), next);
                    let found = judge.evaluate(&field, before.as_ref(), &mut here);
                    let (fresh, mut kept) = Judge::new(trained, &params, &field);
                    assert_eq!(here.sums, kept.sums);
                    assert_eq!(found, fresh.evaluate(&field, None, &mut kept));
                    if let Some(Trained { network, .. }) = trained {
                        assert_eq!(found, Value::eval(network.evaluate(&field)));
                    }
                }
            });
        }
    }
}
