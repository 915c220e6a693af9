/** The settings of the own account. */

import { LANGUAGES, chooseLanguage } from "../../text/text.js";
import { Avatar, Buttons, Choice, Icon, Status, StatusDialog } from "../kit.js";
import { call, clearStatus, html, language, overlay, report, t } from "../kit.js";
import { Parts } from "../pages/parts.js";
import { SettingFields, own } from "../pages/settings_fields.js";
import { Account, Sessions } from "./account.js";
import { Notifications } from "./notifications.js";
import { Profile } from "./profile.js";

const PARTS = {
  profile: ["settings.profile", Profile],
  account: ["settings.account", Account],
  notifications: ["settings.notifications", Notifications],
  appearance: ["settings.appearance", Appearance],
  sessions: ["settings.sessions", Sessions],
};

export const Settings = (/** @type {PageProps} */ { chat, parts: [part], logOut }) => html`
  <${Parts} chat=${chat} page="settings" parts=${PARTS} part=${part} above=${html`<${You} chat=${chat} />`}
    below=${html`<button type="button" class="with-icon" onClick=${logOut}><${Icon} name="log-out" />
      ${t("menu.log_out")}</button>`} />
`;

/** Who the reader is, with the status. */
function You({ chat }) {
  const { status_text: text, emoji_name: emoji } = chat.statuses.get(chat.me) ?? {};
  const isSet = !!(text || emoji);
  const name = t("status.title");
  return html`
    <div class="person">
      <${Avatar} person=${chat.people.get(chat.me)} kind="middle" />
      <div><b dir="auto">${chat.name(chat.me)}</b><small>${chat.state.delivery_email}</small></div>
    </div>
    <p class="bar">
      <button type="button" dir="auto" aria-label=${`${name}: ${text || emoji || t("status.text")}`}
        onClick=${() => overlay.show(StatusDialog)}>${
          isSet ? html`<${Status} chat=${chat} id=${chat.me} />` : t("status.text")
        }</button>
      <${Buttons} of=${name} buttons=${[isSet && [t("status.clear"), () => report(clearStatus())]]} />
    </p>
  `;
}

const APPEARANCE = [{ name: "color_scheme", type: "choice", options: [1, 3, 2] }];

function Appearance({ chat }) {
  const speak = (code) => {
    chooseLanguage(code);
    chat.changed();
    return report(call("PATCH", "settings", { default_language: code }));
  };
  return html`
    <div class="group">
      <${SettingFields} settings=${APPEARANCE} ...${own(chat)} />
      <${Choice} label=${t("settings.language")} value=${language} options=${Object.entries(LANGUAGES)}
        set=${speak} />
    </div>
  `;
}
