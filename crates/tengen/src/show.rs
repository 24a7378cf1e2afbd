//! How positions, scores and choices are printed, for people and as JSON.

use std::io::IsTerminal as _;

use gomoku::{Color, Point, Position};
use player::{Candidate, Choice, Score};
use serde_json::{Value, json};

/// The board with star points and the last move marked; in color if a person watches.
pub(crate) fn board(position: &Position) -> String {
    let is_colored = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    painted_board(position, is_colored)
}

fn painted_board(position: &Position, is_colored: bool) -> String {
    let size = position.size();
    let painted = |code: &str, sign: &str| match is_colored {
        true => format!("\x1b[{code}m{sign}\x1b[0m"),
        false => sign.to_owned(),
    };
    let mut text = String::new();
    for row in (0..size).rev() {
        text += &format!("{:>3} ", row + 1);
        for col in 0..size {
            let point = Point::new(col, row);
            let stone = match position.board().get(point) {
                Some(Color::Black) => painted("1;34", "X"),
                Some(Color::White) => painted("1;33", "O"),
                None if position.forbidden(point).is_some() => painted("31", "!"),
                None if is_star(point, size) => painted("2", "+"),
                None => painted("2", "."),
            };
            let is_last = position.last_move() == Some(point);
            text += &if is_last { format!("({stone})") } else { format!(" {stone} ") };
        }
        text += "\n";
    }
    text += "    ";
    for col in 0..size {
        text += &format!(" {} ", (b'a' + col) as char);
    }
    text
}

/// The points that boards mark: the center, and one four lines in from each corner.
fn is_star(point: Point, size: u8) -> bool {
    let is_marked = |line: u8| size >= 13 && (line == 3 || line == size - 4);
    let is_center = |line: u8| size % 2 == 1 && line == size / 2;
    let (col, row) = (point.col(), point.row());
    (is_marked(col) && is_marked(row)) || (is_center(col) && is_center(row))
}

/// How much is done, how much of it in a second, and how long the rest will take.
pub(crate) fn progress(done: u64, total: u64, rate: f64) -> String {
    let bar = bar(done, total);
    let left = total.saturating_sub(done) as f64 / rate;
    let left = if left.is_finite() { time(left) } else { "?".to_owned() };
    format!("{bar} {done}/{total}, {rate:.1}/s, {left} left")
}

/// A bar that is full when all is done.
pub(crate) fn bar(done: u64, total: u64) -> String {
    const WIDTH: u64 = 20;
    let full = WIDTH * done.min(total) / total.max(1);
    format!("[{}{}]", "#".repeat(full as usize), ".".repeat((WIDTH - full) as usize))
}

/// Seconds as people say them.
fn time(seconds: f64) -> String {
    match seconds.ceil() as u64 {
        short @ 0..100 => format!("{short} s"),
        long @ 100..6000 => format!("{} min", long.div_ceil(60)),
        longer => format!("{} h", longer.div_ceil(3600)),
    }
}

