/** The browsers that are logged in to the account. */

import { call } from "../../api.js";
import { fullTime, t } from "../../text/text.js";
import { html, useEffect, useState } from "../html.js";
import { report } from "../notice.js";

/** @typedef {{id: number, date_created: number, last_used: number, user_agent: string, ip_address: string, is_current: boolean}} Session */

const BROWSERS = [
  [/Edg/, "Edge"],
  [/OPR/, "Opera"],
  [/Firefox/, "Firefox"],
  [/Chrom/, "Chrome"],
  [/Safari/, "Safari"],
];
const SYSTEMS = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS/, "macOS"],
  [/Linux/, "Linux"],
];

/** The browser and the system that a User-Agent names; else what it says. @param {string} agent */
function browserOf(agent) {
  const [browser, system] = [BROWSERS, SYSTEMS].map((known) => known.find(([pattern]) => /** @type {RegExp} */ (pattern).test(agent))?.[1]);
  return [browser, system].filter(Boolean).join(", ") || agent || "?";
}

export function Sessions() {
  const [sessions, setSessions] = useState(/** @type {Session[]} */ ([]));
  const load = async () => {
    const answer = await report(call("GET", "users/me/sessions"));
    if (answer) setSessions(answer.sessions);
  };
  useEffect(() => {
    load();
  }, []);
  const end = async (/** @type {string} */ which) => {
    await report(call("DELETE", `users/me/sessions${which}`));
    await load();
  };
  return html`
    <section>
      <h2>${t("settings.sessions")}</h2>
      <p class="hint">${t("settings.sessions.about")}</p>
      <ul class="rows">
        ${sessions.map(
          (one) => html`
          <li key=${one.id}>
            <div>
              <strong title=${one.user_agent}>${browserOf(one.user_agent)}</strong> ${one.is_current && html`<span class="tag">${t("settings.sessions.this")}</span>`}
              <p class="hint">${t("settings.sessions.used", { address: one.ip_address, time: fullTime(one.last_used) })}</p>
            </div>
            ${!one.is_current && html`<button type="button" onClick=${() => end(`/${one.id}`)}>${t("menu.log_out")}</button>`}
          </li>`,
        )}
      </ul>
      <p><button type="button" disabled=${sessions.length < 2} onClick=${() => end("")}>${t("settings.sessions.end_others")}</button></p>
    </section>
  `;
}
