//! Balance: the next stone or two after which neither side is ahead, for opening protocols such as
//! swap2, where the opponent then chooses a color.

use gomoku::{Point, PointSet, Rules};

use crate::{
    PLY,
    node::Pv,
    search::{Stopped, Worker},
    value::Value,
};

/// Stones to place, and what the position is then worth to the side that moves next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Offer {
    pub(crate) stones: Vec<Point>,
    pub(crate) value: Value,
    /// Plies searched.
    pub(crate) depth: u32,
}

impl Offer {
    fn distance(&self, bias: Value) -> i32 {
        (self.value - bias).abs()
    }
}

/// Offers that are searched at all, out of all that are evaluated.
const SEARCHED: usize = 32;
/// Offers that are searched at every depth.
const KEPT: usize = 4;

impl<R: Rules> Worker<'_, R> {
    /// The offers nearest to `bias`, best first, until a limit says stop. Starts from the root moves.
    pub(crate) fn balance(&mut self, two: bool, bias: Value, depth_max: u32) -> Vec<Offer> {
        let mut offers = self.offers(two);
        offers.sort_by_key(|offer| offer.distance(bias));
        offers.truncate(SEARCHED);
        for depth in 1..=depth_max {
            self.root_depth = depth as i32;
            let mut deeper = offers.clone();
            if self.compare(&mut deeper, bias, depth).is_err() {
                break;
            }
            offers = deeper;
            offers.truncate((offers.len() * 3 / 4).max(KEPT));
            if !self.shared.budget.has_time(self.shared.watch.elapsed(), 100) {
                break;
            }
        }
        self.rewind();
        offers
    }

    /// All offers with their static values.
    fn offers(&mut self, two: bool) -> Vec<Offer> {
        let mut offers = Vec::new();
        let firsts: Vec<_> = self.root_moves.iter().map(|root| root.point).collect();
        for first in firsts {
            self.put(0, first);
            if two {
                for second in self.seconds() {
                    self.put(1, second);
                    let value = self.decided(2).unwrap_or_else(|| self.evaluate(2));
                    offers.push(Offer { stones: vec![first, second], value, depth: 0 });
                    self.undo();
                }
            } else {
                let value = self.decided(1).unwrap_or_else(|| self.evaluate(1));
                offers.push(Offer { stones: vec![first], value, depth: 0 });
            }
            self.undo();
        }
        offers
    }

    /// Where the second stone may go.
    fn seconds(&self) -> Vec<Point> {
        let near: PointSet = self.stack[1].near - self.field.board().occupied();
        near.iter().filter(|&point| self.is_allowed(point)).collect()
    }

    /// Searches every offer to a depth, as exactly as its rank among the others needs.
    fn compare(&mut self, offers: &mut [Offer], bias: Value, depth: u32) -> Result<(), Stopped> {
        let mut nearest = Value::INFINITE.get() - bias.get().abs() - 2;
        for offer in offers.iter_mut() {
            let ply = offer.stones.len();
            for (i, &stone) in offer.stones.iter().enumerate() {
                self.put(i, stone);
            }
            let (alpha, beta) = (bias - nearest - 1, bias + nearest + 1);
            offer.value = self.node::<Pv>(alpha, beta, depth as i32 * PLY, ply, false)?;
            offer.depth = depth;
            nearest = nearest.min(offer.distance(bias)).max(1);
            offer.stones.iter().for_each(|_| self.undo());
        }
        offers.sort_by_key(|offer| offer.distance(bias));
        Ok(())
    }

    /// Places a stone of the offer.
    fn put(&mut self, ply: usize, point: Point) {
        self.stack[ply].point = Some(point);
        self.stack[ply].threat = self.field.threat(self.field.to_move(), point);
        self.place(ply, point);
    }
}
