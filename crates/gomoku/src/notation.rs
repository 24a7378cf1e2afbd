//! Moves as people write them in a line of text: `h8i9g7`, `h8-i9`, `1. h8 i9 2. g7`, and
//! `8,8 9,9 7,7` with columns and rows counted from the top left from 1.
//!
//! Records, positions on the command line and files of openings are all cut into moves here.

/// A word of a line where a move should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    /// Where it begins, in bytes.
    pub(crate) at: usize,
    /// Its length in bytes.
    pub(crate) length: usize,
    /// The column, from 0, and the number, from 1, of a letter and a number.
    pub(crate) cell: Option<(u8, u8)>,
}

/// What some files begin with.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Cuts a line into words: a letter and digits, in either case, with anything usual between them.
/// Numbers of moves, with one dot or several, are passed over.
pub(crate) fn words(text: &[u8]) -> impl Iterator<Item = Word> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            at += between(&text[at..]);
            let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            let dots = text[at + digits..].iter().take_while(|byte| **byte == b'.').count();
            if digits == 0 || dots == 0 {
                break;
            }
            at += digits + dots;
        }
        let start = at;
        let letter = text.get(start)?.to_ascii_lowercase();
        // All bytes of a character stay together.
        at += 1 + text[start + 1..].iter().take_while(|byte| **byte & 0xC0 == 0x80).count();
        let digits = text[at..].iter().take_while(|byte| byte.is_ascii_digit());
        let (count, number) = digits.fold((0, 0u8), |(count, number), digit| {
            (count + 1, number.saturating_mul(10).saturating_add(digit - b'0'))
        });
        at += count;
        let cell = (letter.is_ascii_lowercase() && number > 0).then(|| (letter - b'a', number));
        Some(Word { at: start, length: at - start, cell })
    })
}

/// How many bytes stand between moves here.
fn between(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        at += match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b',' | b';' | b'-' => 1,
            _ if text[at..].starts_with(MARK) => MARK.len(),
            _ => break,
        };
    }
    at
}

/// A pair of numbers in a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    /// Where it begins, in bytes.
    pub(crate) at: usize,
    /// The column from the left, from 1.
    pub(crate) x: u8,
    /// The row from the top, from 1.
    pub(crate) y: u8,
}

/// The pairs `x,y` of a line, if it has some and nothing else. Offsets from the center, which have a
/// zero or a sign or commas between the pairs, are none.
pub(crate) fn pairs(text: &[u8]) -> Option<Vec<Pair>> {
    let start = text.as_ptr() as usize;
    let rest = std::str::from_utf8(text.strip_prefix(MARK).unwrap_or(text)).ok()?;
    let words = rest.split_ascii_whitespace().map(|word| {
        let (x, y) = word.split_once(',')?;
        let number = |digits: &str| {
            let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit());
            digits.parse::<u8>().ok().filter(|&number| is_plain && number > 0)
        };
        Some(Pair { at: word.as_ptr() as usize - start, x: number(x)?, y: number(y)? })
    });
    words.collect::<Option<Vec<_>>>().filter(|pairs| !pairs.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<(usize, &str)> {
        words(text.as_bytes()).map(|word| (word.at, &text[word.at..][..word.length])).collect()
    }

    #[test]
    fn lines_are_cut_into_words() {
        assert_eq!(cut("h8I10,g7"), [(0, "h8"), (2, "I10"), (6, "g7")]);
        assert_eq!(cut("1. h8 i9 2... g7"), [(3, "h8"), (6, "i9"), (14, "g7")]);
        assert_eq!(cut("\u{feff}h8-i9; g7\r\n"), [(3, "h8"), (6, "i9"), (10, "g7")]);
        assert_eq!(cut("h8\u{82b1}1x"), [(0, "h8"), (2, "\u{82b1}1"), (6, "x")]);
        assert_eq!(cut(" . 12"), [(1, "."), (3, "12")]);
        let cells: Vec<_> = words(b"h8 i h999 9").map(|word| word.cell).collect();
        assert_eq!(cells, [Some((7, 8)), None, Some((7, 255)), None]);
    }

    #[test]
    fn pairs_are_told_from_offsets() {
        let at = |text: &str| {
            let pairs = pairs(text.as_bytes())?;
            Some(pairs.iter().map(|pair| (pair.x, pair.y)).collect::<Vec<_>>())
        };
        assert_eq!(at("8,8 9,10\t1,2"), Some(vec![(8, 8), (9, 10), (1, 2)]));
        assert_eq!(at("8,8"), Some(vec![(8, 8)]));
        for other in ["", "0,0 1,1", "-1,2 3,4", "+1,2", "8,8, 9,9", "h8", "8", "8,8,0"] {
            assert_eq!(at(other), None, "{other}");
        }
    }
}
