//! Values through serde and back, with the feature `serde`.

use gomoku::{Color, Point, Position, Rule};

#[test]
fn values_are_written_as_texts_and_read_back() {
    let point: Point = "h8".parse().unwrap();
    assert_eq!(serde_json::to_string(&point).unwrap(), "\"h8\"");
    assert_eq!(serde_json::from_str::<Point>("\"h8\"").unwrap(), point);
    for rule in Rule::ALL {
        let text = serde_json::to_string(&rule).unwrap();
        assert_eq!(text, format!("\"{rule}\""));
        assert_eq!(serde_json::from_str::<Rule>(&text).unwrap(), rule);
    }
    for color in Color::ALL {
        let text = serde_json::to_string(&color).unwrap();
        assert_eq!(serde_json::from_str::<Color>(&text).unwrap(), color);
    }
}

#[test]
fn positions_come_back_with_their_moves_or_stones() {
    for text in ["", "h8i9g9", "b:h8,g9 w:i9 b", "h8a1i8c1j8e1k8g1l8"] {
        let position = Position::parse(text, Rule::Standard, 15).unwrap();
        let written = serde_json::to_string(&position).unwrap();
        assert_eq!(serde_json::from_str::<Position>(&written).unwrap(), position, "{written}");
    }
    let position = Position::parse("h8", Rule::Renju, 15).unwrap();
    let written = serde_json::to_string(&position).unwrap();
    assert_eq!(written, r#"{"rule":"renju","size":15,"text":"h8"}"#);
}

#[test]
fn what_cannot_be_is_refused() {
    assert!(serde_json::from_str::<Point>("\"z99\"").is_err());
    assert!(serde_json::from_str::<Color>("\"red\"").is_err());
    let position = |text: &str, size: u8| {
        let written = format!(r#"{{"rule":"renju","size":{size},"text":"{text}"}}"#);
        serde_json::from_str::<Position>(&written).map_err(|error| error.to_string())
    };
    assert!(position("h8h8", 15).unwrap_err().contains("occupied"));
    assert!(position("h8", 40).unwrap_err().contains("5 to 22"));
}
