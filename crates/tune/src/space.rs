//! The space that is searched: some parameters of a player, each between a low and a high value.

use player::{Arg, ParamKind, ParamSpec, ParamValue, ParamValues, Registry, Spec, SpecError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A point of the space: each coordinate from 0 (the low end of its gene) to 1 (the high end).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Genome(pub Vec<f64>);

/// One parameter that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Gene {
    /// The parameter's name.
    pub name: String,
    /// What values it has.
    pub kind: GeneKind,
    /// Low end.
    pub low: f64,
    /// High end.
    pub high: f64,
    /// Where the search begins.
    pub start: f64,
    /// Whether ratios matter rather than differences.
    pub log: bool,
}

/// The values of a gene.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum GeneKind {
    /// Any number.
    Real,
    /// Whole numbers.
    Integer,
    /// Off below one half, on from there.
    Switch,
    /// Words, each with an equal share of the range.
    Choice(Vec<String>),
}

/// Why a space cannot be searched.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SpaceError {
    /// No such parameter.
    #[error("'{player}' has no parameter '{name}'; it has {known}.")]
    UnknownParam {
        /// The player.
        player: String,
        /// The name given.
        name: String,
        /// What exists.
        known: String,
    },
    /// A component has no scale to search along.
    #[error("'{0}' is a component and cannot be tuned; tune its own parameters instead.")]
    Component(String),
    /// The range is empty, or not positive on a logarithmic scale.
    #[error("The range {low} to {high} of '{name}' cannot be searched.")]
    Range {
        /// The parameter.
        name: String,
        /// Low end.
        low: f64,
        /// High end.
        high: f64,
    },
    /// No such player.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// Nothing to tune.
    #[error("No parameter was named.")]
    Empty,
}

/// The parameters that are tuned, in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Space {
    /// The genes.
    pub genes: Vec<Gene>,
}

impl Space {
    /// The named parameters of a player, with their declared ranges unless others are given.
    ///
    /// # Errors
    /// When a name is unknown or a range is empty.
    pub fn new(
        registry: &Registry,
        player: &str,
        chosen: &[(String, Option<(f64, f64)>)],
    ) -> Result<Space, SpaceError> {
        let (declared, base) = (registry.declared(player)?, registry.params(player)?);
        let genes = chosen.iter().map(|(name, range)| gene(declared, &base, name, *range));
        let genes = genes.collect::<Result<Vec<_>, _>>()?;
        if genes.is_empty() { Err(SpaceError::Empty) } else { Ok(Space { genes }) }
    }

    /// Number of genes.
    pub fn len(&self) -> usize {
        self.genes.len()
    }

    /// Whether there is nothing to tune.
    pub fn is_empty(&self) -> bool {
        self.genes.is_empty()
    }

    /// Where the search begins.
    pub fn start(&self) -> Genome {
        Genome(self.genes.iter().map(|gene| gene.coordinate(gene.start)).collect())
    }

    /// The values of a genome.
    pub fn decode(&self, genome: &Genome) -> Vec<(String, ParamValue)> {
        let pairs = self.genes.iter().zip(&genome.0);
        pairs.map(|(gene, &at)| (gene.name.clone(), gene.value(at))).collect()
    }

    /// The player's spec, as it was typed, with the genome's values in place of its own. What was
    /// not typed stays so: some players derive one default from the others.
    pub fn spec(&self, typed: &Spec, genome: &Genome) -> Spec {
        let mut spec = typed.clone();
        for (name, value) in self.decode(genome) {
            let text = Spec::word(&value.to_string());
            let arg = spec.args.iter_mut().find(|arg| arg.key.as_deref() == Some(&name));
            match arg {
                Some(arg) => arg.value = vec![text],
                None => spec.args.push(Arg { key: Some(name), value: vec![text] }),
            }
        }
        spec
    }

