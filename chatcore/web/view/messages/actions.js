/** The actions of one message. */

import { Narrow } from "../../model/narrow.js";
import { placeOf } from "../../model/places.js";
import { mayDelete, mayEdit, mayMoveOut, mayRename } from "../../model/rights.js";
import { Icon, Menu, call, copy, html, notices, report, sure, t, useModel } from "../kit.js";

/** The narrow of the conversation of a message. @param {Chat} chat @param {Message} message */
export const conversationOf = (chat, message) => Narrow.at(placeOf(message, chat.me));

/** The address of a narrow, as others can open it. @param {Chat} chat @param {Narrow} narrow */
export const addressOf = (chat, narrow) => new URL(chat.link(narrow), document.baseURI).href;

export const linkTo = (/** @type {Chat} */ chat, /** @type {Message} */ message) =>
  addressOf(chat, conversationOf(chat, message).from(message.id));

/** Add a reaction to a message, or remove it. */
export const react = (message, { emoji_name, emoji_code, reaction_type }, isSet) =>
  report(
    call(isSet ? "POST" : "DELETE", `messages/${message.id}/reactions`, {
      emoji_name,
      emoji_code,
      reaction_type,
    }),
  );

/** The reactions of a message by emoji. @param {Message} message @returns {Map<string, any[]>} */
export const reactionsOf = (message) =>
  Map.groupBy(message.reactions, (one) => `${one.reaction_type}:${one.emoji_code}`);

/** Star a message, or no longer; a notice undoes it. @param {Message} message */
export async function star({ id, flags }) {
  const isStarred = flags.has("starred");
  const change = (op) => call("POST", "messages/flags", { messages: [id], op, flag: "starred" });
  if (await report(change(isStarred ? "remove" : "add")))
    notices.show(t(isStarred ? "star.removed" : "star.added"), () => change(isStarred ? "add" : "remove"));
}

/**
 * Move messages, and say so with a *text*; the notice undoes it, unless that could move others, too.
 *
 * @param {Chat} chat
 * @param {Message} message
 * @param {{channelId?: number, topic: string}} place
 * @param {{propagate_mode: string, [field: string]: any}} fields
 * @param {string} text
 * @param {PageActions["goTo"]} goTo
 */
export async function move(chat, { id, subject: from, stream_id: before = 0 }, place, fields, text, goTo) {
  const { channelId = before, topic } = place;
  const isChanged = (one) => before === channelId && one.toLowerCase() === from.toLowerCase();
  const known = await chat.topics.load(channelId);
  const isNew = !known.some(({ name }) => !isChanged(name) && name.toLowerCase() === topic.toLowerCase());
  const change = (stream_id, subject, more) =>
    call("PATCH", `messages/${id}`, {
      stream_id: before === channelId ? undefined : stream_id,
      topic: topic === from ? undefined : subject,
      ...more,
    });
  const back = {
    propagate_mode: isNew ? "change_all" : "change_one",
    send_notification_to_new_thread: false,
  };
  const undo = async () => {
    await change(before, from, back);
    if (Narrow.parse(location.hash)?.key === Narrow.at({ channelId, topic }).key) goTo(before, from);
  };
  await change(channelId, topic, fields);
  notices.show(text, isNew || fields.propagate_mode === "change_one" ? undo : undefined);
}

function unreadFrom(/** @type {Props} */ { chat, message, act }) {
  if (act.list) act.list.keepsUnread = true;
  const { forServer: narrow } = conversationOf(chat, message);
  const range = { anchor: message.id, include_anchor: true, num_before: 0, num_after: 5000 };
  report(call("POST", "messages/flags/narrow", { ...range, narrow, op: "remove", flag: "read" }));
}

/** @param {Props} props @returns {import("../kit/menu.js").Item[]} */
function items(props) {
  const { chat, message, act } = props;
  const { state } = chat;
  const { stream_id: channel, last_edit_timestamp: edited, last_moved_timestamp: moved } = message;
  const mayMove =
    channel !== undefined && (mayRename(chat, channel, message) || mayMoveOut(chat, channel, message));
  const remove = () => report(call("DELETE", `messages/${message.id}`));
  /** @type {(text: TextName, dialog: Parameters<PageActions["show"]>[0]) => import("../kit/menu.js").Item} */
  const shows = (text, dialog) => ({ name: t(text), run: () => act.show(dialog, { message }) });
  return [
    { name: t("action.link"), run: () => copy(linkTo(chat, message)) },
    { name: t("action.unread"), run: () => unreadFrom(props) },
    mayMove && shows("action.move", "Move"),
    message.reactions.length > 0 && shows("action.reactions", "WhoReacted"),
    state.realm_enable_read_receipts && shows("action.readers", "Readers"),
    (edited || moved) &&
      state.realm_message_edit_history_visibility_policy !== "none" &&
      shows("action.history", "History"),
    mayDelete(chat, message) && {
      name: t("action.delete"),
      run: () => sure(t("action.delete_sure"), t("action.delete"), remove),
    },
  ];
}

export function Actions(/** @type {Props} */ { edit, react: pick, opens, ...props }) {
  const { chat, message, act } = props;
  // The message is rendered again only if it has changed, but what may be done with it depends on more.
  useModel(chat);
  const isStarred = message.flags.has("starred");
  const button = (icon, /** @type {TextName} */ name, run, more = {}) =>
    html`<button type="button" title=${t(name)} aria-label=${t(name)} onClick=${run} ...${more}>
      <${Icon} name=${icon} filled=${icon === "star" && isStarred} /></button>`;
  return html`
    <div class="actions icons" role="toolbar" aria-label=${t("action.menu")}>
      ${button("face-slightly-smiling", "action.react", pick)}
      ${button("quote", "action.quote", () => act.quote(message))}
      ${button("star", "action.star", () => star(message), {
        "aria-pressed": isStarred,
        title: t(isStarred ? "action.unstar" : "action.star"),
      })}
      ${mayEdit(chat, message) && button("pencil", "action.edit", edit)}
      <${Menu} label=${t("action.more")} items=${() => items(props)} open=${opens} />
    </div>
  `;
}
