/** Lists whose entries administrators add, change, order and remove. */

import { Dialog, Form, Rows, call, html, overlay, report, sure, t } from "../kit.js";

/**
 * @typedef {{id: number, [field: string]: any}} Item
 * @typedef {{label: string, items: Item[], nameOf: (item: Item) => string, detailOf: (item: Item) => unknown, isFixed?: boolean,
 *   fields: (props: {chat: Chat, item: Item | null}) => unknown, path: string, addPath?: string, requestOf?: (fields: any, item: Item | null) => object,
 *   remove?: (item: Item) => Promise<unknown>, reorder: (ids: number[]) => Promise<unknown>}} Props
 *   `fields` is the component with the fields of an item, null for a new one; `path` the endpoint that changes items by their ids; `requestOf`
 *   makes the fields of a request
 */

/** @param {Props} props */
export function Editable({ label, items, nameOf, detailOf, isFixed = false, fields, path, addPath = path, requestOf = (values) => values, remove, reorder }) {
  const save = (/** @type {any} */ values, /** @type {Item | null} */ item) =>
    item ? call("PATCH", `${path}/${item.id}`, { ...requestOf(values, item) }) : call("POST", addPath, { ...requestOf(values, item) });
  const edit = (/** @type {Item | null} */ item) => overlay.show(EditDialog, { title: item ? nameOf(item) : t("editable.add"), item, fields, save });
  const drop = (/** @type {Item} */ item) =>
    sure(t("editable.sure", { name: nameOf(item) }), t("rows.remove"), () => report(remove?.(item) ?? call("DELETE", `${path}/${item.id}`)));
  const move = (/** @type {number} */ at, /** @type {number} */ step) => {
    const ids = items.map((one) => one.id);
    [ids[at], ids[at + step]] = [ids[at + step], ids[at]];
    report(reorder(ids));
  };
  const buttons = (/** @type {Item} */ one, /** @type {number} */ at) => [
    ["↑", () => move(at, -1), at === 0],
    ["↓", () => move(at, 1), at === items.length - 1],
    [t("action.edit"), () => edit(one)],
    [t("rows.remove"), () => drop(one)],
  ];
  return html`
    <${Rows} label=${label} items=${items} entry=${(/** @type {Item} */ one, /** @type {number} */ at) => ({ key: one.id, name: nameOf(one), detail: detailOf(one), buttons: isFixed ? [] : buttons(one, at) })} />
    ${!isFixed && html`<p class="bar"><button type="button" onClick=${() => edit(null)}>${t("editable.add")}</button></p>`}
  `;
}

/** @param {{chat: Chat, title: string, item: Item | null, fields: any, save: (values: any, item: Item | null) => Promise<unknown>, close: () => void}} props */
function EditDialog({ chat, title, item, fields, save, close }) {
  return html`
    <${Dialog} title=${title} close=${close}>
      <${Form} send=${(/** @type {any} */ values) => save(values, item)} done=${close}><${fields} chat=${chat} item=${item} /><//>
    <//>
  `;
}
