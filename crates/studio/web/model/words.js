// Filling values into words: `{name}` is a value, `{name|one game|other games}` the form that its number asks for.

/** @type {Map<string, Intl.PluralRules>} */
const rules = new Map();

/** The plural category of a number in a language. @param {string} code @param {number} n */
function category(code, n) {
  let rule = rules.get(code);
  if (!rule) rules.set(code, (rule = new Intl.PluralRules(code)));
  return rule.select(n);
}

/** @param {string} text @param {Record<string, string | number>} values @param {string} code */
export function fill(text, values, code) {
  return text.replace(/\{(\w+)((?:\|[^|}]*)*)\}/g, (whole, name, forms) => {
    if (!(name in values)) return whole;
    if (!forms) return String(values[name]);
    const wanted = category(code, Number(values[name]));
    /** @type {[string, string][]} */
    const all = forms
      .slice(1)
      .split("|")
      .map((/** @type {string} */ form) => /** @type {any} */ (/^(\w+) (.*)$/.exec(form)?.slice(1) ?? ["other", form]));
    return (all.find(([kind]) => kind === wanted) ?? all.find(([kind]) => kind === "other") ?? all[0])[1];
  });
}

/** The names of the values that words take. @param {string} text */
export function slots(text) {
  return [...new Set([...text.matchAll(/\{(\w+)/g)].map((found) => found[1]))].sort();
}
