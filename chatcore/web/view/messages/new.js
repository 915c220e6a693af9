/** The dialogs in which a direct conversation begins, or a poll. */

import { Narrow } from "../../model/narrow.js";
import { DialogButtons, Dialog, Field, FormDialog, LongField, Selection, html, t, useState } from "../kit.js";

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

/** *send* gets the text of the message. */
export function NewPoll({ send, close }) {
  const begin = async ({ question, options }) => {
    const lines = [question, ...options.split("\n")].map((one) => one.trim()).filter(Boolean);
    send(`/poll ${lines.join("\n")}`);
  };
  return html`
    <${FormDialog} title=${t("poll.new")} button=${t("poll.create")} send=${begin} savedText=""
      close=${close}>
      <${Field} label=${t("poll.question")} name="question" required max=${200} autofocus />
      <${LongField} label=${t("poll.options")} name="options" rows="4" hint=${t("poll.options_hint")} />
    <//>
  `;
}
