/**
 * Forms, and their fields, each with its label; dialogs with a form, also to choose a time. What is being
 * written stays while events come: a text of the state is a `defaultValue`, as a `value` would replace it.
 */

import { excess } from "../../model/written.js";
import { dayAndHour, t } from "../../text/text.js";
import { DialogButtons, Dialog, overlay } from "./dialog.js";
import { html, useLayoutEffect, useRef, useState } from "./html.js";
import { notices } from "./notice.js";

const HOUR = 3_600_000;
const MORNING = 9;

/** Says how many signs of a text are too many, if any are: nothing is cut, but nothing is sent. */
export function Excess({ text, most }) {
  const count = excess(text, most);
  return count > 0 && html`<small class="error" role="alert">${t("field.excess", { count })}</small>`;
}

/**
 * A field for a text of at most `max` signs, or for a number or a time until `max`. Like all fields it gives
 * changes to `set`, and has further attributes of the element. It follows its `defaultValue` until somebody
 * writes.
 */
export function Field({ label, hint, set, max, as = "input", ...attributes }) {
  const { defaultValue: value, type } = attributes;
  const isText = type !== "number" && type !== "datetime-local";
  const most = isText ? (max ?? Infinity) : Infinity;
  const [text, setText] = useState("");
  const field = useRef(null);
  const before = useRef(null);
  useLayoutEffect(() => {
    if (value === undefined) return;
    const { current: element } = field;
    const isWritten = before.current !== null && element.value !== before.current;
    if (!isWritten) element.value = value ?? "";
    before.current = isWritten ? String(value ?? "") : element.value;
  }, [value]);
  useLayoutEffect(() => {
    if (most === Infinity) return;
    const { current: element } = field;
    const count = excess(element.value, most);
    element.setCustomValidity(count ? t("field.excess", { count }) : ""); // forms with it are not sent
    setText(element.value);
  });
  const onInput = ({ target }) => {
    setText(target.value);
    set?.(target.value);
  };
  return html`<label class="field"><span>${label}</span>
    <${as} ref=${field} dir="auto" onInput=${onInput}
      max=${isText ? undefined : max} ...${attributes} />
    <${Excess} text=${text} most=${most} />${hint && html`<small>${hint}</small>`}</label>`;
}

export const LongField = (props) => html`<${Field} as="textarea" ...${props} />`;

export const PasswordField = (props) =>
  html`<${Field} label=${t("login.password")} type="password" required autocomplete="current-password"
    ...${props} />`;

/** A button with which the reader chooses files; without `children` it shows its label. */
export function FileButton({ label, pick, children = label, ...attributes }) {
  const onChange = ({ target }) => {
    const files = [...target.files];
    target.value = ""; // the same file can be chosen again
    if (files.length) pick(files);
  };
  return html`<label class="button" title=${label}>${children}
    <input type="file" class="unseen" aria-label=${label} onChange=${onChange} ...${attributes} /></label>`;
}

/** Say that something is saved, if there is an answer; return it. @param {unknown} answer */
export function noteSaved(answer) {
  if (answer !== undefined) notices.show(t("saved"));
  return answer;
}

/**
 * The value that the reader has chosen, until the state has a new one or `set` gives no answer: other events
 * render the field meanwhile.
 */
function useChosen(value, set) {
  const [chosen, setChosen] = useState(/** @type {any} */ (undefined));
  useLayoutEffect(() => setChosen(undefined), [value]);
  const choose = async (to) => {
    setChosen(to);
    // A later choice stays.
    if (noteSaved(await set?.(to)) === undefined) setChosen((now) => (now === to ? undefined : now));
  };
  return [chosen === undefined ? value : chosen, choose];
}

/** A switch; without `set`, a box to tick that belongs to a form. */
export function Check({ label, isOn, set, ...attributes }) {
  const [isShown, choose] = useChosen(isOn, set);
  const state = set
    ? { role: "switch", checked: isShown, onChange: ({ target }) => choose(target.checked) }
    : { defaultChecked: isOn };
  return html`<label class="check"><input type="checkbox" ...${state} ...${attributes} /> <span>
    ${label}</span></label>`;
}

