/**
 * What opens at something that was clicked, one at a time: beside it or, on a phone, as a sheet at the lower
 * edge. Escape and a click elsewhere close it, and the focus returns; the browser does that.
 */

import { Over } from "./dialog.js";
import { html, useLayoutEffect, useListener, useModel, useRef } from "./html.js";
import { putBeside } from "./menu.js";

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
