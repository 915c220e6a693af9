/** Address, password and API key of the own account. */

import { copy } from "../copy.js";
import { call } from "../../api.js";
import { t } from "../../text/text.js";
import { Field } from "../form.js";
import { html, useState } from "../html.js";
import { report } from "../notice.js";
import { submitting } from "./saving.js";

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function Account({ chat }) {
  const { state } = chat;
  const isFixed = state.realm_email_changes_disabled && !state.is_admin;
  return html`
    <section>
      <h2>${t("settings.email")}</h2>
      <form onSubmit=${submitting(({ email }) => call("PATCH", "settings", { email }), { text: "settings.email.asked" })}>
        <${Field} label=${t("settings.email")} hint=${t("settings.email.hint")} name="email" type="email" required defaultValue=${state.delivery_email} autocomplete="email" disabled=${isFixed} />
        <button type="submit" disabled=${isFixed}>${t("action.save")}</button>
      </form>
    </section>
    ${
      state.realm_password_auth_enabled &&
      html`
      <section>
        <h2>${t("settings.password")}</h2>
        <form onSubmit=${submitting((fields) => call("PATCH", "settings", fields), { isSecret: true })}>
          <${Field} label=${t("settings.password.old")} name="old_password" type="password" required autocomplete="current-password" />
          <${Field} label=${t("settings.password.new")} hint=${t("settings.password.hint")} name="new_password" type="password" required autocomplete="new-password"
            minlength=${state.password_min_length} maxlength=${state.password_max_length} />
          <button type="submit">${t("settings.password.change")}</button>
        </form>
      </section>
      <${ApiKey} email=${state.delivery_email} />`
    }
  `;
}

/** The key, after the password was given once more. @param {{email: string}} props */
function ApiKey({ email }) {
  const [key, setKey] = useState("");
  const show = async (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    const answer = await report(call("POST", "fetch_api_key", { username: email, password: new FormData(form).get("password") }));
    if (answer) setKey(answer.api_key);
  };
  const renew = async () => {
    if (!confirm(t("settings.key.renew_sure"))) return;
    const answer = await report(call("POST", "users/me/api_key/regenerate"));
    if (answer) setKey(answer.api_key);
  };
  return html`
    <section>
      <h2>${t("settings.key")}</h2>
      <p>${t("settings.key.about")}</p>
      ${
        key
          ? html`<div>
            <${Field} label=${t("settings.key")} value=${key} readonly />
            <button type="button" onClick=${() => copy(key)}>${t("code.copy")}</button>
            ${" "}<button type="button" onClick=${renew}>${t("settings.key.renew")}</button></div>`
          : html`<form onSubmit=${show}>
            <${Field} label=${t("login.password")} name="password" type="password" required autocomplete="current-password" />
            <button type="submit">${t("settings.key.show")}</button></form>`
      }
    </section>
  `;
}
