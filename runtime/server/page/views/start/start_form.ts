import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { PageControl } from "../../control/page_control.ts";
import type { Info } from "../../net/shapes.ts";
import {
  type ChosenPictures,
  PictureButton,
  PictureStrip,
  pictureTarget,
  usePictures,
} from "../../parts/pictures.ts";
import { sends } from "../../parts/use_store.ts";
import { FolderPicker } from "./folder_picker.ts";
import type { RunDraft } from "../../control/page_state.ts";
import { grantsOf, permissionFieldsOf } from "../../state/permission_fields.ts";
import { ModelCard } from "./model_card.ts";
import { Permissions } from "./permissions.ts";

interface StartProps {
  info: Info;
  control: PageControl;
  /** What the form begins with. */
  draft: RunDraft | null;
}

/** Starts a run. */
export function StartForm({ info, control, draft }: StartProps) {
  const given = draft?.run;
  const [prompt, setPrompt] = useState(given?.prompt ?? "");
  const [agent, setAgent] = useState(given?.agent ?? info.agent);
  const [model, setModel] = useState(given?.model ?? "");
  const [folder, setFolder] = useState(given?.workspace ?? info.workspace);
  const [fields, setFields] = useState(permissionFieldsOf(given?.grants ?? null));
  const [isSending, setSending] = useState(false);
  const chosen = usePictures();
  const usual = info.agents.find(({ name }) => name === agent)?.model ?? info.model;
  const asked = model || usual;
  const isModelless = asked === null || asked === info.model && info.model_problem !== null;
  const whyOff = isModelless
    ? "There is no model that can be asked"
    : prompt.trim() === ""
    ? "Describe the task first"
    : "";
  const start = async () => {
    if (whyOff !== "" || isSending) return;
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
      <h1>What should it do?</h1>
      ${isModelless && html`<${ModelCard} info=${info} control=${control} />`}
      <${PromptBox} prompt=${prompt} onPrompt=${setPrompt} onSubmit=${onSubmit} chosen=${chosen}
        whyOff=${whyOff} isTold=${isModelless} isSending=${isSending} />
      <div class="grid">
        <${Choice} name="Agent" value=${agent} values=${info.agents.map(({ name }) =>
          name
        )} onChange=${setAgent}
          hint=${info.agents.find(({ name }) => name === agent)?.description ?? ""} />
        <${Choice} name="Model" value=${model} values=${["", ...info.models.filter((one) => one !== usual)]}
          onChange=${setModel} none=${usual === null ? "none" : `${usual} (default)`} />
        <${FolderPicker} control=${control} folder=${folder} onChoose=${setFolder} />
      </div>
      <${Permissions} info=${info} folder=${folder} fields=${fields} onChange=${setFields} />
    </form>
  `;
}

interface PromptProps {
  prompt: string;
  onPrompt(prompt: string): void;
  onSubmit(event: Event): void;
  chosen: ChosenPictures;
  /** Why the run cannot start; empty if it can. */
  whyOff: string;
  /** That stands beside the button. */
  isTold: boolean;
  isSending: boolean;
}

function PromptBox({ prompt, onPrompt, onSubmit, chosen, whyOff, isTold, isSending }: PromptProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // On a phone, the keyboard would cover half of the form.
    if (!matchMedia("(pointer: coarse)").matches) field.current?.focus();
  }, []);
  return html`
    <div class="prompt-box">
      <label class="unseen" for="prompt">Task</label>
      <textarea id="prompt" rows="5" ref=${field} placeholder="Describe the task. Paste or drop pictures."
        value=${prompt}
        onInput=${({ currentTarget }: { currentTarget: HTMLTextAreaElement }) =>
          onPrompt(currentTarget.value)}
        onKeyDown=${(event: KeyboardEvent) => sends(event) && onSubmit(event)}></textarea>
      <${PictureStrip} ...${chosen} />
      <div class="actions">
        <${PictureButton} ...${chosen} />
        <span class="grow"></span>
        ${isTold && html`<span class="hint">${whyOff}</span>`}
        <button type="submit" class="primary" title=${whyOff} disabled=${whyOff !== "" ||
          isSending}>Start run</button>
      </div>
    </div>
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
