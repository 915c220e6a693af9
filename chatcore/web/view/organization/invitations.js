/** Invitations: by mail, and as links. */

import { ROLE, may } from "../../model/rights.js";
import { Check, Choice, Form, LongField, Rows, call, copy, fullTime, html, named, report, saved, sure, t, useAnswer, useState } from "../kit.js";
import { roleOptions } from "../people.js";
import { durationText } from "../settings_fields.js";

const DAY = 24 * 60;
const EXPIRIES = [DAY, 3 * DAY, 10 * DAY, 30 * DAY, null];

/** @param {{chat: Chat}} props */
export function Invitations({ chat }) {
  const invites = useAnswer("invites", { again: [chat.state.invites_version, chat.queueId] })?.invites ?? [];
  const entry = (/** @type {any} */ { id, is_multiuse, link_url, email, invited_as, invited_by_user_id, expiry_date }) => {
    const path = is_multiuse ? `invites/multiuse/${id}` : `invites/${id}`;
    const name = email ?? link_url;
    const until = expiry_date ? t("invites.until", { time: fullTime(expiry_date) }) : t("setting.unlimited");
    const revoke = () => sure(t("editable.sure", { name }), t("invites.revoke"), () => report(call("DELETE", path)));
    return {
      key: path,
      label: name,
      name: link_url ? html`<a href=${link_url}>${link_url}</a>` : name,
      detail: [named("role", invited_as), t("invites.by", { name: chat.name(invited_by_user_id) }), until].join(" · "),
      buttons: [
        link_url ? [t("action.link"), () => copy(link_url)] : [t("invites.resend"), () => saved(call("POST", `${path}/resend`))],
        [t("invites.revoke"), revoke],
      ],
    };
  };
  return html`
    <${NewInvitation} chat=${chat} />
    <h3>${t("invites.waiting")}</h3>
    <${Rows} label=${t("invites.waiting")} items=${invites} entry=${entry} />
  `;
}

/** @param {{chat: Chat}} props */
function NewInvitation({ chat }) {
  const [byMail, setByMail] = useState(may(chat, "can_invite_users_group"));
  const [usual, setUsual] = useState(true);
  const [channels, setChannels] = useState(/** @type {number[]} */ ([]));
  const [count, setCount] = useState(0);
  const canBoth = may(chat, "can_invite_users_group") && may(chat, "create_multiuse_invite_group");
  const invite = (/** @type {object} */ fields) =>
    call("POST", byMail ? "invites" : "invites/multiuse", { ...fields, include_realm_default_subscriptions: usual, stream_ids: channels });
  const others = chat.openChannels.filter((one) => !usual || !chat.state.realm_default_streams.includes(one.stream_id));
  const choose = (/** @type {number} */ id) => (/** @type {boolean} */ isOn) => setChannels(isOn ? [...channels, id] : channels.filter((one) => one !== id));
  return html`
    <${Form} send=${invite} done=${() => setCount(count + 1)} button=${t(byMail ? "invites.send" : "invites.create")}>
      ${canBoth && html`<${Choice} label=${t("invites.how")} value=${byMail} options=${[[true, t("invites.by_mail")], [false, t("invites.by_link")]]} set=${setByMail} />`}
      ${byMail && html`<${LongField} key=${count} label=${t("invites.addresses")} required rows="2" name="invitee_emails" />`}
      <${Choice} label=${t("person.role")} name="invite_as" value=${ROLE.MEMBER} options=${roleOptions(chat)} />
      <${Choice} label=${t("invites.expiry")} name="invite_expires_in_minutes" value=${10 * DAY} options=${EXPIRIES.map((one) => [one, durationText(one && one * 60)])} />
      <${Check} label=${t("invites.default_channels")} isOn=${usual} set=${setUsual} />
      <details><summary>${t("invites.channels", { count: channels.length })}</summary>
        ${others.map((one) => html`<${Check} key=${one.stream_id} label=${one.name} isOn=${channels.includes(one.stream_id)} set=${choose(one.stream_id)} />`)}
      </details>
    <//>
  `;
}
