// Runs on the server, matches or tunings: their list, and the chosen one kept up to date.

import { effect, onEnd, signal, untracked } from "../dom.js";
import { api, on } from "../net.js";
import { notify } from "../ui.js";

/** A failed request is said, not thrown. @param {Error} error */
export const problem = (error) => notify(error.message, "error");

/** The runs at `path`, of which news come as `topic`. @param {string} path @param {string} topic */
export function watchedRuns(path, topic) {
  const runs = signal(/** @type {any[]} */ ([]));
  const chosen = signal("");
  const shown = signal(/** @type {any} */ (null));
  const list = () => api(path).then((all) => {
    runs.value = all;
    if (!chosen.peek() && all.length) chosen.value = all[0].id;
  }, problem);
  list();
  let busy = false;
  let again = false;
  const load = async (/** @type {string} */ id) => {
    // What is asked for while an answer is on its way is asked again: the answer may be older.
    if (busy) again = true;
    if (busy || !id) return;
    busy = true;
    try {
      const run = await api(`${path}/${encodeURIComponent(id)}`);
      if (chosen.peek() === id) shown.value = run;
    } catch (error) {
      problem(/** @type {Error} */ (error));
    } finally {
      busy = false;
      if (again) {
        again = false;
        load(chosen.peek());
      }
    }
  };
  effect(() => {
    const id = chosen.value;
    untracked(() => {
      shown.value = null;
      load(id);
    });
  });
  let last = 0;
  onEnd(on(topic, (news) => {
    if (!runs.peek().some((one) => one.id === news.id && one.state === news.state)) list();
    if (news.id !== chosen.peek()) return;
    const before = shown.peek();
    if (before) shown.value = { ...before, ...news };
    // Curves are fetched at most once a second; the standing comes with the news.
    if (Date.now() - last > 1000 || news.state !== "running") {
      last = Date.now();
      load(news.id);
    }
  }));
  return { runs, chosen, shown, list, load };
}
