//! What the server offers, for the page to build its forms from and for anyone to read.

use gomoku::{MAX_SIZE, MIN_SIZE, Rule};
use player::{ParamKind, ParamSpec, PlayerInfo, Registry};
use serde_json::{Value, json};

use crate::wire::PROTO;

/// The whole offer.
pub(crate) fn schema(registry: &Registry, cores: usize) -> Value {
    json!({
        "proto": PROTO,
        "version": env!("CARGO_PKG_VERSION"),
        "rules": Rule::ALL.map(Rule::name),
        "sizes": [MIN_SIZE, MAX_SIZE],
        "openings": openings(),
        "cores": cores,
        "players": registry.players().map(player).collect::<Vec<_>>(),
    })
}

/// The shipped sets of openings.
fn openings() -> Vec<Value> {
    let sets = book::shipped().into_iter();
    sets.map(|set| json!({ "name": set.name, "rule": set.rule.name(), "size": set.size })).collect()
}

fn player(info: &PlayerInfo) -> Value {
    let tables = info
        .tables
        .iter()
        .map(|table| json!({ "name": table.name, "columns": table.columns, "rows": table.rows }));
    json!({
        "name": info.name,
        "summary": info.summary,
        "source": info.source,
        "params": info.params.iter().map(param).collect::<Vec<_>>(),
        "tables": tables.collect::<Vec<_>>(),
    })
}

fn param(spec: &ParamSpec) -> Value {
    let mut value = match &spec.kind {
        ParamKind::Integer { default, min, max, step, log } => json!({
            "kind": "integer", "default": default, "min": min, "max": max, "step": step, "log": log,
        }),
        ParamKind::Real { default, min, max, step, log } => json!({
            "kind": "real", "default": default, "min": min, "max": max, "step": step, "log": log,
        }),
        ParamKind::Switch { default } => json!({ "kind": "switch", "default": default }),
        // A page does not name files.
        ParamKind::Choice { default, options } | ParamKind::File { default, options } => {
            json!({ "kind": "choice", "default": default, "options": options })
        }
        ParamKind::Component { default, of, options } => {
            json!({ "kind": "component", "default": default, "of": of, "options": options })
        }
    };
    value["name"] = json!(spec.name);
    value["help"] = json!(spec.help);
    value
}
