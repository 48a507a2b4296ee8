import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { PageControl } from "../../control/page_control.ts";
import type { OpenRun } from "../../control/page_state.ts";
import type { Answering, LeftFiles, NumberedSource, RunNow } from "../../net/shapes.ts";
import { SourceAddresses } from "../../show/markdown/cited_text.ts";
import { Chips } from "../../parts/chips.ts";
import { RunMenu } from "../../parts/run_menu.ts";
import { permissionChips } from "../../state/permission_chips.ts";
import type { Item } from "../../state/transcript.ts";
import { usageWords } from "../../state/words.ts";
import { StateMark } from "../../parts/state_mark.ts";
import { ChangesView } from "./changes_view.ts";
import { PlanPanel } from "./plan_panel.ts";
import { QuestionCard } from "./question_card.ts";
import { ResumeForm } from "./resume_form.ts";
import { isOnWeb, SourcesView } from "./sources_view.ts";
import { TranscriptView } from "./transcript_view.ts";
import { useFiles, useSources } from "./use_left.ts";

interface RunProps {
  run: OpenRun;
  control: PageControl;
}

type Tab = "Run" | "Changes" | "Sources";

interface ShownTab {
  name: Tab;
  /** `null` if it is not known. */
  count: number | null;
}

/** What has nothing in it has no tab, once that is known. */
function tabsOf(
  now: RunNow | null,
  { files, sources }: { files: LeftFiles | null; sources: readonly NumberedSource[] | null },
): ShownTab[] {
  const isOver = now !== null && !isAtWork(now);
  const changes = files && (files.changed.length || files.artifacts.length);
  const all: ShownTab[] = [
    { name: "Changes", count: changes },
    { name: "Sources", count: sources && sources.length },
  ];
  return [{ name: "Run", count: null }, ...all.filter(({ count }) => !isOver || count !== null && count > 0)];
}

/** A run. */
export function RunView({ run, control }: RunProps) {
  const [tab, setTab] = useState<Tab>("Run");
  const { now, link } = run;
  const keepFocus = useKeptFocus(now, run.isNew);
  const sources = useSources(control, now, tab === "Sources" || (now !== null && !isAtWork(now)));
  const addresses = useMemo(() => addressesOf(sources ?? []), [sources]);
  const files = useFiles(control, now, tab === "Changes" || (now !== null && !isAtWork(now)));
  const tabs = tabsOf(now, { files, sources });
  useEffect(() => {
    if (!tabs.some(({ name }) => name === tab)) setTab("Run");
  });
  if (link === "missing") return html`<${Missing} />`;
  if (!now) return html`<p class="hint">Reading the run…</p>`;
  return html`<article class="run" aria-labelledby="run-title" onFocusIn=${keepFocus}>
    <${Head} now=${now} control=${control} />
    ${tabs.length > 1 && html`<${Tabs} tabs=${tabs} tab=${tab} onChange=${setTab} />`}
    <div role="tabpanel" id="panel" tabindex="-1" aria-labelledby=${`tab-${tab}`}>
      ${
    tab === "Run" && html`
      <${SourceAddresses.Provider} value=${addresses}>
        <${Work} run=${run} now=${now} control=${control} />
        <//>
    `
  }
      ${tab === "Changes" && html`<${ChangesView} now=${now} files=${files} control=${control} />`}
      ${tab === "Sources" && html`<${SourcesView} sources=${sources} />`}
    </div>
  </article>`;
}

function isAtWork({ state }: RunNow): boolean {
  return state === "running" || state === "waiting";
}

function addressesOf(sources: readonly NumberedSource[]): ReadonlyMap<number, string> {
  return new Map(sources.filter(({ url }) => isOnWeb(url)).map(({ number, url }) => [number, url]));
}

function Missing() {
  return html`
    <div>
      <h1>There is no such run</h1>
      <p class="hint">It belongs to another server, or it was removed. Choose another one, or start a new one.</p>
    </div>
  `;
}

