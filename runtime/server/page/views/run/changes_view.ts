import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { PageControl } from "../../control/page_control.ts";
import { runPath } from "../../net/server_api.ts";
import type { LeftFiles, RunNow, Undone } from "../../net/shapes.ts";
import { CopyButton } from "../../parts/copy_button.ts";
import { Diff } from "../../show/diff/diff.ts";
import { ChangedPictures } from "./changed_pictures.ts";

interface ChangesProps {
  control: PageControl;
  now: RunNow;
  /** `null` until they are there. */
  files: LeftFiles | null;
}

/** What a run changed and left; what it changed can be put back. */
export function ChangesView({ control, now, files }: ChangesProps) {
  const [diff, setDiff] = useState<string | null>(null);
  const [undone, setUndone] = useState<Undone | null>(null);
  const { id, updated } = now;
  useEffect(() => {
    let isGone = false;
    void control.attempt(control.api.diff(id)).then((read) => {
      if (read !== null && !isGone) setDiff(read);
    });
    return () => void (isGone = true);
  }, [id, updated, undone]);
  if (!files || diff === null) return html`<p class="hint">Reading the changes…</p>`;
  const { changed, artifacts, waits = false } = files;
  return html`<div class="changes">
    ${undone && html`<${UndoneWords} undone=${undone} />`}
    ${changed.length === 0 && !undone && html`<p class="hint">The run changed no file.</p>`}
    <ul class="changed">${
    changed.map(({ path, status, added, removed }) =>
      html`<li key=${path}><span class=${`status status-${status}`}>${status}</span> <code>${path}</code>
        ${added !== null && html`<span class="plus">+${added}</span>`}
        ${removed !== null && html`<span class="minus">−${removed}</span>`}</li>`
    )
  }</ul>
    ${now.can.undo && changed.length > 0 && html`<${Undo} control=${control} id=${id} onDone=${setUndone} />`}
    ${waits && html`<${Waiting} id=${id} />`}
    ${
    !waits && html`
      <${ChangedPictures} id=${id} changed=${changed}
        version=${`${updated} ${undone?.done.length ?? ""}`} />
    `
  }
    ${diff && html`<${Diff} text=${diff} />`}
    ${artifacts.length > 0 && html`<${Artifacts} id=${id} artifacts=${artifacts} />`}
  </div>`;
}

function Waiting({ id }: { id: string }) {
  const command = `bulkhead apply ${id}`;
  return html`
    <p class="hint">
      These changes are in a copy of the folder. Bring them in with <code>${command}</code>
      <${CopyButton} text=${command} />
    </p>
  `;
}

function Undo({ control, id, onDone }: { control: PageControl; id: string; onDone(undone: Undone): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const undo = async () => {
    dialog.current?.close();
    const undone = await control.attempt(control.api.undo(id));
    if (undone) onDone(undone);
  };
  return html`
    <div class="undo">
      <button type="button" class="danger" onClick=${() =>
        dialog.current?.showModal()}>Undo all changes…</button>
      <dialog ref=${dialog} aria-labelledby="undo-title">
        <h2 id="undo-title">Undo all changes?</h2>
        <p>All files get back what was in them before the run. Files that were changed later are left as they are.</p>
        <div class="actions">
          <button type="button" class="danger" onClick=${() => void undo()}>Undo</button>
          <button type="button" onClick=${() => dialog.current?.close()}>Keep the changes</button>
        </div>
      </dialog>
    </div>
  `;
}

function UndoneWords({ undone: { done, refused } }: { undone: Undone }) {
  const words = useRef<HTMLDivElement>(null);
  // The button that had the focus goes; the words take it before anybody sees them.
  useLayoutEffect(() => words.current?.focus(), []);
  return html`
    <div class="undone" role="status" tabindex="-1" ref=${words}>
      <p>${done.length > 0 ? "The changes are undone." : "Nothing was undone."}</p>
      <ul>
          ${done.map(({ path, action }) =>
            html`<li key=${path}><code>${path}</code> ${
              action === "remove" ? "was removed" : "was put back"
            }</li>`
          )}
          ${refused.map(({ path, reason }) => html`<li key=${path}><code>${path}</code>: ${reason}</li>`)}
        </ul>
    </div>
  `;
}

function Artifacts({ id, artifacts }: { id: string; artifacts: LeftFiles["artifacts"] }) {
  return html`
    <section>
      <h2 class="small-head">Files of the session</h2>
      <ul class="artifacts">${artifacts.map(({ name, type, bytes }) => {
        const address = `${runPath(id)}/files/${name.split("/").map(encodeURIComponent).join("/")}`;
        return html`<li key=${name}><a href=${address} target="_blank" rel="noopener">${name}</a>
        <span class="hint">${Math.ceil(bytes / 1024)} KiB</span>
        ${type.startsWith("image/") && html`<img src=${address} alt=${name} loading="lazy" />`}</li>`;
      })}</ul>
    </section>
  `;
}