/// Moves separated by spaces.
pub(crate) fn line(points: &[Point]) -> String {
    points.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

/// A count with thousands humanised: 1234567 as 1.23M.
pub(crate) fn count(n: u64) -> String {
    match n {
        0..10_000 => n.to_string(),
        10_000..1_000_000 => format!("{:.1}k", n as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.2}M", n as f64 / 1e6),
        _ => format!("{:.2}G", n as f64 / 1e9),
    }
}

/// A score as JSON, from the view of the side to move: words, and either a number or whose win it is,
/// in how many plies, and whether that is proved or only claimed.
fn score_json(score: Option<Score>, to_move: Color, is_proved: bool) -> Value {
    let win = score.and_then(Score::decisive_in).map(|plies| {
        let winner = if plies >= 0 { to_move } else { !to_move };
        json!({ "for": winner.to_string(), "in": plies.abs(), "proved": is_proved })
    });
    json!({
        "score": score.map(|score| score.to_string()),
        "value": score.filter(|score| !score.is_decisive()).map(Score::value),
        "win": win,
    })
}

/// A candidate as JSON.
fn candidate_json(candidate: &Candidate, to_move: Color, is_proved: bool) -> Value {
    let mut value = json!({
        "move": candidate.point.to_string(),
        "probability": candidate.probability,
        "depth": candidate.depth,
        "nodes": candidate.nodes,
        "line": candidate.line.iter().map(Point::to_string).collect::<Vec<_>>(),
    });
    extend(&mut value, score_json(candidate.score, to_move, is_proved));
    value
}

/// A choice of the side to move as JSON.
pub(crate) fn choice_json(choice: &Choice, to_move: Color) -> Value {
    let is_proved = |point| choice.proof.is_some() && choice.point() == Some(point);
    let candidates = choice.candidates.iter();
    let candidates = candidates.map(|one| candidate_json(one, to_move, is_proved(one.point)));
    let mut value = json!({
        "move": choice.point().map(|point| point.to_string()),
        "proved_in": choice.proof.as_ref().map(|proof| proof.plies),
        "reason": choice.reason.to_string(),
        "depth": choice.depth,
        "nodes": choice.counters.nodes,
        "evaluations": choice.counters.evaluations,
        "cutoffs": choice.counters.cutoffs,
        "time_ms": choice.counters.time.as_secs_f64() * 1e3,
        "candidates": candidates.collect::<Vec<_>>(),
    });
    extend(&mut value, score_json(choice.score, to_move, choice.proof.is_some()));
    value
}

/// Adds the fields of one object to another.
fn extend(value: &mut Value, more: Value) {
    if let (Value::Object(fields), Value::Object(more)) = (value, more) {
        fields.extend(more);
    }
}

/// Writes to standard output. A reader such as `head` may close it early: then there is nobody left
/// to work for, and the program ends quietly.
pub(crate) fn write(text: std::fmt::Arguments<'_>) {
    use std::io::Write;
    if let Err(error) = std::io::stdout().lock().write_fmt(text) {
        std::process::exit(if error.kind() == std::io::ErrorKind::BrokenPipe { 0 } else { 1 });
    }
}

/// `println!` for commands; see [`write`].
macro_rules! outln {
    () => { $crate::show::write(format_args!("\n")) };
    ($($arg:tt)*) => { $crate::show::write(format_args!("{}\n", format_args!($($arg)*))) };
}
pub(crate) use outln;

#[cfg(test)]
mod tests {
    use gomoku::Rule;

    use super::*;

    #[test]
    fn boards_have_star_points_and_color_where_it_is_wanted() {
        let position = Position::parse("h8i9", Rule::Freestyle, 15).unwrap();
        let plain = painted_board(&position, false);
        assert_eq!(plain.matches('+').count(), 4, "the center is taken");
        assert!(plain.contains(" X ") && plain.contains("(O)") && !plain.contains('\x1b'));
        assert!(painted_board(&position, true).contains("\x1b[1;34mX\x1b[0m"));
    }

    #[test]
    fn a_win_in_json_is_words_and_numbers() {
        let one = Point::from_xy(7, 7, 15).unwrap();
        let mut choice = Choice::of(one, player::Reason::Search);
        let candidate = |score| Candidate { score: Some(score), ..Candidate::new(one) };
        choice.score = Some(Score::loss_in(6));
        choice.candidates = vec![candidate(Score::loss_in(6)), candidate(Score::new(-35))];
        let found = choice_json(&choice, Color::White);
        let lost = json!({ "for": "black", "in": 6, "proved": false });
        assert_eq!((&found["score"], &found["value"]), (&json!("loss in 6"), &Value::Null));
        assert_eq!((&found["win"], &found["candidates"][0]["win"]), (&lost, &lost));
        let second = &found["candidates"][1];
        assert_eq!((&second["value"], &second["win"]), (&json!(-35), &Value::Null));
    }

    #[test]
    fn progress_says_how_much_how_fast_and_how_long() {
        let text = progress(25, 100, 5.0);
        assert_eq!(text, "[#####...............] 25/100, 5.0/s, 15 s left");
        assert!(progress(0, 100, 0.0).ends_with("? left"));
    }
}
