/** The organization: what everybody sees of it, and what administrators set. */

import { isAdministrator, may } from "../../model/rights.js";
import { html } from "../html.js";
import { Parts } from "../pages.js";
import { PeopleList } from "../people.js";
import { Invitations } from "./invitations.js";
import { DefaultChannels, Domains, Emoji, Exports, Linkifiers } from "./lists.js";
import { OrganizationProfile } from "./profile.js";
import { ProfileFields } from "./profile_fields.js";
import { OrganizationPermissions, OrganizationSettings } from "./settings.js";

const invites = (/** @type {Chat} */ chat) => may(chat, "can_invite_users_group") || may(chat, "create_multiuse_invite_group");

const PARTS = {
  profile: { view: OrganizationProfile },
  settings: { view: OrganizationSettings },
  permissions: { view: OrganizationPermissions },
  people: { view: (/** @type {{chat: Chat}} */ { chat }) => html`<${PeopleList} chat=${chat} isForChanges />`, isFor: isAdministrator },
  invitations: { view: Invitations, isFor: invites },
  channels: { view: DefaultChannels, isFor: isAdministrator },
  emoji: { view: Emoji },
  linkifiers: { view: Linkifiers },
  fields: { view: ProfileFields, isFor: isAdministrator },
  domains: { view: Domains, isFor: isAdministrator },
  exports: { view: Exports, isFor: isAdministrator },
};

/** @param {PageProps} props */
export const Organization = ({ chat, parts: [part] }) => html`<${Parts} chat=${chat} page="organization" parts=${PARTS} part=${part} />`;
