// The module for the browser, run by Node: it is the engine that was measured, and a desk like the server's.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { start } from "../web/site/instance.js";

const folder = process.env.TENGEN_SITE;
if (!folder) throw new Error("TENGEN_SITE names the folder that 'cargo xtask site' has made");
const module = WebAssembly.compile(await readFile(`${folder}/site/tengen.wasm`));
const RULES = ["freestyle", "standard", "renju", "caro", "caro-exact"];
const nothing = new Uint8Array();
const words = (/** @type {Uint8Array} */ bytes) => new TextDecoder().decode(bytes);

/** A desk, with what it has said and kept. @param {boolean} hasHands */
async function openDesk(hasHands) {
  /** @type {any[]} */
  const told = [];
  /** @type {Map<string, string>} */
  const kept = new Map();
  /** @type {[number, string][]} */
  const errands = [];
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const said = [];
  const desk = await start(await module, {
    message: (_, text) => told.push(JSON.parse(text)),
    keep: (name, bytes) => kept.set(name, words(bytes)),
    forget: (name) => kept.delete(name),
    sendOut: (number, errand) => errands.push([number, errand]),
    said: (news) => said.push(news),
    failed: (text) => assert.fail(text),
  });
  const open = () => {
    desk.open(2, hasHands);
    assert.ok(desk.connect(1));
  };
  const ask = (/** @type {string} */ verb, /** @type {string} */ path, /** @type {any} */ body = undefined) => {
    const bytes = body === undefined ? nothing : new TextEncoder().encode(JSON.stringify(body));
    const answer = desk.ask({ verb, path: path.split("/").slice(1), query: {} }, bytes);
    desk.settle();
    return { status: answer.status, text: words(answer.body) };
  };
  const hear = (/** @type {any} */ message) => {
    told.length = 0;
    desk.hear(1, JSON.stringify(message));
    desk.settle();
    return [...told];
  };
  return { desk, open, ask, hear, told, kept, errands, said };
}

/** @param {Awaited<ReturnType<typeof start>>} desk @param {string[]} rules */
async function supply(desk, rules) {
  for (const rule of rules) desk.network(await readFile(`${folder}/site/${rule}.net`));
}

