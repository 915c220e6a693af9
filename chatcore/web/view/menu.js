/** Menus: a button, and a list of actions over the page. The browser closes the list, and returns the focus. */

import { html, useEffect, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";

let last = 0;

/** @typedef {{name: string, run: () => void} | false | null | undefined} Item */

/** *items* gives what there is to choose; *open* opens the list once, as a click does. */
export function Menu({ label, items, open = false }) {
  const [id] = useState(() => `menu-${++last}`);
  const list = useRef(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    list.current.previousElementSibling.focus();
    list.current.showPopover();
  }, [open]);
  useEffect(() => {
    if (!isOpen) return;
    const button = list.current.previousElementSibling.getBoundingClientRect();
    const { offsetWidth, offsetHeight, style } = list.current;
    style.left = `${Math.max(4, Math.min(button.right - offsetWidth, innerWidth - offsetWidth - 4))}px`;
    style.top = `${Math.max(4, Math.min(button.bottom + 2, innerHeight - offsetHeight - 4))}px`;
    list.current.querySelector("button").focus();
  }, [isOpen]);
  const onKeyDown = (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    event.stopPropagation();
    if (!step) return;
    event.preventDefault();
    const buttons = [...list.current.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    buttons[(at + step + buttons.length) % buttons.length].focus();
  };
  const choose = (run) => {
    list.current.hidePopover();
    run();
  };
  return html`
    <button type="button" popovertarget=${id} aria-haspopup="menu" aria-expanded=${isOpen} title=${label} aria-label=${label}><${Icon} name="more" /></button>
    <div id=${id} class="list" popover="auto" role="menu" aria-label=${label} ref=${list} onKeyDown=${onKeyDown}
      onToggle=${(event) => setOpen(event.newState === "open")}>
      ${isOpen && items().map((item) => item && html`<button type="button" role="menuitem" key=${item.name} onClick=${() => choose(item.run)}>${item.name}</button>`)}
    </div>
  `;
}
