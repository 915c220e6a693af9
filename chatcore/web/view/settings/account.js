/** Address, password, API key and sessions of the own account. */

import { isAdministrator } from "../../model/rights.js";
import { Field, Form, Rows, call, copy, fullTime, html, report, sure, t, useAnswer, useState } from "../kit.js";

/** @param {Record<string, any>} fields */
const change = (fields) => call("PATCH", "settings", fields);

/** @param {{chat: Chat}} props */
export function Account({ chat }) {
  const { state } = chat;
  const isFixed = state.realm_email_changes_disabled && !isAdministrator(chat);
  return html`
    <${Form} send=${change} said=${t("settings.email.asked")} isFixed=${isFixed}>
      <${Field} label=${t("login.name")} hint=${t("settings.email.hint")} name="email" type="email" required defaultValue=${state.delivery_email} autocomplete="email" disabled=${isFixed} />
    <//>
    ${
      state.realm_password_auth_enabled &&
      html`
      <section>
        <h3>${t("login.password")}</h3>
        <${Form} send=${change} isEmptied button=${t("settings.password.change")}>
          <${Field} label=${t("settings.password.old")} name="old_password" type="password" required autocomplete="current-password" />
          <${Field} label=${t("settings.password.new")} hint=${t("settings.password.hint")} name="new_password" type="password" required autocomplete="new-password"
            minlength=${state.password_min_length} maxlength=${state.password_max_length} />
        <//>
      </section>
      <${ApiKey} email=${state.delivery_email} />`
    }
  `;
}

/** The key, after the password was given once more. @param {{email: string}} props */
function ApiKey({ email }) {
  const [key, setKey] = useState("");
  const show = (/** @type {any} */ answer) => answer && setKey(answer.api_key);
  const renew = async () => show(await report(call("POST", "users/me/api_key/regenerate")));
  return html`
    <section>
      <h3>${t("settings.key")}</h3>
      <p>${t("settings.key.about")}</p>
      ${
        key
          ? html`<div>
            <${Field} label=${t("settings.key")} value=${key} readonly />
            <p class="bar"><button type="button" onClick=${() => copy(key)}>${t("code.copy")}</button>
            <button type="button" onClick=${() => sure(t("settings.key.renew_sure"), t("settings.key.renew"), renew)}>${t("settings.key.renew")}</button></p></div>`
          : html`<${Form} send=${(/** @type {any} */ { password }) => call("POST", "fetch_api_key", { username: email, password })} said="" done=${show} button=${t("settings.key.show")}>
            <${Field} label=${t("login.password")} name="password" type="password" required autocomplete="current-password" /><//>`
      }
    </section>
  `;
}

/** @typedef {{id: number, date_created: number, last_used: number, user_agent: string, ip_address: string, is_current: boolean}} Session */

/** Words of a User-Agent, and what they mean: the first that fits counts. */
const BROWSERS = { Edg: "Edge", OPR: "Opera", Firefox: "Firefox", Chrom: "Chrome", Safari: "Safari" };
const SYSTEMS = { Android: "Android", iPhone: "iOS", iPad: "iOS", Windows: "Windows", "Mac OS": "macOS", Linux: "Linux" };

/** The browser and the system that a User-Agent names; else what it says. @param {string} agent */
function browserOf(agent) {
  const found = [BROWSERS, SYSTEMS].flatMap((known) => Object.entries(known).find(([word]) => agent.includes(word))?.[1] ?? []);
  return found.join(", ") || agent || "?";
}

export function Sessions() {
  const [ends, setEnds] = useState(0);
  /** @type {Session[] | undefined} */
  const sessions = useAnswer("users/me/sessions", { again: [ends] })?.sessions;
  const end = async (/** @type {string} */ which) => {
    await report(call("DELETE", `users/me/sessions${which}`));
    setEnds(ends + 1);
  };
  const entry = (/** @type {Session} */ one) => ({
    key: one.id,
    label: browserOf(one.user_agent),
    name: html`<strong title=${one.user_agent}>${browserOf(one.user_agent)}</strong>`,
    tags: [one.is_current && t("settings.sessions.this")],
    detail: t("settings.sessions.used", { address: one.ip_address, time: fullTime(one.last_used) }),
    buttons: [!one.is_current && [t("menu.log_out"), () => end(`/${one.id}`)]],
  });
  return html`
    <p class="hint">${t("settings.sessions.about")}</p>
    ${sessions && html`<${Rows} label=${t("settings.sessions")} items=${sessions} entry=${entry} />`}
    <p><button type="button" disabled=${(sessions?.length ?? 0) < 2} onClick=${() => end("")}>${t("settings.sessions.end_others")}</button></p>
  `;
}
