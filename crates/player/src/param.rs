//! Parameters: declared once, read by command line, page, tuner and documents.

use std::fmt;

use crate::spec::{Arg, Spec, SpecError};

/// The declaration of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamSpec {
    /// Its name in specs, forms and files.
    pub name: &'static str,
    /// What it was called before: journals and files still say so.
    pub former_name: Option<&'static str>,
    /// One line for people.
    pub help: &'static str,
    /// What values it takes.
    pub kind: ParamKind,
}

/// The values a parameter takes, and its default.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamKind {
    /// A whole number.
    Integer {
        /// Used when nothing is given.
        default: i64,
        /// Smallest value.
        min: i64,
        /// Largest value.
        max: i64,
        /// A change worth trying.
        step: i64,
        /// Whether ratios matter rather than differences.
        log: bool,
    },
    /// A real number.
    Real {
        /// Used when nothing is given.
        default: f64,
        /// Smallest value.
        min: f64,
        /// Largest value.
        max: f64,
        /// A change worth trying.
        step: f64,
        /// Whether ratios matter rather than differences.
        log: bool,
    },
    /// `on` or `off`.
    Switch {
        /// Used when nothing is given.
        default: bool,
    },
    /// One of several words.
    Choice {
        /// Used when nothing is given.
        default: &'static str,
        /// The words.
        options: Vec<&'static str>,
    },
    /// One of several words, or the name of a file.
    File {
        /// Used when nothing is given.
        default: &'static str,
        /// The words.
        options: Vec<&'static str>,
    },
    /// A component with parameters of its own, or a pipeline of them.
    Component {
        /// Used when nothing is given.
        default: String,
        /// What kind of component, such as "evaluation".
        of: &'static str,
        /// Names of the components that fit.
        options: Vec<&'static str>,
    },
}

/// A parameter's value.
#[derive(Clone, Debug, PartialEq)]
pub enum ParamValue {
    /// Of an integer parameter.
    Integer(i64),
    /// Of a real parameter.
    Real(f64),
    /// Of a switch.
    Switch(bool),
    /// Of a choice or a file.
    Choice(String),
    /// Of a component: the parts of the pipeline.
    Component(Vec<Spec>),
}

impl ParamSpec {
    /// A parameter of any kind.
    pub const fn new(name: &'static str, help: &'static str, kind: ParamKind) -> Self {
        ParamSpec { name, former_name: None, help, kind }
    }

    /// The same parameter, which is also understood by the name it had before.
    pub const fn formerly(mut self, name: &'static str) -> Self {
        self.former_name = Some(name);
        self
    }

    /// A whole number, step 1.
    pub fn integer(
        name: &'static str,
        default: i64,
        min: i64,
        max: i64,
        help: &'static str,
    ) -> Self {
        ParamSpec::new(name, help, ParamKind::Integer { default, min, max, step: 1, log: false })
    }

    /// A real number.
    pub fn real(name: &'static str, default: f64, min: f64, max: f64, help: &'static str) -> Self {
        let step = (max - min) / 20.0;
        ParamSpec::new(name, help, ParamKind::Real { default, min, max, step, log: false })
    }

    /// A switch.
    pub fn switch(name: &'static str, default: bool, help: &'static str) -> Self {
        ParamSpec::new(name, help, ParamKind::Switch { default })
    }

    /// One of several words, the first being the default.
    pub fn choice(name: &'static str, options: &[&'static str], help: &'static str) -> Self {
        let kind = ParamKind::Choice { default: options[0], options: options.to_vec() };
        ParamSpec::new(name, help, kind)
    }

    /// One of several words, the first being the default, or the name of a file.
    pub fn file(name: &'static str, options: &[&'static str], help: &'static str) -> Self {
        let kind = ParamKind::File { default: options[0], options: options.to_vec() };
        ParamSpec::new(name, help, kind)
    }

    /// A component.
    pub fn component(
        name: &'static str,
        default: &str,
        of: &'static str,
        options: &[&'static str],
        help: &'static str,
    ) -> Self {
        let kind =
            ParamKind::Component { default: default.to_owned(), of, options: options.to_vec() };
        ParamSpec::new(name, help, kind)
    }

    /// The same parameter with another step.
    pub fn step(mut self, by: f64) -> Self {
        match &mut self.kind {
            ParamKind::Integer { step, .. } => *step = by as i64,
            ParamKind::Real { step, .. } => *step = by,
            _ => {}
        }
        self
    }

    /// The same parameter on a logarithmic scale.
    pub fn log_scale(mut self) -> Self {
        if let ParamKind::Integer { log, .. } | ParamKind::Real { log, .. } = &mut self.kind {
            *log = true;
        }
        self
    }

    /// The default as a value.
    pub fn default_value(&self) -> ParamValue {
        match &self.kind {
            ParamKind::Integer { default, .. } => ParamValue::Integer(*default),
            ParamKind::Real { default, .. } => ParamValue::Real(*default),
            ParamKind::Switch { default } => ParamValue::Switch(*default),
            ParamKind::Choice { default, .. } | ParamKind::File { default, .. } => {
                ParamValue::Choice((*default).to_owned())
            }
            ParamKind::Component { default, .. } => ParamValue::Component(
                Spec::parse_pipeline(default).expect("a declared default can be read"),
            ),
        }
    }

    /// Reads a value and checks it against the declaration.
    pub fn read(&self, player: &str, value: &[Spec]) -> Result<ParamValue, SpecError> {
        let word = match value {
            [Spec { name, args }] if args.is_empty() => Some(name.as_str()),
            _ => None,
        };
        let bad = |expected: String| SpecError::BadValue {
            player: player.to_owned(),
            name: self.name.to_owned(),
            value: ParamValue::Component(value.to_vec()).to_string(),
            expected,
        };
        match &self.kind {
            ParamKind::Integer { min, max, .. } => word
                .and_then(|word| word.parse().ok())
                .filter(|number| (min..=max).contains(&number))
                .map(ParamValue::Integer)
                .ok_or_else(|| bad(format!("a whole number from {min} to {max}"))),
            ParamKind::Real { min, max, .. } => word
                .and_then(|word| word.parse().ok())
                .filter(|number| (min..=max).contains(&number))
                .map(ParamValue::Real)
                .ok_or_else(|| bad(format!("a number from {min} to {max}"))),
            ParamKind::Switch { .. } => match word {
                Some("on" | "true" | "yes") => Ok(ParamValue::Switch(true)),
                Some("off" | "false" | "no") => Ok(ParamValue::Switch(false)),
                _ => Err(bad("on or off".to_owned())),
            },
            ParamKind::Choice { options, .. } => word
                .filter(|word| options.contains(word))
                .map(|word| ParamValue::Choice(word.to_owned()))
                .ok_or_else(|| bad(format!("one of {}", options.join(", ")))),
            ParamKind::File { options, .. } => word
                .map(|word| ParamValue::Choice(word.to_owned()))
                .ok_or_else(|| bad(format!("one of {}, or a file", options.join(", ")))),
            ParamKind::Component { options, .. } => {
                if value.iter().all(|part| options.contains(&part.name.as_str())) {
                    Ok(ParamValue::Component(value.to_vec()))
                } else {
                    Err(bad(format!("one of {}", options.join(", "))))
                }
            }
        }
    }
}

