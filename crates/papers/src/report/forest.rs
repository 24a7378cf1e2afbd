//! Claims as a picture: our interval as a bar, the paper's number or bound as a mark beside it.

use std::fmt::Write as _;

use crate::{
    measure::Unit,
    verdict::{ClaimVerdict, Judged},
};

const WIDTH: f64 = 720.0;
const LEFT: f64 = 390.0;
const RIGHT: f64 = 24.0;
const ROW: f64 = 26.0;
const TOP: f64 = 34.0;

/// Draws all claims that are shares; nothing when there are fewer than two.
pub(crate) fn draw(judged: &[Judged]) -> Option<String> {
    let shares: Vec<&Judged> = judged
        .iter()
        .filter(|judged| judged.measure.is_some_and(|measure| measure.unit == Unit::Percent))
        .collect();
    if shares.len() < 2 {
        return None;
    }
    let height = TOP + ROW * shares.len() as f64 + 30.0;
    let bottom = height - 26.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"Our intervals and the paper's numbers\" font-size=\"12\" \
         font-family=\"system-ui, sans-serif\" fill=\"currentColor\">\
         <text x=\"0\" y=\"16\" font-weight=\"600\">ours: dot and 95 % bar; paper: diamond, \
         or a line for a bound</text>\n"
    );
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let x = across(share);
        // Writing to a string cannot fail.
        let _ = writeln!(
            svg,
            "<path d=\"M{x:.1} {TOP}V{bottom:.1}\" stroke=\"currentColor\" stroke-opacity=\"0.18\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{:.0} %</text>",
            bottom + 18.0,
            100.0 * share
        );
    }
    for (place, judged) in shares.iter().enumerate() {
        svg += &row(judged, TOP + ROW * (place as f64 + 0.5));
    }
    Some(svg + "</svg>\n")
}

fn across(share: f64) -> f64 {
    LEFT + share.clamp(0.0, 1.0) * (WIDTH - LEFT - RIGHT)
}

fn row(judged: &Judged, y: f64) -> String {
    let Some(measure) = judged.measure else { return String::new() };
    let color = match judged.verdict {
        ClaimVerdict::Agrees => "#009e73",
        ClaimVerdict::Differs => "#d55e00",
        ClaimVerdict::Undecided | ClaimVerdict::NotRun => "#8a8a8a",
    };
    let (low, high) = (across(measure.low), across(measure.high));
    let mut svg = format!(
        "<text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"11\">{}</text>\
         <path d=\"M{low:.1} {y:.1}H{high:.1}\" stroke=\"{color}\" stroke-width=\"4\" \
         stroke-opacity=\"0.5\"/><circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{color}\"/>\n",
        LEFT - 12.0,
        y + 4.0,
        label(&judged.claim.text),
        across(measure.value),
    );
    let expected = judged.claim.expected.get_ref();
    let x = across(expected.place());
    svg += &match expected.printed() {
        Some(_) => format!(
            "<path d=\"M{x:.1} {:.1}l5 6l-5 6l-5 -6z\" fill=\"none\" stroke=\"currentColor\" \
             stroke-width=\"1.6\"/>\n",
            y - 6.0
        ),
        None => format!(
            "<path d=\"M{x:.1} {:.1}v16\" stroke=\"currentColor\" stroke-width=\"1.6\"/>\n",
            y - 8.0
        ),
    };
    svg
}

/// The beginning of a claim, as much as there is room for.
fn label(text: &str) -> String {
    const ROOM: usize = 62;
    let text = if text.chars().count() > ROOM {
        text.chars().take(ROOM - 1).chain(['…']).collect()
    } else {
        text.to_owned()
    };
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
