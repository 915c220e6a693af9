/** The people of the organization, and the page of each. */

import { ROLE } from "../../model/permissions.js";
import { t } from "../../text/text.js";
import { Choice } from "../form.js";
import { html, useState } from "../html.js";
import { PersonName, Rows, byName } from "../rows.js";
import { PersonPage } from "./person.js";
import { Presence, Status } from "../presence.js";

const hasRole = (/** @type {number} */ role) => (/** @type {any} */ one) => one.is_active && !one.is_bot && one.role === role;

/** The people that can be chosen to be shown, by the names of texts. @type {Record<string, (person: any) => boolean>} */
const SHOWN = {
  "people.active": (one) => one.is_active && !one.is_bot,
  "group.role:owners": hasRole(ROLE.OWNER),
  "group.role:administrators": hasRole(ROLE.ADMINISTRATOR),
  "group.role:moderators": hasRole(ROLE.MODERATOR),
  "group.role:members": hasRole(ROLE.MEMBER),
  "people.guests": hasRole(ROLE.GUEST),
  "people.bots": (one) => one.is_active && one.is_bot,
  "people.inactive": (one) => !one.is_active,
};

/** @param {import("../pages.js").PageProps} props */
export function People({ chat, parts: [part] }) {
  const person = chat.people.get(Number(part));
  return html`<div class="subpage">${person ? html`<${PersonPage} key=${part} chat=${chat} person=${person} />` : html`<${PeopleList} chat=${chat} />`}</div>`;
}

/** @param {{chat: import("../../model/chat.js").Chat, actions?: (person: any) => unknown}} props `actions` follow each person */
export function PeopleList({ chat, actions }) {
  const [shown, setShown] = useState("people.active");
  const options = Object.keys(SHOWN).map((name) => [name, t(/** @type {any} */ (name))]);
  return html`
    <section>
      <${Rows} label=${t("nav.people")} items=${byName([...chat.people.values()].filter(SHOWN[shown]))} nameOf=${(/** @type {any} */ one) => `${one.full_name} ${one.delivery_email ?? ""}`}
        row=${(/** @type {any} */ one) => html`
          <li key=${one.user_id}>
            <${PersonName} person=${one}>
              ${" "}<${Presence} chat=${chat} id=${one.user_id} /> ${one.is_bot && html`<span class="tag">${t("message.bot")}</span>`}
              ${!one.is_active && html`<span class="tag">${t("message.deactivated")}</span>`}
              <small dir="auto"><${Status} chat=${chat} id=${one.user_id} /></small>
            <//>
            ${actions ? actions(one) : !one.is_bot && html`<span class="tag">${t(/** @type {any} */ (`role.${one.role}`))}</span>`}
          </li>`}>
        <${Choice} label=${t("channels.shown")} value=${shown} options=${options} set=${setShown} />
      <//>
    </section>
  `;
}
