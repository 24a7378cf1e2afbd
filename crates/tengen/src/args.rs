//! Arguments that several commands share.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use gomoku::{Game, Position, Rule, record};
use player::{Clock, Limits};

/// Which game.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct GameArgs {
    /// freestyle, standard, renju, caro or caro-exact
    #[arg(long, default_value = "freestyle", value_name = "RULE")]
    pub(crate) rule: Rule,
    /// Board size: points per side, 5 to 22
    #[arg(long, default_value_t = 15, value_name = "N",
          value_parser = clap::value_parser!(u8).range(5..=22))]
    pub(crate) size: u8,
}

impl GameArgs {
    /// Reads a position: moves (`h8i9g9`, `1. h8 i9`, `8,8 9,9`), stones and the side to move (`b:h8,g9 w:i9 b`), or a
    /// record file.
    pub(crate) fn position(&self, text: &str) -> Result<Position> {
        if Path::new(text).is_file() {
            let game = self.games_in(Path::new(text))?.remove(0);
            return Ok(game.position);
        }
        let position = Position::parse(text, self.rule, self.size);
        // What is no position and lies in a folder or has an ending was meant as a file.
        if position.is_err()
            && (text.contains(['/', '\\']) || Path::new(text).extension().is_some())
        {
            bail!("There is no file {text}.");
        }
        Ok(position?)
    }

    /// The games of a record file of any known format, at least one.
    pub(crate) fn games_in(&self, path: &Path) -> Result<Vec<Game>> {
        let shown = path.display();
        let bytes = std::fs::read(path).with_context(|| format!("Cannot read {shown}"))?;
        let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
        let hint = record::Hint { name: &name, size: Some(self.size), ..record::Hint::default() };
        let trees = record::read(&bytes, &hint).with_context(|| format!("Cannot read {shown}"))?;
        if trees.is_empty() {
            bail!("There is no game in {shown}.");
        }
        let game = |tree: &record::Tree| tree.game(tree.rule().unwrap_or(self.rule));
        let games: Result<Vec<_>, _> = trees.iter().map(game).collect();
        games.with_context(|| format!("Cannot play through {shown}"))
    }
}

/// How a NATS server lets us in.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct NatsArgs {
    /// File with what the NATS server asks for: a name and a password, or a token
    #[arg(long, value_name = "FILE")]
    nats_login: Option<PathBuf>,
    /// File with the certificate of the authority that vouches for the NATS server
    #[arg(long, value_name = "FILE")]
    nats_ca: Option<PathBuf>,
    /// File with a certificate to show to the NATS server
    #[arg(long, value_name = "FILE", requires = "nats_key")]
    nats_cert: Option<PathBuf>,
    /// File with the key of that certificate
    #[arg(long, value_name = "FILE", requires = "nats_cert")]
    nats_key: Option<PathBuf>,
}

impl NatsArgs {
    /// The server at an address.
    pub(crate) fn access(&self, url: &str) -> Result<fleet::Access> {
        if url.contains('@') {
            bail!(
                "Others can see an address: put the name and the password into a file, and name it \
                 with --nats-login."
            );
        }
        let login = self.nats_login.as_deref().map(read_login).transpose()?;
        Ok(fleet::Access {
            url: url.to_owned(),
            login,
            authority: self.nats_ca.clone(),
            certificate: self.nats_cert.clone().zip(self.nats_key.clone()),
        })
    }
}

fn read_login(path: &Path) -> Result<fleet::Login> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("Cannot read {}", path.display()))?;
    fleet::Login::parse(&text).with_context(|| {
        format!("{} holds neither a name and a password nor a token", path.display())
    })
}

/// How much a player may spend on a move.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct LimitArgs {
    /// Search depth, in plies
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Nodes per move: 20000, 20k or 2M
    #[arg(long, value_name = "N", value_parser = parse_count)]
    nodes: Option<u64>,
    /// Static evaluations per move
    #[arg(long, value_name = "N", value_parser = parse_count)]
    evals: Option<u64>,
    /// Time per move: 500ms, 2s, 1m
    #[arg(long, value_name = "T", value_parser = parse_duration)]
    time: Option<Duration>,
    /// Time per game plus increment per move: 60s+0.5s
    #[arg(long, value_name = "T+I", value_parser = parse_clock)]
    clock: Option<Clock>,
}

impl LimitArgs {
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            evaluations: self.evals,
            turn: self.time,
            clock: self.clock,
            memory: None,
        }
    }

    /// The limits, or this default when none was given.
    pub(crate) fn or(&self, default: Limits) -> Limits {
        let limits = self.limits();
        if limits == Limits::default() { default } else { limits }
    }
}

/// Reads `500`, `20k` or `2M`.
pub(crate) fn parse_count(text: &str) -> Result<u64> {
    let (digits, factor) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 1e3),
        Some((at, 'm' | 'M')) => (&text[..at], 1e6),
        Some((at, 'g' | 'G')) => (&text[..at], 1e9),
        _ => (text, 1.0),
    };
    match digits.parse::<f64>() {
        Ok(number) if number > 0.0 && number * factor < 1e18 => Ok((number * factor) as u64),
        _ => bail!("expected a positive number such as 500, 20k or 2M"),
    }
}

/// Reads `500ms`, `2s`, `1.5m` or `1h`; a bare number is seconds.
pub(crate) fn parse_duration(text: &str) -> Result<Duration> {
    let split = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(split);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => bail!("expected a time such as 500ms, 2s, 1.5m or 1h"),
    };
    match digits.parse::<f64>() {
        Ok(number) if (0.0..1e9).contains(&number) => Ok(Duration::from_secs_f64(number * seconds)),
        _ => bail!("expected a time such as 500ms, 2s, 1.5m or 1h"),
    }
}

/// Reads `60s+0.5s`; the increment may be left out.
fn parse_clock(text: &str) -> Result<Clock> {
    let (left, increment) = text.split_once('+').unwrap_or((text, "0"));
    Ok(Clock { left: parse_duration(left)?, increment: parse_duration(increment)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_and_times_are_read() {
        assert_eq!(parse_count("20k").unwrap(), 20_000);
        assert_eq!(parse_count("1.5M").unwrap(), 1_500_000);
        assert_eq!(parse_duration("500ms").unwrap(), Duration::from_millis(500));
        assert_eq!(parse_duration("2").unwrap(), Duration::from_secs(2));
        assert_eq!(parse_clock("60s+0.5s").unwrap().increment, Duration::from_millis(500));
        for bad in ["", "x", "-1", "1e30", "nan", "é"] {
            assert!(parse_count(bad).is_err() && parse_duration(bad).is_err(), "{bad}");
        }
    }
}
