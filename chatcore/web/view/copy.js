/** The clipboard. */

import { t } from "../text/text.js";
import { notices } from "./notice.js";

/** Copy a text, and say so. @param {string} text */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notices.show(t("action.copied"));
  } catch {
    notices.show(t("action.not_copied", { text })); // browsers refuse it, and do not have it without TLS
  }
}
