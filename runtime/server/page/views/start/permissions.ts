import { useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { Info, NewRun } from "../../net/shapes.ts";
import { listedValues, withoutWords } from "../../state/words.ts";

/** What a person takes away from a run, as it stands in the fields. */
export interface PermissionFields {
  policy: string;
  denyRead: string;
  denyWrite: string;
  denyNet: string;
  denyRun: string;
  isNetDenied: boolean;
  isRunDenied: boolean;
  /** Full names; `null` for all. */
  tools: readonly string[] | null;
}

/** Nothing is taken away. */
export const ALL_ALLOWED: PermissionFields = {
  ...{ policy: "", denyRead: "", denyWrite: "", denyNet: "", denyRun: "" },
  ...{ isNetDenied: false, isRunDenied: false, tools: null },
};

/** What the fields take away, for the server; `undefined` if that is nothing. */
export function grantsOf(fields: PermissionFields): NewRun["grants"] {
  const { policy, tools, isNetDenied, isRunDenied } = fields;
  const [read, write, net, run] = [fields.denyRead, fields.denyWrite, fields.denyNet, fields.denyRun].map(
    listedValues,
  ) as [string[], string[], string[], string[]];
  const grants: NonNullable<NewRun["grants"]> = {
    ...(policy === "read-only" || policy === "read-only-no-net") && { policy },
    ...tools && { tools: [...tools] },
    ...read.length > 0 && { deny_read: read },
    ...write.length > 0 && { deny_write: write },
    ...(isNetDenied || net.length > 0) && { deny_net: isNetDenied || net },
    ...(isRunDenied || run.length > 0) && { deny_run: isRunDenied || run },
  };
  return Object.keys(grants).length > 0 ? grants : undefined;
}

interface FieldsProps {
  info: Info;
  fields: PermissionFields;
  onChange(fields: PermissionFields): void;
}

/** Fields for what a run may not do, of what the server lets it do. */
export function Permissions({ info, fields, onChange }: FieldsProps) {
  const set = (part: Partial<PermissionFields>) => onChange({ ...fields, ...part });
  const text = (name: "denyRead" | "denyWrite" | "denyNet" | "denyRun", words: string, example: string) =>
    html`<label class="field"><span class="field-name">${words}</span>
      <input type="text" placeholder=${example} value=${fields[name]} spellcheck="false"
        onInput=${({ currentTarget }: { currentTarget: HTMLInputElement }) =>
      set({ [name]: currentTarget.value })} /></label>`;
  const tick = (name: "isNetDenied" | "isRunDenied", words: string) =>
    html`<label class="tick"><input type="checkbox" checked=${fields[name]}
      onChange=${() => set({ [name]: !fields[name] })} />${words}</label>`;
  return html`
    <details class="permissions">
      <summary>Permissions<span class="hint">${summaryOf(fields)}</span></summary>
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

function summaryOf(fields: PermissionFields): string {
  const grants = grantsOf(fields);
  if (!grants) return "as the server allows";
  return [grants.policy ?? "", withoutWords(grants)].filter((words) => words !== "").join("; ");
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
