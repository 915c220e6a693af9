/** Address, password, API key, data and sessions of the own account. */

import { isAdministrator } from "../../model/rights.js";
import { Field, Form, PasswordField, Rows } from "../kit.js";
import { call, copy, fullTime, html, report, sure, t, useAnswer, useState } from "../kit.js";

const change = (fields) => call("PATCH", "settings", fields);

export function Account({ chat }) {
  const { state } = chat;
  const [needsProof, setNeedsProof] = useState(false);
  const asksProof = needsProof && state.realm_password_auth_enabled;
  const changeAddress = async (fields) => {
    try {
      return await change(fields);
    } catch (error) {
      setNeedsProof(error.code === "PROOF_REQUIRED" || needsProof);
      throw error;
    }
  };
  const isFixed = state.realm_email_changes_disabled && !isAdministrator(chat);
  const { password_min_length: minlength, password_max_length: max } = state;
  const password = html`
    <section>
      <h3>${t("login.password")}</h3>
      <${Form} send=${change} isEmptied button=${t("password.change")}>
        <${PasswordField} label=${t("password.old")} name="old_password" />
        <${PasswordField} label=${t("password.new")} hint=${t("password.hint")} name="new_password"
          autocomplete="new-password" ...${{ minlength, max }} />
      <//>
    </section>
    <${ApiKey} email=${state.delivery_email} />`;
  return html`
    <${Form} send=${changeAddress} savedText=${t("email.asked")} isFixed=${isFixed}>
      <${Field} label=${t("login.name")} hint=${t("email.hint")} name="email" type="email" required
        defaultValue=${state.delivery_email} autocomplete="email" disabled=${isFixed} />
      ${asksProof && html`<${PasswordField} label=${t("password.old")} name="old_password" />`}
    <//>
    ${state.realm_password_auth_enabled && password}
    <section>
      <h3>${t("data.title")}</h3>
      <p>${t("data.about")}</p>
      <${Form} send=${() => call("POST", "users/me/exports")} savedText=${t("data.asked")}
        button=${t("data.export")} />
    </section>
  `;
}

/** The key, after the password was given once more. */
function ApiKey({ email }) {
  const [key, setKey] = useState("");
  const show = (answer) => answer && setKey(answer.api_key);
  const renew = async () =>
    show(await report(call("POST", "users/me/api_key/regenerate", { current_api_key: key })));
  const asked = html`
    <${Form} send=${({ password }) => call("POST", "fetch_api_key", { username: email, password })}
      savedText="" done=${show} button=${t("key.show")}>
      <${PasswordField} name="password" />
    <//>`;
  const shown = html`
    <div>
      <${Field} label=${t("key.title")} value=${key} readonly />
      <p class="bar">
        <button type="button" onClick=${() => copy(key)}>${t("code.copy")}</button>
        <button type="button" onClick=${() => sure(t("key.renew_sure"), t("key.renew"), renew)}>
          ${t("key.renew")}</button>
      </p>
    </div>`;
  return html`<section><h3>${t("key.title")}</h3><p>${t("key.about")}</p>${key ? shown : asked}</section>`;
}

export function Sessions() {
  const [ends, setEnds] = useState(0);
  const sessions = useAnswer("users/me/sessions", { again: [ends] })?.sessions;
  const end = async (which) => {
    await report(call("DELETE", `users/me/sessions${which}`));
    setEnds(ends + 1);
  };
  const entry = ({ id, user_agent, is_current, ip_address: address, last_used }) => ({
    key: id,
    name: user_agent || "?",
    tags: [is_current && t("settings.sessions.this")],
    detail: t("settings.sessions.used", { address, time: fullTime(last_used) }),
    buttons: [!is_current && [t("menu.log_out"), () => end(`/${id}`)]],
  });
  return html`
    <p class="faint">${t("settings.sessions.about")}</p>
    ${sessions && html`<${Rows} label=${t("settings.sessions")} items=${sessions} entry=${entry} />`}
    <p><button type="button" disabled=${(sessions?.length ?? 0) < 2} onClick=${() => end("")}>
      ${t("settings.sessions.end_others")}</button></p>
  `;
}
