//! The document as Markdown.

use std::fmt::Write as _;

use super::doc::{Block, Cell};

/// Renders the document; pictures are files in `plots`.
pub(crate) fn render(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        match block {
            Block::Heading(level, title, name) => {
                if !name.is_empty() {
                    let _ = writeln!(text, "<a id=\"{name}\"></a>\n");
                }
                let _ = writeln!(text, "{} {title}\n", "#".repeat(usize::from(*level)));
            }
            Block::Text(paragraph) => {
                let _ = writeln!(text, "{paragraph}\n");
            }
            Block::List(points) => {
                points.iter().for_each(|point| text += &format!("- {point}\n"));
                text.push('\n');
            }
            Block::Table { head, rows } => table(&mut text, head, rows),
            Block::Svg { name, caption, .. } => {
                let _ = writeln!(text, "![{caption}](plots/{name}.svg)\n\n{caption}\n");
            }
        }
    }
    text
}

fn table(text: &mut String, head: &[String], rows: &[Vec<Cell>]) {
    let _ = writeln!(text, "| {} |", head.join(" | "));
    let is_number = |place: usize| matches!(rows.first().map(|r| &r[place]), Some(Cell::Number(_)));
    let rule = |place: usize| if is_number(place) { "--:" } else { "---" };
    let _ = writeln!(text, "|{}|", (0..head.len()).map(rule).collect::<Vec<_>>().join("|"));
    for row in rows {
        let cells: Vec<String> = row.iter().map(cell).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text.push('\n');
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) | Cell::Number(text) => text.replace('|', "\\|").replace('\n', " "),
        Cell::Link(name) => format!("[{name}](#{name})"),
        Cell::Verdict(verdict) => format!("**{}**", verdict.word()),
    }
}
