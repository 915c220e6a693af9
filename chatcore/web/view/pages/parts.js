/** What pages have in common. */

import { Rows, Tags, classes, html, t } from "../kit.js";
import { PAGES } from "../titles.js";

/**
 * A page with a tab for each of its *parts*, which have a title and a view, or are false for this reader;
 * *part* is that of the address; without one, phones show the list only, with what is *above* and *below*.
 */
export function Parts({ chat, page, parts, part, above, below }) {
  const names = Object.keys(parts).filter((name) => parts[name]);
  const here = names.includes(part) ? part : names[0];
  const [title, View] = parts[here];
  const tab = (name) =>
    html`<a key=${name} class="button" href=${`#${page}/${name}`}
      aria-current=${name === here ? "page" : undefined}>${t(parts[name][0])}</a>`;
  return html`
    <div class=${classes("subpage parts", part && "chosen")}>
      ${above && html`<div class="own-head">${above}</div>`}
      <nav class="tabs" aria-label=${t(PAGES[page].title)}>${names.map(tab)}</nav>
      ${below && html`<div class="own-head">${below}</div>`}
      <section><a class="back" href=${`#${page}`}>← ${t(PAGES[page].title)}</a><h2>${t(title)}</h2>
        <${View} key=${here} chat=${chat} /></section>
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
  <div class="bar"><a href=${`#${page}`}>← ${t(PAGES[page].title)}</a><h2 dir="auto">${name}</h2>
    <${Tags} tags=${tags} />${children}</div>
`;
