/** A new channel. */

import { call } from "../../api.js";
import { isAdministrator } from "../../model/permissions.js";
import { t } from "../../text/text.js";
import { Check, Choice, Field, LongField, submitted } from "../form.js";
import { html, useState } from "../html.js";
import { report } from "../notice.js";
import { Chosen, Picker } from "../picker.js";
import { privacyFields, privacyOptions } from "./privacy.js";

/** @param {{chat: import("../../model/chat.js").Chat}} props */
export function NewChannel({ chat }) {
  const options = privacyOptions(chat);
  const [privacy, setPrivacy] = useState(options.some(([name]) => name === "public") ? "public" : options[0]?.[0]);
  const [people, setPeople] = useState([chat.me]);
  const [announces, setAnnounces] = useState(true);
  const [isDefault, setDefault] = useState(false);
  const isPublic = privacy === "public" || privacy === "web";
  const create = async (/** @type {Event} */ event) => {
    const { name, description } = submitted(event);
    const answer = await report(
      call("POST", "channels/create", {
        name,
        description,
        subscribers: people,
        ...privacyFields(/** @type {any} */ (privacy), "invite_only"),
        announce: announces && isPublic,
        is_default_stream: isDefault && isPublic,
      }),
    );
    if (answer) location.hash = `#channels/${answer.id}`;
  };
  return html`
    <form onSubmit=${create}>
      <h2>${t("channels.new")}</h2>
      <${Field} label=${t("field.name")} name="name" required maxlength=${chat.state.max_stream_name_length} />
      <${LongField} label=${t("field.description")} name="description" rows="2" maxlength=${chat.state.max_stream_description_length} />
      <${Choice} label=${t("channel.privacy")} value=${privacy} options=${options} set=${setPrivacy} />
      <fieldset>
        <legend>${t("channel.subscribers")}</legend>
        <${Chosen} chosen=${people.map((id) => ({ id, isGroup: false, name: chat.name(id) }))} remove=${(/** @type {number} */ id) => setPeople(people.filter((one) => one !== id))} />
        <${Picker} chat=${chat} label=${t("picker.add_people")} isOut=${(/** @type {number} */ id) => people.includes(id)} pick=${(/** @type {number} */ id) => setPeople([...people, id])} />
      </fieldset>
      ${isPublic && chat.state.realm_new_stream_announcements_stream_id > 0 && html`<${Check} label=${t("channel.announce")} isOn=${announces} set=${setAnnounces} />`}
      ${isPublic && isAdministrator(chat) && html`<${Check} label=${t("channel.default")} isOn=${isDefault} set=${setDefault} />`}
      <p class="bar"><button class="primary">${t("channel.create")}</button> <a class="button" href="#channels">${t("action.cancel")}</a></p>
    </form>
  `;
}
