/** The modules of the pages beside the lists of messages, loaded when first opened but for the inbox. */

import { decodePart } from "../../model/narrow.js";
import { html, useLater, useState } from "../kit.js";
import { PAGES } from "../titles.js";
import { Inbox } from "./inbox.js";

/** @type {Record<keyof typeof PAGES, () => Promise<(props: PageProps) => unknown>>} */
const LOADED = {
  inbox: async () => Inbox,
  recent: async () => (await import("./lists.js")).Recent,
  direct: async () => (await import("./lists.js")).Direct,
  channels: async () => (await import("../channels/page.js")).Channels,
  people: async () => (await import("./people.js")).People,
  groups: async () => (await import("./groups.js")).Groups,
  organization: async () => (await import("../organization/page.js")).Organization,
  drafts: async () => (await import("./lists.js")).Drafts,
  settings: async () => (await import("../settings/page.js")).Settings,
};

/**
 * Return the name of the page of an address, and the parts after it; the inbox for unknown names.
 *
 * @param {string} hash
 */
export function pageOf(hash) {
  const [name, ...parts] = hash.replace(/^#/, "").split("/").map(decodePart);
  return Object.hasOwn(PAGES, name) ? { name, parts } : { name: "inbox", parts: [] };
}

/** Those whose lists can be read and searched without the server. */
const LISTS = ["channels", "people", "groups"];

/** A page. As long as the server is away, nothing on it can be changed. */
export function Page({ name, ...props }) {
  const [loaded, setLoaded] = useState(null);
  useLater(LOADED[name], (view) => setLoaded({ name, view }), [name]);
  const isFixed = props.chat.keptAt > 0 && !(LISTS.includes(name) && !props.parts.length);
  const view = loaded?.name === name && html`<${loaded.view} ...${props} />`;
  return html`<fieldset class="whole" role="none" disabled=${isFixed}>${view}</fieldset>`;
}
