/** Polls and lists of tasks: messages that people answer by submessages. */

import { call, html, report, t, useState } from "./kit.js";

/** The parsed submessages: the widget, then what people did with it. @param {Message} message @returns {{sender: number, data: any}[]} */
function acts(message) {
  return message.submessages.flatMap(({ sender_id, content }) => {
    try {
      return [{ sender: sender_id, data: JSON.parse(content) }];
    } catch {
      return [];
    }
  });
}

/** @param {Message} message @param {object} data */
const act = (message, data) => report(call("POST", "submessage", { message_id: message.id, msg_type: "widget", content: JSON.stringify(data) }));

/** The index of the next thing that a person adds. @param {{sender: number, data: any}[]} those @param {string} type @param {number} me */
const nextIndex = (those, type, me) => those.filter(({ sender, data }) => sender === me && data.type === type).length;

/** A message, as its widget or else as its text. @param {{chat: Chat, message: Message, children: unknown}} props */
export function WidgetOr({ chat, message, children }) {
  const [first, ...those] = acts(message);
  const View = first && KINDS[first.data?.widget_type];
  return View ? html`<${View} chat=${chat} message=${message} data=${first.data.extra_data ?? {}} those=${those} />` : children;
}

/** @type {Record<string, (props: any) => unknown>} */
const KINDS = { poll: Poll, todo: Tasks };

/** @param {any} props */
function Poll({ chat, message, data, those }) {
  /** @type {Map<string, {text: string, voters: Set<number>}>} */
  const options = new Map((data.options ?? []).map((/** @type {string} */ text, /** @type {number} */ at) => [`canned,${at}`, { text, voters: new Set() }]));
  let question = data.question;
  for (const { sender, data } of those) {
    if (data.type === "question") question = data.question;
    if (data.type === "new_option") options.set(`${sender},${data.idx}`, { text: data.option, voters: new Set([sender]) });
    if (data.type === "vote" && data.vote === 1) options.get(data.key)?.voters.add(sender);
    if (data.type === "vote" && data.vote === -1) options.get(data.key)?.voters.delete(sender);
  }
  const add = (/** @type {string} */ option) => act(message, { type: "new_option", option, idx: nextIndex(those, "new_option", chat.me) });
  return html`
    <${Widget} title=${question || t("poll.title")} label=${t("poll.add")} add=${add}>
      ${[...options].map(([key, { text, voters }]) => {
        const isMine = voters.has(chat.me);
        const names = chat.names(voters);
        return html`<div class="option" key=${key}>
          <button type="button" aria-pressed=${isMine} title=${names} onClick=${() => act(message, { type: "vote", key, vote: isMine ? -1 : 1 })}>
            <span class="count">${voters.size}</span> <span dir="auto">${text}</span></button>
          <span class="faint" dir="auto">${names}</span></div>`;
      })}
    <//>
  `;
}

/** @param {any} props */
function Tasks({ chat, message, data, those }) {
  const canned = (/** @type {any} */ { task, desc }, /** @type {number} */ at) => [`${at},canned`, { task, desc, isDone: false }];
  /** @type {Map<string, {task: string, desc: string, isDone: boolean}>} */
  const tasks = new Map((data.tasks ?? []).map(canned));
  let title = data.task_list_title;
  for (const { sender, data } of those) {
    if (data.type === "new_task_list_title") title = data.title;
    if (data.type === "new_task") tasks.set(`${data.key},${sender}`, { task: data.task, desc: data.desc, isDone: data.completed });
    const known = data.type === "strike" ? tasks.get(data.key) : undefined;
    if (known) known.isDone = !known.isDone;
  }
  const add = (/** @type {string} */ text) => {
    const [task, desc = ""] = text.split(/: (.*)/s);
    return act(message, { type: "new_task", key: nextIndex(those, "new_task", chat.me), task, desc, completed: false });
  };
  const strike = (/** @type {Event} */ event, /** @type {string} */ key) => {
    event.preventDefault(); // the event of the server ticks it
    act(message, { type: "strike", key });
  };
  return html`
    <${Widget} title=${title || t("tasks.title")} label=${t("tasks.add")} add=${add}>
      ${[...tasks].map(
        ([key, { task, desc, isDone }]) => html`
        <label class="check" key=${key} dir="auto"><input type="checkbox" checked=${isDone} onClick=${(/** @type {Event} */ event) => strike(event, key)} />
          <span>${isDone ? html`<s>${task}</s>` : task} ${desc && html`<span class="faint">${desc}</span>`}</span></label>`,
      )}
    <//>
  `;
}

/** A widget, with a line with which one more is added. @param {{title: string, label: string, add: (text: string) => Promise<unknown>, children: unknown}} props */
function Widget({ title, label, add, children }) {
  const [text, setText] = useState("");
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim() && (await add(text.trim()))) setText("");
  };
  return html`
    <div class="widget">
      <strong dir="auto">${title}</strong>
      ${children}
      <form class="adder" onSubmit=${submit}>
        <input dir="auto" aria-label=${label} placeholder=${label} value=${text} onInput=${(/** @type {any} */ event) => setText(event.target.value)} />
        <button type="submit" aria-label=${label}>+</button>
      </form>
    </div>
  `;
}
