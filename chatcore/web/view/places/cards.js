/** Names and faces of people open cards; links to channels say what these are about. */

import { Narrow } from "../../model/narrow.js";
import { aboutOf } from "../../model/places.js";
import { popover, report, useListener } from "../kit.js";

const NAMES = ":is(.message, .topbar) a[href^='#people/']";

/** Open the card of a person in place of the page, unless the reader wants the page elsewhere. */
export function useCards(/** @type {Chat} */ chat) {
  const onClick = async (event) => {
    const { target, ctrlKey, metaKey, shiftKey, defaultPrevented } = event;
    const name = target.closest?.(NAMES);
    if (!name || ctrlKey || metaKey || shiftKey || defaultPrevented) return;
    event.preventDefault();
    const id = Number(name.getAttribute("href").split("/")[1]);
    const loaded = await report(import("./card.js"));
    if (loaded) popover.show(name, chat.name(id), loaded.PersonCard, { id });
  };
  const onReach = ({ target }) => {
    const link = target.closest?.("a[href^='#narrow/channel/']:not([href*='/topic/'])");
    const channel = chat.channels.get(Narrow.parse(link?.hash ?? "")?.channelId ?? 0);
    const about = channel && aboutOf(channel);
    if (about) link.title = about;
  };
  useListener("click", onClick, [chat]);
  useListener("pointerover", onReach, [chat]);
  useListener("focusin", onReach, [chat]);
}
