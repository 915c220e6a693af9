/** The actions of one message, and its reactions. */

import { Narrow } from "../../model/narrow.js";
import { placeOf, plainText } from "../../model/places.js";
import { mayDelete, mayEdit, mayMoveOut, mayRename, mayWriteTo } from "../../model/rights.js";
import { Icon, Menu, call, copy, emojiText, keyOfEmoji } from "../kit.js";
import { html, isTouched, notices, report, sure, t, useModel } from "../kit.js";

/** The narrow of the conversation of a message. @param {Chat} chat @param {Message} message */
export const conversationOf = (chat, message) => Narrow.at(placeOf(message, chat.me));

/** The address of a narrow, as others can open it. @param {Chat} chat @param {Narrow} narrow */
export const addressOf = (chat, narrow) => new URL(chat.link(narrow), document.baseURI).href;

export const linkTo = (/** @type {Chat} */ chat, /** @type {Message} */ message) =>
  addressOf(chat, conversationOf(chat, message).from(message.id));

/** Star a message, or no longer; a notice undoes it. @param {Message} message */
export async function star({ id, flags }) {
  const isStarred = flags.has("starred");
  const change = (op) => call("POST", "messages/flags", { messages: [id], op, flag: "starred" });
  if (await report(change(isStarred ? "remove" : "add")))
    notices.show(t(isStarred ? "star.removed" : "star.added"), () => change(isStarred ? "add" : "remove"));
}

/**
 * Move messages, and say so with a text. The notice undoes it if no note is wanted, which would stay: for
 * one message alone, or for a topic that is new or has another name only, which goes back as a whole.
 */
export async function move(/** @type {Chat} */ chat, message, { channelId, topic }, fields, text, goTo) {
  const { id, stream_id: before, subject: from } = message;
  const isOne = fields.propagate_mode === "change_one";
  const isSame = ({ name }) => name.toLowerCase() === topic.toLowerCase();
  const those = await chat.topics.load(channelId).catch(() => null);
  const isNew = (channelId === before && isSame({ name: from })) || those?.some(isSame) === false;
  const change = (stream_id, subject, more) =>
    call("PATCH", `messages/${id}`, {
      stream_id: channelId === before ? undefined : stream_id,
      topic: topic === from ? undefined : subject,
      ...more,
    });
  await change(channelId, topic, fields);
  const undo = async () => {
    const { stream_id, subject } = chat.messages.get(id) ?? message;
    // Where it was before, too: its event may come later.
    if (![`${channelId} ${topic}`, `${before} ${from}`].includes(`${stream_id} ${subject}`))
      throw new Error(t("move.elsewhere", { topic: subject || t("topic.empty") }));
    const mode = isOne ? "change_one" : "change_all";
    await change(before, from, { propagate_mode: mode, send_notification_to_new_thread: false });
    if (Narrow.parse(location.hash)?.key === Narrow.at({ channelId, topic }).key) goTo(before, from);
  };
  const isTold = fields.send_notification_to_old_thread || fields.send_notification_to_new_thread;
  notices.show(text, !isTold && (isOne || isNew) ? undo : undefined);
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
    shows("remind.title", "Remind"),
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
  const place = placeOf(message, chat.me);
  const mayReply = Narrow.parse(location.hash)?.key !== Narrow.at(place).key && mayWriteTo(chat, place);
  const isStarred = message.flags.has("starred");
  const toggle = t(isStarred ? "action.unstar" : "action.star");
  const tools = [
    { icon: "face-slightly-smiling", name: t("action.react"), run: pick },
    mayReply && { icon: "reply", name: t("action.reply"), run: () => act.reply(message) },
    { icon: "quote", name: t("action.quote"), run: () => act.quote(message) },
    { icon: "star", name: t("action.star"), run: () => star(message), isOn: isStarred, title: toggle },
    mayEdit(chat, message) && { icon: "pencil", name: t("action.edit"), run: edit },
  ].filter((one) => one !== false);
  const copies = { name: t("action.copy"), run: () => copy(plainText(message)) };
  const named = tools.map(({ title, name, run }) => ({ name: title ?? name, run }));
  const inMenu = () => [...(isTouched ? [...quickReactions(props), ...named, copies] : []), ...items(props)];
  const button = ({ icon = "", sign, name, run, isOn, title = name }) =>
    html`<button type="button" title=${title} aria-label=${name} aria-pressed=${isOn} onClick=${run}>
      ${sign ?? html`<${Icon} name=${icon} filled=${isOn} />`}</button>`;
  return html`
    <div class="actions icons" role="toolbar" aria-label=${t("action.menu")}>
      <span class="icons quick">${quickReactions(props).map(button)}</span>
      ${tools.map(button)}
      <${Menu} label=${t("action.more")} items=${inMenu} open=${opens} />
    </div>
  `;
}

/** The emoji that take one click. */
const QUICK = { thumbs_up: "1f44d", heart: "2764", joy: "1f602", tada: "1f389", eyes: "1f440" };

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
export const reactionsOf = (message) => Map.groupBy(message.reactions, keyOfEmoji);

/** The reactions that take one click. @param {Props} props @returns {any[]} */
const quickReactions = ({ chat, message }) =>
  Object.entries(QUICK).map(([name, emoji_code]) => {
    const emoji = { emoji_name: name, emoji_code, reaction_type: "unicode_emoji" };
    const those = reactionsOf(message).get(keyOfEmoji(emoji)) ?? [];
    const isOn = those.some((one) => one.user_id === chat.me);
    return {
      name: name.replaceAll("_", " "),
      sign: emojiText(chat, emoji),
      isOn,
      run: () => react(message, emoji, !isOn),
    };
  });

export function Reactions(/** @type {Props} */ { chat, message }) {
  if (!message.reactions.length) return null;
  const button = ([key, those]) => {
    const isMine = those.some((one) => one.user_id === chat.me);
    const names = chat.names(those.map((one) => one.user_id));
    return html`<button type="button" key=${key} aria-pressed=${isMine} disabled=${chat.keptAt > 0}
      title=${t("reaction.by", { names, emoji: those[0].emoji_name })}
      onClick=${() => react(message, those[0], !isMine)}>${emojiText(chat, those[0])} <span>
        ${those.length}</span></button>`;
  };
  return html`<div class="reactions">${[...reactionsOf(message)].map(button)}</div>`;
}
