/** The dialog in which a poll is made. */

import { Field, FormDialog, LongField, html, t } from "../kit.js";

/** *send* gets the text of the message. */
export function NewPoll({ send, close }) {
  const begin = async ({ question, options }) => {
    const lines = [question, ...options.split("\n")].map((one) => one.trim()).filter(Boolean);
    send(`/poll ${lines.join("\n")}`);
  };
  return html`
    <${FormDialog} title=${t("poll.new")} button=${t("poll.create")} send=${begin} savedText=""
      close=${close}>
      <${Field} label=${t("poll.question")} name="question" required max=${200} autofocus />
      <${LongField} label=${t("poll.options")} name="options" rows="4" hint=${t("poll.options_hint")} />
    <//>
  `;
}
