//! Small plots as SVG text: lines with bands, bars, and stacked shares.

use std::fmt::Write as _;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 44.0;

/// Okabe and Ito's colors, which also differ for the color-blind.
const COLORS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6bb1", "#666666"];

/// One curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// What the legend calls it.
    pub name: String,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// Lower and upper edge at each point, if it has a band.
    pub band: Vec<(f64, f64)>,
}

/// What stands around a plot.
#[derive(Clone, Copy, Debug)]
pub struct Labels<'a> {
    /// Above it.
    pub title: &'a str,
    /// Below it.
    pub x: &'a str,
    /// Beside it.
    pub y: &'a str,
}

/// Curves over a common axis.
pub fn curves(labels: Labels<'_>, curves: &[Curve]) -> String {
    let finite = |v: &f64| v.is_finite();
    let xs = curves.iter().flat_map(|c| c.points.iter().map(|p| p.0)).filter(finite);
    let bands = curves.iter().flat_map(|c| c.band.iter().flat_map(|b| [b.0, b.1]));
    let ys = curves.iter().flat_map(|c| c.points.iter().map(|p| p.1)).chain(bands).filter(finite);
    let frame = Frame { x: Axis::over(xs), y: Axis::over(ys.chain([0.0])) };
    let mut svg = open(labels);
    frame.draw_grid(&mut svg, true);
    for (curve, color) in curves.iter().zip(COLORS.iter().cycle()) {
        frame.draw_band(&mut svg, curve, color);
        frame.draw_line(&mut svg, curve, color);
    }
    let names = curves.iter().map(|curve| curve.name.as_str());
    draw_legend(&mut svg, names.zip(COLORS.iter().copied().cycle()));
    svg + "</svg>\n"
}

/// A bar for each count; `bars` are (left edge, right edge, height).
pub fn histogram(labels: Labels<'_>, bars: &[(f64, f64, f64)]) -> String {
    let frame = Frame {
        x: Axis::over(bars.iter().flat_map(|b| [b.0, b.1])),
        y: Axis::over(bars.iter().map(|b| b.2).chain([0.0])),
    };
    let mut svg = open(labels);
    frame.draw_grid(&mut svg, true);
    for (from, to, height) in bars {
        let (x0, x1) = (frame.to_x(*from) + 0.5, frame.to_x(*to) - 0.5);
        let (y0, y1) = (frame.to_y(*height), frame.to_y(0.0));
        let _ = writeln!(
            svg,
            "<rect x=\"{x0:.1}\" y=\"{y0:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"><title>{from:.0} to {to:.0}: {height:.0}</title></rect>",
            (x1 - x0).max(0.5),
            (y1 - y0).max(0.0),
            COLORS[0],
        );
    }
    svg + "</svg>\n"
}

/// Won, drawn and lost, in colors that say so.
pub const RESULTS: [(&str, &str); 3] =
    [("won", "#009e73"), ("drawn", "#999999"), ("lost", "#d55e00")];

/// Rows of shares, each a bar from 0 to 100 %; `parts` are their names and colors.
pub fn shares(title: &str, parts: &[(&str, &str)], rows: &[(String, Vec<f64>)]) -> String {
    const ROW: f64 = 24.0;
    let (left, top) = (220.0, 48.0);
    let height = top + ROW * rows.len() as f64 + 12.0;
    let mut svg = open_sized(title, height);
    for (number, (name, values)) in rows.iter().enumerate() {
        let y = top + ROW * number as f64;
        let total: f64 = values.iter().sum();
        text(&mut svg, left - 8.0, y + 15.0, "end", name);
        let mut x = left;
        for (value, (_, color)) in values.iter().zip(parts) {
            let width = if total > 0.0 { value / total * (WIDTH - left - RIGHT) } else { 0.0 };
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{color}\"><title>{value:.0} of {total:.0}</title></rect>",
                ROW - 5.0,
            );
            x += width;
        }
    }
    draw_legend(&mut svg, parts.iter().copied());
    svg + "</svg>\n"
}

struct Axis {
    from: f64,
    to: f64,
    step: f64,
}

impl Axis {
    /// An axis over some values, from a round number to a round number.
    fn over(values: impl Iterator<Item = f64>) -> Axis {
        let (low, high) =
            values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        if !low.is_finite() {
            return Axis { from: 0.0, to: 1.0, step: 0.5 };
        }
        let span = if high > low { high - low } else { low.abs().max(1.0) };
        let step = round_step(span / 5.0);
        let from = (low / step).floor() * step;
        let to = ((high / step).ceil() * step).max(from + step);
        Axis { from, to, step }
    }

    fn ticks(&self) -> impl Iterator<Item = f64> + '_ {
        let count = ((self.to - self.from) / self.step).round() as u32;
        (0..=count).map(|i| self.from + f64::from(i) * self.step)
    }

    fn share(&self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }
}

/// The next larger of 1, 2 and 5 times a power of ten.
fn round_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.log10().floor());
    let factor = [1.0, 2.0, 5.0].into_iter().find(|f| f * power >= rough * 0.999).unwrap_or(10.0);
    factor * power
}

struct Frame {
    x: Axis,
    y: Axis,
}

impl Frame {
    fn to_x(&self, value: f64) -> f64 {
        LEFT + self.x.share(value) * (WIDTH - LEFT - RIGHT)
    }

