//! Weights of a linear evaluation from games: what each shape was worth in the end.

use arena::PairRecord;
use gomoku::{Color, Point, Position};
use player::{Player, Registry};

use crate::{
    logistic::Example,
    run::TuneError,
    space::{Genome, Space},
};

/// Turns positions into examples: how often each gene's shape is on the board.
pub struct Features {
    player: Box<dyn Player>,
    /// For each gene the names under which explanations speak of it.
    names: Vec<[String; 2]>,
}

impl std::fmt::Debug for Features {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Features").field("names", &self.names).finish_non_exhaustive()
    }
}

impl Features {
    /// Explains positions with the player of this spec.
    ///
    /// # Errors
    /// When there is no such player.
    pub fn new(space: &Space, registry: &Registry, spec: &str) -> Result<Features, TuneError> {
        let (player, declared) = (registry.build(spec)?, registry.declared(spec)?);
        let names = space.genes.iter().map(|gene| {
            let help = declared.iter().find(|spec| spec.name == gene.name).map_or("", |s| s.help);
            [slug(&gene.name), slug(help)]
        });
        Ok(Features { player, names: names.collect() })
    }

    /// The features of a position, from the view of the side to move.
    fn of(&mut self, position: &Position) -> Vec<(usize, f64)> {
        let explained = self.player.explain(position);
        let mut features: Vec<(usize, f64)> = Vec::new();
        for term in explained.terms.iter().filter(|term| term.count > 0) {
            let name = slug(&term.name);
            let Some(gene) = self.names.iter().position(|names| names.contains(&name)) else {
                continue;
            };
            let sign = if term.color == position.to_move() { 1.0 } else { -1.0 };
            let value = sign * f64::from(term.count);
            match features.iter_mut().find(|(index, _)| *index == gene) {
                Some((_, sum)) => *sum += value,
                None => features.push((gene, value)),
            }
        }
        features
    }

    /// The positions of some pairs. The last moves are left out: they follow from forced wins, and
    /// any evaluation knows them.
    ///
    /// # Errors
    /// When a record cannot be played through.
    pub fn examples(
        &mut self,
        pairs: &[PairRecord],
        rule: gomoku::Rule,
        size: u8,
    ) -> Result<Vec<Example>, TuneError> {
        let mut examples = Vec::new();
        for pair in pairs {
            for game in &pair.games {
                let broken = |error: String| TuneError::Record(error);
                let mut position = Position::parse(&pair.opening, rule, size)
                    .map_err(|error| broken(error.to_string()))?;
                let moves = moves_of(&game.moves).map_err(broken)?;
                let used = moves.len().saturating_sub(2);
                for point in moves.into_iter().take(used) {
                    let features = self.of(&position);
                    if !features.is_empty() {
                        let outcome = outcome(game.result.color(), position.to_move());
                        examples.push(Example { features, outcome });
                    }
                    position.play(point).map_err(|error| broken(error.to_string()))?;
                }
            }
        }
        Ok(examples)
    }
}

fn outcome(winner: Option<Color>, side: Color) -> f64 {
    match winner {
        None => 0.5,
        Some(color) => f64::from(u8::from(color == side)),
    }
}

/// Reads `h8i9g10`.
fn moves_of(text: &str) -> Result<Vec<Point>, String> {
    let mut starts: Vec<usize> =
        text.char_indices().filter(|(_, c)| c.is_ascii_alphabetic()).map(|(at, _)| at).collect();
    starts.push(text.len());
    let part = |w: &[usize]| text[w[0]..w[1]].trim().parse::<Point>();
    starts.windows(2).map(|w| part(w).map_err(|error| error.to_string())).collect()
}

/// Letters and digits with hyphens between words: `Opp's Live Two` and `opp-live-two` agree.
fn slug(text: &str) -> String {
    let text = text.to_lowercase().replace("'s", "");
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.collect::<Vec<_>>().join("-")
}

/// The genome with the fitted weights, scaled so that they weigh as much in all as at the start:
/// the moves an evaluation prefers do not depend on its unit. Genes without a weight stay.
pub fn rescaled(space: &Space, weights: &[Option<f64>]) -> Genome {
    let fitted = space.genes.iter().zip(weights);
    let (mut before, mut after) = (0.0, 0.0);
    for (gene, weight) in fitted.clone() {
        if let Some(weight) = weight {
            before += gene.start.abs();
            after += weight.max(0.0);
        }
    }
    let scale = if after > 0.0 { before / after } else { 0.0 };
    let coordinate = |(gene, weight): (&crate::Gene, &Option<f64>)| {
        let value = match weight {
            Some(weight) if scale > 0.0 => weight * scale,
            _ => gene.start,
        };
        gene.coordinate(value)
    };
    Genome(fitted.map(coordinate).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Gene, GeneKind};

    #[test]
    fn names_of_shapes_and_parameters_agree() {
        assert_eq!(slug("Opp's Double Live Three"), "opp-double-live-three");
        assert_eq!(slug("sleep-two"), slug("Sleep Two"));
    }

    #[test]
    fn moves_are_read_one_by_one() {
        let moves = moves_of("h8i10a1").unwrap();
        let texts: Vec<String> = moves.iter().map(ToString::to_string).collect();
        assert_eq!(texts, ["h8", "i10", "a1"]);
        assert!(moves_of("h").is_err());
    }

    #[test]
    fn fitted_weights_keep_their_ratios_and_the_sum() {
        let gene = |start| Gene {
            name: "x".to_owned(),
            kind: GeneKind::Real,
            low: 0.0,
            high: 1000.0,
            start,
            log: false,
        };
        let space = Space { genes: vec![gene(100.0), gene(200.0), gene(50.0)] };
        let genome = rescaled(&space, &[Some(0.2), Some(0.1), None]);
        let values: Vec<f64> = genome.0.iter().map(|at| 1000.0 * at).collect();
        for (value, expected) in values.iter().zip([200.0, 100.0, 50.0]) {
            assert!((value - expected).abs() < 1e-9, "{values:?}");
        }
    }
}
