//! Proofs: kept, listed, read back as trees, walked and checked.

use std::{ops::ControlFlow, sync::Arc, time::Duration};

use gomoku::{Board, Color, Point, Rule, record};
use serde_json::{Value, json};
use solve::{Attack, Defense, Root, WinTree};

use crate::{Host, Store, documents::is_id};

/// A proof file is no larger than this.
pub(crate) const MAX_PROOF: usize = 32 << 20;
/// Proofs kept.
const MAX_PROOFS: usize = 2_000;
/// A check that takes longer is left to the command line.
const CHECK_TIME: Duration = Duration::from_secs(120);
/// Nodes of a tree that is held in memory to be walked.
const MAX_NODES: usize = 3_000_000;
/// Attacker moves of a tree written as SGF; larger ones are of no use to a reader.
const MAX_SGF: usize = 200_000;

/// All proofs.
#[derive(Debug)]
pub(crate) struct Proofs {
    store: Arc<dyn Store>,
    host: Arc<dyn Host>,
}

impl Proofs {
    pub(crate) fn new(store: &Arc<dyn Store>, host: &Arc<dyn Host>) -> Proofs {
        Proofs { store: Arc::clone(store), host: Arc::clone(host) }
    }

    /// A name for a proof that no other has.
    pub(crate) fn new_id(&self, salt: u64) -> String {
        format!("p{}-{salt}", self.host.date().as_millis())
    }

    /// Keeps a proof, and beside it what is known about where it came from.
    pub(crate) fn keep(&self, id: &str, bytes: &[u8], about: &Value) -> Result<(), String> {
        if self.store.list("proofs").len() >= 2 * MAX_PROOFS {
            return Err("There are too many proofs already: delete some first.".to_owned());
        }
        let written = self.store.write(&file(id), bytes);
        let written =
            written.and_then(|()| self.store.write(&notes(id), about.to_string().as_bytes()));
        written.map_err(|error| format!("The proof cannot be kept: {error}."))
    }

    /// Takes in a proof file from elsewhere. What it claims is read; whether it is true is for the
    /// check to say.
    pub(crate) fn take(&self, name: &str, bytes: &[u8]) -> Result<Value, String> {
        let tree = read(bytes)?;
        let name: String = name.chars().take(80).collect();
        let about = about(&tree, json!({ "name": name }));
        let id = self.new_id(0);
        self.keep(&id, bytes, &about)?;
        Ok(with_id(about, &id))
    }

    /// All proofs, the latest first.
    pub(crate) fn list(&self) -> Vec<Value> {
        let mut entries = self.store.list("proofs");
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.changed));
        let ids = entries.iter().filter_map(|entry| entry.name.strip_suffix(".json"));
        ids.filter_map(|id| Some(with_id(self.about(id)?, id))).collect()
    }

    /// What is known about a proof.
    pub(crate) fn about(&self, id: &str) -> Option<Value> {
        let bytes = is_id(id).then(|| self.store.read(&notes(id)))??;
        serde_json::from_slice(&bytes).ok()
    }

    pub(crate) fn bytes(&self, id: &str) -> Option<Vec<u8>> {
        let bytes = is_id(id).then(|| self.store.read(&file(id)))??;
        (bytes.len() <= MAX_PROOF).then_some(bytes)
    }

    pub(crate) fn delete(&self, id: &str) -> bool {
        is_id(id) && self.store.remove(&file(id)) && self.store.remove(&notes(id))
    }

    /// The tree of a proof.
    pub(crate) fn tree(&self, id: &str) -> Result<WinTree, String> {
        read(&self.bytes(id).ok_or("There is no such proof.")?)
    }

    /// Has `verify`, which shares no code with the solver, play the proof out.
    pub(crate) fn check(&self, id: &str) -> Result<Value, String> {
        Ok(self.check_bytes(&self.bytes(id).ok_or("There is no such proof.")?))
    }

    /// The same for a proof that is not kept.
    pub(crate) fn check_bytes(&self, bytes: &[u8]) -> Value {
        let began = self.host.clock();
        let elapsed = || self.host.clock().saturating_sub(began);
        let mut watch = |_: &verify::Counts| match elapsed() < CHECK_TIME {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        };
        let checked = verify::check_stream(bytes, verify::Manner::Quick, &mut watch);
        let ms = elapsed().as_secs_f64() * 1e3;
        match checked {
            Ok(verdict) => json!({
                "ok": true, "plies": verdict.counts.longest, "moves": verdict.counts.nodes,
                "turns": verdict.counts.turns, "replies": verdict.counts.replies,
                "bytes": verdict.bytes, "digest": verdict.digest_text(), "ms": ms,
            }),
            Err(fault) => json!({ "ok": false, "problem": fault.to_string(), "ms": ms }),
        }
    }
}

/// Where a proof is kept.
fn file(id: &str) -> String {
    format!("proofs/{id}.proof")
}

/// Where it is kept what is known about one.
fn notes(id: &str) -> String {
    format!("proofs/{id}.json")
}

