//! Scores as plain numbers, for files.

use player::Score;

/// The score behind [`Score::value`]; `None` for a number that is no score.
pub fn score_of(value: i64) -> Option<Score> {
    let plies = Score::win_in(0).value().checked_sub(value.checked_abs()?)?;
    match u32::try_from(plies) {
        Err(_) if plies < 0 => None,
        Ok(plies) if Score::win_in(plies).is_decisive() => {
            Some(if value > 0 { Score::win_in(plies) } else { Score::loss_in(plies) })
        }
        _ => Some(Score::new(value)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_score_comes_back() {
        let scores = [0, 1, -35, 40_000].map(Score::new);
        let claims = [1, 7, 200].map(|n| [Score::win_in(n), Score::loss_in(n)]);
        for score in scores.into_iter().chain(claims.into_iter().flatten()) {
            assert_eq!(score_of(score.value()), Some(score));
        }
        assert_eq!(score_of(i64::MIN), None);
        assert_eq!(score_of(Score::INFINITE.value()), None);
    }
}
