/** The settings of the own account. */

import { LANGUAGES, chooseLanguage } from "../../text/text.js";
import { Choice, Field, Form, Rows, call, html, language, report, t, useAgain } from "../kit.js";
import { Parts } from "../pages/parts.js";
import { SettingFields, SettingSections, checks, own, typed } from "../pages/settings_fields.js";
import { playSound } from "../sound.js";
import { Account, Sessions } from "./account.js";
import { ClosedNotices } from "./closed.js";
import { DoNotDisturb } from "./disturbing.js";
import { Profile } from "./profile.js";

const PARTS = {
  profile: ["settings.profile", Profile],
  account: ["settings.account", Account],
  notifications: ["settings.notifications", Notifications],
  appearance: ["settings.appearance", Appearance],
  sessions: ["settings.sessions", Sessions],
};

export const Settings = (/** @type {PageProps} */ { chat, parts: [part] }) =>
  html`<${Parts} chat=${chat} page="settings" parts=${PARTS} part=${part} />`;

const POLICIES = "automatically_follow_topics_policy automatically_unmute_topics_in_muted_streams_policy";

const SOUNDS = checks(`enable_sounds enable_followed_topic_audible_notifications
  enable_stream_audible_notifications`);

/** Settings of notifications, and of the facts that others see about this person. */
const SECTIONS = {
  "desktop.title": checks(`enable_desktop_notifications wildcard_mentions_notify
    enable_followed_topic_desktop_notifications enable_followed_topic_wildcard_mentions_notify
    enable_stream_desktop_notifications pm_content_in_desktop_notifications`),
  "personal.email_notifications": checks(`enable_offline_email_notifications
    enable_followed_topic_email_notifications enable_stream_email_notifications
    message_content_in_email_notifications enable_login_emails enable_digest_emails`),
  "setting.topics_policy": [
    ...typed("choice", POLICIES, { options: [1, 2, 3, 4], texts: "setting.policy" }),
    ...checks("automatically_follow_topics_where_mentioned"),
  ],
  "settings.visible": checks(`presence_enabled send_private_typing_notifications
    send_stream_typing_notifications send_read_receipts`),
};

function Notifications({ chat }) {
  const { alert_words } = chat.state;
  const again = useAgain();
  const change = (method, word) => call(method, "users/me/alert_words", { alert_words: [word] });
  const entry = (word) => ({
    key: word,
    name: word,
    buttons: [[t("rows.remove"), () => report(change("DELETE", word))]],
  });
  return html`
    <section class="group" aria-label=${t("sounds.title")}>
      <h3>${t("sounds.title")}</h3>
      <${SettingFields} settings=${SOUNDS} ...${own(chat)} />
      <p><button type="button" onClick=${playSound}>${t("sounds.play")}</button></p>
    </section>
    <${BrowserPermission} again=${again} />
    <${DoNotDisturb} chat=${chat} />
    <${ClosedNotices} chat=${chat} again=${again} />
    <${SettingSections} sections=${SECTIONS} ...${own(chat)} />
    <section>
      <h3>${t("settings.words")}</h3>
      <${Rows} label=${t("settings.words")} items=${alert_words} entry=${entry} />
      <${Form} send=${({ word }) => change("POST", word)} savedText="" isEmptied button=${t("editable.add")}>
        <${Field} label=${t("settings.words.new")} hint=${t("settings.words.hint")} name="word" required
          max=${100} />
      <//>
    </section>
  `;
}

/** The permission of the browser, which is asked for by a click only. */
function BrowserPermission({ again }) {
  const permission = globalThis.Notification?.permission ?? "denied";
  const ask = async () => (await Notification.requestPermission(), again(0));
  if (permission === "default")
    return html`<p><button type="button" onClick=${ask}>${t("desktop.ask")}</button></p>`;
  return html`<p class="faint">${t(permission === "granted" ? "desktop.granted" : "desktop.denied")}</p>`;
}

const APPEARANCE = [{ name: "color_scheme", type: "choice", options: [1, 3, 2] }];

function Appearance({ chat }) {
  const speak = (code) => {
    chooseLanguage(code);
    chat.changed();
    return report(call("PATCH", "settings", { default_language: code }));
  };
  return html`
    <div class="group">
      <${SettingFields} settings=${APPEARANCE} ...${own(chat)} />
      <${Choice} label=${t("settings.language")} value=${language} options=${Object.entries(LANGUAGES)}
        set=${speak} />
    </div>
  `;
}
