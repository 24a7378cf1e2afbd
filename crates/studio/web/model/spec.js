// The text that names a player, `alpha-beta(depth=6, moves=near(1)|top(12))`, taken apart and put
// together against the parameters that the server declares.

/** @typedef {import("../types").PlayerInfo} PlayerInfo */

/**
 * The name and the given parameters of a spec. Values stay text; what stands in parentheses inside a
 * value is not looked at.
 * @param {string} text
 * @returns {{ name: string, args: Record<string, string> }}
 */
export function parse(text) {
  const open = text.indexOf("(");
  if (open < 0) return { name: text.trim(), args: {} };
  /** @type {Record<string, string>} */
  const args = {};
  for (const part of split(text.slice(open + 1, text.lastIndexOf(")")), ",")) {
    const [key, ...value] = split(part, "=");
    if (value.length) args[key.trim()] = value.join("=").trim();
  }
  return { name: text.slice(0, open).trim(), args };
}

/** Splits at a sign outside parentheses. @param {string} text @param {string} sign */
function split(text, sign) {
  const parts = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i <= text.length; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")") depth--;
    if (i === text.length || (text[i] === sign && depth === 0)) {
      parts.push(text.slice(from, i));
      from = i + 1;
    }
  }
  return parts.filter((part) => part.trim() !== "");
}

/** The default of a parameter as spec text. @param {import("../types").Param} param */
export function defaultText(param) {
  return param.kind === "switch" ? (param.default ? "on" : "off") : String(param.default);
}

/**
 * The spec text of a player with these values; what equals its default is left out.
 * @param {PlayerInfo} info
 * @param {Record<string, string>} values
 */
export function format(info, values) {
  const given = info.params.filter(
    (param) =>
      values[param.name] !== undefined && values[param.name] !== "" && values[param.name] !== defaultText(param),
  );
  const args = given.map((param) => `${param.name}=${values[param.name]}`).join(", ");
  return args ? `${info.name}(${args})` : info.name;
}

/** A short name for people: the player, and what differs from its defaults. @param {string | undefined} text */
export function short(text) {
  if (!text) return "";
  const { name, args } = parse(text);
  const list = Object.entries(args).map(([key, value]) => `${key} ${value}`);
  const joined = list.join(", ");
  return joined ? `${name} · ${joined.length > 28 ? joined.slice(0, 27) + "…" : joined}` : name;
}
