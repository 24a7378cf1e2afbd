//! Character sets where `encoding_rs` and its tables would be most of the program: whoever runs it knows
//! them, as every browser does. This looks like what is used of that crate.

use std::{borrow::Cow, sync::OnceLock};

/// Makes a text of bytes, by the name of their set; what is not in it becomes U+FFFD.
type Decoder = fn(&str, &[u8]) -> String;

static DECODER: OnceLock<Decoder> = OnceLock::new();

/// Supplies what knows the character sets, once. Without it, all but UTF-8 is read as ASCII.
pub fn supply_decoder(decoder: Decoder) {
    // The first one stays.
    let _ = DECODER.set(decoder);
}

/// A character set: its usual name, and what else it is called.
#[derive(PartialEq, Eq)]
pub(super) struct Encoding(&'static str, &'static [&'static str]);

pub(super) static UTF_8: &Encoding = &Encoding("UTF-8", &["utf-8", "utf8", "unicode-1-1-utf-8"]);
pub(super) static GBK: &Encoding =
    &Encoding("GBK", &["gbk", "gb2312", "gb_2312-80", "gb18030", "chinese", "x-gbk"]);
pub(super) static SHIFT_JIS: &Encoding =
    &Encoding("Shift_JIS", &["shift_jis", "sjis", "x-sjis", "windows-31j", "ms_kanji"]);
pub(super) static BIG5: &Encoding = &Encoding("Big5", &["big5", "cn-big5", "x-x-big5"]);
pub(super) static EUC_KR: &Encoding =
    &Encoding("EUC-KR", &["euc-kr", "ks_c_5601-1987", "ksc5601", "korean", "windows-949"]);
pub(super) static WINDOWS_1251: &Encoding =
    &Encoding("windows-1251", &["windows-1251", "cp1251", "x-cp1251"]);
pub(super) static WINDOWS_1252: &Encoding = &Encoding(
    "windows-1252",
    &["windows-1252", "cp1252", "latin1", "iso-8859-1", "iso8859-1", "us-ascii", "ascii"],
);

impl Encoding {
    const ALL: [&&'static Encoding; 7] =
        [&UTF_8, &GBK, &SHIFT_JIS, &BIG5, &EUC_KR, &WINDOWS_1251, &WINDOWS_1252];

    pub(super) fn name(&self) -> &'static str {
        self.0
    }

    pub(super) fn for_label(label: &[u8]) -> Option<&'static Encoding> {
        let is_called = |set: &&Encoding| set.1.iter().any(|name| name.as_bytes() == label);
        Encoding::ALL.into_iter().copied().find(is_called)
    }

    pub(super) fn for_bom(bytes: &[u8]) -> Option<(&'static Encoding, usize)> {
        bytes.starts_with("\u{FEFF}".as_bytes()).then_some((UTF_8, 3))
    }

    /// What is written in place of a set that is only read.
    pub(super) fn output_encoding(&'static self) -> &'static Encoding {
        self
    }

    pub(super) fn decode_without_bom_handling<'a>(&self, bytes: &'a [u8]) -> (Cow<'a, str>, bool) {
        let text = match DECODER.get() {
            Some(decoder) if self != UTF_8 && !bytes.is_ascii() => {
                Cow::Owned(decoder(self.0, bytes))
            }
            _ => String::from_utf8_lossy(bytes),
        };
        let has_errors = text.contains(char::REPLACEMENT_CHARACTER);
        (text, has_errors)
    }

    /// The bytes of a text; only UTF-8 has more than ASCII.
    pub(super) fn encode<'a>(
        &'static self,
        text: &'a str,
    ) -> (Cow<'a, [u8]>, &'static Encoding, bool) {
        let has_errors = self != UTF_8 && !text.is_ascii();
        (Cow::Borrowed(text.as_bytes()), self, has_errors)
    }
}
