//! `tengen players`: what can play, where it comes from, and its parameters.

use anyhow::Result;
use player::{ParamKind, ParamSpec, PlayerInfo};
use serde_json::{Value, json};

use crate::players::registry;
use crate::show::outln;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Show this player (a name or a spec such as "alpha-beta(depth=6)")
    name: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    match (&args.name, args.json) {
        (None, false) => list(),
        (None, true) => print_json(&registry().players().map(info_json).collect::<Vec<_>>())?,
        (Some(name), json) => {
            let params = registry().params(name)?;
            let spec = params.to_spec();
            let info = registry().info(&spec.name).expect("a resolved spec names a player");
            if json {
                let mut value = info_json(info);
                value["spec"] = json!(spec.to_string());
                print_json(&value)?;
            } else {
                show(info, &spec.to_string());
            }
        }
    }
    Ok(())
}

fn list() {
    for info in registry().players() {
        outln!("{:<24} {}", info.name, info.summary);
        if !info.source.is_empty() {
            outln!("{:<24} {}", "", info.source);
        }
    }
    outln!("\n'tengen players NAME' shows the parameters; specs look like alpha-beta(depth=6).");
    outln!("External Gomocup engines are named cmd:./program.");
}

fn show(info: &PlayerInfo, spec: &str) {
    outln!("{}: {}", info.name, info.summary);
    if !info.source.is_empty() {
        outln!("From {}", info.source);
    }
    outln!("\n{spec}\n");
    for param in &info.params {
        outln!("  {:<16} {}  [{}]", param.name, param.help, range_text(param));
    }
    for table in &info.tables {
        outln!("\n{}", table.name);
        outln!("  {}", table.columns.join(" | "));
        for row in &table.rows {
            outln!("  {}", row.join(" | "));
        }
    }
}

fn range_text(param: &ParamSpec) -> String {
    let default = param.default_value();
    match &param.kind {
        ParamKind::Integer { min, max, .. } => format!("{default}; {min} to {max}"),
        ParamKind::Real { min, max, .. } => format!("{default}; {min} to {max}"),
        ParamKind::Switch { .. } => format!("{default}; on or off"),
        ParamKind::Choice { options, .. } => format!("{default}; {}", options.join(", ")),
        ParamKind::File { options, .. } => {
            format!("{default}; {}, or a file", options.join(", "))
        }
        ParamKind::Component { options, .. } => format!("{default}; {}", options.join(", ")),
    }
}

fn info_json(info: &PlayerInfo) -> Value {
    json!({
        "name": info.name,
        "summary": info.summary,
        "source": info.source,
        "params": info.params.iter().map(param_json).collect::<Vec<_>>(),
        "tables": info.tables.iter().map(|table| json!({
            "name": table.name, "columns": table.columns, "rows": table.rows,
        })).collect::<Vec<_>>(),
    })
}

fn param_json(param: &ParamSpec) -> Value {
    let mut value = match &param.kind {
        ParamKind::Integer { default, min, max, step, log } => {
            json!({"kind": "integer", "default": default, "min": min, "max": max, "step": step, "log": log})
        }
        ParamKind::Real { default, min, max, step, log } => {
            json!({"kind": "real", "default": default, "min": min, "max": max, "step": step, "log": log})
        }
        ParamKind::Switch { default } => json!({"kind": "switch", "default": default}),
        ParamKind::Choice { default, options } => {
            json!({"kind": "choice", "default": default, "options": options})
        }
        ParamKind::File { default, options } => {
            json!({"kind": "file", "default": default, "options": options})
        }
        ParamKind::Component { default, of, options } => {
            json!({"kind": "component", "default": default, "of": of, "options": options})
        }
    };
    value["name"] = json!(param.name);
    value["help"] = json!(param.help);
    value
}

fn print_json(value: &impl serde::Serialize) -> Result<()> {
    outln!("{}", serde_json::to_string_pretty(value)?);
    Ok(())
}
