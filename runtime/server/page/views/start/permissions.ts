import { useEffect, useRef, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { Info } from "../../net/shapes.ts";
import { Chips } from "../../parts/chips.ts";
import { permissionChips } from "../../state/permission_chips.ts";
import { grantsOf, type PermissionFields } from "../../state/permission_fields.ts";

interface FieldsProps {
  info: Info;
  folder: string;
  fields: PermissionFields;
  onChange(fields: PermissionFields): void;
}

/** Fields for what a run may not do, of what the server lets it do. */
export function Permissions({ info, folder, fields, onChange }: FieldsProps) {
  const [isOpen, setOpen] = useState(false);
  const wanted = useRef<string | null>(null);
  useEffect(() => {
    if (isOpen && wanted.current !== null) document.getElementById(`field-${wanted.current}`)?.focus();
    wanted.current = null;
  });
  const onChip = (field: string | null) => {
    wanted.current = field;
    // A field that is open already takes the focus, too.
    setOpen(true);
    if (isOpen && field !== null) document.getElementById(`field-${field}`)?.focus();
  };
  const set = (part: Partial<PermissionFields>) => onChange({ ...fields, ...part });
  const text = (name: "denyRead" | "denyWrite" | "denyNet" | "denyRun", words: string, example: string) =>
    html`<label class="field"><span class="field-name">${words}</span>
      <input type="text" id=${`field-${name}`} placeholder=${example} value=${fields[name]} spellcheck="false"
        onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      set({ [name]: currentTarget.value })} /></label>`;
  const tick = (name: "isNetDenied" | "isRunDenied", words: string) =>
    html`<label class="tick"><input type="checkbox" checked=${fields[name]}
      onChange=${() => set({ [name]: !fields[name] })} />${words}</label>`;
  return html`
    <${Chips} chips=${permissionChips(info, folder, grantsOf(fields))} onChip=${onChip} />
    <details class="permissions" open=${isOpen} onToggle=${(
      { currentTarget }: { currentTarget: HTMLDetailsElement },
    ) => setOpen(currentTarget.open)}>
      <summary>Take permissions away</summary>
      <p class="hint">The server decides what is allowed. A run can do without some of it.</p>
      <div class="grid">
          <label class="field"><span class="field-name">Policy</span>
            <select value=${fields.policy} onChange=${(
              { currentTarget }: { currentTarget: HTMLSelectElement },
            ) => set({ policy: currentTarget.value })}>
              <option value="">As the server: ${info.policy}</option>
              <option value="read-only">read-only: nothing is changed</option>
              <option value="read-only-no-net">read-only-no-net: and no network</option>
            </select></label>
          ${text("denyRead", "Paths not to read", ".env, secrets")}
          ${text("denyWrite", "Paths not to write", "docs, package.json")}
          ${text("denyNet", "Hosts not to reach", "example.com")}
          ${text("denyRun", "Programs not to start", "git, npm")}
        </div>
      <div class="ticks">${tick("isNetDenied", "No network at all")}${tick(
        "isRunDenied",
        "No programs at all",
      )}</div>
      <${ToolChoice} info=${info} tools=${fields.tools} onChange=${(tools: readonly string[] | null) =>
        set({ tools })} />
    </details>
  `;
}

interface ToolProps {
  info: Info;
  tools: readonly string[] | null;
  onChange(tools: readonly string[] | null): void;
}

function ToolChoice({ info, tools, onChange }: ToolProps) {
  const [search, setSearch] = useState("");
  const words = search.toLowerCase();
  const shown = info.tools.filter(({ full_name }) => full_name.toLowerCase().includes(words));
  const change = (name: string) => {
    const some = tools ?? [];
    onChange(some.includes(name) ? some.filter((other) => other !== name) : [...some, name]);
  };
  return html`<fieldset class="tools">
    <legend>Tools</legend>
    <label class="tick"><input type="checkbox" checked=${tools === null}
      onChange=${() => onChange(tools === null ? [] : null)} />All tools of the agent</label>
    ${
    tools !== null && html`
      <div>
        <label class="field"><span class="unseen">Search tools</span><input type="search" value=${search}
              placeholder="Search tools" onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
                setSearch(currentTarget.value)} /></label>
        <div class="tool-list" role="group" aria-label="Tools" tabindex="0">${shown.map((
          { full_name, description },
        ) =>
          html`<label class="tick" key=${full_name} title=${description}><input type="checkbox"
          checked=${tools.includes(full_name)} onChange=${() => change(full_name)} />${full_name}</label>`
        )}</div>
      </div>
    `
  }
  </fieldset>`;
}
