//! A map of readings: for each reading and each number of a printed table, how far off it is.

use std::fmt::Write as _;

use super::doc::{Block, Cell};
use crate::{
    claim::Claim,
    experiment::{PaperReading, Readings},
    readings::{Fit, Row, TableCell, fits, meets, share},
};

const LEFT: f64 = 200.0;
const COLUMN: f64 = 50.0;
const LINE: f64 = 26.0;
const TOP: f64 = 64.0;

/// A reading that has been played.
struct Tried<'a> {
    reading: &'a PaperReading,
    fit: Fit,
}

fn tried<'a>(part: &'a Readings, rows: &[Row]) -> Vec<Tried<'a>> {
    let pairs = part.readings.iter().zip(fits(part, rows));
    pairs.filter_map(|(reading, fit)| Some(Tried { reading, fit: fit? })).collect()
}

/// The map, and what it comes to.
pub(super) fn blocks(id: &str, part: &Readings, rows: &[Row]) -> Vec<Block> {
    let tried = tried(part, rows);
    let Some(nearest) = tried.iter().min_by(|a, b| a.fit.distance.total_cmp(&b.fit.distance))
    else {
        return vec![Block::Text("Not part of this run.".to_owned())];
    };
    let cells = part.cells();
    let is_met = |cell: &TableCell| {
        tried.iter().any(|tried| meets(part, *cell, tried.fit.tallies[cell.row]))
    };
    let open: Vec<String> = cells
        .iter()
        .filter(|cell| !is_met(cell))
        .map(|cell| format!("{} ({:.1} %)", name(part, *cell), 100.0 * printed(part, *cell)))
        .collect();
    let games: u64 = tried[0].fit.tallies[0].iter().sum();
    let line = |reading: &PaperReading| format!("*{}*: {}", reading.name, reading.about);
    let rest = match open.len() {
        0 => "Each number is given by one reading or another.".to_owned(),
        n if n == cells.len() => "With so few games none can be said to give one.".to_owned(),
        _ => format!("No reading gives {}.", list(&open)),
    };
    let by_count = tried.iter().max_by_key(|tried| tried.fit.met).map_or(0, |tried| tried.fit.met);
    vec![
        Block::List(part.readings.iter().map(line).collect()),
        Block::Svg {
            name: format!("{id}-{}", part.name),
            svg: draw(part, &tried),
            caption: format!(
                "Our shares in percent, {games} games for each row and reading. Green: the printed \
                 number lies within the error of both; the darker the orange, the farther off."
            ),
        },
        Block::Text(format!(
            "Nearest is *{}*, {:.1} points off in the mean; *{}* is {:.1} off. The most numbers that \
             one reading gives are {by_count} of {}. {rest}",
            nearest.reading.name,
            100.0 * nearest.fit.distance,
            tried[0].reading.name,
            100.0 * tried[0].fit.distance,
            cells.len(),
        )),
    ]
}

/// What readings say about a claim that differs; none when they have not been played.
pub(super) fn explain(part: &Readings, rows: &[Row], claim: &Claim) -> Option<Explained> {
    let cell = part.cell_of(claim)?;
    let tried = tried(part, rows);
    let off = |tried: &&Tried<'_>| {
        (share(tried.fit.tallies[cell.row], cell.outcome) - printed(part, cell)).abs()
    };
    let meeting = tried.iter().filter(|tried| meets(part, cell, tried.fit.tallies[cell.row]));
    // Of those that give the number, the one that comes nearest to the whole table.
    let by_distance = |a: &&Tried<'_>, b: &&Tried<'_>| a.fit.distance.total_cmp(&b.fit.distance);
    let found = meeting.min_by(by_distance);
    let best = found.or_else(|| tried.iter().min_by(|a, b| off(a).total_cmp(&off(b))))?;
    Some(Explained {
        cell,
        reading: best.reading.name.clone(),
        share: share(best.fit.tallies[cell.row], cell.outcome),
        is_met: found.is_some(),
    })
}

/// The reading that gives a number, or comes nearest to it.
pub(super) struct Explained {
    pub(super) cell: TableCell,
    pub(super) reading: String,
    pub(super) share: f64,
    pub(super) is_met: bool,
}

impl Explained {
    /// As the reason of a verdict.
    pub(super) fn sentence(&self, by: &str) -> String {
        let (reading, share) = (&self.reading, 100.0 * self.share);
        match self.is_met {
            true => format!("The reading *{reading}* gives it: {share:.1} % (`{by}`)."),
            false => format!(
                "None of the readings gives it; *{reading}* comes nearest, {share:.1} % (`{by}`)."
            ),
        }
    }

