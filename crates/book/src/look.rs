//! Looking a position up: what a book, games and proofs from elsewhere say of it and of its moves.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, btree_map},
};

use gomoku::{Color, Point, Position, opening::name_of};
use player::Score;

use crate::{
    entry::{Decided, Entry, Key},
    position_book::{BookGame, PositionBook, Results},
};

/// What is known of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// The entry, if the position was searched; its points are in the orientation of the key.
    pub entry: Option<Entry>,
    /// The value for the side to move with everything below it taken into account.
    pub value: Option<Score>,
    /// Who wins, if that is proved.
    pub winner: Option<Color>,
    /// Games that came through here.
    pub results: Results,
    /// The name of the opening.
    pub name: Option<&'static str>,
    /// Moves from here, best first.
    pub moves: Vec<BookMove>,
}

/// A move, together with its images where the position looks the same from several sides.
#[derive(Clone, Debug, PartialEq)]
pub struct BookMove {
    /// Where, as the position was given.
    pub point: Point,
    /// This and all other moves that lead to the same position up to symmetry.
    pub same: Vec<Point>,
    /// Its value for the side that plays it.
    pub value: Option<Score>,
    /// The entry behind it, if it was searched.
    pub entry: Option<Entry>,
    /// Who wins after it, if that is proved.
    pub winner: Option<Color>,
    /// Games in which it was played, or its position reached.
    pub results: Results,
    /// The name of the opening it leads to.
    pub name: Option<&'static str>,
}

impl BookMove {
    /// Whether it is proved who wins.
    pub fn is_proved(&self) -> bool {
        self.winner.is_some()
    }
}

/// What is known besides a book.
#[derive(Clone, Debug, Default)]
pub struct Beside {
    /// Games. Those that the book has itself are not counted twice.
    pub games: Vec<BookGame>,
    /// Positions with a proved winner.
    pub won: BTreeMap<Key, Color>,
}

impl PositionBook {
    /// What the book says about a position, in its orientation; `None` if it says nothing.
    pub fn look(&self, position: &Position) -> Option<Look> {
        self.look_beside(position, &Beside::default())
    }

    /// What the book and what is known besides it say about a position.
    pub fn look_beside(&self, position: &Position, beside: &Beside) -> Option<Look> {
        let (key, _) = Key::of(position);
        let passages = Passages::of(position, beside.games.iter().filter(|game| !self.has(game)));
        let entry = self.entry(&key).cloned();
        let results = self.results_at(&key) + passages.here;
        let winner = self.winner(&key, position.to_move(), beside);
        let moves = self.moves(position, &key, beside, &passages);
        if entry.is_none() && results.games() == 0 && winner.is_none() && moves.is_empty() {
            return None;
        }
        let name = name_of(position).map(|opening| opening.romaji);
        Some(Look { entry, value: self.value(&key), winner, results, name, moves })
    }

    /// The main line: the best move from a position, and from each that it leads to, as far as moves
    /// have values.
    pub fn line(&self, position: &Position) -> Vec<Point> {
        let mut position = position.clone();
        let mut line = Vec::new();
        while let Some(found) = self.look(&position) {
            let Some(best) = found.moves.first().filter(|best| best.value.is_some()) else { break };
            if position.play(best.point).is_err() {
                break;
            }
            line.push(best.point);
        }
        line
    }

    fn moves(
        &self,
        position: &Position,
        key: &Key,
        beside: &Beside,
        passages: &Passages,
    ) -> Vec<BookMove> {
        let own = self.own_moves(position);
        let is_won =
            self.winner(key, position.to_move(), &Beside::default()) == Some(position.to_move());
        let mut found: BTreeMap<Key, BookMove> = BTreeMap::new();
        for point in position.legal_points() {
            let mut child = position.clone();
            if child.play(point).is_err() {
                continue;
            }
            let score = own.get(&point).copied();
            // An entry's value is that of its best move, so what proves it proves the move.
            let wins = is_won && score.is_some() && score == own.values().max().copied();
            let winner = wins.then_some(position.to_move());
            match found.entry(Key::of(&child).0) {
                btree_map::Entry::Occupied(mut row) => {
                    let row = row.get_mut();
                    row.same.push(point);
                    row.value = row.value.or(score);
                    row.winner = row.winner.or(winner);
                }
                btree_map::Entry::Vacant(row) => {
                    let key = row.key();
                    let name = (child.board().len() == 3).then(|| name_of(&child)).flatten();
                    let next = passages.next.get(key).copied().unwrap_or_default();
                    let found = BookMove {
                        point,
                        same: vec![point],
                        value: self.value(key).map(|value| -value).or(score),
                        entry: self.entry(key).cloned(),
                        winner: self.winner(key, child.to_move(), beside).or(winner),
                        results: self.results_at(key) + next,
                        name: name.map(|opening| opening.romaji),
                    };
                    row.insert(found);
                }
            }
        }
        let mut moves: Vec<BookMove> = found.into_values().collect();
        moves.retain(|m| {
            m.value.is_some() || m.results.games() > 0 || m.winner.is_some() || m.name.is_some()
        });
        moves.sort_by_key(|m| (Reverse((m.value, m.results.games())), m.point.index()));
        moves
    }

    /// The moves of the entry, turned to the orientation of the position.
    fn own_moves(&self, position: &Position) -> BTreeMap<Point, Score> {
        let (key, symmetry) = Key::of(position);
        let (back, size) = (symmetry.inverse(), position.size());
        let moves = self.entry(&key).map(|entry| &entry.moves[..]).unwrap_or_default();
        moves.iter().map(|&(point, score)| (back.apply(point, size), score)).collect()
    }

    fn winner(&self, key: &Key, to_move: Color, beside: &Beside) -> Option<Color> {
        let proved = self.entry(key).filter(|entry| entry.decided == Decided::Proved);
        let plies = proved.and_then(|entry| entry.value.decisive_in());
        let own = plies.map(|plies| if plies > 0 { to_move } else { !to_move });
        own.or_else(|| beside.won.get(key).copied())
    }
}

/// Games through one position, and by which move they went on.
#[derive(Debug, Default)]
struct Passages {
    here: Results,
    next: BTreeMap<Key, Results>,
}

impl Passages {
    fn of<'a>(position: &Position, games: impl Iterator<Item = &'a BookGame>) -> Passages {
        let mut passages = Passages::default();
        let (rule, size) = (position.rule(), position.size());
        let n_stones = position.board().len();
        let (wanted, _) = Key::of(position);
        for game in games.filter(|game| game.game.0 == rule.name() && game.game.1 == size) {
            let points: Vec<Point> = points(&game.moves).take(n_stones + 1).collect();
            let Some((before, after)) = points.split_at_checked(n_stones) else { continue };
            let Ok(mut reached) = Position::from_moves(rule, size, before) else { continue };
            if Key::of(&reached).0 != wanted {
                continue;
            }
            passages.here.count(game.result);
            if let [point] = after
                && reached.play(*point).is_ok()
            {
                passages.next.entry(Key::of(&reached).0).or_default().count(game.result);
            }
        }
        passages
    }
}

/// The points of a text such as `h8i9`, up to the first that is none.
fn points(text: &str) -> impl Iterator<Item = Point> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?.len_utf8();
        let end = rest[first..].find(char::is_alphabetic).map_or(rest.len(), |end| first + end);
        let (point, after) = rest.split_at(end);
        rest = after;
        point.parse().ok()
    })
}
