import { html } from "./html.js";

/** The picture of a person; the name stands beside it. @param {{src: string | null | undefined}} props */
export function Avatar({ src }) {
  if (!src) return html`<span class="avatar"></span>`;
  const local = src.startsWith("/") && !src.startsWith("//") ? src.slice(1) : src;
  return html`<img class="avatar" src=${local} alt="" loading="lazy" width="36" height="36" />`;
}
