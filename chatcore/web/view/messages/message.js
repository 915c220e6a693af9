/** One message: who wrote it, its text, reactions and actions. */

import { isMention, plainText } from "../../model/places.js";
import { isGuestWith, mayEdit } from "../../model/rights.js";
import { Avatar, Boundary, Content, EmojiPicker } from "../kit.js";
import { classes, clockOf, fullTime, hourOf, html, t, useEffect, useRef, useState } from "../kit.js";
import { Actions, Reactions, react } from "./actions.js";
import { Editor } from "./editor.js";
import { WidgetOr } from "./widgets.js";

/** The ms after which a touch is long. */
const HELD = 450;
/** What has a meaning of its own for a long touch. */
const OWN_TOUCH = "a, button, input, select, textarea, label, summary, img, video, audio, pre";

/** A message; one that cannot be shown as it should is its words. */
export function MessageView(/** @type {Props} */ props) {
  const { id } = props.message;
  const otherwise = () =>
    html`<article id=${`message-${id}`} data-id=${id} class="message" tabindex="-1" dir="auto">
      ${plainText(props.message)}</article>`;
  return html`<${Boundary} otherwise=${otherwise}><${WholeMessage} ...${props} /><//>`;
}

function WholeMessage(/** @type {Props} */ { chat, list, message, isFirst, isMarked, isFound, wanted, act }) {
  const [isEdited, setEdited] = useState(/** @type {boolean | "last"} */ (chat.edits.has(message.id)));
  const [picks, setPicks] = useState(false);
  const [opens, setOpens] = useState(false);
  const article = useRef(null);
  // Actions of all messages would take most of the time of rendering.
  const [isReached, setReached] = useState(false);
  const held = useHeld(() => list.mark(message.id, "menu"));
  const reach = () => setReached(true);
  useEffect(() => {
    if (wanted?.startsWith("edit") && mayEdit(chat, message))
      setEdited(wanted === "edit last" ? "last" : true);
    if (wanted === "react") setPicks(true);
    setOpens(wanted === "menu");
    if (wanted) list.mark(message.id); // it is done once
  }, [wanted]);
  /** Give the message the focus, or the box where its edit began, unless the reader has gone on. */
  const takeFocus = () => {
    const at = document.activeElement;
    if (at !== document.body && !article.current?.contains(at)) return;
    if (isEdited === "last") act.focus();
    else article.current?.focus();
  };
  const edited = () => {
    chat.edits.delete(message.id);
    setEdited(false);
    takeFocus();
  };
  const picked = (emoji) => {
    setPicks(false);
    if (emoji) react(message, emoji, true);
    takeFocus();
  };
  const { last_edit_timestamp: editedAt = 0, last_moved_timestamp: movedAt = 0, timestamp, flags } = message;
  const sender = chat.people.get(message.sender_id);
  const author = sender ?? {
    user_id: message.sender_id,
    full_name: message.sender_full_name,
    avatar_url: message.avatar_url,
  };
  const name = author.full_name;
  const isGuest = chat.state.realm_enable_guest_user_indicator && isGuestWith(chat, message.sender_id);
  const isStarred = flags.has("starred");
  const states = [
    isFirst && "first",
    !flags.has("read") && "unread",
    isMarked && "marked",
    isMention(message) && "mentions",
    isStarred && "starred",
  ];
  const header = () => html`
    <a class="face" href=${`#people/${message.sender_id}`} tabindex="-1" aria-hidden="true"><${Avatar}
      person=${author} /></a>
    <header>
      <a class="sender" href=${`#people/${message.sender_id}`} dir="auto">${name}</a>
      ${sender?.is_bot && html`<span class="tag">${t("message.bot")}</span>`}
      ${isGuest && html`<span class="tag">${t("role.600")}</span>`}
      <time title=${fullTime(timestamp)}>${hourOf(timestamp)}</time>
    </header>`;
  const spoken = [name, fullTime(timestamp), isStarred && t("message.starred")].filter(Boolean);
  const content = () =>
    html`<${WidgetOr} chat=${chat} message=${message}><${Content}
      content=${(isFound && message.match_content) || message.content} /><//>`;
  const changed = () => html`
    <button type="button" class="edited" title=${fullTime(Math.max(editedAt, movedAt))}
      onClick=${() => act.show("History", { message })}>
      ${t(editedAt ? "message.edited" : "message.moved")}</button>`;
  return html`
    <article ref=${article} id=${`message-${message.id}`} data-id=${message.id}
      aria-label=${spoken.join(", ")} tabindex=${isMarked ? 0 : -1}
      onPointerEnter=${reach} onFocusIn=${reach} ...${held.listeners}
      class=${classes("message", ...states, held.isHeld && "held")}>
      ${
        isFirst
          ? header()
          : html`<time class="when" title=${fullTime(timestamp)}>${clockOf(timestamp)}</time>`
      }
      ${
        isEdited
          ? html`<${Editor} key=${message.id} chat=${chat} message=${message} done=${edited} />`
          : content()
      }
      ${(editedAt || movedAt) > 0 && changed()}
      <${Reactions} chat=${chat} message=${message} />
      ${
        (isReached || isMarked) &&
        !isEdited &&
        !chat.keptAt &&
        html`<${Actions} chat=${chat} message=${message} act=${act} edit=${() => setEdited(true)}
          react=${() => setPicks(true)} opens=${opens} />`
      }
      ${picks && html`<${EmojiPicker} chat=${chat} done=${picked} />`}
    </article>
  `;
}

/** A long touch does something when it ends, as what opens before that would be closed by its end. */
function useHeld(run) {
  const [isHeld, setHeld] = useState(false);
  const timer = useRef(0);
  const isMeant = ({ pointerType, target }) =>
    pointerType === "touch" && target.closest(".content, header") && !target.closest(OWN_TOUCH);
  const end = () => {
    clearTimeout(timer.current);
    setHeld(false);
  };
  const listeners = {
    onPointerDown: (event) => {
      end(); // a second finger does something else
      if (event.isPrimary && isMeant(event)) timer.current = setTimeout(setHeld, HELD, true);
    },
    onPointerUp: () => (end(), isHeld && run()),
    onPointerCancel: end, // the reader scrolls
    onContextMenu: (event) => isMeant(event) && event.preventDefault(),
  };
  return { isHeld, listeners };
}
