/** The dialog in which a direct conversation begins. */

import { Narrow } from "../../model/narrow.js";
import { DialogButtons, Dialog, Selection, html, t, useState } from "../kit.js";

export function NewDirect({ chat, close }) {
  const [people, setPeople] = useState(/** @type {import("../kit/picker.js").Holder[]} */ ([]));
  const begin = () => {
    close();
    const ids = people.map(({ id }) => id);
    const others = ids.filter((id) => id !== chat.me);
    location.hash = chat.link(Narrow.at({ people: others.length ? others : ids }));
  };
  return html`
    <${Dialog} title=${t("direct.new")} close=${close}>
      <${Selection} chat=${chat} label=${t("picker.add_people")} chosen=${people} set=${setPeople} />
      <${DialogButtons} close=${close}>
        <button type="button" class="primary" disabled=${!people.length} onClick=${begin}>
          ${t("compose.edit")}</button><//>
    <//>
  `;
}
