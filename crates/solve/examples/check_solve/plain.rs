//! A second opinion: forced wins sought depth first, a ply deeper each time, on a board of its own.
//!
//! It shares nothing with the solver but the definitions in the crate's documentation: no fields, no
//! shapes, no proof numbers. What a move does is found by placing it and counting the windows of
//! five cells. Slow, and simple enough to be believed.

use std::collections::HashMap;

use gomoku::{Board, Color, Direction, Point, PointSet, Position, Rule, five_cell_lines, renju};

/// What was found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The shortest win takes so many plies.
    Win(u32),
    /// There is no win of this kind.
    None,
    /// Not settled within the limit.
    Unknown,
}

/// Looks for the shortest win of the side to move by fours, or by fours and threats (`threats`),
/// looking at no more than so many turns. The points in `first` are tried before others.
pub(crate) fn search(position: &Position, threats: bool, most: u64, first: &[Point]) -> Verdict {
    search_with_move(position, threats, most, first).0
}

/// The same, with the first move of the win; `None` for a five.
pub(crate) fn search_with_move(
    position: &Position,
    threats: bool,
    most: u64,
    first: &[Point],
) -> (Verdict, Option<Point>) {
    let attacker = position.to_move();
    let mut search = Search {
        plain: Plain::new(position),
        attacker,
        threats,
        known: HashMap::new(),
        first: first.iter().copied().collect(),
        left: most,
        cut: false,
        best: None,
    };
    for moves in 1.. {
        search.cut = false;
        let wins = search.attack(moves);
        if search.left == 0 {
            return (Verdict::Unknown, None);
        }
        if wins {
            return (Verdict::Win(2 * moves - 1), search.best);
        }
        if !search.cut {
            return (Verdict::None, None);
        }
    }
    (Verdict::Unknown, None)
}

/// How many points make a four for the side to move; none if somebody can make five.
pub(crate) fn count_fours(position: &Position) -> usize {
    let mut plain = Plain::new(position);
    let side = position.to_move();
    if Color::ALL.into_iter().any(|color| !plain.fives(color).is_empty()) {
        return 0;
    }
    let candidates = plain.near(side, 3);
    candidates.into_iter().filter(|&p| plain.is_legal(p, side) && plain.makes_four(p, side)).count()
}

/// Stones, and how many of each color every window of five cells holds.
struct Plain {
    rule: Rule,
    board: Board,
    windows: Vec<[Point; 5]>,
    /// The windows through each point.
    through: Vec<Vec<u16>>,
    held: Vec<[u8; 2]>,
    /// Windows that hold four stones of a color and none of the other.
    fours: [u32; 2],
}

impl Plain {
    fn new(position: &Position) -> Plain {
        let windows = five_cell_lines(position.size());
        let mut through = vec![Vec::new(); 32 * 32];
        for (i, window) in windows.iter().enumerate() {
            window.iter().for_each(|p| through[slot(*p)].push(i as u16));
        }
        let held = vec![[0; 2]; windows.len()];
        let board = Board::new(position.size());
        let mut plain =
            Plain { rule: position.rule(), board, windows, through, held, fours: [0; 2] };
        for color in Color::ALL {
            position.board().stones(color).iter().for_each(|p| plain.place(p, color));
        }
        plain
    }

    fn place(&mut self, point: Point, color: Color) {
        self.board.place(point, color);
        self.recount(point, |held| held[color as usize] += 1);
    }

    fn remove(&mut self, point: Point, color: Color) {
        self.board.remove(point, color);
        self.recount(point, |held| held[color as usize] -= 1);
    }

    fn recount(&mut self, point: Point, change: impl Fn(&mut [u8; 2])) {
        for &i in &self.through[slot(point)] {
            let held = &mut self.held[usize::from(i)];
            self.fours[0] -= u32::from(*held == [4, 0]);
            self.fours[1] -= u32::from(*held == [0, 4]);
            change(held);
            self.fours[0] += u32::from(*held == [4, 0]);
            self.fours[1] += u32::from(*held == [0, 4]);
        }
    }

    /// Does something with a stone added.
    fn with<T>(&mut self, point: Point, color: Color, then: impl FnOnce(&mut Plain) -> T) -> T {
        self.place(point, color);
        let result = then(self);
        self.remove(point, color);
        result
    }

    fn is_five(&self, point: Point, color: Color) -> bool {
        self.board.is_five(self.rule, point, color)
    }

    fn is_legal(&self, point: Point, color: Color) -> bool {
        self.rule != Rule::Renju
            || color == Color::White
            || renju::forbidden(&self.board, point).is_none()
    }

    /// The points where a color makes five.
    fn fives(&self, color: Color) -> Vec<Point> {
        if self.fours[color as usize] == 0 {
            return Vec::new();
        }
        self.fives_among(0..self.windows.len(), color)
    }

