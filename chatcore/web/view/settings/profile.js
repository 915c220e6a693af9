/** Name, picture, time zone, status, and the organization's profile fields. */

import { call, upload } from "../../api.js";
import { t } from "../../text/text.js";
import { Choice, Field } from "../form.js";
import { html } from "../html.js";
import { report } from "../notice.js";
import { ProfileFields } from "./fields.js";
import { change, submitting } from "./saving.js";
import { StatusForm } from "./status.js";

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function Profile({ chat }) {
  const { state } = chat;
  const isFixed = (/** @type {string} */ what) => !state.is_admin && (state[`realm_${what}_changes_disabled`] || state[`server_${what}_changes_disabled`]);
  return html`
    <section>
      <h2>${t("settings.profile")}</h2>
      <${Picture} person=${chat.people.get(chat.me)} isFixed=${isFixed("avatar")} />
      <form onSubmit=${submitting(({ name }) => call("PATCH", "settings", { full_name: name }))}>
        <${Field} label=${t("settings.name")} name="name" defaultValue=${chat.name(chat.me)} required maxlength="100" autocomplete="name" disabled=${isFixed("name")} />
        <button type="submit" disabled=${isFixed("name")}>${t("action.save")}</button>
      </form>
      <${Zone} value=${chat.settings.timezone} />
    </section>
    <section>
      <h2>${t("status.title")}</h2>
      <${StatusForm} chat=${chat} />
    </section>
    <${ProfileFields} chat=${chat} />
  `;
}

/** @param {{person: any, isFixed: boolean}} props */
function Picture({ person, isFixed }) {
  const choose = async (/** @type {any} */ { target }) => {
    if (target.files[0]) await report(upload(target.files[0], () => {}, "users/me/avatar"));
    target.value = "";
  };
  return html`
    <div class="own-picture">
      <img src=${`avatar/${person.user_id}/medium?version=${person.avatar_version}`} alt=${t("settings.picture")} width="96" height="96" />
      <label class="button" hidden=${isFixed}>${t("settings.picture.choose")}<input type="file" accept="image/*" class="unseen" onChange=${choose} /></label>
      <button type="button" disabled=${isFixed} onClick=${() => report(call("DELETE", "users/me/avatar"))}>${t("settings.picture.remove")}</button>
    </div>
  `;
}

/** @param {{value: string}} props */
function Zone({ value }) {
  const zones = new Set([...(value ? [value] : []), ...Intl.supportedValuesOf("timeZone")]);
  const options = /** @type {[string, string][]} */ ([["", t("settings.zone.none")], ...[...zones].map((one) => [one, one.replace(/_/g, " ")])]);
  return html`<${Choice} label=${t("settings.zone")} value=${value} options=${options} set=${(/** @type {string} */ timezone) => change({ timezone })} />`;
}
