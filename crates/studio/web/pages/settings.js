// The settings page.

import { h } from "../dom.js";
import { LANGUAGES, t } from "../i18n.js";
import { BOARD_NAMES } from "../paint.js";
import { choose, reset, settings } from "../settings.js";
import { button, field, select } from "../ui.js";

export function settingsPage() {
  return h("main", { class: "page" }, h("div", { class: "inner" }, h("h1", null, () => t("page.settings"))));
}
void [LANGUAGES, BOARD_NAMES, choose, reset, settings, button, field, select];
