/** Settings of the account that change the whole page: colours and language. */

import { chooseLanguage, language } from "../text/text.js";
import { useLayoutEffect, useRef } from "./html.js";

/** @type {Record<number, string>} the values of the setting `color_scheme` */
const COLORS = { 1: "", 2: "dark", 3: "light" };

/** @param {import("../model/chat.js").Chat} chat */
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
