//! What people write at a position: a label, numbers, a comment, and a text on the board.

/// A note. It stands beside what was searched, and wins over it where both say something.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// A letter such as `w` for a win of the side to move; 0 where somebody took the label away.
    pub label: Option<u8>,
    /// Value, depth and kind of bound (0 none, 1 upper, 2 lower, 3 exact), as they were typed.
    pub numbers: Option<(i32, i32, u8)>,
    /// For people.
    pub comment: String,
    /// The text on the point of the last move, as seen from the position before it.
    pub text: String,
}

impl Note {
    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == Note::default()
    }

    /// `119 29995/12/3 a\scomment A`: no tabs, no line ends, four words.
    pub fn to_text(&self) -> String {
        let label = self.label.map_or("-".to_owned(), |label| label.to_string());
        let numbers = match self.numbers {
            Some((value, depth, bound)) => format!("{value}/{depth}/{bound}"),
            None => "-".to_owned(),
        };
        format!("{label} {numbers} {} {}", escaped(&self.comment), escaped(&self.text))
    }

    /// Reads a note back.
    pub fn parse(text: &str) -> Option<Note> {
        let words: Vec<&str> = text.split(' ').collect();
        let [label, numbers, comment, text] = words[..] else { return None };
        let numbers = match numbers {
            "-" => None,
            numbers => {
                let mut parts = numbers.splitn(3, '/');
                let (value, depth) = (parts.next()?.parse().ok()?, parts.next()?.parse().ok()?);
                let bound: u8 = parts.next()?.parse().ok()?;
                Some(Some((value, depth, bound)).filter(|_| bound <= 3)?)
            }
        };
        Some(Note {
            label: if label == "-" { None } else { Some(label.parse().ok()?) },
            numbers,
            comment: unescaped(comment)?,
            text: unescaped(text)?,
        })
    }

    /// The fuller of two notes on the same position. The order of the two does not matter.
    pub(crate) fn fuller(self, other: Note) -> Note {
        let rank = |note: &Note| (note.to_text().len(), note.to_text());
        if rank(&self) >= rank(&other) { self } else { other }
    }
}

const ESCAPES: [(char, char); 5] =
    [('\\', '\\'), (' ', 's'), ('\t', 't'), ('\n', 'n'), ('\r', 'r')];

fn escaped(text: &str) -> String {
    if text.is_empty() {
        return "-".to_owned();
    }
    let mut word = String::new();
    for c in text.chars() {
        match ESCAPES.iter().find(|(plain, _)| *plain == c) {
            Some((_, letter)) => word.extend(['\\', *letter]),
            None => word.push(c),
        }
    }
    // A text that is a dash is not an empty one.
    if word == "-" { "\\-".to_owned() } else { word }
}

fn unescaped(word: &str) -> Option<String> {
    if word == "-" {
        return Some(String::new());
    }
    let mut text = String::new();
    let mut rest = word.chars();
    while let Some(c) = rest.next() {
        text.push(match c {
            '\\' => match rest.next()? {
                '-' => '-',
                letter => ESCAPES.iter().find(|(_, known)| *known == letter)?.0,
            },
            c => c,
        });
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_comes_back() {
        for text in ["", "-", "\\-", "a b\tc\nd\re\\", " ", "\u{5929}\u{5143}"] {
            let note = Note { comment: text.to_owned(), text: text.to_owned(), ..Note::default() };
            assert_eq!(Note::parse(&note.to_text()), Some(note), "{text:?}");
        }
        let note = Note { label: Some(b'w'), numbers: Some((-29_990, 4, 3)), ..Note::default() };
        assert_eq!(note.to_text(), "119 -29990/4/3 - -");
        assert_eq!(Note::parse(&note.to_text()), Some(note));
        for wrong in ["", "119 - -", "300 - - -", "- 1/2 - -", "- 1/2/9 - -", "- - \\x -"] {
            assert_eq!(Note::parse(wrong), None, "{wrong}");
        }
    }
}
