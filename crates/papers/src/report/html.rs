//! The document as one HTML file that needs nothing else.

use std::fmt::Write as _;

use super::doc::{Block, Cell};

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1d2328; --paper: #fdfcf9; --line: #d9d5cb; --soft: #f3f0e8;
  --good: #0b6b46; --bad: #a5330d; --dim: #6a6f73; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e1d9; --paper: #171a1d; --line: #3a3f44;
  --soft: #21262a; --good: #5fd0a0; --bad: #ff9d78; --dim: #9aa1a7; } }
body { margin: 0 auto; max-width: 72rem; padding: 1rem 1.25rem 4rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 2rem; line-height: 1.2; }
h2 { margin-top: 3.5rem; padding-top: .75rem; border-top: 2px solid var(--line); font-size: 1.4rem; }
h3 { margin: 2rem 0 .25rem; font-size: 1.05rem; }
h3::first-letter { text-transform: uppercase; }
p, li { max-width: 46rem; }
.scroll { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; line-height: 1.4; }
th { text-align: left; font-weight: 600; background: var(--soft); }
th, td { padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
td:has(> code) { min-width: 12rem; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; }
td.verdict { font-weight: 700; white-space: nowrap; }
.agrees { color: var(--good); } .differs { color: var(--bad); }
.undecided { color: var(--dim); }
.not-run { color: var(--dim); font-weight: 400; }
figure { margin: 1.25rem 0; } figure svg { max-width: 46rem; width: 100%; height: auto; display: block; }
figcaption { color: var(--dim); font-size: .875rem; }
code { font: .85em ui-monospace, monospace; background: var(--soft); padding: .1em .3em;
  border-radius: .2em; overflow-wrap: anywhere; }
a { color: inherit; }
@media print {
  :root { color-scheme: light; --ink: #000; --paper: #fff; --line: #bbb; --soft: #f1f1f1;
    --good: #0b6b46; --bad: #a5330d; --dim: #555; }
  @page { size: A4; margin: 16mm 14mm; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  table { font-size: 7.5pt; } th, td { padding: .2rem .35rem; overflow-wrap: break-word; }
  code { overflow-wrap: break-word; } td:has(> code) { min-width: 0; }
  tr, figure, li { break-inside: avoid; } h1, h2, h3 { break-after: avoid; }
  h2 { margin-top: 1.5rem; } #experiments { break-before: page; border-top: 0; }
  .scroll { overflow: visible; } figure svg { max-width: 15cm; }
}
";

/// Renders the document.
pub(crate) fn render(title: &str, blocks: &[Block]) -> String {
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>{STYLE}</style>\n<main>\n",
        inline(title)
    );
    for block in blocks {
        // Writing to a string cannot fail.
        let _ = match block {
            Block::Heading(level, title, name) if name.is_empty() => {
                writeln!(html, "<h{level}>{}</h{level}>", inline(title))
            }
            Block::Heading(level, title, name) => {
                writeln!(html, "<h{level} id=\"{}\">{}</h{level}>", escape(name), inline(title))
            }
            Block::Text(text) => writeln!(html, "<p>{}</p>", inline(text)),
            Block::List(points) => {
                let items: String =
                    points.iter().map(|point| format!("<li>{}</li>", inline(point))).collect();
                writeln!(html, "<ul>{items}</ul>")
            }
            Block::Table { head, rows } => writeln!(html, "{}", table(head, rows)),
            Block::Svg { svg, caption, .. } => {
                let caption = inline(caption);
                writeln!(html, "<figure>{svg}<figcaption>{caption}</figcaption></figure>")
            }
        };
    }
    html + "</main>\n</html>\n"
}

fn table(head: &[String], rows: &[Vec<Cell>]) -> String {
    let is_number =
        |place: usize| matches!(rows.first().and_then(|r| r.get(place)), Some(Cell::Number(_)));
    let heads: String = head
        .iter()
        .enumerate()
        .map(|(place, text)| match is_number(place) {
            true => format!("<th class=\"number\">{}</th>", inline(text)),
            false => format!("<th>{}</th>", inline(text)),
        })
        .collect();
    let rows: String = rows
        .iter()
        .map(|row| format!("<tr>{}</tr>\n", row.iter().map(cell).collect::<String>()))
        .collect();
    format!("<div class=\"scroll\"><table>\n<tr>{heads}</tr>\n{rows}</table></div>")
}

fn cell(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => format!("<td>{}</td>", inline(text)),
        Cell::Number(text) => {
            // Where there is no room, the interval goes below the number.
            let text = inline(text).replace(' ', "\u{a0}").replace("\u{a0}[", " [");
            format!("<td class=\"number\">{text}</td>")
        }
        Cell::Link(name) => {
            let name = escape(name);
            format!("<td><a href=\"#{name}\">{name}</a></td>")
        }
        Cell::Verdict(verdict) => {
            let word = verdict.word();
            let class = word.replace(' ', "-");
            format!("<td class=\"verdict {class}\">{word}</td>")
        }
    }
}

/// Text with `code` and *emphasis*. A mark that is not closed stays as it is.
fn inline(text: &str) -> String {
    let escaped = escape(text);
    let code = marked(&escaped, '`', "code");
    marked(&code, '*', "em")
}

fn marked(text: &str, mark: char, tag: &str) -> String {
    let pieces: Vec<&str> = text.split(mark).collect();
    if pieces.len().is_multiple_of(2) {
        return text.to_owned();
    }
    let wrap = |(place, piece): (usize, &&str)| match place % 2 {
        1 => format!("<{tag}>{piece}</{tag}>"),
        _ => (*piece).to_owned(),
    };
    pieces.iter().enumerate().map(wrap).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_text_becomes_a_tag() {
        assert_eq!(
            inline("a < b & `c<d>` *e*"),
            "a &lt; b &amp; <code>c&lt;d&gt;</code> <em>e</em>"
        );
        assert_eq!(inline("3 * 4"), "3 * 4");
    }

    #[test]
    fn a_number_breaks_only_before_its_interval() {
        assert_eq!(
            cell(&Cell::number("97 554 [92 909, 101 577]")),
            "<td class=\"number\">97\u{a0}554 [92\u{a0}909,\u{a0}101\u{a0}577]</td>"
        );
    }
}
