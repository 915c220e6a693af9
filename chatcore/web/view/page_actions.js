/** What parts of the page can ask of other parts. */

import { Narrow } from "../model/narrow.js";
import { conversationOf, linkTo, star } from "./message_actions.js";
import { unreadPlaces } from "./inbox.js";
import { call, overlay, report, t } from "./kit.js";

/** Until the box for texts of another address is there. */
const ARRIVAL = 50;

export class PageActions {
  /** The messages that are shown. @type {MessageList | null} */
  list = null;
  /** The id of the marked message, or 0. */
  marked = 0;
  /** What the marked message should do when it is shown: "edit", "react" or "menu". */
  wanted = "";

  // The parts that are shown set these functions.
  focus = () => {};
  search = () => {};
  /** @type {(text: string) => void} */
  insert = () => {};
  /** @type {(id: number) => void} */
  mark = () => {};

  /** @param {Chat} chat */
  constructor(chat) {
    this.chat = chat;
  }

  /** Show a dialog about a message. @param {keyof typeof import("./message_dialogs.js")} name @param {{message: Message, ofTopic?: boolean}} props */
  async show(name, props) {
    const dialogs = await report(import("./message_dialogs.js"));
    if (dialogs) overlay.show(dialogs[name], props);
  }

  /** Show a dialog to send a text later. @param {Place} place @param {string} content @param {() => void} done */
  async sendLater(place, content, done) {
    const later = await report(import("./later.js"));
    if (later) overlay.show(later.SendLater, { place, content, done });
  }

  /** @param {Narrow} narrow */
  #go(narrow) {
    location.hash = this.chat.link(narrow);
  }

  /** @param {number} channelId @param {string} topic */
  goTo(channelId, topic) {
    this.#go(Narrow.at({ channelId, topic }));
  }

  nextUnread() {
    const here = Narrow.parse(location.hash)?.key;
    const next = unreadPlaces(this.chat).find(({ narrow }) => narrow.key !== here);
    if (next) this.#go(next.narrow);
    else location.hash = "#inbox";
  }

  /** Mark the next message, or the one before. @param {number} step */
  move(step) {
    const ids = this.list?.ids ?? [];
    if (!ids.length) return;
    const at = ids.indexOf(this.marked);
    const id = ids[Math.max(0, Math.min(ids.length - 1, at < 0 ? ids.length - 1 : at + step))];
    this.mark(id);
    requestAnimationFrame(() => {
      const element = document.getElementById(`message-${id}`);
      element?.focus({ preventScroll: true });
      element?.scrollIntoView({ block: "nearest" });
    });
  }

  /** The marked message, else the last one. */
  get message() {
    return this.chat.messages.get(this.marked) ?? this.list?.messages.at(-1);
  }

  reply() {
    if (!this.message) return;
    this.#go(conversationOf(this.chat, this.message));
    setTimeout(() => this.focus(), ARRIVAL);
  }

  async quote(message = this.message) {
    if (!message) return;
    const answer = await report(call("GET", `messages/${message.id}`, { apply_markdown: false }));
    if (!answer) return;
    const { content } = answer.message;
    const fence = "`".repeat(Math.max(3, ...[...content.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)));
    const said = t("compose.quote", { name: `@_**${this.chat.name(message.sender_id)}|${message.sender_id}**` });
    this.#go(conversationOf(this.chat, message));
    setTimeout(() => this.insert(`${said} [↗](${linkTo(this.chat, message)})\n${fence}quote\n${content}\n${fence}\n`), ARRIVAL);
  }

  star() {
    if (this.message) star(this.message);
  }

  /** Let the marked message do something. @param {"edit" | "react" | "menu"} what */
  want(what) {
    this.wanted = what;
    this.mark(0);
    const id = this.message?.id;
    if (id) requestAnimationFrame(() => this.mark(id));
  }

  editLast() {
    const mine = this.list?.messages.filter((one) => one.sender_id === this.chat.me).at(-1);
    if (!mine) return;
    this.wanted = "edit";
    this.mark(mine.id);
  }
}
