/** Messages that are sent later, and reminders. */

import { Narrow } from "../model/narrow.js";
import { Dialog, Field, Form, Rows, call, fullTime, html, overlay, report, t, useState } from "./kit.js";
import { titleOf } from "./topbar.js";

/** As a field for times has it: in the reader's zone, without one. @param {number} at milliseconds since 1970 */
const written = (at) => new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** The time in a field, in seconds since 1970. @param {string} time */
export const secondsOf = (time) => Math.floor(Date.parse(time) / 1000);

/** A field for a time to come. @param {{at?: number}} props `at` is the time at first, in seconds since 1970 */
export function TimeField({ at }) {
  const [now] = useState(Date.now());
  const first = at === undefined || at * 1000 < now ? now + 3_600_000 : at * 1000;
  return html`<${Field} label=${t("remind.time")} name="time" type="datetime-local" required defaultValue=${written(first)} min=${written(now)} />`;
}

/** Sends a text later. @param {{place: Place, content: string, done: () => void, close: () => void}} props */
export function SendLater({ place, content, done, close }) {
  const to = place.people ? { type: "direct", to: place.people } : { type: "channel", to: place.channelId, topic: place.topic };
  const send = (/** @type {Record<string, string>} */ { time }) =>
    call("POST", "scheduled_messages", { ...to, content, scheduled_delivery_timestamp: secondsOf(time) });
  const sent = () => {
    close();
    done();
  };
  return html`<${Dialog} title=${t("later.send")} close=${close}><${Form} send=${send} said=${t("later.done")} done=${sent}><${TimeField} /><//><//>`;
}

/** Changes the time of a message. @param {{one: any, close: () => void}} props */
function OtherTime({ one, close }) {
  const send = (/** @type {Record<string, string>} */ { time }) =>
    call("PATCH", `scheduled_messages/${one.scheduled_message_id}`, { scheduled_delivery_timestamp: secondsOf(time) });
  return html`
    <${Dialog} title=${t("later.time")} close=${close}>
      <${Form} send=${send} done=${close}><${TimeField} at=${one.scheduled_delivery_timestamp} /><//>
    <//>
  `;
}

/** @param {any} one */
const detail = (one) => html`<span class="beginning" dir="auto">${one.content}</span>${fullTime(one.scheduled_delivery_timestamp)}`;

/** @param {any} a @param {any} b */
const earlier = (a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp;

/** @param {PageProps} props */
export function Later({ chat }) {
  const { scheduled_messages: messages, reminders } = chat.state;
  const message = (/** @type {any} */ one) => {
    const narrow = Narrow.at(Array.isArray(one.to) ? { people: one.to } : { channelId: one.to, topic: one.topic });
    const label = titleOf(chat, narrow, "later");
    return {
      key: one.scheduled_message_id,
      label,
      name: html`<a href=${chat.link(narrow)} dir="auto">${label}</a>`,
      tags: [one.failed && t("later.failed")],
      detail: detail(one),
      buttons: [
        [t("later.time"), () => overlay.show(OtherTime, { one })],
        [t("action.delete"), () => report(call("DELETE", `scheduled_messages/${one.scheduled_message_id}`))],
      ],
    };
  };
  const reminder = (/** @type {any} */ one) => ({
    key: one.reminder_id,
    name: t("action.remind"),
    detail: detail(one),
    buttons: [[t("action.delete"), () => report(call("DELETE", `reminders/${one.reminder_id}`))]],
  });
  return html`
    <div class="subpage scroller" tabindex="0">
      <${Rows} label=${t("nav.later")} items=${[...messages].sort(earlier)} entry=${message} none=${t("later.none")} />
      ${reminders.length > 0 && html`<h3>${t("later.reminders")}</h3><${Rows} label=${t("later.reminders")} items=${[...reminders].sort(earlier)} entry=${reminder} />`}
    </div>
  `;
}
