/**
 * Menus: a button, and a list of actions over the page. The browser closes the list, and returns the focus.
 */

import { html, useEffect, useRef, useState } from "./html.js";
import { Icon } from "./icon.js";

let last = 0;

/** @typedef {{name: string, run: () => void} | false | null | undefined} Item */

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
    const { offsetWidth, offsetHeight, style } = list.current;
    style.left = `${Math.max(4, Math.min(button.right - offsetWidth, innerWidth - offsetWidth - 4))}px`;
    style.top = `${Math.max(4, Math.min(button.bottom + 2, innerHeight - offsetHeight - 4))}px`;
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
  return html`
    <button type="button" class="plain" popovertarget=${id} aria-haspopup="menu" aria-expanded=${isOpen}
      title=${label} aria-label=${label}><${Icon} name="ellipsis" /></button>
    <div id=${id} class="list" popover="auto" role="menu" aria-label=${label} ref=${list}
      onKeyDown=${onKeyDown} onToggle=${onToggle}
      onFocusIn=${({ target }) => (at.current = buttons().indexOf(target))}>
      ${shown.map(
        ({ name, run }) => html`<button type="button" role="menuitem" key=${name}
        onClick=${() => choose(run)}>${name}</button>`,
      )}
    </div>
  `;
}