/// Reads `h8i9g9` as points.
pub(crate) fn points(text: &str) -> Result<Vec<Point>, String> {
    let mut all = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let digits = rest.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let (one, more) =
            rest.split_at_checked(1 + digits).ok_or_else(|| format!("'{text}' is no line."))?;
        all.push(one.parse::<Point>().map_err(|error| error.to_string())?);
        rest = more;
    }
    Ok(all)
}

fn with_id(mut about: Value, id: &str) -> Value {
    about["id"] = json!(id);
    about
}

/// What a list shows of a proof.
pub(crate) fn about(tree: &WinTree, more: Value) -> Value {
    let stones = |color| tree.board.stones(color).iter().map(|point| point.to_string());
    let mut about = more;
    about["rule"] = json!(tree.rule.name());
    about["size"] = json!(tree.board.size());
    about["black"] = json!(stones(Color::Black).collect::<Vec<_>>());
    about["white"] = json!(stones(Color::White).collect::<Vec<_>>());
    about["toMove"] = json!(tree.to_move() as u8);
    about["attacker"] = json!(tree.attacker as u8);
    about["plies"] = json!(tree.plies());
    about["tree"] = json!(tree.move_count());
    about
}

/// The tree as SGF.
pub(crate) fn sgf(tree: &WinTree) -> Result<Vec<u8>, String> {
    if tree.move_count() > MAX_SGF {
        return Err(format!("This tree has more than {MAX_SGF} moves: too many for SGF."));
    }
    record::write(&[tree.record()], record::Format::Sgf).map_err(|error| error.to_string())
}

/// Where a line of moves leads in a tree: what the attacker plays, or what each reply is answered.
pub(crate) fn walk(tree: &WinTree, line: &[Point]) -> Result<Value, String> {
    let mut board = tree.board;
    let mut side = tree.to_move();
    let mut here = match &tree.root {
        Root::Attack(attack) => Here::Attack(attack),
        Root::Defense(defense) => Here::Defense(defense),
    };
    for &point in line {
        if !point.is_on(board.size()) || !board.is_empty_at(point) {
            return Err(format!("{point} cannot be played there."));
        }
        let is_over = side == tree.attacker && board.is_five(tree.rule, point, side);
        here = match here {
            Here::Attack(attack) if attack.point() != point => {
                return Err(format!("The proof plays {}, not {point}.", attack.point()));
            }
            Here::Attack(_) if is_over => Here::Over,
            Here::Attack(Attack::Move(_, defense)) => Here::Defense(defense),
            Here::Defense(defense) => match defense.answer(point) {
                Some(attack) => Here::Attack(attack),
                None => Here::Over,
            },
            Here::Attack(Attack::Win(_)) | Here::Over => return Err("The line is over.".to_owned()),
        };
        board.place(point, side);
        side = !side;
    }
    Ok(shown(&here, &board))
}

enum Here<'a> {
    Attack(&'a Attack),
    Defense(&'a Defense),
    Over,
}

fn shown(here: &Here<'_>, board: &Board) -> Value {
    match here {
        Here::Over => json!({ "turn": "over" }),
        Here::Attack(attack) => json!({
            "turn": "attack", "move": attack.point().to_string(), "plies": attack.plies(),
        }),
        Here::Defense(defense) => {
            let mut listed = board.occupied();
            let mut groups: Vec<_> = defense
                .groups
                .iter()
                .map(|(replies, answer)| {
                    // In a replay an extra stone may lie on a listed reply.
                    let free = replies.iter().filter(|point| board.is_empty_at(**point));
                    let free: Vec<_> = free.map(ToString::to_string).collect();
                    replies.iter().for_each(|&point| listed.insert(point));
                    (answer.plies(), free, answer.point().to_string())
                })
                .filter(|(_, replies, _)| !replies.is_empty())
                .collect();
            groups.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
            let others = board.empty() - listed;
            let default = defense.default.as_ref().map(|answer| {
                let example = others.iter().find(|point| *point != answer.point());
                json!({
                    "answer": answer.point().to_string(), "plies": answer.plies(),
                    "count": others.len(), "example": example.map(|point| point.to_string()),
                })
            });
            let groups: Vec<_> = groups
                .into_iter()
                .map(|(plies, replies, answer)| {
                    json!({ "replies": replies, "answer": answer, "plies": plies })
                })
                .collect();
            json!({ "turn": "defense", "groups": groups, "default": default })
        }
    }
}

/// Reads a proof file as a tree; see `docs/proof-format.md`. Nothing is checked but the form.
pub(crate) fn read(bytes: &[u8]) -> Result<WinTree, String> {
    let body = bytes.len().checked_sub(32).map(|end| &bytes[..end]);
    let mut reader = Reader { bytes: body.unwrap_or_default(), size: 0, left: MAX_NODES };
    reader.tree().ok_or_else(|| "This is no proof file, or one too large to be shown.".to_owned())
}

struct Reader<'a> {
    bytes: &'a [u8],
    size: u8,
    left: usize,
}

