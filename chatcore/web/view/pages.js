/**
 * Pages beside the lists of messages: their addresses and modules, which are loaded when first opened.
 *
 * @typedef {{chat: Chat, parts: string[], act: PageActions}} PageProps
 *   `parts` are the parts of the address after the name of the page
 */

import { decodePart } from "../model/narrow.js";
import { html, named, notices, t, useEffect, useState } from "./kit.js";

/** @type {Record<string, {title: TextName, load: () => Promise<(props: PageProps) => unknown>}>} */
export const PAGES = {
  inbox: { title: "nav.inbox", load: async () => (await import("./inbox.js")).Inbox },
  channels: { title: "nav.channels", load: async () => (await import("./channels/page.js")).Channels },
  people: { title: "nav.people", load: async () => (await import("./people.js")).People },
  groups: { title: "nav.groups", load: async () => (await import("./groups.js")).Groups },
  organization: { title: "nav.organization", load: async () => (await import("./organization/page.js")).Organization },
  drafts: { title: "nav.drafts", load: async () => (await import("./inbox.js")).Drafts },
  later: { title: "nav.later", load: async () => (await import("./later.js")).Later },
  settings: { title: "settings.title", load: async () => (await import("./settings/page.js")).Settings },
};

/** Return the name of the page of an address, and the parts after it; the inbox for unknown names. @param {string} hash */
export function pageOf(hash) {
  const [name, ...parts] = hash.replace(/^#/, "").split("/").map(decodePart);
  return Object.hasOwn(PAGES, name) ? { name, parts } : { name: "inbox", parts: [] };
}

/** @param {{name: string} & PageProps} props */
export function Page({ name, ...props }) {
  const [loaded, setLoaded] = useState(/** @type {{name: string, view: any} | null} */ (null));
  useEffect(() => {
    let isGone = false;
    PAGES[name].load().then(
      (view) => !isGone && setLoaded({ name, view }),
      (error) => notices.show(error.message),
    );
    return () => {
      isGone = true;
    };
  }, [name]);
  return loaded?.name === name && html`<${loaded.view} ...${props} />`;
}

/**
 * A page with a tab for each part.
 *
 * @param {{chat: Chat, page: string, parts: Record<string, {view: any, isFor?: (chat: Chat) => boolean}>, part: string}} props
 *   `part` is the part of the address, the first one for unknown names; `isFor` says who sees a part
 */
export function Parts({ chat, page, parts, part }) {
  const names = Object.keys(parts).filter((name) => parts[name].isFor?.(chat) ?? true);
  const here = names.includes(part) ? part : names[0];
  return html`
    <div class="subpage">
      <nav class="tabs" aria-label=${t(PAGES[page].title)}>
        ${names.map((name) => html`<a key=${name} class="button" href=${`#${page}/${name}`} aria-current=${name === here ? "page" : undefined}>${named(page, name)}</a>`)}
      </nav>
      <section><h2>${named(page, here)}</h2><${parts[here].view} key=${here} chat=${chat} /></section>
    </div>
  `;
}
