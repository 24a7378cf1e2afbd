//! Bytes and text: lines, escapes, and where in a file something stands.

use std::borrow::Cow;

use super::{Format, RecordError};

/// The bytes before the text of many files written on Windows.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The text of bytes that have been made UTF-8.
pub(super) fn utf8(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes)
}

/// Skips the byte order mark.
pub(super) fn without_bom(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BOM).unwrap_or(bytes)
}

/// Puts a backslash before the characters that would end or change an SGF value.
pub(super) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Resolves the escapes of an SGF value; every line end becomes one newline.
pub(super) fn unescape(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    let mut chars = raw.chars().peekable();
    while let Some(c) = chars.next() {
        let escaped = c == '\\';
        let Some(c) = (if escaped { chars.next() } else { Some(c) }) else { break };
        if !matches!(c, '\n' | '\r') {
            out.push(c);
            continue;
        }
        chars.next_if(|&next| next != c && matches!(next, '\n' | '\r'));
        // A line end after a backslash is only there to keep the file narrow.
        if !escaped {
            out.push('\n');
        }
    }
    out
}

/// Line and column, both from 1, of a byte of a text.
pub(super) fn place(bytes: &[u8], offset: usize) -> (usize, usize) {
    let before = &bytes[..offset.min(bytes.len())];
    let mut line = 1;
    let mut start = 0;
    for (i, &byte) in before.iter().enumerate() {
        let ends = byte == b'\n' || byte == b'\r' && bytes.get(i + 1) != Some(&b'\n');
        if ends {
            line += 1;
            start = i + 1;
        }
    }
    let is_start_of_char = |byte: &&u8| **byte & 0xC0 != 0x80;
    (line, without_bom(&before[start..]).iter().filter(is_start_of_char).count() + 1)
}

/// The error for something unexpected at a byte of a text.
pub(super) fn unexpected(
    format: Format,
    bytes: &[u8],
    offset: usize,
    expected: impl Into<Cow<'static, str>>,
) -> RecordError {
    let (line, column) = place(bytes, offset);
    let rest = bytes.get(offset..).unwrap_or_default();
    RecordError::Text { format, line, column, expected: expected.into(), found: found(rest) }
}

/// A few words for what stands at the beginning of these bytes.
pub(super) fn found(rest: &[u8]) -> String {
    match rest.first() {
        None => "the end of the file".into(),
        Some(b'\n' | b'\r') => "the end of the line".into(),
        Some(b' ' | b'\t') => "a space".into(),
        Some(_) => {
            let end = |byte: &u8| byte.is_ascii_whitespace() || byte.is_ascii_control();
            let word = rest.split(end).next().unwrap_or_default();
            let text = String::from_utf8_lossy(&word[..word.len().min(60)]);
            let text: String = text.chars().take(20).collect();
            if text.is_empty() { format!("byte {:#04x}", rest[0]) } else { format!("'{text}'") }
        }
    }
}

/// The lines of a text with the offset where each begins; any line end will do.
pub(super) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> + Clone {
    let skipped = bytes.len() - without_bom(bytes).len();
    let mut rest = Some(without_bom(bytes));
    let mut at = skipped;
    std::iter::from_fn(move || {
        let text = rest?;
        let start = at;
        let Some(end) = text.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
            rest = None;
            return (!text.is_empty()).then_some((start, text));
        };
        let crlf = text[end..].starts_with(b"\r\n");
        let next = end + 1 + usize::from(crlf);
        rest = Some(&text[next..]);
        at += next;
        Some((start, &text[..end]))
    })
}

/// Reads integers and the characters between them from a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scan<'a> {
    bytes: &'a [u8],
    pub(super) at: usize,
}

impl<'a> Scan<'a> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Scan<'a> {
        Scan { bytes, at }
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at..]
    }

    /// Skips spaces and tabs.
    pub(super) fn spaces(&mut self) {
        self.at += self.rest().iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
    }

    /// Takes a text if it is there.
    pub(super) fn take(&mut self, text: &[u8]) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }

    /// Takes an integer after spaces, if one is there and it is not absurdly long.
    pub(super) fn integer(&mut self) -> Option<i64> {
        let mut ahead = *self;
        ahead.spaces();
        let negative = ahead.take(b"-");
        if !negative {
            ahead.take(b"+");
        }
        let digits = ahead.rest().iter().take_while(|b| b.is_ascii_digit()).count();
        if digits == 0 || digits > 18 {
            return None;
        }
        let digits = &ahead.rest()[..digits];
        ahead.at += digits.len();
        *self = ahead;
        let value = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
        Some(if negative { -value } else { value })
    }
}
