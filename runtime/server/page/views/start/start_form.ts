import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { PageControl } from "../../control/page_control.ts";
import type { Info } from "../../net/shapes.ts";
import { PictureButton, PictureStrip, pictureTarget, usePictures } from "../../parts/pictures.ts";
import { sends } from "../../parts/use_store.ts";
import { FolderPicker } from "./folder_picker.ts";
import { ALL_ALLOWED, grantsOf, Permissions } from "./permissions.ts";

/** Starts a run. */
export function StartForm({ info, control }: { info: Info; control: PageControl }) {
  const [prompt, setPrompt] = useState("");
  const [agent, setAgent] = useState(info.agent);
  const [model, setModel] = useState("");
  const [folder, setFolder] = useState(info.workspace);
  const [fields, setFields] = useState(ALL_ALLOWED);
  const [isSending, setSending] = useState(false);
  const chosen = usePictures();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // On a phone, the keyboard would cover half of the form.
    if (!matchMedia("(pointer: coarse)").matches) field.current?.focus();
  }, []);
  const start = async () => {
    if (prompt.trim() === "" || isSending) return;
    setSending(true);
    const grants = grantsOf(fields);
    await control.start({
      ...{ prompt, agent, workspace: folder },
      ...model !== "" && { model },
      ...grants && { grants },
      ...chosen.pictures.length > 0 && { images: [...chosen.pictures] },
    });
    setSending(false);
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void start();
  };
  return html`
    <form class="start" onSubmit=${onSubmit} ...${pictureTarget(chosen)}>
      <h1>What shall be done?</h1>
      <div class="prompt-box">
        <label class="unseen" for="prompt">Task</label>
        <textarea id="prompt" rows="5" ref=${field} placeholder="Describe the task. Paste or drop pictures."
          value=${prompt}
          onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) =>
            setPrompt(currentTarget.value)}
          onKeyDown=${(event: KeyboardEvent) => sends(event) && onSubmit(event)}></textarea>
        <${PictureStrip} ...${chosen} />
        <div class="actions">
          <${PictureButton} ...${chosen} />
          <button type="submit" class="primary" disabled=${prompt.trim() === "" ||
            isSending}>Start run</button>
        </div>
      </div>
      <div class="grid">
        <${Choice} name="Agent" value=${agent} values=${info.agents.map(({ name }) =>
          name
        )} onChange=${setAgent}
          hint=${info.agents.find(({ name }) => name === agent)?.description ?? ""} />
        <${Choice} name="Model" value=${model} values=${["", ...info.models]} onChange=${setModel}
          none="as the agent says" />
        <${FolderPicker} control=${control} folder=${folder} onChoose=${setFolder} />
      </div>
      <${Permissions} info=${info} fields=${fields} onChange=${setFields} />
    </form>
  `;
}

interface ChoiceProps {
  name: string;
  value: string;
  values: readonly string[];
  onChange(value: string): void;
  /** What the empty value is called. */
  none?: string;
  hint?: string;
}

function Choice({ name, value, values, onChange, none = "", hint = "" }: ChoiceProps) {
  return html`<label class="field"><span class="field-name">${name}</span>
    <select value=${value} onChange=${({ currentTarget }: { currentTarget: HTMLSelectElement }) =>
    onChange(currentTarget.value)}>
      ${values.map((other) => html`<option key=${other} value=${other}>${other || none}</option>`)}
    </select>
    ${hint && html`<span class="hint">${hint}</span>`}
  </label>`;
}