impl Reader<'_> {
    fn tree(&mut self) -> Option<WinTree> {
        for expected in *b"TENGENPF" {
            (self.byte()? == expected).then_some(())?;
        }
        (self.byte()? == 1).then_some(())?;
        let code = u32::from(self.byte()?);
        let rule = Rule::ALL.into_iter().find(|rule| rule.gomocup_code() == code)?;
        self.size = self.byte()?;
        let mut board = Board::try_new(self.size)?;
        let color = |code: u8| (code < 2).then(|| Color::of_turn(usize::from(code)));
        let to_move = color(self.byte()?)?;
        let attacker = color(self.byte()?)?;
        self.number()?;
        for color in Color::ALL {
            for _ in 0..self.number()? {
                let point = self.number().and_then(|cell| self.point(cell))?;
                board.is_empty_at(point).then_some(())?;
                board.place(point, color);
            }
        }
        let mut shared = Vec::new();
        for _ in 0..self.number()? {
            shared.push(self.attack(&shared, 0)??);
        }
        let root = if to_move == attacker {
            Root::Attack(self.attack(&shared, 0)??)
        } else {
            Root::Defense(self.defense(&shared, 0)?)
        };
        self.bytes.is_empty().then_some(WinTree { rule, board, attacker, root })
    }

    /// An attacker node; the inner `None` is a missing answer.
    fn attack(&mut self, shared: &[Attack], depth: u32) -> Option<Option<Attack>> {
        self.left = self.left.checked_sub(1)?;
        (depth <= 256).then_some(())?;
        let value = self.number()?;
        Some(match value % 4 {
            0 => Some(Attack::Win(self.point(value / 4)?)),
            1 => {
                let point = self.point(value / 4)?;
                Some(Attack::Move(point, Box::new(self.defense(shared, depth)?)))
            }
            2 => {
                let tree = shared.get(value as usize / 4)?;
                self.left = self.left.checked_sub(tree.move_count())?;
                Some(tree.clone())
            }
            _ => None,
        })
    }

    fn defense(&mut self, shared: &[Attack], depth: u32) -> Option<Defense> {
        let mut groups = Vec::new();
        loop {
            let mut replies = Vec::new();
            loop {
                let value = self.number()?;
                let Some(value) = value.checked_sub(1) else {
                    // A zero ends the groups; in the middle of one it is a mistake.
                    replies.is_empty().then_some(())?;
                    let default = self.attack(shared, depth + 1)?;
                    return Some(Defense { groups, default });
                };
                replies.push(self.point(value / 2)?);
                if value % 2 == 0 {
                    break;
                }
            }
            if let Some(answer) = self.attack(shared, depth + 1)? {
                groups.push((replies, answer));
            }
        }
    }

    fn point(&self, cell: u32) -> Option<Point> {
        let size = u32::from(self.size);
        (cell < size * size).then(|| Point::new((cell % size) as u8, (cell / size) as u8))
    }

    fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    /// Unsigned LEB128.
    fn number(&mut self) -> Option<u32> {
        let mut value = 0u64;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return u32::try_from(value).ok();
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use gomoku::Position;
    use player::{Limits, Unwatched};

    use super::*;

    fn win(text: &str, rule: Rule) -> WinTree {
        let position = Position::parse(text, rule, 15).unwrap();
        let answer = solve::solve_position(&position, None, 1, &Limits::nodes(100_000), &Unwatched);
        answer.win().expect("there is a win").tree.clone()
    }

    #[test]
    fn a_proof_that_was_written_is_read_back() {
        for (text, rule) in [
            ("b:h8,i8,g9 w:a1,c1,e1 b", Rule::Freestyle),
            ("b:h8,i8,j8 w:a1,c1 b", Rule::Renju),
            ("b:h8,i8,j8,k8 w:a1,c1,g8 b", Rule::Standard),
        ] {
            let tree = win(text, rule);
            assert_eq!(read(&tree.proof().bytes).unwrap(), tree, "{text}");
        }
    }

    #[test]
    fn damaged_files_are_refused_and_never_panic() {
        let bytes = win("b:h8,i8,g9 w:a1,c1,e1 b", Rule::Freestyle).proof().bytes;
        for cut in 0..bytes.len() {
            assert!(read(&bytes[..cut]).is_err());
        }
        for place in 0..bytes.len() {
            let mut wrong = bytes.clone();
            wrong[place] ^= 0x55;
            // It may still be a tree, but looking at it must not fail.
            if let Ok(tree) = read(&wrong) {
                let _ = walk(&tree, &tree.line());
            }
        }
    }

    #[test]
    fn every_line_of_a_proof_can_be_walked_to_its_end() {
        let tree = win("b:h8,i8,g9 w:a1,c1,e1 b", Rule::Freestyle);
        let line = tree.line();
        for n in 0..line.len() {
            let here = walk(&tree, &line[..n]).unwrap();
            let turn = if n % 2 == 0 { "attack" } else { "defense" };
            assert_eq!(here["turn"], turn, "{n}");
        }
        assert_eq!(walk(&tree, &line).unwrap()["turn"], "over");
        assert!(walk(&tree, &[line[0], line[0]]).is_err());
    }
}
