/** The field for a new text of a message. */

import { seen } from "../../api.js";
import { excess, stored } from "../../model/written.js";
import { Excess, call, focusNew, html, isTouched, notices, sure, t } from "../kit.js";
import { useAnswer, useEffect, usePreview, useRef, useState } from "../kit.js";
import { useFiles } from "./files.js";

/** The text outlives its message's absence from the list; if others change it, both texts are shown. */
export function Editor({ chat, message, done }) {
  const { id } = message;
  const most = chat.state.max_message_length;
  const [isKept] = useState(chat.edits.has(id));
  const [{ text, seen: before, isOther }, set] = useState(
    chat.edits.get(id) ?? { text: "", seen: /** @type {any} */ (null) },
  );
  const [refusals, setRefusals] = useState(0);
  const put = (change) => set((now) => chat.edits.set(id, { ...now, ...change(now) }).get(id));
  const write = (to) => put(() => ({ text: to }));
  const files = useFiles(`edit ${id}`, (link) =>
    put((now) => ({ text: `${now.text}${now.text.endsWith("\n") ? "" : "\n"}${link}\n` })),
  );
  const take = ({ message: { content } }) =>
    set((now) => {
      if (now.seen === null || now.text === now.seen) return { text: content, seen: content };
      if (content === now.seen || content === stored(now.text)) return now;
      chat.edits.set(id, { ...now, seen: content, isOther: true });
      return chat.edits.get(id);
    });
  useAnswer(`messages/${id}`, {
    parameters: { apply_markdown: false },
    again: [message.content, refusals],
    take,
    failed: before === null ? done : () => {},
  });
  const preview = usePreview(text);
  const frame = useRef(null);
  useEffect(() => {
    if (before !== null && !isKept) frame.current.scrollIntoView({ block: "nearest" });
  }, [before === null]);
  if (before === null) return html`<p>${t("list.loading")}</p>`;
  const isHeld = files.isRunning || excess(text, most) > 0;
  const save = async () => {
    if (isHeld) return;
    try {
      await call("PATCH", `messages/${id}`, { content: text, ...(await seen(before)) });
      done();
    } catch (error) {
      if (error.code === "EXPECTATION_MISMATCH") setRefusals(refusals + 1);
      else notices.show(error.message);
    }
  };
  const leave = () => (text === before ? done() : sure(t("edit.discard_sure"), t("compose.discard"), done));
  const onKeyDown = (event) => {
    if (event.key === "Escape") leave();
    else if (event.key === "Enter" && !event.shiftKey && !isTouched) save();
    else return;
    event.preventDefault();
  };
  const other = () => html`
    <p class="error" role="alert">${t("edit.other")}</p>
    <textarea rows="3" dir="auto" aria-label=${t("edit.other")} value=${before} readonly></textarea>`;
  return html`
    <div class="editor" ref=${frame} ...${files.dropping}>
      ${isOther && other()}
      ${preview.or(html`<textarea rows="4" dir="auto" aria-label=${t("action.edit")} value=${text}
        ref=${isKept ? null : focusNew} onInput=${({ target }) => write(target.value)}
        onKeyDown=${onKeyDown} onPaste=${files.onPaste}></textarea>`)}
      <${Excess} text=${text} most=${most} />
      ${files.tiles}
      <div class="bar">
        <button type="button" class="primary" disabled=${isHeld} onClick=${save}>${t("action.save")}</button>
        ${preview.button()}
        <button type="button" onClick=${done}>${t("action.cancel")}</button>
      </div>
    </div>
  `;
}
