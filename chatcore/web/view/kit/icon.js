/** Icons, drawn by lines. */

import { t } from "../../text/text.js";
import icons from "../../vendor/lucide.js";
import { html } from "./html.js";

export const Icon = ({ name, filled = false }) => html`
    <svg class="icon" viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"
      fill=${filled ? "currentColor" : "none"}
      stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">
        ${icons[name].map(([shape, attributes]) => html`<${shape} ...${attributes} />`)}</svg>`;

/** The sign before a channel's name, in its colour: a lock for private ones. */
export function Mark({ channel }) {
  const paint = (element) => element?.style.setProperty("--color", channel.color ?? "");
  if (channel.invite_only)
    return html`<span class="mark" role="img" aria-label=${t("channel.private")} ref=${paint}>
      <${Icon} name="lock" /></span>`;
  return html`<span class="mark" aria-hidden="true" ref=${paint}>
    <${Icon} name=${channel.is_web_public ? "globe" : "hash"} /></span>`;
}
