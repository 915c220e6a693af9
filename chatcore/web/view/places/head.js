/** The head of the page: what it shows, what can be done with it, and search. */

import { presenceOf } from "../../model/presence.js";
import { Narrow, isPlace } from "../../model/narrow.js";
import { aboutOf } from "../../model/places.js";
import { Content, Faces, Icon, Mark, Menu, Status, html, popover, t } from "../kit.js";
import { pillOf } from "../palette/terms.js";
import { nameOf, titleOf } from "../titles.js";
import { follow, isFollowed, muteTopic, placeItems, setPersonal } from "./actions.js";

export function Head(/** @type {Props} */ { chat, narrow, page, act }) {
  return html`
    <header class="topbar">
      <${Title} chat=${chat} narrow=${narrow} page=${page} />
      <${PlaceButtons} chat=${chat} narrow=${narrow} act=${act} />
      <${Search} chat=${chat} narrow=${narrow} page=${page} act=${act} />
    </header>
  `;
}

/** The name of the place with its sign or faces, and a line about it, which shows all of it when clicked. */
function Title({ chat, narrow, page }) {
  const channel = chat.channels.get(narrow?.channelId ?? 0);
  const people = narrow?.people;
  const name = titleOf(chat, narrow, page);
  const mark = channel
    ? html`<${Mark} channel=${channel} />`
    : people && html`<${Faces} chat=${chat} people=${people} />`;
  const whole = [mark, channel ? name.replace("#", "") : name];
  return html`
    <div class="title">
      <h1 dir="auto" title=${name}>${
        people?.length === 1 ? html`<a href=${`#people/${people[0]}`}>${whole}</a>` : whole
      }</h1>
      ${channel?.description && html`<${Description} channel=${channel} />`}
      ${people?.length === 1 && html`<small><${About} chat=${chat} id=${people[0]} /></small>`}
    </div>
  `;
}

function Description({ channel }) {
  const { name, rendered_description: content } = channel;
  const all = () => html`<h3 dir="auto">${name}</h3><${Content} content=${content} />`;
  return html`<button type="button" class="link about" dir="auto"
    onClick=${({ currentTarget }) => popover.show(currentTarget, t("field.description"), all)}>
    ${aboutOf(channel)}</button>`;
}

/** Whether a person is here, and the status. */
function About({ chat, id }) {
  const status = chat.statuses.get(id);
  const presence = !chat.people.get(id)?.is_bot && t(`presence.${presenceOf(chat, id)}`);
  return html`${presence}${presence && status && " · "}<${Status} chat=${chat} id=${id} />`;
}

/** What is done most, as icons; the rest is in the menu. */
function PlaceButtons(/** @type {Props} */ { chat, narrow, act }) {
  const { channelId: id = 0, topic, people } = narrow?.place ?? {};
  const [channel, isOff] = [chat.channels.get(id), chat.keptAt > 0];
  if (!channel && !people) return null;
  const label = t(topic === undefined ? (channel ? "channel.menu" : "direct.menu") : "topic.menu");
  const toggle = (icon, /** @type {TextName} */ name, isOn, run) =>
    html`<button type="button" class="toggle" aria-label=${t(name)} title=${t(name)} aria-pressed=${isOn}
      disabled=${isOff} onClick=${run}>
      <${Icon} name=${icon} filled=${isOn && icon !== "bell-off"} /></button>`;
  const ofTopic = () => html`
    ${toggle("bell", "topic.follow", isFollowed(chat, id, topic), () => follow(chat, id, topic))}
    ${toggle("bell-off", "topic.mute", chat.isMuted(id, topic), () => muteTopic(chat, id, topic))}`;
  const ofChannel = ({ is_muted: isMuted = false, pin_to_top: isPinned = false }) => html`
    ${toggle("pin", "channel.pin", isPinned, () => setPersonal(channel, "pin_to_top", !isPinned))}
    ${toggle("bell-off", "topic.mute", isMuted, () => setPersonal(channel, "is_muted", !isMuted))}`;
  const count = channel?.subscriber_count;
  const search = { name: t("search.here"), run: act.search }; // of phones, which have no room for its field
  const items = () => [...placeItems(chat, narrow.place, act), !isOff && search];
  return html`
    <div class="icons">
      ${channel && (topic !== undefined ? ofTopic() : chat.subscribed.has(id) && ofChannel(channel))}
      ${
        channel &&
        html`<a class="button people" href=${`#channels/${id}`} title=${t("channel.subscribers")}
          aria-label=${t("channels.count", { count })}><${Icon} name="users" />${count}</a>`
      }
      <${Menu} key=${narrow.key} label=${label} items=${items} />
    </div>
  `;
}

/** The way to the palette, with what is searched for. */
function Search(/** @type {Props} */ { chat, narrow, page, act }) {
  const here = narrow?.forServer ?? [];
  const place = here.filter(isPlace);
  const asked = here.length === 1 && nameOf(here[0]) ? [] : here.filter((one) => !isPlace(one));
  const words = asked.map((one) => pillOf(chat, one)).join(" ");
  const hint = place.length
    ? t("search.in", { place: titleOf(chat, new Narrow(place), page) })
    : t("search.hint");
  return html`
    <button type="button" class="search" title=${`${hint} ( / )`}
      onClick=${() => act.search()}><${Icon} name="search" /><span dir="auto">${words || hint}</span>
      <kbd aria-hidden="true">${isApple ? "⌘" : "Ctrl"} K</kbd></button>
  `;
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
