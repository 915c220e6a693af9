/**
 * Settings of notices in the page and while no page is open, when none disturbs, and what others see of this
 * person.
 */

import {
  canNotify,
  chooseTimes,
  endOfQuiet,
  subscribe,
  subscriptionOf,
  unsubscribe,
} from "../../device/notices.js";
import { AtTime, Check, Field, Form, Rows } from "../kit.js";
import { call, fullTime, html, overlay, report, t, useAgain, useAnswer, useState } from "../kit.js";
import { SettingFields, SettingSections, checks, own, typed } from "../pages/settings_fields.js";
import { playSound } from "../desktop.js";

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

export function Notifications({ chat }) {
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

/** The times in which nothing notifies the reader: each day, and for once. */
function DoNotDisturb({ chat }) {
  const [changes, setChanges] = useState(0);
  const server = useAnswer("users/me/do_not_disturb", { again: [changes] });
  if (!server) return null;
  const { daily, until, is_on: isOn } = server;
  const isPaused = isOn && until * 1000 > Date.now();
  const [from = "", to = ""] = daily.split("-");
  const zone = chat.settings.timezone || Intl.DateTimeFormat().resolvedOptions().timeZone;
  const choose = async (/** @type {{ daily?: string, until?: number }} */ times) => {
    await chooseTimes(times);
    setChanges(changes + 1);
  };
  const resume = () => report(choose({ until: 0 }));
  const pausing = { title: t("disturb.pause"), label: t("disturb.to"), send: (until) => choose({ until }) };
  const pause = () => overlay.show(AtTime, pausing);
  const send = async (given) => {
    await choose({ daily: given.from || given.to ? `${given.from}-${given.to}` : "" });
    // Times of day are those of the account's time zone; without one they are those of UTC.
    if (given.from && !chat.settings.timezone) await call("PATCH", "settings", { timezone: zone });
  };
  return html`
    <section class="group" aria-label=${t("disturb.title")}>
      <h3>${t("disturb.title")}</h3>
      <p role="status">
        ${isOn && t("disturb.paused", { time: endOfQuiet(server) })}</p>
      <p class="bar"><button type="button" onClick=${isPaused ? resume : pause}>
        ${t(isPaused ? "disturb.resume" : "disturb.pause")}</button></p>
      <${Form} send=${send}>
        <${Field} type="time" name="from" label=${t("disturb.from")} defaultValue=${from} />
        <${Field} type="time" name="to" label=${t("disturb.to")} defaultValue=${to} />
        <p><small>${t("disturb.zone", { zone })}</small></p>
      <//>
    </section>
  `;
}

const KINDS = checks(`enable_offline_push_notifications enable_followed_topic_push_notifications
  enable_stream_push_notifications`);

/** Nothing where the server sends none. `again` renders what depends on the browser's permission. */
function ClosedNotices({ chat, again }) {
  const [changes, setChanges] = useState(0);
  const server = useAnswer("web_push", { again: [changes], failed: () => {} });
  if (!server?.public_key) return null;
  const { public_key: key, subscriptions: devices } = server;
  const isDenied = canNotify && Notification.permission === "denied";
  const isHere = ({ id }) => id === subscriptionOf(chat)?.id;
  const change = async (/** @type {Promise<unknown>} */ request) => {
    const isDone = await report(request.then(() => true));
    setChanges(changes + 1);
    again(0);
    return isDone;
  };
  const turnOn = async () => {
    if ((await Notification.requestPermission()) !== "granted") throw new Error(t("push.denied"));
    await subscribe(chat, key);
  };
  const remove = (one) =>
    isHere(one) ? unsubscribe(chat) : call("DELETE", `web_push/subscriptions/${one.id}`);
  const entry = (one) => ({
    key: one.id,
    name: one.device || "?",
    tags: [isHere(one) && t("push.this")],
    detail: t("push.since", { time: fullTime(one.created_at), host: one.endpoint_host }),
    buttons: [[t("rows.remove"), () => change(remove(one))]],
  });
  const note = !canNotify ? "push.unsupported" : isDenied ? "push.denied" : "push.about";
  return html`
    <section class="group" aria-label=${t("push.title")}>
      <h3>${t("push.title")}</h3>
      <p><small>${t(note)} ${!server.shows_content && t("push.no_content")}</small></p>
      <${Check} label=${t("push.switch")} isOn=${devices.some(isHere)} disabled=${!canNotify || isDenied}
        set=${(isWanted) => change(isWanted ? turnOn() : unsubscribe(chat))} />
      ${
        devices.length > 0 &&
        html`<${SettingFields} settings=${KINDS} ...${own(chat)} />
          <${Rows} label=${t("push.title")} items=${devices} entry=${entry} />`
      }
    </section>
  `;
}
