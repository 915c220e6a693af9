/** Invitations: by mail, and as links. */

import { copy } from "../copy.js";
import { call } from "../../api.js";
import { ROLE, may } from "../../model/permissions.js";
import { fullTime, t } from "../../text/text.js";
import { activeChannels } from "../channels/parts.js";
import { Check, Choice, LongField } from "../form.js";
import { html, useEffect, useState } from "../html.js";
import { report, saved } from "../notice.js";
import { roleOptions } from "../people/administration.js";
import { durationText } from "./settings.js";

/** @typedef {import("../../model/chat.js").Chat} Chat */

const DAY = 24 * 60;
const EXPIRIES = [DAY, 3 * DAY, 10 * DAY, 30 * DAY, null];

/** @param {{chat: Chat}} props */
export function Invitations({ chat }) {
  const [invites, setInvites] = useState(/** @type {any[]} */ ([]));
  useEffect(() => {
    report(call("GET", "invites")).then((answer) => answer && setInvites(answer.invites));
  }, [chat.state.invites_version, chat.queueId]);
  return html`
    <${NewInvitation} chat=${chat} />
    <h3>${t("invites.waiting")}</h3>
    <ul class="rows" aria-label=${t("invites.waiting")}>${invites.map((one) => html`<${Invitation} key=${`${one.is_multiuse} ${one.id}`} chat=${chat} invite=${one} />`)}</ul>
    ${!invites.length && html`<p class="none">${t("rows.empty")}</p>`}
  `;
}

/** @param {{chat: Chat}} props */
function NewInvitation({ chat }) {
  const [byMail, setByMail] = useState(may(chat, "can_invite_users_group"));
  const [role, setRole] = useState(ROLE.MEMBER);
  const [minutes, setMinutes] = useState(/** @type {number | null} */ (10 * DAY));
  const [addresses, setAddresses] = useState("");
  const [usual, setUsual] = useState(true);
  const [channels, setChannels] = useState(/** @type {number[]} */ ([]));
  const canBoth = may(chat, "can_invite_users_group") && may(chat, "create_multiuse_invite_group");
  const invite = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const answer = await saved(
      call("POST", byMail ? "invites" : "invites/multiuse", {
        invitee_emails: byMail ? addresses : undefined,
        invite_as: role,
        invite_expires_in_minutes: minutes ?? "null",
        include_realm_default_subscriptions: usual,
        stream_ids: channels,
      }),
    );
    if (answer) setAddresses("");
  };
  const others = activeChannels(chat).filter((one) => !usual || !chat.state.realm_default_streams.includes(one.stream_id));
  const choose = (/** @type {number} */ id) => (/** @type {boolean} */ isOn) => setChannels(isOn ? [...channels, id] : channels.filter((one) => one !== id));
  return html`
    <form onSubmit=${invite}>
      ${canBoth && html`<${Choice} label=${t("invites.how")} value=${byMail} options=${[[true, t("invites.by_mail")], [false, t("invites.by_link")]]} set=${setByMail} />`}
      ${byMail && html`<${LongField} label=${t("invites.addresses")} required rows="2" value=${addresses} onInput=${(/** @type {any} */ event) => setAddresses(event.target.value)} />`}
      <${Choice} label=${t("person.role")} value=${role} options=${roleOptions(chat)} set=${setRole} />
      <${Choice} label=${t("invites.expiry")} value=${minutes} options=${EXPIRIES.map((one) => [one, durationText(one && one * 60)])} set=${setMinutes} />
      <${Check} label=${t("invites.default_channels")} isOn=${usual} set=${setUsual} />
      <details><summary>${t("invites.channels", { count: channels.length })}</summary>
        ${others.map((one) => html`<${Check} key=${one.stream_id} label=${one.name} isOn=${channels.includes(one.stream_id)} set=${choose(one.stream_id)} />`)}
      </details>
      <p class="bar"><button class="primary">${t(byMail ? "invites.send" : "invites.create")}</button></p>
    </form>
  `;
}

/** @param {{chat: Chat, invite: any}} props */
function Invitation({ chat, invite }) {
  const path = invite.is_multiuse ? `invites/multiuse/${invite.id}` : `invites/${invite.id}`;
  const name = invite.email ?? invite.link_url;
  const revoke = () => confirm(t("editable.sure", { name })) && report(call("DELETE", path));
  const until = invite.expiry_date ? t("invites.until", { time: fullTime(invite.expiry_date) }) : t("setting.unlimited");
  return html`
    <li>
      <div dir="auto">${invite.link_url ? html`<a href=${invite.link_url}>${invite.link_url}</a>` : name}
        <small>${t(/** @type {any} */ (`role.${invite.invited_as}`))} · ${t("invites.by", { name: chat.name(invite.invited_by_user_id) })} · ${until}</small></div>
      ${
        invite.link_url
          ? html`<button type="button" onClick=${() => copy(invite.link_url)}>${t("action.link")}</button>`
          : html`<button type="button" aria-label=${`${t("invites.resend")}: ${name}`} onClick=${() => saved(call("POST", `${path}/resend`))}>${t("invites.resend")}</button>`
      }
      <button type="button" aria-label=${`${t("invites.revoke")}: ${name}`} onClick=${revoke}>${t("invites.revoke")}</button>
    </li>
  `;
}
