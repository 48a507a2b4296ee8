import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { PageControl } from "../../control/page_control.ts";
import type { FolderList } from "../../net/shapes.ts";

interface PickerProps {
  control: PageControl;
  folder: string;
  onChoose(folder: string): void;
}

/** Shows the folder of a run, and lets a person choose another one. */
export function FolderPicker({ control, folder, onChoose }: PickerProps) {
  const [isOpen, setOpen] = useState(false);
  return html`<div class="field">
    <span class="field-name" id="folder-name">Folder</span>
    <button type="button" class="folder-button" aria-describedby="folder-name" onClick=${() => setOpen(true)}>
      <span class="path">${folder || "…"}</span></button>
    ${
    isOpen && html`
      <${FolderDialog} control=${control} folder=${folder} onChoose=${onChoose}
        onClose=${() => setOpen(false)} />
    `
  }
  </div>`;
}

function FolderDialog({ control, folder, onChoose, onClose }: PickerProps & { onClose(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [list, setList] = useState<FolderList | null>(null);
  const [problem, setProblem] = useState("");
  const open = (path: string) =>
    control.api.folders(path).then((found) => {
      setList(found);
      setProblem("");
    }, (error) => setProblem(String(error.message)));
  useEffect(() => {
    dialog.current?.showModal();
    void open(folder);
  }, []);
  const choose = () => {
    if (list) onChoose(list.path);
    dialog.current?.close();
  };
  const roots = control.store.value.info?.workspaces ?? [];
  return html`<dialog ref=${dialog} class="folders" aria-labelledby="folders-title" onClose=${onClose}>
    <h2 id="folders-title">Choose a folder</h2>
    ${
    roots.length > 1 && html`<div class="choices">${
      roots.map((root) =>
        html`<button type="button" key=${root} onClick=${() => void open(root)}>${root}</button>`
      )
    }</div>`
  }
    <p class="path" aria-live="polite">${list?.path ?? folder}</p>
    ${problem && html`<p class="warning" role="alert">${problem}</p>`}
    <ul class="folder-list">
      ${
    list?.parent &&
    html`<li><button type="button" onClick=${() => void open(list.parent!)}>↑ Up</button></li>`
  }
      ${
    list?.folders.map(({ name, path }) =>
      html`<li key=${path}><button type="button" onClick=${() => void open(path)}>${name}</button></li>`
    )
  }
    </ul>
    ${list?.folders.length === 0 && html`<p class="hint">No folder in it.</p>`}
    ${list?.truncated && html`<p class="hint">There are more folders than are shown.</p>`}
    <div class="actions">
      <button type="button" class="primary" disabled=${!list} onClick=${choose}>Choose this folder</button>
      <button type="button" onClick=${() => dialog.current?.close()}>Cancel</button>
    </div>
  </dialog>`;
}
