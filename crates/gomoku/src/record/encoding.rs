//! Character sets: which one a file is in, and back.
//!
//! Only records know of them, and all of a record is Unicode once it has been read. Old files are in
//! the code page of their author and most do not say which, so it is guessed from the bytes; the
//! caller may know better. What is written is UTF-8 where a format can say so, else the set of the
//! file that was read, if it has all characters.

#[cfg(target_family = "wasm")]
mod browser;

use std::{borrow::Cow, fmt};

#[cfg(target_family = "wasm")]
use browser as tables;
#[cfg(target_family = "wasm")]
pub use browser::supply_decoder;
#[cfg(not(target_family = "wasm"))]
use encoding_rs as tables;
use tables::{BIG5, EUC_KR, GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

/// A character set.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Encoding(&'static tables::Encoding);

impl Encoding {
    /// What everything new is written in.
    pub const UTF_8: Encoding = Encoding(tables::UTF_8);
    /// Western Europe. Any bytes are a text in it and come back as they were.
    pub const WINDOWS_1252: Encoding = Encoding(tables::WINDOWS_1252);

    /// The character set with this name, as files and people write it: `GBK`, `gb2312`, `Shift_JIS`,
    /// `cp1251`.
    pub fn from_name(name: &str) -> Option<Encoding> {
        let name = name.trim().to_ascii_lowercase();
        let page = name.strip_prefix("cp").or_else(|| name.strip_prefix("ms")).unwrap_or(&name);
        let label = match page {
            "932" => "shift_jis",
            "936" => "gbk",
            "949" => "euc-kr",
            "950" => "big5",
            "big5-hkscs" | "big-5" => "big5",
            "shiftjis" | "shift-jis" => "shift_jis",
            _ => &name,
        };
        tables::Encoding::for_label(label.as_bytes())
            // UTF-16 is known by its mark and never written.
            .filter(|found| found.output_encoding() == *found)
            .map(Encoding)
    }

    /// The usual name.
    pub fn name(self) -> &'static str {
        self.0.name()
    }

    /// The text of some bytes, and how many places are not what the set has.
    pub(super) fn decode(self, bytes: &[u8]) -> (Cow<'_, str>, usize) {
        let (text, has_errors) = self.0.decode_without_bom_handling(bytes);
        let errors = if has_errors { text.matches(char::REPLACEMENT_CHARACTER).count() } else { 0 };
        (text, errors)
    }

    /// The bytes of a text.
    ///
    /// # Errors
    /// The first character that the set does not have.
    pub(super) fn encode(self, text: &str) -> Result<Cow<'_, [u8]>, char> {
        let (bytes, _, has_errors) = self.0.encode(text);
        if !has_errors {
            return Ok(bytes);
        }
        let mut buffer = [0; 4];
        let is_missing = |c: &char| self.0.encode(c.encode_utf8(&mut buffer)).2;
        Err(text.chars().find(is_missing).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    /// The set that a mark at the beginning of a file names, and the length of the mark.
    pub(super) fn of_mark(bytes: &[u8]) -> Option<(Encoding, usize)> {
        tables::Encoding::for_bom(bytes).map(|(found, length)| (Encoding(found), length))
    }
}

impl Default for Encoding {
    fn default() -> Encoding {
        Encoding::UTF_8
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How much of the texts of a file is looked at to guess.
const SAMPLE: usize = 64 * 1024;

/// The characters that are frequent in the languages of players, and in what they write of games.
const CHINESE: &str = "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下\
    自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心\
    她本前开但因只从想实黑白胜负先手禁活冲三四五连珠棋局步必败优势平花月瑞星疏溪恒浦峡流云雨金山松新\
    残水斜明银岚长彗丘游张王李赵刘陈杨黄周吴徐孙胡朱高林何郭马罗";
const TRADITIONAL: &str = "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下\
    自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心\
    她本前開但因只從想實黑白勝負先手禁活衝三四五連珠棋局步必敗優勢平花月瑞星疏溪恆浦峽流雲雨金山松新\
    殘水斜明銀嵐長彗丘遊張王李趙劉陳楊黃周吳徐孫胡朱高林何郭馬羅";
const JAPANESE: &str = "一人日大年中会国本長上事時分見出生行月先手黒白勝負連珠五目四三禁点局定石打必防花月\
    寒星渓疏残雨金松丘新瑞山遊峡恒水流雲浦嵐銀明斜名彗田山本中村小林";
const KOREAN: &str = "이다는을의가에고하지로도기한사리나은어를자서인대시그해수아들만라있보일게여정상과주제전국구\
    니오부원마스우목흑백승패선수돌공격방어김박최조강윤장임";

/// Finds out which set the texts of a file are in.
#[derive(Default)]
pub(super) struct Guess {
    sample: Vec<u8>,
    /// Characters of UTF-8 of two bytes, those of more, and places that are none.
    pairs: usize,
    longer: usize,
    broken: usize,
}

impl Guess {
    /// Looks at a text.
    pub(super) fn feed(&mut self, text: &[u8]) {
        if text.is_ascii() {
            return;
        }
        let room = SAMPLE.saturating_sub(self.sample.len());
        self.sample.extend(&text[..text.len().min(room)]);
        self.sample.push(b'\n');
        for chunk in text.utf8_chunks() {
            let long = chunk.valid().chars().filter(|&c| c >= '\u{800}').count();
            self.longer += long;
            self.pairs += chunk.valid().chars().filter(|c| !c.is_ascii()).count() - long;
            self.broken += usize::from(!chunk.invalid().is_empty());
        }
    }

    /// The set of a file that says that it is in `declared`.
    ///
    /// Files do say wrong things. What reads as UTF-8 and has characters of three bytes is UTF-8, and
    /// what says so is so if it is broken in few places only: names cut off after so many bytes.
    pub(super) fn encoding(&self, declared: Option<Encoding>) -> Encoding {
        let is_utf8 = self.broken == 0;
        let nearly_utf8 = (self.pairs + self.longer) / 4 > self.broken;
        match declared {
            _ if self.sample.is_empty() || is_utf8 && self.longer > 0 => Encoding::UTF_8,
            Some(declared) if declared == Encoding::UTF_8 && nearly_utf8 => declared,
            Some(declared) if declared != Encoding::UTF_8 => declared,
            _ if is_utf8 || self.longer > 0 && nearly_utf8 => Encoding::UTF_8,
            _ => self.likeliest(),
        }
    }

    fn likeliest(&self) -> Encoding {
        let pairs = [(GBK, CHINESE), (SHIFT_JIS, JAPANESE), (BIG5, TRADITIONAL), (EUC_KR, KOREAN)];
        let pairs = pairs.map(|(set, frequent)| (set, of_pairs(&self.sample, set, frequent)));
        let single = [WINDOWS_1251, WINDOWS_1252].map(|set| (set, of_letters(&self.sample, set)));
        // The first of the best; without any evidence the one that loses no byte.
        let mut best = (WINDOWS_1252, 0);
        for (set, worth) in pairs.into_iter().chain(single) {
            if worth > best.1 {
                best = (set, worth);
            }
        }
        Encoding(best.0)
    }
}

/// How much a text looks like one of a set with pairs of bytes: by characters that are frequent in its
/// language, and by the half of the set that has the usual ones.
fn of_pairs(text: &[u8], set: &'static tables::Encoding, frequent: &str) -> i64 {
    let mut sum = 0;
    let mut at = 0;
    while let Some(&lead) = text.get(at) {
        if lead.is_ascii() {
            at += 1;
            continue;
        }
        let is_half_width = set == SHIFT_JIS && matches!(lead, 0xA1..=0xDF);
        let end = (at + if is_half_width { 1 } else { 2 }).min(text.len());
        let (decoded, is_broken) = set.decode_without_bom_handling(&text[at..end]);
        at = end;
        let Some(c) = decoded.chars().next().filter(|_| !is_broken) else {
            sum -= 12;
            continue;
        };
        let usual = match set {
            _ if set == GBK => 0xB0..=0xD7,
            _ if set == SHIFT_JIS => 0x88..=0x97,
            _ if set == BIG5 => 0xA4..=0xC6,
            _ => 0xB0..=0xC8,
        };
        sum += match c {
            _ if frequent.contains(c) => 6,
            '\u{3041}'..='\u{30FF}' if set == SHIFT_JIS => 6,
            _ if is_half_width => -2,
            '\u{3000}'..='\u{303F}' | '\u{FF00}'..='\u{FF5E}' => 1,
            '\u{3400}'.. if usual.contains(&lead) => 2,
            _ => -3,
        };
    }
    sum
}

/// The same for a set of single bytes: letters are among letters, and capitals at the beginning.
fn of_letters(text: &[u8], set: &'static tables::Encoding) -> i64 {
    let (decoded, _) = set.decode_without_bom_handling(text);
    let mut before = ' ';
    let mut sum = 0;
    for c in decoded.chars() {
        let follows = before.is_alphabetic() && (before.is_ascii() == (set != WINDOWS_1251));
        sum += match c {
            _ if c.is_ascii() => 0,
            _ if !c.is_alphabetic() => -2,
            _ if c.is_uppercase() && before.is_lowercase() => -3,
            _ if follows => 2,
            _ if set == WINDOWS_1251 => 0,
            _ => -1,
        };
        before = c;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(bytes: &[u8]) -> Encoding {
        let mut guess = Guess::default();
        guess.feed(bytes);
        guess.encoding(None)
    }

    #[test]
    fn short_texts_are_told_apart() {
        for (name, text) in [
            ("GBK", "张三"),
            ("GBK", "黑先胜"),
            ("GBK", "五子棋比赛 花月 瑞星"),
            ("GBK", "此手必败"),
            ("Shift_JIS", "連珠の定石"),
            ("Shift_JIS", "黒の勝ち"),
            ("Big5", "五子棋的開局是花月"),
            ("EUC-KR", "오목 대국 기보"),
            ("windows-1251", "Чёрные выигрывают"),
            ("windows-1251", "Иванов Петров"),
            ("windows-1252", "Andr\u{e9} a gagn\u{e9}"),
        ] {
            let bytes = Encoding::from_name(name).unwrap().encode(text).unwrap();
            assert_eq!(guess(&bytes).name(), name, "{text}");
            assert_eq!(guess(text.as_bytes()), Encoding::UTF_8, "{text}");
        }
    }
}