impl fmt::Display for ParamValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParamValue::Integer(value) => write!(f, "{value}"),
            ParamValue::Real(value) => write!(f, "{value}"),
            ParamValue::Switch(value) => f.write_str(if *value { "on" } else { "off" }),
            ParamValue::Choice(value) => f.write_str(value),
            ParamValue::Component(parts) => {
                let parts: Vec<_> = parts.iter().map(Spec::to_string).collect();
                f.write_str(&parts.join("|"))
            }
        }
    }
}

/// A value for every declared parameter of a player or component.
#[derive(Clone, Debug, PartialEq)]
pub struct ParamValues {
    owner: String,
    values: Vec<(&'static str, ParamValue)>,
}

impl ParamValues {
    /// Reads arguments against declarations; what is not given has its default. Arguments without a
    /// key fill the parameters in order.
    pub fn resolve(
        owner: &str,
        declared: &[ParamSpec],
        args: &[Arg],
    ) -> Result<ParamValues, SpecError> {
        let mut values: Vec<_> =
            declared.iter().map(|spec| (spec.name, spec.default_value())).collect();
        for (position, arg) in args.iter().enumerate() {
            let index = match &arg.key {
                Some(key) => declared
                    .iter()
                    .position(|spec| spec.name == key || spec.former_name == Some(key)),
                None => Some(position).filter(|&i| i < declared.len()),
            };
            let index = index.ok_or_else(|| SpecError::UnknownParam {
                player: owner.to_owned(),
                name: arg.key.clone().unwrap_or_else(|| format!("number {}", position + 1)),
                known: names(declared),
            })?;
            values[index].1 = declared[index].read(owner, &arg.value)?;
        }
        Ok(ParamValues { owner: owner.to_owned(), values })
    }

    /// All names and values in order of declaration.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &ParamValue)> {
        self.values.iter().map(|(name, value)| (*name, value))
    }

    /// The spec text with every parameter written out.
    pub fn to_spec(&self) -> Spec {
        let args = self.iter().map(|(name, value)| Arg {
            key: Some(name.to_owned()),
            value: match value {
                ParamValue::Component(parts) => parts.clone(),
                plain => vec![Spec::word(&plain.to_string())],
            },
        });
        Spec { name: self.owner.clone(), args: args.collect() }
    }

    /// A whole number.
    ///
    /// # Panics
    /// These getters panic when the parameter was declared otherwise: that is a bug in the player.
    pub fn integer(&self, name: &str) -> i64 {
        match self.get(name) {
            ParamValue::Integer(value) => *value,
            other => panic!("{name} is not an integer but {other}"),
        }
    }

    /// A real number.
    pub fn real(&self, name: &str) -> f64 {
        match self.get(name) {
            ParamValue::Real(value) => *value,
            other => panic!("{name} is not a real number but {other}"),
        }
    }

    /// A switch.
    pub fn switch(&self, name: &str) -> bool {
        match self.get(name) {
            ParamValue::Switch(value) => *value,
            other => panic!("{name} is not a switch but {other}"),
        }
    }

    /// A choice, or a file.
    pub fn choice(&self, name: &str) -> &str {
        match self.get(name) {
            ParamValue::Choice(value) => value,
            other => panic!("{name} is not a choice but {other}"),
        }
    }

    /// A component.
    pub fn component(&self, name: &str) -> &[Spec] {
        match self.get(name) {
            ParamValue::Component(value) => value,
            other => panic!("{name} is not a component but {other}"),
        }
    }

    fn get(&self, name: &str) -> &ParamValue {
        let found = self.values.iter().find(|(key, _)| *key == name);
        &found.unwrap_or_else(|| panic!("{} has no parameter {name}", self.owner)).1
    }
}

fn names(declared: &[ParamSpec]) -> String {
    if declared.is_empty() {
        return "none".to_owned();
    }
    declared.iter().map(|spec| spec.name).collect::<Vec<_>>().join(", ")
}
