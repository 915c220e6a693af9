/** The bar at the top: where the reader is, and search. */

import { Narrow } from "../model/narrow.js";
import { isPlace, termsOf, textOf } from "../model/search.js";
import { Icon, html, t } from "./kit.js";
import { TopicMenu } from "./messages/topic.js";
import { nameOf, titleOf } from "./titles.js";

export function Topbar(/** @type {Props} */ { chat, narrow, page, isOpen, setOpen, act, field }) {
  const here = narrow?.forServer ?? [];
  const search = (event) => {
    event.preventDefault();
    const terms = termsOf(chat, event.target.elements.words.value.trim(), here);
    location.hash = terms.length ? chat.link(new Narrow(terms)) : "#inbox";
  };
  const place = here.filter(isPlace);
  const hint = place.length
    ? t("search.in", { place: titleOf(chat, new Narrow(place), page) })
    : t("search.hint");
  const text = here.length === 1 && nameOf(here[0]) ? "" : textOf(here);
  const channel = chat.channels.get(narrow?.channelId ?? 0);
  return html`
    <header class="topbar">
      <button type="button" class="menu plain" aria-expanded=${isOpen} aria-label=${t("nav.open")}
        onClick=${() => setOpen(!isOpen)}><${Icon} name="menu" /></button>
      <h1 dir="auto">${titleOf(chat, narrow, page)}</h1>
      ${
        channel &&
        narrow.topic !== undefined &&
        html`<${TopicMenu} chat=${chat} id=${channel.stream_id} topic=${narrow.topic} act=${act} />`
      }
      ${
        channel &&
        html`<a class="button plain" href=${`#channels/${channel.stream_id}`} title=${t("channel.settings")}
          aria-label=${t("channel.settings")}><${Icon} name="settings" /></a>`
      }
      <form class="search" role="search" onSubmit=${search} key=${narrow?.key ?? page}>
        <input type="search" name="words" aria-label=${t("search.label")} placeholder=${hint}
          defaultValue=${text} ref=${field}
          onFocus=${({ target }) => target.select()} />
      </form>
    </header>
  `;
}
