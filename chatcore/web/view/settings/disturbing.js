/** The times in which nothing notifies the reader: each day, and for once. */

import { chooseTimes } from "../../device/disturbing.js";
import { Field, Form, call, fullTime, html, report, t, useAnswer, useState } from "../kit.js";

const HOUR = 3_600_000;
const MORNING = 8;

const tomorrow = () => {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1, MORNING).getTime();
};

export function DoNotDisturb({ chat }) {
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
  const pause = (/** @type {number} */ end) => report(choose({ until: Math.floor(end / 1000) }));
  const send = async (given) => {
    await choose({ daily: given.from || given.to ? `${given.from}-${given.to}` : "" });
    // Times of day are those of the account's time zone; without one they are those of UTC.
    if (given.from && !chat.settings.timezone) await call("PATCH", "settings", { timezone: zone });
  };
  return html`
    <section class="group" aria-label=${t("disturb.title")}>
      <h3>${t("disturb.title")}</h3>
      <p><small>${t("disturb.about")}</small></p>
      <p role="status">
        ${isOn && t(isPaused ? "disturb.paused" : "disturb.on", { time: fullTime(until) })}</p>
      <p class="bar">
        ${
          isPaused
            ? html`<button type="button" onClick=${() => pause(0)}>${t("disturb.resume")}</button>`
            : html`<button type="button" onClick=${() => pause(Date.now() + HOUR)}>
                ${t("disturb.hour")}</button>
              <button type="button" onClick=${() => pause(tomorrow())}>
                ${t("disturb.tomorrow", { time: `${MORNING}:00` })}</button>`
        }</p>
      <${Form} send=${send}>
        <${Field} type="time" name="from" label=${t("disturb.from")} defaultValue=${from} />
        <${Field} type="time" name="to" label=${t("disturb.to")} defaultValue=${to} />
        <p><small>${t("disturb.zone", { zone })}</small></p>
      <//>
    </section>
  `;
}
