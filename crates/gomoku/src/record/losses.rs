//! What a format has no place for: counted before games are written, so that nothing is lost silently.

use super::{Flag, Format, Mark, NodeId, Tree};
use crate::color::Color;

/// The properties of SGF that are counted under a name of their own, or say nothing of the game.
const COUNTED: [&str; 15] =
    ["RU", "RE", "TE", "BM", "DO", "IT", "PB", "PW", "MS", "PSQH", "PSQF", "AP", "ST", "FF", "CA"];

/// What is left out when games are written in a format, as sentences; none if everything is kept.
/// Set-up stones and passes are not among it: a format without a place for them refuses the game.
pub fn losses(trees: &[Tree], format: Format) -> Vec<String> {
    if format == Format::Sgf {
        return Vec::new();
    }
    let written = if format.holds_many() { trees.len() } else { trees.len().min(1) };
    let mut lost = Lost::default();
    for tree in &trees[..written] {
        lost.count(tree, format);
    }
    lost.sentences(format)
}

/// How much of each kind there is no place for.
#[derive(Default)]
struct Lost {
    variations: usize,
    comments: usize,
    labels: usize,
    marks: usize,
    arrows: usize,
    judgments: usize,
    flags: usize,
    times: usize,
    names: usize,
    results: usize,
    rules: usize,
    turns: usize,
    sizes: usize,
    properties: usize,
}

impl Lost {
    fn count(&mut self, tree: &Tree, format: Format) {
        let root = NodeId::ROOT;
        let is_piskvork = matches!(format, Format::Psq | Format::Rec);
        let has = |ident: &str| usize::from(tree.property(root, ident).is_some());
        if format == Format::RenLib {
            tree.nodes().for_each(|id| self.count_node(tree, id, format));
        } else {
            self.variations += tree.leaves().count() - 1;
            tree.main_line().for_each(|id| self.count_node(tree, id, format));
        }
        if !is_piskvork {
            self.names += Color::ALL
                .into_iter()
                .filter(|&color| tree.name(color).is_some_and(|name| !name.is_empty()))
                .count();
        }
        self.results += has("RE");
        self.rules += has("RU");
        // A reader that is not told takes these for granted.
        let usual = match format {
            Format::Rec => Some(20),
            Format::Pos | Format::PosFromTop | Format::Offsets | Format::Gomocalc => Some(15),
            _ => None,
        };
        self.sizes += usize::from(usual.is_some_and(|usual| usual != tree.size()));
        let is_told = |ident: &str, usual: &str| {
            usize::from(tree.text(root, ident).is_some_and(|text| text != usual))
        };
        self.properties += if format == Format::Psq { 0 } else { is_told("PSQH", "11:11, 0") };
        self.properties += if is_piskvork { 0 } else { is_told("PSQF", "-1") };
    }

    fn count_node(&mut self, tree: &Tree, id: NodeId, format: Format) {
        let is_renlib = format == Format::RenLib;
        if !is_renlib {
            self.comments += usize::from(!tree.comment(id).is_empty());
            self.flags += Flag::ALL.into_iter().filter(|&flag| tree.flag(id, flag)).count();
        }
        for mark in tree.marks(id) {
            match mark {
                Mark::Label(..) if is_renlib => {}
                Mark::Label(..) => self.labels += 1,
                Mark::Shape(_, points) => self.marks += points.len(),
                Mark::Line(..) | Mark::Arrow(..) => self.arrows += 1,
            }
        }
        self.judgments += usize::from(tree.judgment(id).is_some());
        if !matches!(format, Format::Psq | Format::Rec) {
            self.times += usize::from(tree.milliseconds(id).is_some_and(|ms| ms > 0));
        }
        self.turns += usize::from(tree.declared_to_move(id).is_some());
        let is_kept = |ident: &str| COUNTED.contains(&ident) || is_renlib && ident == "RX";
        let others = tree.properties(id).iter().filter(|property| !is_kept(&property.ident));
        self.properties += others.count();
    }

    fn sentences(&self, format: Format) -> Vec<String> {
        let kinds = [
            (self.variations, "variation", "variations"),
            (self.comments, "comment", "comments"),
            (self.labels, "label", "labels"),
            (self.marks, "mark on a point", "marks on points"),
            (self.arrows, "arrow or line", "arrows and lines"),
            (self.judgments, "judgment of a move", "judgments of moves"),
            (self.flags, "sign of RenLib", "signs of RenLib"),
            (self.times, "time of a move", "times of moves"),
            (self.names, "name of a player", "names of players"),
            (self.results, "result", "results"),
            (self.rules, "rule", "rules"),
            (self.turns, "side to move", "sides to move"),
            (self.sizes, "board size", "board sizes"),
            (self.properties, "other property", "other properties"),
        ];
        let told = kinds.into_iter().filter_map(|(n, one, many)| match n {
            0 => None,
            1 => Some(format!("1 {one} is left out: {format} has no place for it.")),
            _ => Some(format!("{n} {many} are left out: {format} has no place for them.")),
        });
        told.collect()
    }
}
