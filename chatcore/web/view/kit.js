/** The common parts of views: what is in `kit/`, requests, and texts. */

export { call, callMessages, local } from "../api.js";
export { clockOf, dayAndHour, dayOf, fullTime, hourOf, language, named, t } from "../text/text.js";
export * from "./kit/content.js";
export * from "./kit/dialog.js";
export * from "./kit/emoji.js";
export * from "./kit/emoji_picker.js";
export * from "./kit/form.js";
export * from "./kit/html.js";
export * from "./kit/icon.js";
export * from "./kit/menu.js";
export * from "./kit/notice.js";
export * from "./kit/person.js";
export * from "./kit/picker.js";
export * from "./kit/rows.js";
