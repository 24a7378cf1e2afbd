//! `tengen serve`: players for programs in other languages, over HTTP and without the page.

use std::{net::IpAddr, sync::Arc};

use anyhow::Result;
use studio::Options;

use crate::{data, players::registry};

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Port (default: 7531, or a free one if it is taken)
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Listen on this address, so that other machines can connect with the printed token
    #[arg(long, value_name = "ADDR")]
    listen: Option<IpAddr>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    let options = Options {
        port: args.port,
        listen: args.listen,
        open_browser: false,
        page: false,
        build: crate::BUILD.to_owned(),
        ..Options::new(data::folder()?, Arc::clone(registry()))
    };
    Ok(studio::serve(options)?)
}
