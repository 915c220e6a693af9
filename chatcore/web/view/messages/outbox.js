/** Messages on their way. */

import { Narrow } from "../../model/narrow.js";
import { messageOf } from "../../model/places.js";
import { html, t } from "../kit.js";
import { titleOf } from "../titles.js";

/**
 * Messages of the conversations that are shown which are on their way, or could not be sent; of others, those
 * that were refused, and where they belong.
 */
export function Outbox(/** @type {Props} */ { chat, narrow }) {
  const { outbox, me } = chat;
  const isHere = (/** @type {Place} */ { channelId, topic, people = [] }) => {
    const message = {
      stream_id: channelId,
      subject: topic,
      display_recipient: people.map((id) => ({ id })),
      sender_id: me,
      flags: ["read"],
    };
    return narrow?.matches(messageOf(message), me);
  };
  const shown = [...outbox.messages.values()].filter(
    ({ place, error }) => isHere(place) || (error && !error.isTemporary),
  );
  const failure = ({ localId, error }) => html`
    <span class="error" role="alert">${t(error.isTemporary ? "compose.later" : "compose.failed", {
      reason: error.message,
    })}</span>
    <button type="button" onClick=${() => outbox.again(localId)}>${t("compose.again")}</button>
    <button type="button" onClick=${() => outbox.arrived(localId)}>${t("compose.discard")}</button>`;
  const message = ({ localId, place, content, error }) => html`
    <div class="outgoing" key=${localId}>
      ${
        !(narrow?.isConversation && isHere(place)) &&
        html`<a href=${chat.link(Narrow.at(place))} dir="auto">${titleOf(chat, Narrow.at(place), "")}</a>`
      }
      <p dir="auto">${content}</p>
      ${error ? failure({ localId, error }) : html`<span>${t("compose.waiting")}</span>`}
    </div>`;
  return shown.length > 0 && html`<div class="outbox">${shown.map(message)}</div>`;
}
