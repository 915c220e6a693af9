/** What views are made of. */

export { call } from "../api.js";
export { fullTime, language, named, t, timeOf } from "../text/text.js";
export { Content, usePreview } from "./content.js";
export { Dialog, OpenDialog, overlay, sure } from "./dialog.js";
export { Adding, Check, Choice, Field, FileButton, Form, LongField } from "./form.js";
export * from "./html.js";
export { Icon, Mark } from "./icon.js";
export { copy, notices, report, saved, useAnswer } from "./notice.js";
export { Avatar, Presence, Status, StatusDialog, StatusEmoji, StatusForm } from "./person.js";
export { Buttons, Fact, PeopleRows, Rows, byName, personEntry } from "./rows.js";
