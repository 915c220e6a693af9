/** Emoji and linkifiers of the organization. */

import { isAdministrator, may } from "../../model/rights.js";
import { Field, Form, FormDialog, Rows, asking, call, emojiText, html, overlay, report, t } from "../kit.js";

export function Emoji({ chat }) {
  const emoji = Object.values(chat.emoji).filter((one) => !one.deactivated);
  const path = (name) => `realm/emoji/${encodeURIComponent(name)}`;
  const deactivate = (name) =>
    asking(t("action.deactivate"), t("editable.sure", { name: `:${name}:` }), () =>
      call("DELETE", path(name)),
    );
  const entry = ({ id, name, author_id }) => ({
    key: id,
    name: `:${name}:`,
    mark: html`${emojiText(chat, { emoji_name: name, emoji_code: id, reaction_type: "realm_emoji" })} `,
    detail: chat.name(author_id),
    buttons: [(isAdministrator(chat) || author_id === chat.me) && deactivate(name)],
  });
  const adder = html`
    <${Form} send=${({ name, file }) => call("POST", path(name), { file })} isEmptied
      button=${t("editable.add")}>
      <${Field} label=${t("emoji.name")} name="name" required pattern="[a-z0-9_\\-]+"
        hint=${t("emoji.name_hint")} />
      <${Field} label=${t("emoji.picture")} name="file" type="file" required
        accept="image/png,image/gif,image/jpeg,image/webp" />
    <//>`;
  return html`
    ${may(chat, "can_add_custom_emoji_group") && adder}
    <${Rows} label=${t("organization.emoji")} items=${emoji.sort((a, b) => a.name.localeCompare(b.name))}
      textOf=${(one) => one.name} entry=${entry} />
  `;
}

export function Linkifiers({ chat }) {
  const items = chat.state.realm_linkifiers;
  const edit = (/** @type {any} */ item) => {
    const send = (fields) =>
      call(item ? "PATCH" : "POST", item ? `realm/filters/${item.id}` : "realm/filters", fields);
    const fields = html`
      <${Field} label=${t("linkifiers.pattern")} required hint="#(?P<number>[0-9]+)" name="pattern"
        defaultValue=${item?.pattern} />
      <${Field} label=${t("linkifiers.template")} required hint="https://tracker.example/{number}"
        name="url_template" defaultValue=${item?.url_template} />`;
    overlay.show(FormDialog, { title: item?.pattern ?? t("editable.add"), send, children: fields });
  };
  const move = (at, step) => {
    const ids = items.map((one) => one.id);
    [ids[at], ids[at + step]] = [ids[at + step], ids[at]];
    report(call("PATCH", "realm/linkifiers", { ordered_linkifier_ids: ids }));
  };
  const buttons = (item, at) => [
    ["↑", () => move(at, -1), at === 0],
    ["↓", () => move(at, 1), at === items.length - 1],
    [t("action.edit"), () => edit(item)],
    asking(t("rows.remove"), t("editable.sure", { name: item.pattern }), () =>
      call("DELETE", `realm/filters/${item.id}`),
    ),
  ];
  const manages = isAdministrator(chat);
  const entry = (one, at) => ({
    key: one.id,
    name: one.pattern,
    detail: one.url_template,
    buttons: manages ? buttons(one, at) : [],
  });
  return html`
    <p>${t("linkifiers.hint")}</p>
    <${Rows} label=${t("organization.linkifiers")} items=${items} entry=${entry} />
    ${
      manages &&
      html`<p class="bar"><button type="button" onClick=${() => edit(null)}>
        ${t("editable.add")}</button></p>`
    }
  `;
}
