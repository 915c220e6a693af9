/** The subscribers of a channel. */

import { call } from "../../api.js";
import { t } from "../../text/text.js";
import { html, useEffect } from "../html.js";
import { report } from "../notice.js";
import { Picker } from "../picker.js";
import { PeopleRows } from "../rows.js";

/** @param {{chat: import("../../model/chat.js").Chat, channel: any, rights: ReturnType<typeof import("../../model/permissions.js").rightsIn>}} props */
export function Subscribers({ chat, channel, rights }) {
  const id = channel.stream_id;
  const known = chat.subscribers.get(id);
  useEffect(() => {
    report(call("GET", `streams/${id}/members`)).then((answer) => {
      if (!answer) return;
      chat.subscribers.set(id, new Set(answer.subscribers));
      chat.changed();
    });
  }, [id, chat.queueId]);
  const add = (/** @type {number} */ person) =>
    report(call("POST", "users/me/subscriptions", { subscriptions: [{ name: channel.name }], principals: [person] }));
  const remove = (/** @type {number} */ person) => report(call("DELETE", "users/me/subscriptions", { subscriptions: [channel.name], principals: [person] }));
  return html`
    <section>
      <h3>${t("channel.subscribers")}</h3>
      ${rights.adds && !channel.is_archived && known && html`<${Picker} chat=${chat} label=${t("permission.can_add_subscribers_group")} isOut=${(/** @type {number} */ one) => known.has(one)} pick=${add} />`}
      ${known && html`<${PeopleRows} chat=${chat} label=${t("channel.subscribers")} ids=${known} remove=${rights.removes ? remove : undefined} />`}
    </section>
  `;
}
