/** The common parts of views. */

export { call } from "../api.js";
export { fullTime, hourOf, language, named, t, timeOf } from "../text/text.js";
export { Content, usePreview } from "./content.js";
export { Dialog, OpenDialog, asking, overlay, sure } from "./dialog.js";
export { Check, Choice, Excess, Field, FileButton, Form, FormDialog, LongField, PasswordField, proving } from "./form.js";
export * from "./html.js";
export { Icon, Mark } from "./icon.js";
export { copy, notices, report, saved, useAnswer, useLater } from "./notice.js";
export { Avatar, Presence, Status, StatusDialog, StatusEmoji, StatusForm } from "./person.js";
export { Buttons, Facts, PeopleRows, Rows, Tags, byName, personEntry } from "./rows.js";
