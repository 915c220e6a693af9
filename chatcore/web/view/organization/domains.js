/** Domains of e-mail addresses with which people may join. */

import { call } from "../../api.js";
import { t } from "../../text/text.js";
import { Check, Field, submitted } from "../form.js";
import { html } from "../html.js";
import { report } from "../notice.js";

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function Domains({ chat }) {
  const add = async (/** @type {Event} */ event) => {
    const form = /** @type {HTMLFormElement} */ (event.target);
    if (await report(call("POST", "realm/domains", { ...submitted(event), allow_subdomains: false }))) form.reset();
  };
  const path = (/** @type {string} */ domain) => `realm/domains/${encodeURIComponent(domain)}`;
  return html`
    <p>${t("domains.hint", { setting: t("setting.emails_restricted_to_domains") })}</p>
    <ul class="rows" aria-label=${t("organization.domains")}>
      ${chat.state.realm_domains.map(
        (/** @type {any} */ { domain, allow_subdomains }) => html`
        <li key=${domain}><span>${domain}</span>
          <${Check} label=${t("domains.subdomains")} isOn=${allow_subdomains} set=${(/** @type {boolean} */ isOn) => report(call("PATCH", path(domain), { allow_subdomains: isOn }))} />
          <button type="button" aria-label=${t("picker.remove", { name: domain })} onClick=${() => report(call("DELETE", path(domain)))}>${t("rows.remove")}</button></li>`,
      )}
    </ul>
    <form onSubmit=${add}>
      <${Field} label=${t("domains.domain")} name="domain" required />
      <p class="bar"><button class="primary">${t("editable.add")}</button></p>
    </form>
  `;
}
