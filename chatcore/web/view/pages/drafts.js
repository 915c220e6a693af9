/** Texts that were begun and not sent. */

import { placeOfDraft } from "../../model/drafts.js";
import { Narrow } from "../../model/narrow.js";
import { Rows, fullTime, html, t, useModel } from "../kit.js";
import { titleOf } from "../titles.js";

export function Drafts(/** @type {PageProps} */ { chat }) {
  useModel(chat.drafts);
  const drafts = [...chat.drafts.known.values()].sort((a, b) => b.timestamp - a.timestamp);
  const entry = (one) => {
    const narrow = Narrow.at({ topic: "", ...placeOfDraft(one) });
    const label = titleOf(chat, narrow, "drafts");
    return {
      key: one.id,
      label,
      name: one.type && html`<a href=${chat.link(narrow)} dir="auto">${label}</a>`,
      detail: html`<span class="beginning" dir="auto">${one.content}</span>${fullTime(one.timestamp)}`,
      buttons: [[t("drafts.delete"), () => chat.drafts.remove(one.id)]],
    };
  };
  return html`<div class="subpage scroller" tabindex="0">
    <${Rows} label=${t("nav.drafts")} items=${drafts} entry=${entry} none=${t("drafts.none")} /></div>`;
}
