//! The names of the 26 openings in the languages that have them.
//!
//! The names are Chinese characters chosen in Japan; each language of the region writes or reads
//! them in its own way, and the others use the Japanese sound.

use gomoku::opening::NamedOpening;

/// A language of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English: the Japanese name in Latin letters.
    English,
    /// Chinese as written in China.
    SimplifiedChinese,
    /// Chinese as written in Taiwan.
    TraditionalChinese,
    /// Japanese.
    Japanese,
    /// Korean: the characters as they are read there.
    Korean,
    /// Russian: the Japanese sound.
    Russian,
    /// Vietnamese: the characters as they are read there.
    Vietnamese,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 7] = [
        Language::English,
        Language::SimplifiedChinese,
        Language::TraditionalChinese,
        Language::Japanese,
        Language::Korean,
        Language::Russian,
        Language::Vietnamese,
    ];

    /// The code of the page: `en`, `zh-CN`, `zh-TW`, `ja`, `ko`, `ru`, `vi`.
    pub const fn code(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::SimplifiedChinese => "zh-CN",
            Language::TraditionalChinese => "zh-TW",
            Language::Japanese => "ja",
            Language::Korean => "ko",
            Language::Russian => "ru",
            Language::Vietnamese => "vi",
        }
    }
}

/// The name of an opening in a language.
pub fn local_name(opening: &NamedOpening, language: Language) -> &'static str {
    let row = NAMES.iter().find(|row| row[0] == opening.id).expect("all 26 are in the table");
    let column = match language {
        Language::English => return opening.romaji,
        Language::SimplifiedChinese => 1,
        Language::TraditionalChinese => 2,
        Language::Japanese => 3,
        Language::Korean => 4,
        Language::Russian => 5,
        Language::Vietnamese => 6,
    };
    row[column]
}

/// Id, then zh-CN, zh-TW, ja, ko, ru, vi.
#[rustfmt::skip]
const NAMES: [[&str; 7]; 26] = [
    ["D1", "寒星", "寒星", "寒星", "한성", "Кансэй", "Hàn Tinh"],
    ["D2", "溪月", "溪月", "渓月", "계월", "Кэйгэцу", "Khê Nguyệt"],
    ["D3", "疏星", "疏星", "疎星", "소성", "Сосэй", "Sơ Tinh"],
    ["D4", "花月", "花月", "花月", "화월", "Кагэцу", "Hoa Nguyệt"],
    ["D5", "残月", "殘月", "残月", "잔월", "Дзангэцу", "Tàn Nguyệt"],
    ["D6", "雨月", "雨月", "雨月", "우월", "Угэцу", "Vũ Nguyệt"],
    ["D7", "金星", "金星", "金星", "금성", "Кинсэй", "Kim Tinh"],
    ["D8", "松月", "松月", "松月", "송월", "Сёгэцу", "Tùng Nguyệt"],
    ["D9", "丘月", "丘月", "丘月", "구월", "Кюгэцу", "Khâu Nguyệt"],
    ["D10", "新月", "新月", "新月", "신월", "Сингэцу", "Tân Nguyệt"],
    ["D11", "瑞星", "瑞星", "瑞星", "서성", "Дзуйсэй", "Thụy Tinh"],
    ["D12", "山月", "山月", "山月", "산월", "Сангэцу", "Sơn Nguyệt"],
    ["D13", "游星", "遊星", "遊星", "유성(遊星)", "Юсэй", "Du Tinh"],
    ["I1", "长星", "長星", "長星", "장성", "Тёсэй", "Trường Tinh"],
    ["I2", "峡月", "峽月", "峡月", "협월", "Кёгэцу", "Hiệp Nguyệt"],
    ["I3", "恒星", "恆星", "恒星", "항성", "Косэй", "Hằng Tinh"],
    ["I4", "水月", "水月", "水月", "수월", "Суйгэцу", "Thủy Nguyệt"],
    ["I5", "流星", "流星", "流星", "유성(流星)", "Рюсэй", "Lưu Tinh"],
    ["I6", "云月", "雲月", "雲月", "운월", "Унгэцу", "Vân Nguyệt"],
    ["I7", "浦月", "浦月", "浦月", "포월", "Хогэцу", "Phố Nguyệt"],
    ["I8", "岚月", "嵐月", "嵐月", "남월", "Рангэцу", "Lam Nguyệt"],
    ["I9", "银月", "銀月", "銀月", "은월", "Гингэцу", "Ngân Nguyệt"],
    ["I10", "明星", "明星", "明星", "명성", "Мёдзё", "Minh Tinh"],
    ["I11", "斜月", "斜月", "斜月", "사월", "Сягэцу", "Tà Nguyệt"],
    ["I12", "名月", "名月", "名月", "명월", "Мэйгэцу", "Danh Nguyệt"],
    ["I13", "彗星", "彗星", "彗星", "혜성", "Суйсэй", "Tuệ Tinh"],
];
