/** The settings of the own account. */

import { LANGUAGES, chooseLanguage } from "../../text/text.js";
import { Choice, Field, Form, Rows, call, html, language, report, t, useReducer } from "../kit.js";
import { Parts } from "../pages.js";
import { SettingFields, checks } from "../settings_fields.js";
import { Account, Sessions } from "./account.js";
import { Profile } from "./profile.js";

/** @typedef {import("../settings_fields.js").Setting} Setting */

const PARTS = {
  profile: { view: Profile },
  account: { view: Account },
  notifications: { view: Notifications },
  appearance: { view: Appearance },
  sessions: { view: Sessions },
};

/** @param {PageProps} props */
export const Settings = ({ chat, parts: [part] }) => html`<${Parts} chat=${chat} page="settings" parts=${PARTS} part=${part} />`;

/** @param {string} name @returns {Setting} */
const policy = (name) => ({ name, type: "choice", options: [1, 2, 3, 4], texts: "setting.policy" });

/** Settings of notifications, and of the facts that others see about this person. @type {[TextName, Setting[]][]} */
const SECTIONS = [
  [
    "settings.desktop",
    checks(
      "enable_desktop_notifications",
      "wildcard_mentions_notify",
      "enable_followed_topic_desktop_notifications",
      "enable_followed_topic_wildcard_mentions_notify",
      "enable_stream_desktop_notifications",
      "pm_content_in_desktop_notifications",
    ),
  ],
  [
    "settings.topics",
    [
      policy("automatically_follow_topics_policy"),
      policy("automatically_unmute_topics_in_muted_streams_policy"),
      ...checks("automatically_follow_topics_where_mentioned"),
    ],
  ],
  ["settings.visible", checks("presence_enabled", "send_private_typing_notifications", "send_stream_typing_notifications", "send_read_receipts")],
];

/** @param {{chat: Chat, settings: Setting[]}} props */
function OwnSettings({ chat, settings }) {
  const set = (/** @type {string} */ name, /** @type {unknown} */ value) => report(call("PATCH", "settings", { [name]: value }));
  return html`<${SettingFields} chat=${chat} settings=${settings} read=${(/** @type {string} */ name) => chat.settings[name]} set=${set} />`;
}

/** @param {{chat: Chat}} props */
function Notifications({ chat }) {
  const { alert_words, muted_users } = chat.state;
  const drop = (/** @type {string} */ word) => report(call("DELETE", "users/me/alert_words", { alert_words: [word] }));
  const unmute = (/** @type {number} */ id) => report(call("DELETE", `users/me/muted_users/${id}`));
  return html`
    <${BrowserPermission} />
    ${SECTIONS.map(([title, settings]) => html`<section key=${title}><h3>${t(title)}</h3><${OwnSettings} chat=${chat} settings=${settings} /></section>`)}
    <section>
      <h3>${t("settings.words")}</h3>
      <${Rows} label=${t("settings.words")} items=${alert_words} entry=${(/** @type {string} */ word) => ({ key: word, name: word, buttons: [[t("rows.remove"), () => drop(word)]] })} />
      <${Form} send=${(/** @type {any} */ { word }) => call("POST", "users/me/alert_words", { alert_words: [word] })} said="" isEmptied button=${t("editable.add")}>
        <${Field} label=${t("settings.words.new")} hint=${t("settings.words.hint")} name="word" required maxlength="100" />
      <//>
    </section>
    ${
      muted_users.length > 0 &&
      html`
      <section>
        <h3>${t("settings.muted")}</h3>
        <${Rows} label=${t("settings.muted")} items=${muted_users}
          entry=${(/** @type {{id: number}} */ { id }) => ({ key: id, name: chat.name(id), buttons: [[t("topic.unmute"), () => unmute(id)]] })} />
      </section>`
    }
  `;
}

/** The permission of the browser, which is asked for by a click only. */
function BrowserPermission() {
  const [, again] = useReducer((/** @type {number} */ count) => count + 1, 0);
  const permission = globalThis.Notification?.permission ?? "denied";
  if (permission === "default")
    return html`<p><button type="button" onClick=${async () => (await Notification.requestPermission(), again(0))}>${t("settings.desktop.ask")}</button></p>`;
  return html`<p class="hint">${t(permission === "granted" ? "settings.desktop.granted" : "settings.desktop.denied")}</p>`;
}

/** @type {Setting[]} */
const APPEARANCE = [{ name: "color_scheme", type: "choice", options: [1, 3, 2] }];

/** @param {{chat: Chat}} props */
function Appearance({ chat }) {
  const speak = (/** @type {string} */ code) => {
    chooseLanguage(code);
    chat.changed();
    report(call("PATCH", "settings", { default_language: code }));
  };
  return html`
    <${OwnSettings} chat=${chat} settings=${APPEARANCE} />
    <${Choice} label=${t("settings.language")} value=${language} options=${Object.entries(LANGUAGES)} set=${speak} />
  `;
}
