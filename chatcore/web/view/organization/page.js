/** The organization: what everybody sees of it, and what administrators set. */

import { isAdministrator, may } from "../../model/permissions.js";
import { t } from "../../text/text.js";
import { html } from "../html.js";
import { DefaultChannels } from "./channels.js";
import { Domains } from "./domains.js";
import { Emoji } from "./emoji.js";
import { Exports } from "./exports.js";
import { Invitations } from "./invitations.js";
import { Linkifiers } from "./linkifiers.js";
import { Members } from "./members.js";
import { Profile } from "./profile.js";
import { ProfileFields } from "./profile_fields.js";
import { RealmPermissions, Settings } from "./settings.js";

/** @typedef {import("../../model/chat.js").Chat} Chat */

const invites = (/** @type {Chat} */ chat) => may(chat, "can_invite_users_group") || may(chat, "create_multiuse_invite_group");

/** The parts of the page, and who sees them. @type {Record<string, {view: (props: {chat: Chat}) => unknown, isFor?: (chat: Chat) => boolean}>} */
const PARTS = {
  profile: { view: Profile },
  settings: { view: Settings },
  permissions: { view: RealmPermissions },
  people: { view: Members, isFor: isAdministrator },
  invitations: { view: Invitations, isFor: invites },
  channels: { view: DefaultChannels, isFor: isAdministrator },
  emoji: { view: Emoji },
  linkifiers: { view: Linkifiers },
  fields: { view: ProfileFields, isFor: isAdministrator },
  domains: { view: Domains, isFor: isAdministrator },
  exports: { view: Exports, isFor: isAdministrator },
};

/** @param {import("../pages.js").PageProps} props */
export function Organization({ chat, parts: [part] }) {
  const names = Object.keys(PARTS).filter((name) => PARTS[name].isFor?.(chat) ?? true);
  const here = names.includes(part) ? part : names[0];
  return html`
    <div class="subpage">
      <nav class="tabs" aria-label=${t("nav.organization")}>
        ${names.map((name) => html`<a key=${name} class="button" href=${`#organization/${name}`} aria-current=${name === here ? "page" : undefined}>${t(/** @type {any} */ (`organization.${name}`))}</a>`)}
      </nav>
      <section><h2>${t(/** @type {any} */ (`organization.${here}`))}</h2><${PARTS[here].view} key=${here} chat=${chat} /></section>
    </div>
  `;
}