/** What had the focus may go away, such as the button that stops the run: the focus stays in the run then. */
function useKeptFocus(now: RunNow | null, isNew: boolean): () => void {
  const hasFocus = useRef(isNew);
  useLayoutEffect(() => {
    if (!now || !hasFocus.current || document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>("#panel")?.focus({ preventScroll: true });
  }, [now]);
  return () => {
    hasFocus.current = true;
  };
}

function Head({ now, control }: { now: RunNow; control: PageControl }) {
  const { id, state, task, agent, model, workspace, policy, grants, usage, can } = now;
  const { info } = control.store.value;
  const facts = [agent, model, policy, usageWords(usage)].filter((fact) => fact);
  const chips = info && permissionChips({ ...info, policy: policy ?? info.policy }, workspace, grants ?? {});
  return html`
    <header class="run-head">
      <h1 id="run-title">${task || "Run"}</h1>
      <div class="actions">
          ${can.cancel &&
            html`<button type="button" class="danger" onClick=${() => void control.cancel(id)}>Stop</button>`}
          <${RunMenu} run=${now} control=${control} />
        </div>
      <div class="run-line">
        <${StateMark} state=${state} />
        <span class="hint">${facts.join(" · ")}</span>
        <span class="hint path">${workspace}</span>
      </div>
      ${chips && html`<${Chips} chips=${chips} />`}
    </header>
  `;
}

function Tabs({ tabs, tab, onChange }: { tabs: readonly ShownTab[]; tab: Tab; onChange(tab: Tab): void }) {
  const onKeyDown = ({ key, currentTarget }: KeyboardEvent & { currentTarget: HTMLElement }) => {
    const step = key === "ArrowRight" ? 1 : key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const at = (tabs.findIndex(({ name }) => name === tab) + step + tabs.length) % tabs.length;
    onChange(tabs[at]!.name);
    (currentTarget.children[at] as HTMLElement).focus();
  };
  return html`<div role="tablist" class="tabs" aria-label="Parts of the run" onKeyDown=${onKeyDown}>${
    tabs.map(({ name, count }) =>
      html`
        <button type="button" role="tab" key=${name} id=${`tab-${name}`} aria-controls="panel"
          aria-selected=${name === tab ? "true" : "false"} tabindex=${name === tab ? 0 : -1}
          onClick=${() => onChange(name)}>${name}${count
            ? html`<span class="count">${count}</span>`
            : ""}</button>
      `
    )
  }</div>`;
}

function Work({ run: { transcript, link }, now, control }: RunProps & { now: RunNow }) {
  const { id, state, questions, can, error } = now;
  const onAnswer = (answer: Answering) => control.answer(id, answer);
  return html`<div class="work">
    ${transcript.plan && html`<${PlanPanel} plan=${transcript.plan} />`}
    <${TranscriptView} items=${
    withoutTitle(transcript.items, now.task)
  } runId=${id} folder=${now.workspace} isAtWork=${isAtWork(now)} />
    ${state === "queued" && html`<p class="note busy">${queueWords(transcript.ahead)}</p>`}
    ${
    state === "running" && html`
      <p class="note busy">${link === "away" ? "Connection lost, trying again…" : "At work"}</p>
    `
  }
    ${
    error && state === "failed" && html`
      <div class="error-box">
        <p title=${error.code}>${error.message}</p>
      </div>
    `
  }
    ${
    questions.map((question) =>
      html`<${QuestionCard} key=${question.id} question=${question} onAnswer=${onAnswer} />`
    )
  }
    ${can.resume && html`<${ResumeForm} key=${id} id=${id} control=${control} />`}
  </div>`;
}

/** What stands above all as the title is not said once more. */
function withoutTitle(items: readonly Item[], task: string): readonly Item[] {
  const [first] = items;
  return first?.kind === "said" && first.text.trim() === task.trim() ? items.slice(1) : items;
}

function queueWords(ahead: number | null): string {
  if (ahead === null) return "The run waits for its turn.";
  if (ahead === 0) return "The run is the next one: it starts when another one ends.";
  return ahead === 1 ? "One waiting run is before it." : `${ahead} waiting runs are before it.`;
}
