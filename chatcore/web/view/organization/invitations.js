/** Invitations: by mail, and as links. */

import { ROLE, may } from "../../model/rights.js";
import { Check, Choice, Form, LongField, Rows } from "../kit.js";
import { asking, call, copy, fullTime, html, named, saved, t, useAnswer, useState } from "../kit.js";
import { roleOptions } from "../pages/people.js";
import { durationText } from "../pages/settings_fields.js";

const DAY = 24 * 60;
const EXPIRIES = [DAY, 3 * DAY, 10 * DAY, 30 * DAY, null];

export function Invitations({ chat }) {
  const invites = useAnswer("invites", { again: [chat.state.invites_version, chat.queueId] })?.invites ?? [];
  const entry = ({ id, is_multiuse, link_url: link, email, invited_as, invited_by_user_id, expiry_date }) => {
    const path = is_multiuse ? `invites/multiuse/${id}` : `invites/${id}`;
    const name = email ?? link;
    const until = expiry_date ? t("invites.until", { time: fullTime(expiry_date) }) : t("setting.unlimited");
    return {
      key: path,
      name,
      href: link,
      detail: [
        named("role", invited_as),
        t("invites.by", { name: chat.name(invited_by_user_id) }),
        until,
      ].join(" · "),
      buttons: [
        link
          ? [t("action.link"), () => copy(link)]
          : [t("invites.resend"), () => saved(call("POST", `${path}/resend`))],
        asking(t("invites.revoke"), t("editable.sure", { name }), () => call("DELETE", path)),
      ],
    };
  };
  return html`
    <${NewInvitation} chat=${chat} />
    <h3>${t("invites.waiting")}</h3>
    <${Rows} label=${t("invites.waiting")} items=${invites} entry=${entry} />
  `;
}

function NewInvitation({ chat }) {
  const mayMail = may(chat, "can_invite_users_group");
  const mayLink = may(chat, "create_multiuse_invite_group");
  const [byMail, setByMail] = useState(!mayLink); // many servers send no mail, and none says so
  const [usual, setUsual] = useState(true);
  const [channels, setChannels] = useState(/** @type {number[]} */ ([]));
  const [count, setCount] = useState(0);
  const kinds = [false, true].map((one) => [one, t(one ? "invites.by_mail" : "invites.by_link")]);
  const invite = (fields) =>
    call("POST", byMail ? "invites" : "invites/multiuse", {
      ...fields,
      include_realm_default_subscriptions: usual,
      stream_ids: channels,
    });
  const others = chat.openChannels.filter(
    (one) => !usual || !chat.state.realm_default_streams.includes(one.stream_id),
  );
  const choose = (id) => (isOn) =>
    setChannels(isOn ? [...channels, id] : channels.filter((one) => one !== id));
  return html`
    <${Form} send=${invite} done=${() => setCount(count + 1)} button=${t(
      byMail ? "invites.send" : "invites.create",
    )}>
      ${
        mayMail &&
        mayLink &&
        html`<${Choice} label=${t("invites.how")} value=${byMail} options=${kinds} set=${setByMail} />`
      }
      ${
        byMail &&
        html`<${LongField} key=${count} label=${t("invites.addresses")} required rows="2"
          name="invitee_emails" />`
      }
      <${Choice} label=${t("person.role")} name="invite_as" value=${ROLE.MEMBER}
        options=${roleOptions(chat)} />
      <${Choice} label=${t("invites.expiry")} name="invite_expires_in_minutes" value=${10 * DAY}
        options=${EXPIRIES.map((one) => [one, durationText(one && one * 60)])} />
      <${Check} label=${t("invites.default_channels")} isOn=${usual} set=${setUsual} />
      <details><summary>${t("invites.channels", { count: channels.length })}</summary>
        ${others.map(
          ({ stream_id: id, name }) => html`<${Check} key=${id} label=${name}
          isOn=${channels.includes(id)} set=${choose(id)} />`,
        )}
      </details>
    <//>
  `;
}
