/** Colours and language. */

import { chooseLanguage, language, t } from "../../text/text.js";
import { Choice } from "../form.js";
import { html } from "../html.js";
import { change } from "./saving.js";

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function Appearance({ chat }) {
  const colors = [
    [1, t("settings.colors.system")],
    [3, t("settings.colors.light")],
    [2, t("settings.colors.dark")],
  ];
  const speak = (/** @type {string} */ code) => {
    chooseLanguage(code);
    chat.changed();
    change({ default_language: code });
  };
  return html`
    <section>
      <h2>${t("settings.appearance")}</h2>
      <${Choice} label=${t("settings.colors")} value=${chat.settings.color_scheme} options=${colors} set=${(/** @type {number} */ value) => change({ color_scheme: value })} />
      <${Choice} label=${t("settings.language")} value=${language} options=${[["en", "English"], ["de", "Deutsch"]]} set=${speak} />
    </section>
  `;
}