test("the search is the one that was measured", async () => {
  const { desk, open } = await openDesk(false);
  await supply(desk, RULES);
  open();
  const bench = await readFile(new URL("../../engine/bench.txt", import.meta.url), "utf8");
  assert.equal(desk.bench(10), Number(/\d+/.exec(bench.replace(/^#.*$/gm, ""))?.[0]));
});

test("a page is greeted, and its search is answered", async () => {
  const { desk, open, hear } = await openDesk(false);
  await supply(desk, ["freestyle"]);
  open();
  const [hello] = hear({ t: "hello", proto: 1 });
  assert.equal(hello.t, "hello");
  const position = {
    rule: "freestyle",
    size: 15,
    moves: ["h8", "a1", "h9", "b1", "h10", "c2"],
  };
  const limits = { nodes: 2000 };
  const answers = hear({
    t: "think",
    id: 7,
    rev: 1,
    position,
    player: "engine(level=10)",
    limits,
    multi_pv: 3,
  });
  const best = answers.find((one) => one.t === "best");
  assert.ok(["h11", "h7", "h6", "h12"].includes(best.stones[0]), best.stones[0]);
  assert.ok(best.e.win > 0, "three in a row with both ends open wins");
});

test("a game is kept, and is there for the next desk", async () => {
  const first = await openDesk(false);
  first.open();
  const doc = {
    v: 1,
    id: "abc",
    seq: 3,
    saved: 0,
    title: "",
    names: ["", ""],
    result: null,
    plies: 1,
    rule: "freestyle",
    size: 15,
    nodes: [{ p: -1 }, { p: 0, m: "h8" }],
    at: 1,
    tip: 1,
    seats: [{ who: "human" }, { who: "human" }],
  };
  const [saved] = first.hear({ t: "doc-put", doc });
  assert.deepEqual([saved.t, saved.seq], ["saved", 3]);
  const second = await openDesk(false);
  for (const [name, text] of first.kept) second.desk.put(name, new TextEncoder().encode(text), 1);
  second.open();
  const [hello] = second.hear({ t: "hello", proto: 1 });
  assert.deepEqual(hello.doc, doc);
  assert.equal(JSON.parse(second.ask("GET", "/api/games").text).length, 1);
});

test("what is not there or no question is refused in a sentence", async () => {
  const { desk, open, ask } = await openDesk(false);
  open();
  assert.equal(ask("GET", "/api/nothing").status, 404);
  assert.deepEqual(JSON.parse(ask("GET", "/api/nothing").text), { error: "There is no such thing here." });
  assert.equal(ask("POST", "/api/explore", "rubbish").status, 422);
  assert.equal(ask("GET", "/api/games/none").status, 404);
  assert.equal(ask("POST", "/api/runs", {}).status, 404, "there are no matches here");
  const broken = desk.ask(/** @type {any} */ (7), nothing);
  assert.equal(broken.status, 400);
  const large = desk.ask({ verb: "POST", path: ["api", "explore"], query: {} }, new Uint8Array(5 << 20));
  assert.equal(large.status, 413);
});

test("the openings are those that were fetched", async () => {
  const { desk, open, ask } = await openDesk(false);
  open();
  const look = (rule = "freestyle") =>
    JSON.parse(ask("POST", "/api/explore", { rule, size: 15, moves: ["h8"] }).text).books;
  assert.equal(look(), 0);
  assert.ok(!desk.openings([new TextEncoder().encode("rubbish")]));
  const names = ["freestyle-15.book", "renju-15.book", "renju-15.txt", "freestyle-20.txt"];
  assert.ok(desk.openings(await Promise.all(names.map((name) => readFile(`${folder}/site/${name}`)))));
  assert.ok(look() > 1000 && look("renju") > 1000);
  const query = { rule: "renju", size: "15" };
  const { sets } = JSON.parse(words(desk.ask({ verb: "GET", path: ["api", "openings"], query }, nothing).body));
  assert.deepEqual(
    sets.map((/** @type {any} */ one) => one.name),
    ["renju-15", "freestyle-20"],
  );
});

test("the puzzles are those that were fetched", async () => {
  const { desk, open } = await openDesk(false);
  open();
  const question = { verb: "GET", path: ["api", "puzzles"], query: {} };
  const count = () => JSON.parse(words(desk.ask(question, nothing).body)).length;
  assert.equal(count(), 0);
  assert.ok(!desk.puzzles(new TextEncoder().encode("rubbish")));
  assert.ok(desk.puzzles(await readFile(`${folder}/site/puzzles.txt`)));
  assert.ok(count() >= 500);
});

test("a record in a code page of old is read with the browser's tables", async () => {
  const { desk, open } = await openDesk(false);
  open();
  const start = [..."(;GM[4]SZ[15]PB["].map((one) => one.charCodeAt(0));
  const end = [..."];B[hh];W[ii])"].map((one) => one.charCodeAt(0));
  const name = [0xd5, 0xc5, 0xc8, 0xfd]; // in GBK
  const file = new Uint8Array([...start, ...name, ...end]);
  const query = { rule: "freestyle", size: "15", name: "a.sgf" };
  const answer = desk.ask({ verb: "POST", path: ["api", "read"], query }, file);
  assert.equal(JSON.parse(words(answer.body)).games[0].names[0], "张三");
});

test("a proof is found by another instance, kept by the desk, and checked", async () => {
  const { desk, open, ask, errands, kept } = await openDesk(true);
  open();
  const position = {
    rule: "freestyle",
    size: 15,
    setup: "b:h8,i8,g9 w:a1,c1,e1 b",
    moves: [],
  };
  const { text } = ask("POST", "/api/solve", {
    position,
    mode: "any",
    attacker: null,
    nodes: null,
    ms: 60_000,
  });
  const { id } = JSON.parse(text);
  assert.equal(errands.length, 1);
  assert.ok(kept.has(`questions/${id}.json`), "it is asked again when the page was closed");
  const hand = await openDesk(false);
  hand.open();
  hand.desk.run(errands[0][1]);
  assert.ok(hand.said.length >= 2, "progress and the end");
  for (const news of hand.said) {
    desk.heard(errands[0][0], news);
    desk.settle();
  }
  const shown = JSON.parse(ask("GET", `/api/solve/${id}`).text);
  assert.equal(shown.state, "win");
  assert.ok(!kept.has(`questions/${id}.json`));
  const checked = JSON.parse(ask("POST", `/api/proofs/${shown.proof}/check`).text);
  assert.equal(checked.ok, true);
  desk.heard(errands[0][0], nothing);
  assert.equal(JSON.parse(ask("GET", `/api/solve/${id}`).text).state, "win", "its end changes nothing");
});

test("an errand that comes to nothing is told as such", async () => {
  const { desk, open, ask, errands } = await openDesk(true);
  open();
  const position = { rule: "freestyle", size: 15, moves: ["h8"] };
  const { id } = JSON.parse(
    ask("POST", "/api/solve", {
      position,
      mode: "vct",
      attacker: null,
      nodes: null,
      ms: null,
    }).text,
  );
  desk.heard(errands[0][0], nothing);
  desk.settle();
  const shown = JSON.parse(ask("GET", `/api/solve/${id}`).text);
  assert.deepEqual([shown.state, shown.error], ["failed", "The search has failed."]);
});
