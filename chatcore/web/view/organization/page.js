/** The organization: what everybody sees of it, and what administrators set. */

import { invites, isAdministrator } from "../../model/rights.js";
import { Facts, Field, Form, LongField, call, html, t } from "../kit.js";
import { Parts } from "../pages/parts.js";
import { Audit } from "./audit.js";
import { Invitations } from "./invitations.js";
import { Emoji, Linkifiers } from "./lists.js";
import { OrganizationPermissions, OrganizationSettings } from "./settings.js";

export function Organization(/** @type {PageProps} */ { chat, parts: [part] }) {
  const parts = {
    profile: ["settings.profile", OrganizationProfile],
    settings: ["settings.title", OrganizationSettings],
    permissions: ["organization.permissions", OrganizationPermissions],
    invitations: invites(chat) && ["organization.invitations", Invitations],
    emoji: ["organization.emoji", Emoji],
    linkifiers: ["organization.linkifiers", Linkifiers],
    audit: isAdministrator(chat) && ["organization.audit", Audit],
  };
  return html`<${Parts} chat=${chat} page="organization" parts=${parts} part=${part} />`;
}

/** The name and description of the organization. */
function OrganizationProfile({ chat }) {
  const { realm_name: name, realm_description: description } = chat.state;
  const facts = [
    [t("field.name"), name],
    [t("field.description"), description],
  ];
  if (!isAdministrator(chat)) return html`<${Facts} facts=${facts} />`;
  return html`
    <${Form} send=${(fields) => call("PATCH", "realm", { ...fields })}>
      <${Field} label=${t("field.name")} name="name" required max=${40} defaultValue=${name} />
      <${LongField} label=${t("field.description")} name="description" rows="4" max=${1000}
        defaultValue=${description} />
    <//>
  `;
}