    fn to_y(&self, value: f64) -> f64 {
        HEIGHT - BOTTOM - self.y.share(value) * (HEIGHT - TOP - BOTTOM)
    }

    fn draw_grid(&self, svg: &mut String, zero_line: bool) {
        for tick in self.y.ticks() {
            let y = self.to_y(tick);
            let is_zero = zero_line && tick.abs() < self.y.step / 1e6;
            let opacity = if is_zero { 0.6 } else { 0.15 };
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"currentColor\" stroke-opacity=\"{opacity}\"/>",
                WIDTH - RIGHT,
            );
            text(svg, LEFT - 8.0, y + 4.0, "end", &tick_text(tick, self.y.step));
        }
        for tick in self.x.ticks() {
            let label = tick_text(tick, self.x.step);
            text(svg, self.to_x(tick), HEIGHT - BOTTOM + 18.0, "middle", &label);
        }
    }

    fn draw_band(&self, svg: &mut String, curve: &Curve, color: &str) {
        if curve.band.len() != curve.points.len() || curve.band.is_empty() {
            return;
        }
        let x = |i: usize| self.to_x(curve.points[i].0);
        let clamp = |v: f64| v.clamp(self.y.from, self.y.to);
        let edge = |i: usize, value: f64| format!("{:.1},{:.1}", x(i), self.to_y(clamp(value)));
        let upper = (0..curve.band.len()).map(|i| edge(i, curve.band[i].1));
        let lower = (0..curve.band.len()).rev().map(|i| edge(i, curve.band[i].0));
        let points: Vec<String> = upper.chain(lower).collect();
        let _ = writeln!(
            svg,
            "<polygon points=\"{}\" fill=\"{color}\" fill-opacity=\"0.15\"/>",
            points.join(" ")
        );
    }

    fn draw_line(&self, svg: &mut String, curve: &Curve, color: &str) {
        let points: Vec<String> = curve
            .points
            .iter()
            .filter(|(x, y)| x.is_finite() && y.is_finite())
            .map(|(x, y)| format!("{:.1},{:.1}", self.to_x(*x), self.to_y(*y)))
            .collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            points.join(" ")
        );
    }
}

fn open(labels: Labels<'_>) -> String {
    let mut svg = open_sized(labels.title, HEIGHT);
    text(&mut svg, (LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 6.0, "middle", labels.x);
    let _ = writeln!(
        svg,
        "<text transform=\"translate(14 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
        (TOP + HEIGHT - BOTTOM) / 2.0,
        escape(labels.y),
    );
    svg
}

fn open_sized(title: &str, height: f64) -> String {
    let title = escape(title);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-label=\"{title}\" font-family=\"system-ui, sans-serif\" font-size=\"12\" \
         fill=\"currentColor\"><text x=\"{LEFT}\" y=\"18\" font-size=\"14\" font-weight=\"600\">{title}</text>\n"
    )
}

fn draw_legend<'a>(svg: &mut String, parts: impl Iterator<Item = (&'a str, &'a str)>) {
    let mut x = LEFT + 8.0;
    for (name, color) in parts {
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.0}\" y=\"25\" width=\"10\" height=\"10\" fill=\"{color}\"/>"
        );
        text(svg, x + 14.0, 34.0, "start", name);
        x += 26.0 + 6.6 * name.chars().count() as f64;
    }
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, content: &str) {
    let content = escape(content);
    let _ =
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{content}</text>");
}

fn tick_text(value: f64, step: f64) -> String {
    if value != 0.0 && value.abs() >= 1e6 {
        return format!("{:.1}M", value / 1e6);
    }
    let decimals = (-step.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{value:.decimals$}")
}

/// Text that may stand between tags and in attributes.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_are_round_and_hold_their_values() {
        let axis = Axis::over([3.0, 47.0].into_iter());
        assert_eq!((axis.from, axis.to, axis.step), (0.0, 50.0, 10.0));
        assert_eq!(axis.ticks().count(), 6);
        let flat = Axis::over([7.0].into_iter());
        assert!(flat.from <= 7.0 && flat.to >= 7.0 && flat.to > flat.from);
        let nothing = Axis::over(std::iter::empty());
        assert_eq!((nothing.from, nothing.to), (0.0, 1.0));
    }

    #[test]
    fn plots_are_closed_and_hold_no_bare_text() {
        let labels = Labels { title: "a < b & \"c\"", x: "x", y: "y" };
        let curve = Curve {
            name: "<script>".to_owned(),
            points: vec![(0.0, 1.0), (1.0, f64::INFINITY), (2.0, 3.0)],
            band: vec![(0.0, 2.0), (f64::NEG_INFINITY, f64::INFINITY), (2.0, 4.0)],
        };
        let svg = curves(labels, &[curve]);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(!svg.contains("<script>") && svg.contains("&lt;script&gt;"));
        assert!(!svg.contains("inf") && !svg.contains("NaN"), "{svg}");
        let bars = histogram(labels, &[(0.0, 10.0, 3.0), (10.0, 20.0, 5.0)]);
        assert_eq!(bars.matches("<rect").count(), 2);
        let rows = shares("t", &RESULTS[..2], &[("a".to_owned(), vec![1.0, 3.0])]);
        assert_eq!(rows.matches("<rect").count(), 4, "two shares and two in the legend");
    }
}
