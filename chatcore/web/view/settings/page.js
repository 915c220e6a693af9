/** The settings of the own account, on a page with tabs. */

import { t } from "../../text/text.js";
import { html } from "../html.js";
import { Account } from "./account.js";
import { Appearance } from "./appearance.js";
import { Notifications } from "./notifications.js";
import { Profile } from "./profile.js";
import { Sessions } from "./sessions.js";

/** @type {Record<string, [Parameters<typeof t>[0], (props: any) => unknown]>} */
const TABS = {
  profile: ["settings.profile", Profile],
  account: ["settings.account", Account],
  notifications: ["settings.notifications", Notifications],
  appearance: ["settings.appearance", Appearance],
  sessions: ["settings.sessions", Sessions],
};

/** @param {import("../pages.js").PageProps} props */
export function Settings({ chat, parts }) {
  const here = Object.hasOwn(TABS, parts[0] ?? "") ? parts[0] : "profile";
  return html`
    <div key=${here} class="subpage settings">
      <nav class="tabs" aria-label=${t("settings.title")}>
        ${Object.entries(TABS).map(
          ([name, [title]]) => html`
          <a key=${name} class="button" href=${`#settings/${name}`} aria-current=${name === here ? "page" : undefined}>${t(title)}</a>`,
        )}
      </nav>
      <${TABS[here][1]} chat=${chat} />
    </div>
  `;
}
