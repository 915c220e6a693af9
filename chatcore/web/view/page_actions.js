/** Actions that one part of the page asks of another, for the list that is shown. */

import { Narrow } from "../model/narrow.js";
import { placeOf } from "../model/places.js";
import { mayWriteTo } from "../model/rights.js";
import { call, overlay, report, t } from "./kit.js";
import { conversationOf, linkTo } from "./messages/actions.js";
import { insert } from "./messages/formatting.js";
import { unreadPlaces } from "./pages/pages.js";
import { Palette } from "./palette/palette.js";

export class PageActions {
  #fields;

  /**
   * @param {Chat} chat
   * @param {MessageList | null} list the messages that are shown, if a narrow is
   * @param {Record<"compose", {current: HTMLElement | null}>} fields as far as they are there
   */
  constructor(chat, list, fields) {
    this.chat = chat;
    this.list = list;
    this.#fields = fields;
  }

  focus = () => this.#fields.compose.current?.focus();
  /** Whether a message can be written here. */
  get canWrite() {
    return this.#fields.compose.current !== null;
  }

  /** Put a text where it would be written. @param {string} text */
  insert(text) {
    const field = /** @type {HTMLTextAreaElement | null} */ (this.#fields.compose.current);
    if (field) insert(field, text);
  }

  /** Search for messages wherever they are. */
  searchAll = () => overlay.show(Palette, { isSearch: true });
  /** The same, first where the reader is. */
  search = () => overlay.show(Palette, { here: this.list?.narrow.forServer, isSearch: true });
  /** Go somewhere, or do something. */
  find = () => overlay.show(Palette);

  /**
   * Show a dialog about a message.
   *
   * @param {keyof typeof import("./messages/dialogs.js")} name
   * @param {object} props
   */
  async show(name, props) {
    const dialogs = await report(import("./messages/dialogs.js"));
    if (dialogs) overlay.show(dialogs[name], props);
  }

  #go = (narrow) => (location.hash = this.chat.link(narrow));
  goTo = (channelId, topic) => this.#go(Narrow.at({ channelId, topic }));

  nextUnread() {
    const here = Narrow.parse(location.hash)?.key;
    const next = unreadPlaces(this.chat).find(({ place }) => Narrow.at(place).key !== here);
    location.hash = next ? this.chat.link(Narrow.at(next.place)) : "#inbox";
  }

  /** Mark the next message, or the one before. @param {number} step */
  move(step) {
    if (!this.list) return;
    const { ids, marked } = this.list;
    const at = ids.indexOf(marked);
    const id = ids.at(at < 0 ? -1 : Math.max(0, at + step)) ?? ids.at(-1);
    if (!id) return;
    this.list.mark(id);
    const element = document.getElementById(`message-${id}`);
    element?.focus({ preventScroll: true }); // at once: the next key may go elsewhere
    element?.scrollIntoView({ block: "nearest" });
  }

  /** The marked message, else the last one. */
  get message() {
    return this.list && (this.chat.messages.get(this.list.marked) ?? this.list.messages.at(-1));
  }

  /** Write in the conversation of a message. */
  #writeTo(message) {
    const before = location.hash;
    this.#go(conversationOf(this.chat, message));
    const { hash } = location;
    if (hash === before) this.focus();
    // After the page has rendered, which listens longer; the reader may have gone on by then.
    else addEventListener("hashchange", () => location.hash === hash && this.focus(), { once: true });
  }

  reply(message = this.message) {
    if (message) this.#writeTo(message);
  }

  async quote(message = this.message) {
    if (!message) return;
    const { hash } = location;
    const answer = await report(call("GET", `messages/${message.id}`, { apply_markdown: false }));
    if (!answer) return;
    const { content } = answer.message;
    const fence = "`".repeat(Math.max(3, ...[...content.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)));
    const said = t("compose.quote", {
      name: `@_**${this.chat.name(message.sender_id)}|${message.sender_id}**`,
    });
    const quoted = `${said} [↗](${linkTo(this.chat, message)})\n${fence}quote\n${content}\n${fence}\n`;
    const place = placeOf(message, this.chat.me);
    if (mayWriteTo(this.chat, place)) this.chat.drafts.append(place, quoted);
    if (location.hash === hash) this.#writeTo(message); // the reader may have gone on
  }

  /** Let the marked message do something. @param {"edit" | "react" | "menu"} what */
  want(what) {
    if (this.message) this.list?.mark(this.message.id, what);
  }

  editLast() {
    const mine = this.list?.messages.findLast((one) => one.sender_id === this.chat.me);
    if (mine) this.list?.mark(mine.id, "edit last");
  }
}
