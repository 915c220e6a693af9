/** All texts that were begun and not sent. */

import { placeOfDraft } from "../../model/drafts.js";
import { Narrow } from "../../model/narrow.js";
import { fullTime, t } from "../../text/text.js";
import { html, useModel } from "../html.js";
import { titleOf } from "../topbar.js";

/** @param {import("../../model/drafts.js").Draft} draft */
function narrowOf(draft) {
  const { channelId, topic = "", people } = placeOfDraft(draft);
  return people ? Narrow.of(["dm", people]) : Narrow.of(["channel", /** @type {number} */ (channelId)], ["topic", topic]);
}

/** @param {import("../pages.js").PageProps} props */
export function Drafts({ chat }) {
  useModel(chat.drafts);
  const drafts = [...chat.drafts.known.values()].sort((a, b) => b.timestamp - a.timestamp);
  return html`
    <div class="subpage scroller" tabindex="0">
      ${!drafts.length && html`<p class="none">${t("drafts.none")}</p>`}
      <ul class="rows">
        ${drafts.map(
          (one) => html`
          <li key=${one.id}>
            <div>
              ${one.type && html`<a href=${narrowOf(one).hash((id) => chat.channelName(id))} dir="auto">${titleOf(chat, narrowOf(one), "drafts")}</a>`}
              <p class="beginning" dir="auto">${one.content}</p>
              <p class="faint">${fullTime(one.timestamp)}</p>
            </div>
            <button type="button" onClick=${() => chat.drafts.remove(one.id)}>${t("drafts.delete")}</button>
          </li>`,
        )}
      </ul>
    </div>
  `;
}
