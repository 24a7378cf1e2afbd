//! `tengen studio`: the web app.

use std::{net::IpAddr, path::PathBuf, sync::Arc};

use anyhow::Result;
use studio::Options;

use crate::{data, players::registry};

#[derive(Debug, Default, clap::Args)]
pub(crate) struct Args {
    /// Port (default: 7531, or a free one if it is taken)
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Listen on this address, so that other machines can connect with the printed token
    #[arg(long, value_name = "ADDR")]
    listen: Option<IpAddr>,
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
        ..Options::new(data::folder()?, Arc::clone(registry()))
    };
    Ok(studio::serve(options)?)
}
