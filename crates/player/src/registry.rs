//! From the text that names a player to the player.

use std::fmt;

use crate::{
    Player,
    param::{ParamSpec, ParamValues},
    spec::{Spec, SpecError},
};

/// Makes a player from its parameters.
pub type BuildPlayer =
    Box<dyn Fn(&ParamValues) -> Result<Box<dyn Player>, SpecError> + Send + Sync>;

/// What people are told about a player.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerInfo {
    /// The name in specs.
    pub name: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// Where it comes from: paper and section, or empty.
    pub source: &'static str,
    /// Its parameters.
    pub params: Vec<ParamSpec>,
    /// The printed tables of its paper, as they are used.
    pub tables: Vec<PaperTable>,
}

/// A table of a paper.
#[derive(Clone, Debug, PartialEq)]
pub struct PaperTable {
    /// Its title.
    pub name: &'static str,
    /// Column heads.
    pub columns: Vec<&'static str>,
    /// Rows of cells.
    pub rows: Vec<Vec<String>>,
}

/// All players that can be named. Filled once, by the program that knows them.
#[derive(Default)]
pub struct Registry {
    entries: Vec<(PlayerInfo, BuildPlayer)>,
    /// Names that players had before, and those they have now.
    former_names: Vec<(&'static str, &'static str)>,
}

impl Registry {
    /// Adds a player.
    ///
    /// # Panics
    /// If the name is taken.
    pub fn add(&mut self, info: PlayerInfo, build: BuildPlayer) {
        assert!(self.info(info.name).is_none(), "there are two players named {}", info.name);
        self.entries.push((info, build));
    }

    /// Understands a player by the name it had before too: journals and files still say so.
    pub fn rename(&mut self, former: &'static str, now: &'static str) {
        self.former_names.push((former, now));
    }

    /// All players in the order they were added.
    pub fn players(&self) -> impl Iterator<Item = &PlayerInfo> {
        self.entries.iter().map(|(info, _)| info)
    }

    /// A player by name.
    pub fn info(&self, name: &str) -> Option<&PlayerInfo> {
        let renamed = self.former_names.iter().find(|(former, _)| *former == name);
        let name = renamed.map_or(name, |(_, now)| now);
        self.players().find(|info| info.name == name)
    }

    /// Makes the player that a text such as `alpha-beta(depth=6)` names.
    pub fn build(&self, text: &str) -> Result<Box<dyn Player>, SpecError> {
        let (params, build) = self.find(&text.parse()?)?;
        build(&params)
    }

    /// The parameters that a text stands for, defaults included.
    pub fn params(&self, text: &str) -> Result<ParamValues, SpecError> {
        Ok(self.find(&text.parse()?)?.0)
    }

    /// The parameters that the player of a text declares.
    pub fn declared(&self, text: &str) -> Result<&[ParamSpec], SpecError> {
        let name = self.params(text)?.to_spec().name;
        Ok(self.info(&name).map_or(&[], |info| info.params.as_slice()))
    }

    fn find(&self, spec: &Spec) -> Result<(ParamValues, &BuildPlayer), SpecError> {
        let name = self.info(&spec.name).map(|info| info.name);
        let entry = self.entries.iter().find(|(info, _)| Some(info.name) == name);
        let (info, build) = entry.ok_or_else(|| SpecError::UnknownName {
            kind: "player".to_owned(),
            name: spec.name.clone(),
            known: self.players().map(|info| info.name).collect::<Vec<_>>().join(", "),
        })?;
        Ok((ParamValues::resolve(info.name, &info.params, &spec.args)?, build))
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.players().map(|info| info.name)).finish()
    }
}
