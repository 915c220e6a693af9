/** What pages are made of. */

export { call } from "../api.js";
export { fullTime, language, named, t } from "../text/text.js";
export { Content } from "./content.js";
export { Dialog, overlay, sure } from "./dialog.js";
export { Adding, Check, Choice, Field, Form, LongField } from "./form.js";
export * from "./html.js";
export { Icon, Mark } from "./icon.js";
export { copy, notices, report, saved, useAnswer } from "./notice.js";
export { Avatar, Presence, Status } from "./person.js";
export { Buttons, Fact, PeopleRows, Rows, byName, personEntry } from "./rows.js";