    /// As cells of a table.
    pub(super) fn cells(&self) -> [Cell; 3] {
        let share = Cell::number(format!("{:.1} %", 100.0 * self.share));
        let word = if self.is_met { "explained" } else { "open" };
        [Cell::text(word), Cell::text(&self.reading), share]
    }
}

fn printed(part: &Readings, cell: TableCell) -> f64 {
    share(part.rows[cell.row].printed, cell.outcome)
}

fn name(part: &Readings, cell: TableCell) -> String {
    let row = &part.rows[cell.row];
    let (black, white) = (&row.black, &row.white);
    match cell.outcome {
        0 => format!("{black} wins as Black against {white}"),
        1 => format!("{white} wins as White against {black}"),
        _ => format!("{black} and {white} draw"),
    }
}

fn list(texts: &[String]) -> String {
    match texts {
        [rest @ .., last] if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        _ => texts.concat(),
    }
}

fn draw(part: &Readings, tried: &[Tried<'_>]) -> String {
    let cells = part.cells();
    let width = LEFT + COLUMN * cells.len() as f64 + 90.0;
    let height = TOP + LINE * (tried.len() + 1) as f64 + 8.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-label=\"Readings against printed numbers\" font-size=\"12\" \
         font-family=\"system-ui, sans-serif\" fill=\"currentColor\">\n"
    );
    for (number, row) in part.rows.iter().enumerate() {
        let x = LEFT + COLUMN * 3.0 * number as f64;
        for (text, y) in [(&row.black, 14.0), (&row.white, 30.0)] {
            let stone = if y < 20.0 { "●" } else { "○" };
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{stone} {}</text>", escape(text));
        }
        for (place, word) in ["Black", "White", "drawn"].iter().enumerate() {
            let x = x + COLUMN * (place as f64 + 0.5);
            let _ = writeln!(
                svg,
                "<text x=\"{x}\" y=\"50\" text-anchor=\"middle\" font-size=\"11\" opacity=\"0.7\">\
                 {word}</text>"
            );
        }
    }
    let head = LEFT + COLUMN * cells.len() as f64 + 12.0;
    let _ =
        writeln!(svg, "<text x=\"{head}\" y=\"50\" font-size=\"11\" opacity=\"0.7\">off by</text>");
    let shares: Vec<f64> = cells.iter().map(|cell| printed(part, *cell)).collect();
    svg += &line(0, "the paper", &shares, |_| None);
    for (number, tried) in tried.iter().enumerate() {
        let ours = |cell: &TableCell| share(tried.fit.tallies[cell.row], cell.outcome);
        let color = |place: usize| {
            let cell = cells[place];
            Some(match meets(part, cell, tried.fit.tallies[cell.row]) {
                true => ("#009e73", 0.45),
                false => ("#d55e00", (0.1 + (ours(&cell) - shares[place]).abs()).min(0.75)),
            })
        };
        let values: Vec<f64> = cells.iter().map(ours).collect();
        svg += &line(number + 1, &tried.reading.name, &values, color);
        let y = middle(number + 1) + 4.0;
        let off = 100.0 * tried.fit.distance;
        let _ = writeln!(svg, "<text x=\"{head}\" y=\"{y}\">{off:.1}</text>");
    }
    svg + "</svg>\n"
}

fn middle(number: usize) -> f64 {
    TOP + LINE * (number as f64 + 0.5)
}

/// A line of the map: its name and its shares, each on a color.
fn line(
    number: usize,
    name: &str,
    shares: &[f64],
    color: impl Fn(usize) -> Option<(&'static str, f64)>,
) -> String {
    let y = middle(number);
    let mut svg = format!(
        "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n",
        LEFT - 10.0,
        y + 4.0,
        escape(name)
    );
    for (place, share) in shares.iter().enumerate() {
        let x = LEFT + COLUMN * place as f64;
        if let Some((color, opacity)) = color(place) {
            let _ = writeln!(
                svg,
                "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\" rx=\"3\" \
                 fill=\"{color}\" fill-opacity=\"{opacity:.2}\"/>",
                x + 1.0,
                y - LINE / 2.0 + 1.0,
                COLUMN - 2.0,
                LINE - 2.0,
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{:.0}</text>",
            x + COLUMN / 2.0,
            y + 4.0,
            100.0 * share
        );
    }
    svg
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