    /// Moves every whole-number coordinate to a value that exists: up when its fraction is at least
    /// `1 - dither`, else down. Two genomes rounded with the same dither differ without bias.
    pub fn round(&self, genome: &Genome, dither: &[f64]) -> Genome {
        let each = self.genes.iter().zip(&genome.0).zip(dither);
        Genome(each.map(|((gene, &at), &dither)| gene.round(at, dither)).collect())
    }
}

fn gene(
    declared: &[ParamSpec],
    base: &ParamValues,
    name: &str,
    range: Option<(f64, f64)>,
) -> Result<Gene, SpaceError> {
    let spec = declared.iter().find(|spec| spec.name == name);
    let spec = spec.ok_or_else(|| SpaceError::UnknownParam {
        player: base.to_spec().name,
        name: name.to_owned(),
        known: declared.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", "),
    })?;
    let now = base.iter().find(|(key, _)| *key == name).map(|(_, value)| value);
    let (kind, low, high, log) = match &spec.kind {
        ParamKind::Integer { min, max, log, .. } => {
            (GeneKind::Integer, *min as f64, *max as f64, *log)
        }
        ParamKind::Real { min, max, log, .. } => (GeneKind::Real, *min, *max, *log),
        ParamKind::Switch { .. } => (GeneKind::Switch, 0.0, 1.0, false),
        ParamKind::Choice { options, .. } | ParamKind::File { options, .. } => {
            let words: Vec<_> = options.iter().map(|word| (*word).to_owned()).collect();
            let last = words.len().saturating_sub(1) as f64;
            (GeneKind::Choice(words), 0.0, last, false)
        }
        ParamKind::Component { .. } => return Err(SpaceError::Component(name.to_owned())),
    };
    let (low, high) = range.unwrap_or((low, high));
    // Not-a-number fails these comparisons, as it should.
    let is_searchable = low < high && (!log || low > 0.0) && low.is_finite() && high.is_finite();
    if !is_searchable {
        return Err(SpaceError::Range { name: name.to_owned(), low, high });
    }
    let start = match (now, &kind) {
        (Some(ParamValue::Integer(value)), _) => *value as f64,
        (Some(ParamValue::Real(value)), _) => *value,
        (Some(ParamValue::Switch(value)), _) => f64::from(u8::from(*value)),
        (Some(ParamValue::Choice(word)), GeneKind::Choice(words)) => {
            words.iter().position(|other| other == word).unwrap_or(0) as f64
        }
        _ => f64::midpoint(low, high),
    };
    Ok(Gene { name: name.to_owned(), kind, low, high, start: start.clamp(low, high), log })
}

impl Gene {
    /// The number at a coordinate.
    fn number(&self, at: f64) -> f64 {
        let at = at.clamp(0.0, 1.0);
        if self.log {
            self.low * libm::pow(self.high / self.low, at)
        } else {
            self.low + at * (self.high - self.low)
        }
    }

    /// The coordinate of a number.
    pub(crate) fn coordinate(&self, number: f64) -> f64 {
        let number = number.clamp(self.low, self.high);
        if self.log {
            libm::log(number / self.low) / libm::log(self.high / self.low)
        } else {
            (number - self.low) / (self.high - self.low)
        }
    }

    fn value(&self, at: f64) -> ParamValue {
        let number = self.number(at);
        match &self.kind {
            // Enough digits to tune with, few enough to read.
            GeneKind::Real => ParamValue::Real((number * 1e6).round() / 1e6),
            GeneKind::Integer => ParamValue::Integer(number.round() as i64),
            GeneKind::Switch => ParamValue::Switch(at >= 0.5),
            GeneKind::Choice(words) => {
                let index = (at.clamp(0.0, 1.0) * words.len() as f64) as usize;
                ParamValue::Choice(words[index.min(words.len() - 1)].clone())
            }
        }
    }

    fn round(&self, at: f64, dither: f64) -> f64 {
        match self.kind {
            GeneKind::Integer => self.coordinate((self.number(at) + dither).floor()),
            _ => at,
        }
    }
}
