/** Icons, drawn by lines in a square of 24. */

import { t } from "../../text/text.js";
import { html } from "./html.js";

const PATHS = {
  smile: "M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18zM8.5 14.5c1.8 2.4 5.2 2.4 7 0M9 9.5v.2M15 9.5v.2",
  quote: "M5 17h4l1-5V7H4v6h3zM14 17h4l1-5V7h-6v6h3z",
  star: "M12 3.5l2.7 5.6l6.1.8l-4.5 4.3l1.1 6.1L12 17.4l-5.4 2.9l1.1-6.1L3.2 9.9l6.1-.8z",
  pen: "M4 20l1-4.5L16 4.5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5",
  clip: "M19 11.5l-7.5 7.5a4.6 4.6 0 0 1-6.5-6.5l8-8a3.1 3.1 0 0 1 4.4 4.4l-8 8a1.5 1.5 0 0 1-2.2-2.2l7-7",
  menu: "M4 6.5h16M4 12h16M4 17.5h16",
  more:
    "M4.1 12a.9 .9 0 1 0 1.8 0a.9 .9 0 1 0-1.8 0M11.1 12a.9 .9 0 1 0 1.8 0a.9 .9 0 1 0-1.8 0" +
    "M18.1 12a.9 .9 0 1 0 1.8 0a.9 .9 0 1 0-1.8 0",
  lock: "M6.5 11h11v9h-11zM8.5 11V8a3.5 3.5 0 0 1 7 0v3",
  help: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.2M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18z",
};

export const Icon = ({ name, filled = false }) => html`
    <svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"
      fill=${filled ? "currentColor" : "none"}
      stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">
        <path d=${PATHS[name]} /></svg>`;

/** The sign before a channel's name, in its colour: a lock for private ones. */
export function Mark({ channel }) {
  const paint = (element) => element?.style.setProperty("--color", channel.color ?? "");
  if (channel.invite_only)
    return html`<span class="mark" role="img" aria-label=${t("channel.private")} ref=${paint}>
      <${Icon} name="lock" /></span>`;
  return html`<span class="mark" aria-hidden="true" ref=${paint}>${channel.is_web_public ? "🌐" : "#"}</span>`;
}
