/** Settings of notifications, and of the facts that others see about this person. */

import { call } from "../../api.js";
import { t } from "../../text/text.js";
import { Check, Choice, Field } from "../form.js";
import { html, useReducer } from "../html.js";
import { report } from "../notice.js";
import { change } from "./saving.js";

/** @typedef {Parameters<typeof t>[0]} Name */

const DESKTOP = /** @type {const} */ ([
  "enable_desktop_notifications",
  "wildcard_mentions_notify",
  "enable_followed_topic_desktop_notifications",
  "enable_followed_topic_wildcard_mentions_notify",
  "enable_stream_desktop_notifications",
  "pm_content_in_desktop_notifications",
]);
const OTHERS = /** @type {const} */ (["presence_enabled", "send_private_typing_notifications", "send_stream_typing_notifications", "send_read_receipts"]);
const POLICIES = /** @type {const} */ (["automatically_follow_topics_policy", "automatically_unmute_topics_in_muted_streams_policy"]);

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function Notifications({ chat }) {
  const { settings } = chat;
  const check = (/** @type {string} */ name) => html`
    <${Check} key=${name} label=${t(/** @type {Name} */ (`setting.${name}`))} isOn=${settings[name]} set=${(/** @type {boolean} */ isOn) => change({ [name]: isOn })} />`;
  const policies = [1, 2, 3, 4].map((value) => [value, t(/** @type {Name} */ (`setting.policy.${value}`))]);
  return html`
    <section>
      <h2>${t("settings.desktop")}</h2>
      <${Permission} />
      ${DESKTOP.map(check)}
    </section>
    <section>
      <h2>${t("settings.topics")}</h2>
      ${POLICIES.map(
        (name) => html`<${Choice} key=${name} label=${t(`setting.${name}`)} value=${settings[name]} options=${policies}
        set=${(/** @type {number} */ value) => change({ [name]: value })} />`,
      )}
      ${check("automatically_follow_topics_where_mentioned")}
    </section>
    <section>
      <h2>${t("settings.visible")}</h2>
      ${OTHERS.map(check)}
    </section>
    <${AlertWords} words=${chat.state.alert_words} />
    <${MutedUsers} chat=${chat} />
  `;
}

/** The permission of the browser, which is asked for by a click only. */
function Permission() {
  const [, again] = useReducer((/** @type {number} */ count) => count + 1, 0);
  const permission = globalThis.Notification?.permission ?? "denied";
  if (permission === "default")
    return html`<p><button type="button" onClick=${async () => (await Notification.requestPermission(), again(0))}>${t("settings.desktop.ask")}</button></p>`;
  return html`<p class="hint">${t(permission === "granted" ? "settings.desktop.granted" : "settings.desktop.denied")}</p>`;
}

/** @param {{words: string[]}} props */
function AlertWords({ words }) {
  const add = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (await report(call("POST", "users/me/alert_words", { alert_words: [new FormData(form).get("word")] }))) form.reset();
  };
  const drop = (/** @type {string} */ word) => report(call("DELETE", "users/me/alert_words", { alert_words: [word] }));
  return html`
    <section>
      <h2>${t("settings.words")}</h2>
      <${Removable} entries=${words.map((word) => [word, word])} remove=${drop} />
      <form onSubmit=${add}>
        <${Field} label=${t("settings.words.new")} hint=${t("settings.words.hint")} name="word" required maxlength="100" />
        <button type="submit">${t("settings.words.add")}</button>
      </form>
    </section>
  `;
}

/** @param {{chat: import("../../model/chat.js").Chat}} props */
function MutedUsers({ chat }) {
  const entries = chat.state.muted_users.map((/** @type {{id: number}} */ { id }) => [id, chat.name(id)]);
  if (!entries.length) return null;
  return html`
    <section>
      <h2>${t("settings.muted")}</h2>
      <${Removable} entries=${entries} remove=${(/** @type {number} */ id) => report(call("DELETE", `users/me/muted_users/${id}`))} />
    </section>
  `;
}

/** @param {{entries: [any, string][], remove: (key: any) => void}} props */
function Removable({ entries, remove }) {
  return html`
    <ul class="rows">
      ${entries.map(
        ([key, name]) => html`<li key=${key}><span dir="auto">${name}</span>
        <button type="button" aria-label=${t("settings.remove_one", { name })} onClick=${() => remove(key)}>×</button></li>`,
      )}
    </ul>
  `;
}
