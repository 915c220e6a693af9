/** Messages that could not be sent, and are in no list that is shown. */

import { Narrow } from "../../model/narrow.js";
import { html, useModel } from "../kit.js";
import { titleOf } from "../titles.js";
import { Failure } from "./echo.js";

/** Those that were refused, wherever they belong, and all of the narrow that is shown without its end. */
export function Outbox(/** @type {Props} */ { chat, list }) {
  useModel(list);
  const { outbox } = chat;
  const inList = new Set(list ? outbox.expected(list.narrow).map(({ outgoing }) => outgoing) : []);
  const isAtEnd = list?.foundNewest;
  const shown = [...outbox.messages.values()].filter((one) =>
    inList.has(one) ? !isAtEnd && one.error : one.error && !one.error.isTemporary,
  );
  const message = (outgoing) => {
    const narrow = Narrow.at(outgoing.place);
    return html`
      <div class="outgoing" key=${outgoing.localId}>
        <a href=${chat.link(narrow)} dir="auto">${titleOf(chat, narrow, "")}</a>
        <p dir="auto">${outgoing.content}</p>
        <div class="bar"><${Failure} chat=${chat} outgoing=${outgoing} /></div>
      </div>`;
  };
  return shown.length > 0 && html`<div class="outbox">${shown.map(message)}</div>`;
}
