/** What surrounds the page: its title and icon, with the number of unread messages; colours and language. */

import { chooseLanguage, language } from "../text/text.js";
import { useEffect, useLayoutEffect, useRef } from "./html.js";

/** @type {string | null} */
let plain = null;

/** @param {string} title @param {Chat} chat */
export function useTitle(title, chat) {
  const count = chat.unreadCount;
  const whole = `${count ? `(${count}) ` : ""}${title} · ${chat.state.realm_name}`;
  useEffect(() => {
    document.title = whole;
  }, [whole]);
  useEffect(() => {
    const link = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
    plain ??= link.href;
    const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#3b6fd4"/>
      <text x="16" y="23" font-family="sans-serif" font-weight="700" font-size="20" text-anchor="middle" fill="#fff">${count > 99 ? "∞" : count}</text></svg>`;
    link.href = count ? `data:image/svg+xml,${encodeURIComponent(image)}` : plain;
  }, [count]);
}

/** @type {Record<number, string>} the values of the setting `color_scheme` */
/** The values of the setting `color_scheme`. @type {Record<number, string>} */
const COLORS = { 1: "", 2: "dark", 3: "light" };

/** @param {Chat} chat */
export function usePreferences(chat) {
  const { color_scheme: scheme, default_language: wanted } = chat.settings;
  const seen = useRef(wanted);
  useLayoutEffect(() => {
    const colors = COLORS[scheme] ?? "";
    localStorage.setItem("colors", colors);
    document.documentElement.style.colorScheme = colors;
  }, [scheme]);
  useLayoutEffect(() => {
    // Before it changes, the organization's default is no choice of this person, whose browser knows better.
    const isChosen = wanted !== seen.current || wanted !== chat.state.realm_default_language;
    seen.current = wanted;
    if (!isChosen || wanted === language) return;
    chooseLanguage(wanted);
    chat.changed();
  }, [wanted]);
}
