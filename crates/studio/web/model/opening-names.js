// The 26 named openings of renju in the languages that have names of their own for them.

/** Names in the server's Latin letters, direct openings first. */
export const LATIN = "Kansei Keigetsu Sosei Kagetsu Zangetsu Ugetsu Kinsei Shogetsu Kyugetsu Shingetsu Zuisei Sangetsu Yusei Chosei Kyogetsu Kosei Suigetsu Ryusei Ungetsu Hogetsu Rangetsu Gingetsu Myojo Shagetsu Meigetsu Suisei".split(" ");

/** The same in other languages, in the same order. @type {Record<string, string[]>} */
export const NATIVE = {
  ja: "寒星 溪月 疏星 花月 残月 雨月 金星 松月 丘月 新月 瑞星 山月 遊星 長星 峡月 恒星 水月 流星 雲月 浦月 嵐月 銀月 明星 斜月 名月 彗星".split(" "),
  "zh-CN": "寒星 溪月 疏星 花月 残月 雨月 金星 松月 丘月 新月 瑞星 山月 游星 长星 峡月 恒星 水月 流星 云月 浦月 岚月 银月 明星 斜月 名月 彗星".split(" "),
  "zh-TW": "寒星 溪月 疏星 花月 殘月 雨月 金星 松月 丘月 新月 瑞星 山月 遊星 長星 峽月 恆星 水月 流星 雲月 浦月 嵐月 銀月 明星 斜月 名月 彗星".split(" "),
  ko: "한성 계월 소성 화월 잔월 우월 금성 송월 구월 신월 서성 산월 유성(遊星) 장성 협월 항성 수월 유성(流星) 운월 포월 남월 은월 명성 사월 명월 혜성".split(" "),
  ru: "Кансэй Кэйгэцу Сосэй Кагэцу Дзангэцу Угэцу Кинсэй Сёгэцу Кюгэцу Сингэцу Дзуйсэй Сангэцу Юсэй Тёсэй Кёгэцу Косэй Суйгэцу Рюсэй Унгэцу Хогэцу Рангэцу Гингэцу Мёдзё Сягэцу Мэйгэцу Суйсэй".split(" "),
};

/** The name in a language, or the Latin one. @param {string} language @param {string} latin */
export function openingName(language, latin) {
  return NATIVE[language]?.[LATIN.indexOf(latin)] ?? latin;
}
