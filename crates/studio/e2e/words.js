// Lists the words that a language lacks, has too many of, or fills in differently: `npm run i18n`.
import { readdirSync } from "node:fs";
import { slots } from "../web/model/words.js";

const folder = new URL("../web/lang/", import.meta.url);
/** @param {string} code @returns {Promise<Record<string, string>>} */
const load = async (code) => ({
  ...(await import(new URL(`${code}.js`, folder).href)).default,
  ...(await import(new URL(`more/${code}.js`, folder).href)).default,
});
/** The server says these in English itself. */
const ofServer = (/** @type {string} */ key) => /^(player|param|problem)\./.test(key);
const english = await load("en");
let problems = 0;
for (const code of readdirSync(folder)
  .filter((file) => file.endsWith(".js"))
  .map((file) => file.replace(".js", ""))) {
  const words = await load(code);
  const missing = Object.keys(english).filter((key) => !(key in words));
  const extra = Object.keys(words).filter((key) => !(key in english) && !ofServer(key));
  const differ = Object.keys(words).filter(
    (key) => key in english && slots(words[key]).join() !== slots(english[key]).join(),
  );
  problems += missing.length + extra.length + differ.length;
  console.log(
    `${code}: ${Object.keys(words).length} texts, ${missing.length} missing, ${extra.length} unknown, ${differ.length} with other values`,
  );
  for (const key of missing) console.log(`  missing  ${JSON.stringify(key)}: ${JSON.stringify(english[key])},`);
  for (const key of extra) console.log(`  unknown  ${key}`);
  for (const key of differ) console.log(`  values   ${key}: ${english[key]} / ${words[key]}`);
}
process.exitCode = problems ? 1 : 0;