    fn fives_among(&self, windows: impl Iterator<Item = usize>, color: Color) -> Vec<Point> {
        let (own, other) = (color as usize, !color as usize);
        let mut found = Vec::new();
        for i in windows.filter(|&i| self.held[i][own] == 4 && self.held[i][other] == 0) {
            let gap = self.windows[i].iter().copied().find(|&p| self.board.is_empty_at(p));
            found.extend(gap.filter(|&p| !found.contains(&p) && self.is_five(p, color)));
        }
        found
    }

    /// The points where a color makes five together with this stone of its own.
    fn fives_through(&self, point: Point, color: Color) -> Vec<Point> {
        let windows = self.through[slot(point)].iter().map(|&i| usize::from(i));
        self.fives_among(windows, color)
    }

    fn makes_four(&mut self, point: Point, color: Color) -> bool {
        self.with(point, color, |plain| !plain.fives_through(point, color).is_empty())
    }

    /// The empty points of windows that hold at least so many stones of a color and none of the
    /// other.
    fn near(&self, color: Color, least: u8) -> PointSet {
        let (own, other) = (color as usize, !color as usize);
        let mut found = PointSet::EMPTY;
        for (window, held) in self.windows.iter().zip(&self.held) {
            if held[own] >= least && held[other] == 0 {
                window
                    .iter()
                    .filter(|&&p| self.board.is_empty_at(p))
                    .for_each(|&p| found.insert(p));
            }
        }
        found
    }

    /// The replies after which none of these fives of the other side can be made.
    fn stops(&mut self, fives: &[Point], defender: Color) -> Vec<Point> {
        let shuts_in = matches!(self.rule, Rule::Caro | Rule::CaroExact);
        let candidates: Vec<Point> = match fives {
            // Only shutting a run in spoils a five without standing on its point.
            _ if shuts_in => self.board.empty().iter().collect(),
            [only] => vec![*only],
            _ => Vec::new(),
        };
        let stops_all = |&reply: &Point| {
            self.is_legal(reply, defender)
                && self.with(reply, defender, |plain| {
                    fives.iter().all(|&five| five == reply || !plain.is_five(five, !defender))
                })
        };
        candidates.into_iter().filter(stops_all).collect()
    }

    /// Whether a stone here makes fives that no reply stops. Nobody has a five.
    fn is_winning(&mut self, point: Point, color: Color) -> bool {
        self.is_legal(point, color)
            && self.with(point, color, |plain| {
                let fives = plain.fives_through(point, color);
                !fives.is_empty() && plain.stops(&fives, !color).is_empty()
            })
    }

    /// The winning points of a color; nobody has a five.
    fn winning_points(&mut self, color: Color) -> Vec<Point> {
        let candidates = self.near(color, 3);
        candidates.into_iter().filter(|&point| self.is_winning(point, color)).collect()
    }

    /// Whether a color has a winning point whose four has this stone in it.
    fn threatens_with(&mut self, stone: Point, color: Color) -> bool {
        let (own, other) = (color as usize, !color as usize);
        let mut candidates = PointSet::EMPTY;
        for &i in &self.through[slot(stone)] {
            let held = self.held[usize::from(i)];
            if held[own] >= 3 && held[other] == 0 {
                candidates |= self.windows[usize::from(i)].into_iter().collect();
            }
        }
        (candidates & self.board.empty())
            .iter()
            .any(|point| self.four_contains(point, color, stone) && self.is_winning(point, color))
    }

    /// Whether the four of a winning point has this stone in it.
    fn four_contains(&mut self, point: Point, color: Color, stone: Point) -> bool {
        self.with(point, color, |plain| {
            let fives = plain.fives_through(point, color);
            fives.into_iter().any(|five| {
                plain.with(five, color, |plain| {
                    let board = &plain.board;
                    Direction::ALL.into_iter().any(|d| {
                        let ahead = board.stones_beyond(five, d, 1, color) as i32;
                        let behind = board.stones_beyond(five, d, -1, color) as i32;
                        let run: Vec<_> =
                            (-behind..=ahead).filter_map(|i| five.step(d, i)).collect();
                        run.len() >= 5 && run.contains(&point) && run.contains(&stone)
                    })
                })
            })
        })
    }

    /// The points on the lines through a point, near enough to matter to a five there.
    fn star(&self, point: Point) -> PointSet {
        let steps = (-6..=6).filter(|&i| i != 0);
        steps
            .flat_map(|i| Direction::ALL.into_iter().filter_map(move |d| point.step(d, i)))
            .filter(|&p| self.board.is_empty_at(p))
            .chain([point])
            .collect()
    }
}

fn slot(point: Point) -> usize {
    usize::from(point.row()) << 5 | usize::from(point.col())
}

struct Search {
    plain: Plain,
    attacker: Color,
    threats: bool,
    /// By position: the fewest attacker's moves that win, the most that are known not to.
    known: HashMap<(u64, bool), (u32, u32)>,
    first: PointSet,
    left: u64,
    /// Whether a line was given up for its length, so that a deeper search may see more.
    cut: bool,
    /// The winning move found last; at the end that of the start.
    best: Option<Point>,
}

