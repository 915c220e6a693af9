/** Notices while no page is open: on this device, and the devices of the reader that show them. */

import { canNotify, subscribe, subscriptionOf, unsubscribe } from "../../device/notices.js";
import { Check, Rows, call, fullTime, html, report, t, useAnswer, useState } from "../kit.js";
import { SettingFields, checks, own } from "../pages/settings_fields.js";

const KINDS = checks(`enable_offline_push_notifications enable_followed_topic_push_notifications
  enable_stream_push_notifications`);

/** Nothing where the server sends none. `again` renders what depends on the browser's permission. */
export function ClosedNotices({ chat, again }) {
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
