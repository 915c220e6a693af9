/** Pages beside the lists of messages: their addresses and modules, which are loaded when first opened. */

import { decodePart } from "../model/narrow.js";
import { Rows, Tags, html, t, useLater, useState } from "./kit.js";

/** @type {Record<string, {title: TextName, load: () => Promise<(props: PageProps) => unknown>}>} */
export const PAGES = {
  inbox: { title: "nav.inbox", load: async () => (await import("./inbox.js")).Inbox },
  channels: { title: "nav.channels", load: async () => (await import("./channels/page.js")).Channels },
  people: { title: "nav.people", load: async () => (await import("./people.js")).People },
  groups: { title: "nav.groups", load: async () => (await import("./groups.js")).Groups },
  organization: { title: "nav.organization", load: async () => (await import("./organization/page.js")).Organization },
  drafts: { title: "nav.drafts", load: async () => (await import("./inbox.js")).Drafts },
  settings: { title: "settings.title", load: async () => (await import("./settings/page.js")).Settings },
};

/** Return the name of the page of an address, and the parts after it; the inbox for unknown names. @param {string} hash */
export function pageOf(hash) {
  const [name, ...parts] = hash.replace(/^#/, "").split("/").map(decodePart);
  return Object.hasOwn(PAGES, name) ? { name, parts } : { name: "inbox", parts: [] };
}

export function Page({ name, ...props }) {
  const [loaded, setLoaded] = useState(null);
  useLater(PAGES[name].load, (view) => setLoaded({ name, view }), [name]);
  return loaded?.name === name && html`<${loaded.view} ...${props} />`;
}

/** A page with a tab for each of its *parts*, which have a title and a view, or are false for this reader; *part* is that of the address. */
export function Parts({ chat, page, parts, part }) {
  const names = Object.keys(parts).filter((name) => parts[name]);
  const here = names.includes(part) ? part : names[0];
  const [title, View] = parts[here];
  const tab = (name) =>
    html`<a key=${name} class="button" href=${`#${page}/${name}`} aria-current=${name === here ? "page" : undefined}>${t(parts[name][0])}</a>`;
  return html`
    <div class="subpage">
      <nav class="tabs" aria-label=${t(PAGES[page].title)}>${names.map(tab)}</nav>
      <section><h2>${t(title)}</h2><${View} key=${here} chat=${chat} /></section>
    </div>
  `;
}

/** A page of things: all in a list, with a link to make one if *create* is its text. */
export const Things = ({ page, create = "", ...rows }) => html`
  <section>
    ${create && html`<p class="bar"><a class="button" href=${`#${page}/new`}>${create}</a></p>`}
    <${Rows} label=${t(PAGES[page].title)} ...${rows} />
  </section>
`;

/** The head of the page of one thing, with the way back to all of them. */
export const Head = ({ page, name, tags, children }) => html`
  <div class="bar"><a href=${`#${page}`}>← ${t(PAGES[page].title)}</a><h2 dir="auto">${name}</h2><${Tags} tags=${tags} />${children}</div>
`;