/// More moves than there are points.
const ANY: u32 = u32::MAX;

impl Search {
    /// Whether the attacker, to move, wins with so many moves of his.
    fn attack(&mut self, moves: u32) -> bool {
        if moves == 0 {
            self.cut = true;
            return false;
        }
        self.remembered(moves, true, |search| {
            !search.plain.fives(search.attacker).is_empty() || search.find_attack(moves)
        })
    }

    /// Whether every reply loses to so many moves.
    fn defend(&mut self, moves: u32) -> bool {
        self.remembered(moves, false, |search| search.all_lose(moves))
    }

    fn remembered(
        &mut self,
        moves: u32,
        attacking: bool,
        find: impl FnOnce(&mut Search) -> bool,
    ) -> bool {
        let key = (self.plain.board.key(), attacking);
        let (wins, fails) = self.known.get(&key).copied().unwrap_or((ANY, 0));
        if moves >= wins {
            return true;
        }
        if moves <= fails {
            self.cut |= fails != ANY;
            return false;
        }
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let cut_before = std::mem::take(&mut self.cut);
        let found = find(self);
        if self.left > 0 {
            let fails_at = if self.cut { moves } else { ANY };
            let entry = if found { (moves, fails) } else { (wins, fails_at) };
            self.known.insert(key, entry);
        }
        self.cut |= cut_before;
        found
    }

    fn find_attack(&mut self, moves: u32) -> bool {
        let (attacker, defender) = (self.attacker, !self.attacker);
        let threatened = self.plain.fives(defender);
        let candidates: Vec<Point> = if threatened.is_empty() {
            let least = if self.threats { 2 } else { 3 };
            self.plain.near(attacker, least).iter().collect()
        } else {
            self.plain.stops(&threatened, attacker)
        };
        let mut sorted: Vec<(u8, Point)> = Vec::new();
        for point in candidates {
            if let Some(rank) = self.rank(point, !threatened.is_empty()) {
                sorted.push((rank, point));
            }
        }
        sorted.sort_by_key(|&(rank, point)| (rank, point.index()));
        sorted.into_iter().any(|(_, point)| {
            self.plain.place(point, attacker);
            let wins = self.defend(moves - 1);
            self.plain.remove(point, attacker);
            if wins {
                self.best = Some(point);
            }
            wins
        })
    }

    /// When to try a move; `None` if it threatens nothing.
    fn rank(&mut self, point: Point, answers_a_four: bool) -> Option<u8> {
        let (attacker, defender, threats) = (self.attacker, !self.attacker, self.threats);
        let forces = self.plain.with(point, attacker, |plain| {
            if !plain.fives(defender).is_empty() {
                return None;
            }
            if !plain.fives_through(point, attacker).is_empty() {
                return Some(1);
            }
            let is_threat = threats
                && if answers_a_four {
                    !plain.winning_points(attacker).is_empty()
                } else {
                    plain.threatens_with(point, attacker)
                };
            is_threat.then_some(2)
        })?;
        let rank = if self.first.contains(point) { 0 } else { forces };
        self.plain.is_legal(point, attacker).then_some(rank)
    }

    fn all_lose(&mut self, moves: u32) -> bool {
        let (attacker, defender) = (self.attacker, !self.attacker);
        let fives = self.plain.fives(attacker);
        let replies = if fives.is_empty() {
            self.replies_to_a_threat()
        } else {
            self.plain.stops(&fives, defender)
        };
        // The replies that stop nothing lose to a winning point and a five, or to a five.
        let at_least = if fives.is_empty() { 2 } else { 1 };
        if moves < at_least {
            self.cut = true;
            return false;
        }
        replies.into_iter().all(|reply| {
            self.plain.place(reply, defender);
            let loses = self.attack(moves);
            self.plain.remove(reply, defender);
            loses
        })
    }

    /// The replies that make a four, or after which no winning point is left.
    fn replies_to_a_threat(&mut self) -> Vec<Point> {
        let (attacker, defender) = (self.attacker, !self.attacker);
        let winning = self.plain.winning_points(attacker);
        // Without forbidden points only stones on the lines of a winning point can matter to it.
        let mut candidates = self.plain.board.empty();
        if self.plain.rule != Rule::Renju {
            winning.iter().for_each(|&w| candidates &= self.plain.star(w));
            candidates |= self.plain.near(defender, 3);
        }
        let mut found = Vec::new();
        for reply in candidates {
            let holds = self.plain.is_legal(reply, defender)
                && self.plain.with(reply, defender, |plain| {
                    !plain.fives(defender).is_empty()
                        || !winning.iter().any(|&w| w != reply && plain.is_winning(w, attacker))
                });
            if holds {
                found.push(reply);
            }
        }
        found
    }
}
