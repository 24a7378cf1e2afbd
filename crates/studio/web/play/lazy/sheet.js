// The sheet of keys, from the table that the handlers use.

import { h } from "../../dom.js";
import { has, t } from "../../i18n.js";
import { BINDINGS, keysOf, showKey } from "../../keys.js";
import { dialog } from "../../ui.js";

export function shortcuts() {
  const groups = [...new Set(BINDINGS.map((one) => one.group))];
  dialog(
    () => t("shortcuts"),
    () =>
      h(
        "div",
        { class: "keys" },
        groups.map((group) =>
          h(
            "section",
            null,
            h("h3", null, t(`keys.${group}`)),
            h(
              "dl",
              null,
              BINDINGS.filter((one) => one.group === group).map((one) =>
                h(
                  "div",
                  null,
                  h(
                    "dt",
                    null,
                    shortened(keysOf(one.id)).map((key) => h("kbd", null, showKey(key))),
                  ),
                  h("dd", null, t(has(`action.${one.id}`) ? `action.${one.id}` : `key.${one.id}`)),
                ),
              ),
            ),
          ),
        ),
      ),
    { wide: true },
  );
}

/** Many keys as the first and the last. @param {string[]} keys */
const shortened = (keys) => (keys.length > 2 ? [`${keys[0]} … ${keys.at(-1)}`] : keys);
