/** The topics of a channel. */

import { persist } from "../../api.js";
import { html, useLater } from "../kit.js";

/** Keep the topics of a channel loaded. @param {Chat} chat @param {number} channel */
export const useTopics = (chat, channel) =>
  useLater(
    () => persist(() => chat.topics.load(channel)),
    () => {},
    [channel, chat.topicChanges],
    () => {},
  );

/** The topics of a channel, for a field that names the *id* in `list`. */
export function TopicOptions({ id, chat, channel }) {
  useTopics(chat, channel);
  return html`<datalist id=${id}>
    ${chat.topics.of(channel).map(({ name }) => html`<option key=${name} value=${name}></option>`)}
    </datalist>`;
}
