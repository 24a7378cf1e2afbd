//! `tengen studio`: the web app.

use std::{net::IpAddr, path::PathBuf};

use anyhow::Result;
use studio::Options;

use crate::{data, players::with_engines};

#[derive(Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// Port (default: 7531, or a free one if it is taken)
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Listen on this address, so that other machines can connect with the printed token
    #[arg(long, value_name = "ADDR")]
    listen: Option<IpAddr>,
    /// A Gomocup engine that can be chosen in the page, such as rapfi="./rapfi --quiet"; may be
    /// repeated
    #[arg(long = "engine", value_name = "NAME=COMMAND", value_parser = parse_engine)]
    engines: Vec<(String, String)>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Serve the page from this folder, for work on the page
    #[arg(long, value_name = "DIR", hide = true)]
    web: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let options = Options {
        port: args.port,
        listen: args.listen,
        open_browser: !args.no_open,
        web_dir: args.web.clone(),
        build: crate::BUILD.to_owned(),
        engines: args.engines.clone(),
        ..Options::new(data::folder()?, with_engines(&args.engines)?)
    };
    Ok(studio::serve(options)?)
}

/// Reads `rapfi=./rapfi --quiet`.
fn parse_engine(text: &str) -> Result<(String, String), String> {
    let (name, command) = text
        .split_once('=')
        .ok_or_else(|| format!("'{text}' is not NAME=COMMAND, such as rapfi=./rapfi."))?;
    let (name, command) = (name.trim(), command.trim());
    let is_name = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !is_name {
        return Err(format!("'{name}' is no name: small letters, digits and '-' are possible."));
    }
    if command.is_empty() {
        return Err(format!("The engine '{name}' has no command."));
    }
    Ok((name.to_owned(), command.to_owned()))
}
