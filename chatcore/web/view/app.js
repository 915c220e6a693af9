/** The page after the login. */

import { keyOf } from "../model/drafts.js";
import { Narrow } from "../model/narrow.js";
import { keepPresent } from "../model/presence.js";
import { t } from "../text/text.js";
import { SkipLink, useArrival, useOpenPlaces } from "./access.js";
import { conversationOf, linkTo, star } from "./actions.js";
import { Compose, placeOf } from "./compose.js";
import { useDesktopNotifications } from "./desktop.js";
import { DIALOGS } from "./dialogs/index.js";
import { showCount } from "./favicon.js";
import { html, useEffect, useMemo, useModel, useState } from "./html.js";
import { unreadPlaces } from "./inbox.js";
import { KeyHelp, useKeys } from "./keys.js";
import { Messages } from "./messages.js";
import { notices, report } from "./notice.js";
import { Outbox } from "./outbox.js";
import { Page, pageOf } from "./pages.js";
import { PictureView } from "./pictures.js";
import { usePreferences } from "./preferences.js";
import { Sidebar } from "./sidebar.js";
import { Topbar, titleOf } from "./topbar.js";

/**
 * What parts of the page can ask of other parts. The parts that are shown set the functions.
 *
 * @typedef {any} Acts
 */

/** @param {{connection: import("../model/connection.js").Connection}} props */
export function App({ connection }) {
  const chat = /** @type {import("../model/chat.js").Chat} */ (connection.chat);
  useModel(connection);
  useModel(chat);
  useModel(notices);
  usePreferences(chat);
  useDesktopNotifications(chat);
  useEffect(() => keepPresent(chat), [chat]);
  const { narrow, page } = useAddress();
  const [isOpen, setOpen] = useState(false);
  const [helps, setHelps] = useState(false);
  const act = useMemo(() => actions(chat), [chat]);
  const [dialog, setDialog] = useState(/** @type {{view: any, props: object} | null} */ (null));
  act.help = setHelps;
  act.show = async (/** @type {string} */ name, /** @type {object} */ props) => {
    const view = await report(DIALOGS[name]());
    if (view) setDialog({ view, props });
  };
  act.toggleSidebar = () => setOpen(!isOpen);
  useKeys(act);
  useEffect(() => setOpen(false), [narrow?.key, page.name]);
  useOpenPlaces(isOpen, setOpen);
  useArrival(narrow?.key ?? page.name);
  const count = chat.unreadCount;
  useEffect(() => showCount(count), [count]);
  useEffect(() => {
    document.title = `${count ? `(${count}) ` : ""}${titleOf(chat, narrow, page.name)} · ${chat.state.realm_name}`;
  }, [count, narrow?.key, page.name, chat.state.realm_name]);

  const place = placeOf(narrow);
  const canWrite = place.people !== undefined || (place.channelId !== undefined && !chat.channels.get(place.channelId)?.is_archived);
  const typing = narrow?.isConversation ? chat.whoTypes(keyOf(place)) : [];
  return html`
    <div class="page">
      <${SkipLink} />
      <${Sidebar} chat=${chat} narrow=${narrow} page=${narrow ? null : page.name} isOpen=${isOpen} />
      <main>
        <${Topbar} chat=${chat} narrow=${narrow} page=${page.name} isOpen=${isOpen} act=${act} />
        ${connection.isLost && html`<p class="lost" role="status">${connection.refusal || t("status.lost")}</p>`}
        ${narrow ? html`<${Messages} key=${narrow.key} chat=${chat} narrow=${narrow} act=${act} />` : html`<${Page} name=${page.name} parts=${page.parts} chat=${chat} act=${act} />`}
        <${Outbox} chat=${chat} />
        <p class="typing" aria-live="off">${typing.length > 0 && t(typing.length > 1 ? "status.typing.many" : "status.typing.one", { names: typing.join(", ") })}</p>
        ${canWrite && html`<${Compose} chat=${chat} place=${place} act=${act} />`}
      </main>
      <${PictureView} />
      ${dialog && html`<${dialog.view} chat=${chat} act=${act} close=${() => setDialog(null)} ...${dialog.props} />`}
      ${helps && html`<${KeyHelp} close=${() => setHelps(false)} />`}
      <div class="notices" role="status">${notices.shown.map(({ id, text }) => html`<p key=${id}>${text}</p>`)}</div>
    </div>
  `;
}

/** The narrow of the address, or null, and the page of an address without a narrow. */
function useAddress() {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = () => setHash(location.hash);
    addEventListener("hashchange", onChange);
    onChange(); // it may have changed since the rendering
    return () => removeEventListener("hashchange", onChange);
  }, []);
  return useMemo(() => ({ narrow: Narrow.parse(hash), page: pageOf(hash) }), [hash]);
}

/** @param {import("../model/chat.js").Chat} chat @returns {Acts} */
function actions(chat) {
  const name = (/** @type {number} */ id) => chat.channelName(id);
  const go = (/** @type {Narrow} */ narrow) => {
    location.hash = narrow.hash(name);
  };
  /** @type {Acts} */
  const act = {
    list: null,
    marked: 0,
    wanted: "",
    focus() {},
    insert() {},
    search() {},
    mark() {},
    goTo: (/** @type {number} */ channelId, /** @type {string} */ topic) => go(Narrow.of(["channel", channelId], ["topic", topic])),
    nextUnread() {
      const here = Narrow.parse(location.hash)?.key;
      const next = unreadPlaces(chat).find(({ narrow }) => narrow.key !== here);
      if (next) go(next.narrow);
      else location.hash = "#inbox";
    },
    move(/** @type {number} */ step) {
      const ids = act.list?.ids ?? [];
      if (!ids.length) return;
      const at = ids.indexOf(act.marked);
      const id = ids[Math.max(0, Math.min(ids.length - 1, at < 0 ? ids.length - 1 : at + step))];
      act.mark(id);
      requestAnimationFrame(() => {
        const element = document.getElementById(`message-${id}`);
        element?.focus({ preventScroll: true });
        element?.scrollIntoView({ block: "nearest" });
      });
    },
    get message() {
      return chat.messages.get(act.marked) ?? act.list?.messages.at(-1);
    },
    reply() {
      const message = act.message;
      if (!message) return;
      go(conversationOf(chat, message));
      setTimeout(() => act.focus(), 50);
    },
    quote(/** @type {import("../model/messages.js").Message} */ message) {
      const narrow = conversationOf(chat, message);
      const link = linkTo(chat, message);
      import("../api.js").then(async ({ call }) => {
        const { message: raw } = await call("GET", `messages/${message.id}`, { apply_markdown: false });
        const fence = "`".repeat(Math.max(3, ...[...raw.content.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)));
        const said = t("compose.quote", { name: `@_**${chat.name(message.sender_id)}|${message.sender_id}**` });
        go(narrow);
        setTimeout(() => act.insert(`${said} [↗](${link})\n${fence}quote\n${raw.content}\n${fence}\n`), 50);
      });
    },
    quoteMarked() {
      if (act.message) act.quote(act.message);
    },
    starMarked() {
      if (act.message) star(act.message);
    },
    want(/** @type {string} */ what) {
      act.wanted = what;
      act.mark(0);
      const id = act.message?.id;
      if (id) requestAnimationFrame(() => act.mark(id));
    },
    editLast() {
      const mine = act.list?.messages.filter((/** @type {any} */ one) => one.sender_id === chat.me).at(-1);
      if (!mine) return;
      act.wanted = "edit";
      act.mark(mine.id);
    },
  };
  return act;
}