/** A choice of one of several values, each with its text; without `set` it belongs to a form. */
export function Choice({ label, hint, value, options, set, ...attributes }) {
  const [shown, choose] = useChosen(value, set);
  const state = set && {
    value: String(shown),
    onChange: ({ target }) => choose(options[target.selectedIndex][0]),
  };
  return html`
    <label class="field"><span>${label}${hint && html`<small>${hint}</small>`}</span>
      <select ...${state} ...${attributes}>
        ${options.map(
          ([one, text]) => html`<option key=${String(one)} value=${String(one)}
          selected=${one === shown}>${text}</option>`,
        )}
      </select>
    </label>
  `;
}

/**
 * A form that sends its fields by their names. It shows a refusal; otherwise it says that they are saved.
 * `isFixed` turns the button off; `more` stands beside it. In a dialog, it has what `close` does, too.
 */
export function Form({
  send,
  done,
  savedText = t("saved"),
  button = t("action.save"),
  isEmptied = false,
  isFixed = false,
  children,
  more,
  close,
  ...attributes
}) {
  const [reason, setReason] = useState("");
  const isSending = useRef(false);
  const submit = async (event) => {
    event.preventDefault();
    if (isSending.current) return; // a click that was meant once
    isSending.current = true;
    try {
      const answer = await send(Object.fromEntries(new FormData(event.target, event.submitter)));
      setReason("");
      if (isEmptied) event.target.reset();
      if (savedText) notices.show(savedText);
      done?.(answer);
    } catch (error) {
      setReason(error.message);
    }
    isSending.current = false;
  };
  const submitter = html`<button class="primary" disabled=${isFixed}>${button}</button>`;
  return html`
    <form onSubmit=${submit} ...${attributes}>
      ${children}
      ${reason && html`<p class="error" role="alert">${reason}</p>`}
      ${
        close
          ? html`<${DialogButtons} close=${close}>${more}${submitter}<//>`
          : html`<p class="bar">${submitter}${more}</p>`
      }
    </form>
  `;
}

/** A dialog with a form. */
export const FormDialog = ({ title, close, done = close, ...form }) =>
  html`<${Dialog} title=${title} close=${close}><${Form} done=${done} close=${close} ...${form} /><//>`;

/**
 * Times to choose from, in seconds since 1970: the one that was chosen before, if it is to come; in an hour,
 * tomorrow morning, on Monday morning.
 */
function usualTimes(before) {
  const now = new Date();
  const morning = (days) => +new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
  const times = [before * 1000, +now + HOUR, morning(1), morning((8 - now.getDay()) % 7 || 7)];
  return [...new Set(times.filter((time) => time > +now).map((time) => Math.floor(time / 1000)))];
}

/** A time as a field has it, without its zone. @param {number} time in ms */
const fieldTime = (time) =>
  new Date(time - new Date(time).getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

/** A dialog in which a time is chosen; *send* gets it, in seconds since 1970, and the other fields. */
export function AtTime({ title, button = title, label = t("time.when"), before = 0, children, send, close }) {
  const [times] = useState(() => usualTimes(before));
  const [chosen, setChosen] = useState(times[0]);
  const options = [...times.map((time) => [time, dayAndHour(time)]), [0, t("time.other")]];
  const submit = ({ other, ...fields }) => send(chosen || Date.parse(other) / 1000, fields);
  return html`
    <${FormDialog} title=${title} button=${button} send=${submit} savedText="" close=${close}>
      <${Choice} label=${label} value=${chosen} set=${setChosen} options=${options} />
      ${
        !chosen &&
        html`<${Field} label=${t("time.other")} name="other" type="datetime-local" required
        min=${fieldTime(Date.now())} defaultValue=${fieldTime(Math.ceil(Date.now() / HOUR) * HOUR)}
        max="9999-12-31T23:59" />`
      }
      ${children}
    <//>
  `;
}

/**
 * Send a request; if the server wants a proof of who sits at the browser, ask for the password and send it
 * again.
 *
 * @param {Chat} chat
 * @param {string} title
 * @param {(fields: {own_password?: string}) => Promise<any>} send
 */
export async function proving(chat, title, send) {
  try {
    return await send({});
  } catch (error) {
    if (error.code !== "PROOF_REQUIRED" || !chat.state.realm_password_auth_enabled) throw error;
    overlay.show(Proof, { title, send, reason: error.message });
  }
}

const Proof = ({ title, send, reason, close }) =>
  html`<${FormDialog} title=${title} button=${title} send=${send} savedText="" close=${close}><p>${reason}</p>
    <${PasswordField} name="own_password" /><//>`;
