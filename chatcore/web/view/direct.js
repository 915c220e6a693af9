/** The dialog in which a direct conversation begins. */

import { Narrow } from "../model/narrow.js";
import { Dialog, html, t, useState } from "./kit.js";
import { Selection } from "./picker.js";

/** @param {{chat: Chat, close: () => void}} props */
export function NewDirect({ chat, close }) {
  const [people, setPeople] = useState(/** @type {import("./picker.js").Holder[]} */ ([]));
  const begin = () => {
    close();
    const ids = people.map(({ id }) => id);
    const others = ids.filter((id) => id !== chat.me);
    location.hash = chat.link(Narrow.at({ people: others.length ? others : ids }));
  };
  return html`
    <${Dialog} title=${t("direct.new")} close=${close}>
      <${Selection} chat=${chat} label=${t("picker.add_people")} chosen=${people} set=${setPeople} />
      <button type="button" class="primary" disabled=${!people.length} onClick=${begin}>${t("direct.begin")}</button>
    <//>
  `;
}
