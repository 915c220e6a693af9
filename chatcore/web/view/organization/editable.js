/** Lists whose entries administrators add, change, order and remove. */

import { t } from "../../text/text.js";
import { Dialog } from "../dialog.js";
import { html, useState } from "../html.js";
import { report } from "../notice.js";

/**
 * @typedef {{label: string, items: any[], nameOf: (item: any) => string, detail?: (item: any) => unknown, isFixed?: boolean,
 *   empty: object, fields: (draft: any, change: (parts: object) => void, isNew: boolean) => unknown, save: (draft: any, isNew: boolean) => Promise<unknown>,
 *   remove?: (item: any) => Promise<unknown>, removeText?: string, reorder?: (ids: number[]) => Promise<unknown>}} Props
 *   `empty` is the draft of a new entry; `fields` renders the form of a draft
 */

/** @param {Props} props */
export function Editable({ label, items, nameOf, detail, isFixed = false, empty, fields, save, remove, removeText = t("rows.remove"), reorder }) {
  const [draft, setDraft] = useState(/** @type {any} */ (null));
  const isNew = draft?.id === undefined;
  const [reason, setReason] = useState("");
  const open = (/** @type {any} */ one) => {
    setDraft(one);
    setReason("");
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    save(draft, isNew).then(
      () => open(null),
      (error) => setReason(error.message),
    );
  };
  const move = (/** @type {number} */ at, /** @type {number} */ step) => {
    const ids = items.map((one) => one.id);
    [ids[at], ids[at + step]] = [ids[at + step], ids[at]];
    if (reorder) report(reorder(ids));
  };
  const drop = (/** @type {any} */ item) => remove && confirm(t("editable.sure", { name: nameOf(item) })) && report(remove(item));
  const button = (/** @type {string} */ text, /** @type {any} */ item, /** @type {() => void} */ onClick, disabled = false) =>
    html`<button type="button" aria-label=${`${text}: ${nameOf(item)}`} disabled=${disabled} onClick=${onClick}>${text}</button>`;
  return html`
    <ul class="rows" aria-label=${label}>
      ${items.map(
        (one, at) => html`
        <li key=${one.id}>
          <div dir="auto">${nameOf(one)}${detail && html`<small dir="auto">${detail(one)}</small>`}</div>
          ${
            !isFixed &&
            html`
            ${reorder && button("↑", one, () => move(at, -1), at === 0)}
            ${reorder && button("↓", one, () => move(at, 1), at === items.length - 1)}
            ${button(t("action.edit"), one, () => open(one))}
            ${remove && button(removeText, one, () => drop(one))}`
          }
        </li>`,
      )}
    </ul>
    ${!items.length && html`<p class="none">${t("rows.empty")}</p>`}
    ${!isFixed && html`<p class="bar"><button type="button" onClick=${() => open(empty)}>${t("editable.add")}</button></p>`}
    ${
      draft &&
      html`
      <${Dialog} title=${isNew ? t("editable.add") : nameOf(draft)} close=${() => open(null)}>
        <form onSubmit=${submit}>
          ${fields(draft, (parts) => setDraft({ ...draft, ...parts }), isNew)}
          ${reason && html`<p class="error" role="alert">${reason}</p>`}
          <p class="bar"><button class="primary">${t("action.save")}</button></p>
        </form>
      <//>`
    }
  `;
}

/** The attributes of a field that shows and changes a part of a draft. @param {any} draft @param {(parts: object) => void} change @param {string} name */
export const bound = (draft, change, name) => ({
  value: draft[name] ?? "",
  onInput: (/** @type {any} */ { target }) => change({ [name]: target.value }),
});
