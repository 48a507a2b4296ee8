import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "../base/html.ts";
import type { PageControl } from "../control/page_control.ts";
import { runPath } from "../net/server_api.ts";
import type { RunRow } from "../net/shapes.ts";

/** What is done elsewhere closes the menu. */
const LEAVING = ["pointerdown", "focusin"] as const;

/** What else can be done with a run. */
export function RunMenu({ run, control }: { run: RunRow; control: PageControl }) {
  const { id, task } = run;
  const menu = useRef<HTMLDetailsElement>(null);
  const [isSure, setSure] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const close = () => {
    setSure(false);
    setCopied(false);
    if (menu.current) menu.current.open = false;
  };
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (!isOpen) return;
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !menu.current?.contains(target)) close();
    };
    for (const kind of LEAVING) addEventListener(kind, leave);
    return () => {
      for (const kind of LEAVING) removeEventListener(kind, leave);
    };
  }, [isOpen]);
  const onKeyDown = ({ key }: KeyboardEvent) => {
    if (key !== "Escape" || !menu.current?.open) return;
    close();
    menu.current.querySelector("summary")?.focus();
  };
  const again = () => {
    close();
    void control.again(run);
  };
  const copy = () => void navigator.clipboard.writeText(id).then(() => setCopied(true));
  const remove = () => {
    if (!isSure) return setSure(true);
    close();
    void control.remove(id);
  };
  return html`
    <details class="menu" ref=${menu} onToggle=${() =>
      setOpen(menu.current?.open === true)} onKeyDown=${onKeyDown}>
      <summary aria-label=${`More for the run ${task.slice(0, 60)}`} title="More">⋯</summary>
      <div class="menu-list">
        <button type="button" onClick=${again}>Run again</button>
        <button type="button" onClick=${copy}>${isCopied ? "Copied" : "Copy id"}</button>
        <a class="button" href=${`${
          runPath(id)
        }/export`} download=${`run-${id}.html`} onClick=${close}>Export HTML</a>
        <button type="button" class="danger" onClick=${remove}>${isSure
          ? "Really remove it?"
          : "Remove"}</button>
      </div>
    </details>
  `;
}
