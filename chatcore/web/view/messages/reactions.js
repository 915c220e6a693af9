/** Reactions to a message. */

import { call, emojiText, glyph, html, report, t } from "../kit.js";

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
export const reactionsOf = (message) =>
  Map.groupBy(message.reactions, (one) => `${one.reaction_type}:${one.emoji_code}`);

/** The reactions that take one click. @param {Props} props @returns {any[]} */
export const quickReactions = ({ chat, message }) =>
  Object.entries(QUICK).map(([name, emoji_code]) => {
    const emoji = { emoji_name: name, emoji_code, reaction_type: "unicode_emoji" };
    const those = reactionsOf(message).get(`unicode_emoji:${emoji_code}`) ?? [];
    const isOn = those.some((one) => one.user_id === chat.me);
    return {
      name: name.replaceAll("_", " "),
      sign: glyph(emoji_code),
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
