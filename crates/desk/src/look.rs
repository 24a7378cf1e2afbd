//! What a position is: who has won, what is forbidden, and what its stones are worth.

use std::panic::{AssertUnwindSafe, catch_unwind};

use gomoku::{
    Color, Ending, Field, Forbidden, GameResult, Position, Rules, Threat, opening, renju, with_rule,
};
use serde::Serialize;

use crate::{
    Desk,
    explanation::WireExplanation,
    wire::{BadPosition, LookRequest},
};

/// The answer to a look.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Look {
    t: &'static str,
    rev: u64,
    /// Moves that could not be played, so that the page takes them back.
    #[serde(skip_serializing_if = "Option::is_none")]
    bad: Option<BadPosition>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<WireResult>,
    /// Where the side to move may play, for those who ask.
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    to_move: Option<&'static str>,
    /// Points that Black may not play, with the reason.
    forbidden: Vec<(String, &'static str)>,
    /// Points where a stone of a side (0 Black, 1 White) makes an open three or more.
    threats: Vec<(String, u8, &'static str)>,
    /// The name of the opening, if the position is one that has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explain: Option<WireExplanation>,
    /// Why there is no explanation.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// How the game is decided.
#[derive(Debug, Serialize)]
struct WireResult {
    winner: Option<&'static str>,
    ending: &'static str,
    line: Vec<String>,
}

/// Looks at a position.
pub(crate) fn look(desk: &Desk, request: &LookRequest) -> Look {
    let mut answer = Look { t: "look", rev: request.rev, ..Look::default() };
    let position = match request.position.read() {
        Ok(position) => position,
        Err(bad) => {
            answer.bad = Some(bad);
            return answer;
        }
    };
    answer.result = position.outcome().map(|outcome| {
        let GameResult { winner, ending } = outcome.into();
        let line = position.winning_line().iter().map(ToString::to_string).collect();
        WireResult { winner: winner.map(color_name), ending: Ending::name(ending), line }
    });
    if request.legal {
        answer.legal = Some(position.legal_points().iter().map(|p| p.to_string()).collect());
        answer.to_move = Some(color_name(position.to_move()));
    }
    answer.forbidden = forbidden(&position);
    answer.opening = opening::name_of(&position).map(|named| named.romaji);
    if position.outcome().is_none() {
        answer.threats = with_rule!(position.rule(), R => threats::<R>(&position));
    }
    if let (Some(player), None) = (&request.player, position.outcome()) {
        match explain(desk, player, &position) {
            Ok(explanation) => answer.explain = Some(explanation),
            Err(problem) => answer.problem = Some(problem),
        }
    }
    answer
}

fn forbidden(position: &Position) -> Vec<(String, &'static str)> {
    if position.rule() != gomoku::Rule::Renju || position.outcome().is_some() {
        return Vec::new();
    }
    let board = position.board();
    let points = renju::forbidden_points(board);
    let reason = |point| renju::forbidden(board, point).map(forbidden_name);
    points.iter().filter_map(|point| Some((point.to_string(), reason(point)?))).collect()
}

fn threats<R: Rules>(position: &Position) -> Vec<(String, u8, &'static str)> {
    let field = Field::<R>::from_position(position);
    let mut found = Vec::new();
    for color in Color::ALL {
        for point in field.points_at_least(color, Threat::OpenThree).iter() {
            let is_banned = color == Color::Black && R::HAS_FORBIDDEN && field.is_forbidden(point);
            if let (false, Some(name)) = (is_banned, threat_name(field.threat(color, point))) {
                found.push((point.to_string(), color as u8, name));
            }
        }
    }
    found
}

fn threat_name(threat: Threat) -> Option<&'static str> {
    match threat {
        Threat::Five => Some("five"),
        Threat::OpenFour => Some("open-four"),
        Threat::FourThree => Some("four-three"),
        Threat::Four | Threat::FourPlus => Some("four"),
        Threat::DoubleThree => Some("double-three"),
        Threat::OpenThree | Threat::OpenThreePlus => Some("open-three"),
        _ => None,
    }
}

fn forbidden_name(kind: Forbidden) -> &'static str {
    match kind {
        Forbidden::Overline => "overline",
        Forbidden::DoubleFour => "double-four",
        Forbidden::DoubleThree => "double-three",
    }
}

pub(crate) fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

fn explain(desk: &Desk, player: &str, position: &Position) -> Result<WireExplanation, String> {
    let scale = desk.players.scale(player);
    let mut pooled = desk.players.acquire(player, "explain", 0)?;
    let explained = catch_unwind(AssertUnwindSafe(|| pooled.player.explain(position)))
        .map_err(|_| format!("The player {player} failed."))?;
    desk.players.release(pooled);
    Ok(WireExplanation::new(player, &explained, scale))
}
