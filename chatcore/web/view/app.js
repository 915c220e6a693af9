/** The page of a session: the chat, once its state is there. */

import { Connection } from "../model/connection.js";
import { MessageList } from "../model/messages.js";
import { Narrow } from "../model/narrow.js";
import { own } from "../model/own.js";
import { aboutOf, keyOf, notePlace } from "../model/places.js";
import { keepPresent } from "../model/presence.js";
import { mayWriteTo } from "../model/rights.js";
import { SkipLink, useArrival, useOpenPlaces } from "./access.js";
import { Bottom } from "./bottom.js";
import { useDevice, useNotifications, usePreferences, useTitle } from "./desktop.js";
import { useKeys } from "./keys.js";
import { Boundary, Failure, OpenDialog, OpenPopover, fullTime, html, popover, report, t } from "./kit.js";
import { useEffect, useLayoutEffect, useListener, useMemo, useModel, useRef, useState } from "./kit.js";
import { Compose } from "./messages/compose.js";
import { Outbox } from "./messages/echo.js";
import { Messages } from "./messages/list.js";
import { PageActions } from "./page_actions.js";
import { Page, pageOf } from "./pages/pages.js";
import { Head } from "./places/head.js";
import { Sidebar } from "./sidebar.js";
import { titleOf } from "./titles.js";

function connect() {
  const connection = new Connection();
  connection.run();
  return connection;
}

export function Session() {
  const connection = useMemo(connect, []);
  useModel(connection);
  if (connection.chat) return html`<${Boundary} otherwise=${Failure}><${App} connection=${connection} /><//>`;
  const status = connection.refusal || t(connection.isLost ? "status.lost" : "list.loading");
  return html`<p class="none" role="status">${status}</p>`;
}

function App({ connection }) {
  const chat = /** @type {Chat} */ (connection.chat);
  useModel(connection);
  useModel(chat);
  usePreferences(chat);
  useNotifications(chat);
  useEffect(() => keepPresent(chat), [chat]);
  const { narrow, page } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const address = narrow && `${narrow.key} ${narrow.near}`;
  const list = useMemo(() => narrow && new MessageList(chat, narrow), [chat, address]);
  const compose = useRef(null);
  const act = useMemo(() => new PageActions(chat, list, { compose }), [chat, list]);
  useKeys(act);
  useCards(chat);
  useDevice(chat);
  useLayoutEffect(() => setOpen(false), [narrow?.key, page.name]);
  useOpenPlaces(isOpen, setOpen);
  useArrival(narrow?.key ?? page.name);
  const place = narrow?.place ?? {};
  const isUnknown = narrow !== null && !knows(chat, narrow);
  const isWhole = !!narrow?.isWhole;
  const canWrite = isWhole && !isUnknown && !chat.keptAt && mayWriteTo(chat, place);
  useEffect(() => {
    if (isWhole && !isUnknown) notePlace(chat, place);
  }, [narrow?.key, isUnknown]);
  useTitle(titleOf(chat, narrow, page.name), chat);

  const keptAt = chat.keptAt && t("status.offline", { time: fullTime(chat.keptAt) });
  const lost = keptAt || (connection.isLost && t("status.lost"));
  const outdated = () => html`${t("status.outdated")} <button onClick=${() => location.reload()}>
    ${t("status.reload")}</button>`;
  const state = lost ? connection.refusal || lost : chat.isOutdated && outdated();
  const typing = narrow?.isConversation ? chat.whoTypes(keyOf(place)) : [];
  const names = typing.join(", ");
  const typed = names && t(typing.length > 1 ? "status.typing.many" : "status.typing.one", { names });
  return html`
    <div class="page">
      <${SkipLink} />
      <${Sidebar} chat=${chat} narrow=${narrow} page=${narrow ? null : page.name} isOpen=${isOpen}
        logOut=${connection.logOut} act=${act} />
      <main>
        <${Head} chat=${chat} narrow=${narrow} page=${page.name} act=${act} />
        ${isUnknown && html`<p class="none scroller" role="status">${t("list.unknown")}</p>`}
        ${
          narrow &&
          !isUnknown &&
          html`<${Messages} key=${address} chat=${chat} list=${list} narrow=${narrow} act=${act} />`
        }
        ${!narrow && html`<${Page} ...${page} chat=${chat} act=${act} logOut=${connection.logOut} />`}
        <${Outbox} chat=${chat} list=${isUnknown ? null : list} />
        ${state && html`<p class="lost" role="status">${state}</p>`}
        ${narrow && html`<p class="typing" aria-live="off">${typed}</p>`}
        ${canWrite && html`<${Compose} chat=${chat} place=${place} act=${act} area=${compose} />`}
      </main>
      <${Bottom} narrow=${narrow} page=${narrow ? null : page.name} isOpen=${isOpen}
        setOpen=${setOpen} act=${act} />
      <${OpenDialog} chat=${chat} act=${act} logOut=${connection.logOut} />
      <${OpenPopover} chat=${chat} act=${act} />
    </div>
  `;
}

/** Whether the channels and people of a narrow are known. @param {Chat} chat @param {Narrow} narrow */
function knows(chat, narrow) {
  const tests = {
    channel: (one) =>
      typeof one === "number"
        ? chat.channels.has(one)
        : chat.sortedChannels.some(({ name }) => name.toLowerCase() === one.toLowerCase()),
    dm: (people) => !Array.isArray(people) || people.every((id) => chat.people.has(id)),
    sender: (one) => typeof one !== "number" || chat.people.has(one),
  };
  return narrow.terms.every(({ operator, operand }) => own(tests, operator)?.(operand) ?? true);
}

/** The narrow of the address, or null, and the page of an address without a narrow. */
function useAddress() {
  const [hash, setHash] = useState(location.hash);
  const onChange = () => setHash(location.hash);
  useListener("hashchange", onChange, []);
  useEffect(onChange, []); // it may have changed since the rendering
  return useMemo(() => ({ narrow: Narrow.parse(hash), page: pageOf(hash) }), [hash]);
}

const NAMES = ":is(.message, .topbar) a[href^='#people/']";

/**
 * Open the card of a person at a name or face, unless the reader wants the page elsewhere; say what links to
 * channels are about.
 */
function useCards(/** @type {Chat} */ chat) {
  const onClick = async (event) => {
    const { target, ctrlKey, metaKey, shiftKey, defaultPrevented } = event;
    const name = target.closest?.(NAMES);
    if (!name || ctrlKey || metaKey || shiftKey || defaultPrevented) return;
    event.preventDefault();
    const id = Number(name.getAttribute("href").split("/")[1]);
    const loaded = await report(import("./places/card.js"));
    if (loaded) popover.show(name, chat.name(id), loaded.PersonCard, { id });
  };
  const onReach = ({ target }) => {
    const link = target.closest?.("a[href^='#narrow/channel/']:not([href*='/topic/'])");
    const channel = chat.channels.get(Narrow.parse(link?.hash ?? "")?.channelId ?? 0);
    const about = channel && aboutOf(channel);
    if (about) link.title = about;
  };
  useListener("click", onClick, [chat]);
  useListener("pointerover", onReach, [chat]);
  useListener("focusin", onReach, [chat]);
}
