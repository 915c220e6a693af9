/**
 * What opens at something that was clicked: menus, which are a button and a list of actions, and views.
 * Escape and a click elsewhere close it, and the focus returns; the browser does that.
 */

import { Over } from "./dialog.js";
import { html, useEffect, useLayoutEffect, useListener, useModel, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";

let last = 0;
const GAP = 4;

/**
 * Put what lies over the page below a rectangle, or above it where there is no room below; on phones, it is a
 * sheet at the lower edge.
 *
 * @param {HTMLElement} element
 * @param {DOMRect} rectangle
 * @param {number} left
 */
export function putBeside({ style, offsetWidth, offsetHeight }, { top, bottom }, left) {
  const isBelow = bottom + 2 * GAP + offsetHeight <= innerHeight;
  style.setProperty("--left", `${Math.max(GAP, Math.min(left, innerWidth - offsetWidth - GAP))}px`);
  style.setProperty("--top", `${isBelow ? bottom + GAP : Math.max(GAP, top - GAP - offsetHeight)}px`);
}

/** @typedef {{name: string, run: () => void, sign?: string, isOn?: boolean} | Falsy} Item */
/** @typedef {false | null | undefined} Falsy */

/** *items* gives what there is to choose; *open* opens the list once, as a click does. */
export function Menu({ label, items, open = false }) {
  const [id] = useState(() => `menu-${++last}`);
  const list = useRef(null);
  const at = useRef(0); // of the item that has the focus
  const [isOpen, setOpen] = useState(false);
  const shown = isOpen ? items().filter(Boolean) : [];
  const buttons = () => [...list.current.querySelectorAll("button")];
  useEffect(() => {
    if (!open) return;
    list.current.previousElementSibling.focus();
    list.current.showPopover();
  }, [open]);
  useEffect(() => {
    if (!isOpen) return;
    const button = list.current.previousElementSibling.getBoundingClientRect();
    putBeside(list.current, button, button.right - list.current.offsetWidth);
    if (!list.current.contains(document.activeElement))
      buttons()[Math.min(at.current, shown.length - 1)].focus(); // also when an item goes that had it
  }, [isOpen, shown.map(({ name }) => name).join()]);
  const onKeyDown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    event.stopPropagation();
    if (!step) return;
    event.preventDefault();
    const those = buttons();
    those[(at.current + step + those.length) % those.length].focus();
  };
  const onToggle = ({ newState }) => {
    at.current = 0;
    setOpen(newState === "open");
  };
  const choose = (run) => {
    list.current.hidePopover();
    run();
  };
  const item = ({ name, sign, isOn, run }) => html`
    <button type="button" role=${isOn === undefined ? "menuitem" : "menuitemcheckbox"} aria-checked=${isOn}
      key=${name} aria-label=${sign && name} title=${sign && name}
      onClick=${() => choose(run)}>${sign ?? name}</button>`;
  const signs = shown.filter(({ sign }) => sign);
  return html`
    <button type="button" class="plain" popovertarget=${id} aria-haspopup="menu" aria-expanded=${isOpen}
      title=${label} aria-label=${label}><${Icon} name="ellipsis" /></button>
    <div id=${id} class="list" popover="auto" role="menu" aria-label=${label} ref=${list}
      onKeyDown=${onKeyDown} onToggle=${onToggle}
      onFocusIn=${({ target }) => (at.current = buttons().indexOf(target))}>
      ${signs.length > 0 && html`<div class="icons signs" role="group">${signs.map(item)}</div>`}
      ${shown.filter(({ sign }) => !sign).map(item)}
    </div>
  `;
}

/** A view at something, one at a time. */
class Popover extends Over {
  /**
   * Show a view, which gets {chat, act, close} and *props*, with a name, at an element.
   *
   * @param {Element} anchor
   * @param {string} label
   * @param {(props: any) => unknown} view
   * @param {object} [props]
   */
  show(anchor, label, view, props = {}) {
    this.set({ shown: { anchor, label, view, props } });
  }
}

export const popover = new Popover();

/** What is open. */
export function OpenPopover(props) {
  useModel(popover);
  useListener("hashchange", () => popover.close(), []);
  return popover.shown && html`<${Popped} key=${popover.version} one=${popover.shown} ...${props} />`;
}

function Popped({ one, ...props }) {
  const element = useRef(null);
  const close = () => element.current?.hidePopover();
  useLayoutEffect(() => {
    const { current } = element;
    const at = one.anchor.getBoundingClientRect();
    current.showPopover();
    putBeside(current, at, at.left);
    (current.querySelector("a, button") ?? current).focus();
    return close;
  }, []);
  return html`
    <div class="popped" popover="auto" role="dialog" tabindex="-1" aria-label=${one.label} ref=${element}
      onToggle=${({ newState }) => newState === "closed" && popover.close(one)}>
      <${one.view} ...${props} close=${close} ...${one.props} /></div>
  `;
}
