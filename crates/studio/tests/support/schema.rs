//! Holds JSON against the part of JSON Schema that our description uses. Stricter than the standard in
//! one thing: an object with described properties has no others, unless it says that it may.

use serde_json::Value;

/// What is wrong with a value, and where; nothing if it fits.
pub(crate) fn misfits(document: &Value, schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(document, schema, value, "$", &mut found);
    found
}

fn check(document: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(path) = schema["$ref"].as_str() {
        let target = document.pointer(path.trim_start_matches('#'));
        let target = target.unwrap_or_else(|| panic!("{path} is not in the description"));
        return check(document, target, value, at, found);
    }
    for (word, few) in [("oneOf", true), ("anyOf", false)] {
        if let Some(choices) = schema[word].as_array() {
            let each: Vec<_> = choices.iter().map(|one| misfits(document, one, value)).collect();
            let fitting = each.iter().filter(|wrong| wrong.is_empty()).count();
            if fitting == 0 || few && fitting > 1 {
                found.push(format!("{at}: {fitting} of {word} fit {value}: {each:?}"));
            }
        }
    }
    let kinds = match &schema["type"] {
        Value::String(kind) => vec![kind.as_str()],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    };
    if !kinds.is_empty() && !kinds.iter().any(|kind| is_of(kind, value)) {
        return found.push(format!("{at}: {value} is no {kinds:?}"));
    }
    if schema["enum"].as_array().is_some_and(|known| !known.contains(value)) {
        found.push(format!("{at}: {value} is none of {}", schema["enum"]));
    }
    if let (Some(number), Some(min)) = (value.as_f64(), schema["minimum"].as_f64())
        && number < min
    {
        found.push(format!("{at}: {number} is less than {min}"));
    }
    if let (Some(number), Some(max)) = (value.as_f64(), schema["maximum"].as_f64())
        && number > max
    {
        found.push(format!("{at}: {number} is more than {max}"));
    }
    if let Value::Array(items) = value {
        let count = items.len() as u64;
        let (min, max) = (schema["minItems"].as_u64(), schema["maxItems"].as_u64());
        if min.is_some_and(|min| count < min) || max.is_some_and(|max| count > max) {
            found.push(format!("{at}: {count} items"));
        }
        for (i, item) in items.iter().enumerate() {
            let own = schema["prefixItems"].get(i).unwrap_or(&schema["items"]);
            check(document, own, item, &format!("{at}[{i}]"), found);
        }
    }
    if let Value::Object(fields) = value {
        for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !fields.contains_key(name) {
                found.push(format!("{at}.{name} is missing"));
            }
        }
        for (name, field) in fields {
            let at = format!("{at}.{name}");
            match (schema["properties"].get(name), &schema["additionalProperties"]) {
                (Some(own), _) => check(document, own, field, &at, found),
                (None, Value::Null) if schema["properties"].is_object() => {
                    found.push(format!("{at} is not described"));
                }
                (None, other) => check(document, other, field, &at, found),
            }
        }
    }
}

fn is_of(kind: &str, value: &Value) -> bool {
    match kind {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("{kind} is not a kind of value"),
    }
}

#[test]
fn what_does_not_fit_is_found() {
    let schema = serde_json::json!({
        "type": "object", "required": ["a"],
        "properties": { "a": { "type": ["integer", "null"], "minimum": 1 },
                        "b": { "type": "array", "items": { "enum": ["x"] }, "maxItems": 1 } },
    });
    let wrong =
        |text: &str| misfits(&Value::Null, &schema, &serde_json::from_str(text).unwrap()).len();
    assert_eq!(wrong(r#"{"a": 1, "b": ["x"]}"#) + wrong(r#"{"a": null}"#), 0);
    for text in ["[]", "{}", r#"{"a": 0}"#, r#"{"a": "1"}"#, r#"{"a": 1, "c": 1}"#] {
        assert_eq!(wrong(text), 1, "{text}");
    }
    assert_eq!(wrong(r#"{"a": 1, "b": ["y", "x"]}"#), 2);
}
