/** Actions that one part of the page asks of another. */

import { Narrow } from "../model/narrow.js";
import { call, overlay, report, t } from "./kit.js";
import { conversationOf, linkTo } from "./messages/actions.js";
import { unreadPlaces } from "./pages/inbox.js";

/** Until the box for texts of another address is there. */
const ARRIVAL = 50;

export class PageActions {
  /** The messages that are shown. @type {MessageList | null} */
  list = null;
  /** The id of the marked message, or 0. */
  marked = 0;
  /** The action for the marked message once it is shown: "edit", "react" or "menu". */
  wanted = "";

  // The parts that are shown set these functions.
  focus = () => {};
  search = () => {};
  /** @type {(text: string) => void} */ insert = () => {};
  /** @type {(id: number) => void} */ mark = () => {};

  constructor(/** @type {Chat} */ chat) {
    this.chat = chat;
  }

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
    const next = unreadPlaces(this.chat).find(({ narrow }) => narrow.key !== here);
    location.hash = next ? this.chat.link(next.narrow) : "#inbox";
  }

  /** Mark the next message, or the one before. @param {number} step */
  move(step) {
    const ids = this.list?.ids ?? [];
    if (!ids.length) return;
    const at = ids.indexOf(this.marked);
    const id = ids[at < 0 ? ids.length - 1 : Math.max(0, Math.min(ids.length - 1, at + step))];
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

  /** Go to the conversation of a message, and do something there. */
  #goAnd(message, run) {
    this.#go(conversationOf(this.chat, message));
    setTimeout(run, ARRIVAL);
  }

  reply() {
    if (this.message) this.#goAnd(this.message, () => this.focus());
  }

  async quote(message = this.message) {
    if (!message) return;
    const answer = await report(call("GET", `messages/${message.id}`, { apply_markdown: false }));
    if (!answer) return;
    const { content } = answer.message;
    const fence = "`".repeat(Math.max(3, ...[...content.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)));
    const said = t("compose.quote", {
      name: `@_**${this.chat.name(message.sender_id)}|${message.sender_id}**`,
    });
    this.#goAnd(message, () =>
      this.insert(`${said} [↗](${linkTo(this.chat, message)})\n${fence}quote\n${content}\n${fence}\n`),
    );
  }

  /** Let the marked message do something. @param {"edit" | "react" | "menu"} what */
  want(what) {
    this.#mark(this.message, what);
  }

  editLast() {
    const mine = this.list?.messages.findLast((one) => one.sender_id === this.chat.me);
    this.#mark(mine, "edit");
  }

  #mark(message, wanted) {
    if (!message) return;
    this.mark(0); // it may be marked
    requestAnimationFrame(() => {
      this.wanted = wanted;
      this.mark(message.id);
    });
  }
}
