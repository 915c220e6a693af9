/** The clipboard. */

import { t } from "../text/text.js";
import { notices, report } from "./notice.js";

/** @param {string} text */
export async function copy(text) {
  const copied = report(navigator.clipboard.writeText(text).then(() => true));
  if (await copied) notices.show(t("action.copied"));
}
