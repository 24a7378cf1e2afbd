//! A position as a picture: stones, and the moves that are talked about.

use std::fmt::Write as _;

use gomoku::{Color, Point, Position};

const CELL: f64 = 26.0;
const EDGE: f64 = 30.0;

/// A move that is pointed out.
#[derive(Clone, Debug)]
pub(crate) struct Mark {
    pub(crate) point: Point,
    pub(crate) color: Color,
    pub(crate) label: String,
}

/// Draws the position with the marked moves upon it, the letters of columns below.
pub(crate) fn draw(title: &str, position: &Position, marks: &[Mark]) -> String {
    let size = position.size();
    let side = 2.0 * EDGE + CELL * f64::from(size - 1);
    let at = |point: Point| {
        let x = EDGE + CELL * f64::from(point.col());
        let y = side - EDGE - CELL * f64::from(point.row());
        (x, y)
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {side} {side}\" role=\"img\" \
         aria-label=\"{title}\" style=\"max-width:28rem\" font-family=\"system-ui, sans-serif\" \
         font-size=\"11\" text-anchor=\"middle\">\
         <rect width=\"{side}\" height=\"{side}\" rx=\"6\" fill=\"#e9c98f\"/>\n"
    );
    for line in 0..size {
        let offset = EDGE + CELL * f64::from(line);
        let far = side - EDGE;
        let letter = char::from(b'A' + line);
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<path d=\"M{offset} {EDGE}V{far}M{EDGE} {offset}H{far}\" stroke=\"#7a5b2a\" \
             stroke-width=\"1\"/><text x=\"{offset}\" y=\"{:.0}\" fill=\"#4c3a1c\">{letter}</text>\
             <text x=\"{:.0}\" y=\"{:.1}\" fill=\"#4c3a1c\">{}</text>",
            side - 6.0,
            11.0,
            side - offset + 4.0,
            line + 1,
        );
    }
    for color in [Color::Black, Color::White] {
        for point in position.board().stones(color).iter() {
            svg += &stone(at(point), color, "");
        }
    }
    for mark in marks {
        svg += &stone(at(mark.point), mark.color, &mark.label);
    }
    svg + "</svg>\n"
}

fn stone((x, y): (f64, f64), color: Color, label: &str) -> String {
    let (fill, ink) = match color {
        Color::Black => ("#1b1b1b", "#ffffff"),
        Color::White => ("#fbfbfb", "#1b1b1b"),
    };
    let ring = if label.is_empty() { "#333" } else { "#d55e00" };
    let width = if label.is_empty() { 1.0 } else { 2.5 };
    format!(
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"11.5\" fill=\"{fill}\" stroke=\"{ring}\" \
         stroke-width=\"{width}\"/><text x=\"{x}\" y=\"{}\" fill=\"{ink}\">{label}</text>\n",
        y + 4.0
    )
}
