import { useEffect, useState } from "preact/hooks";

import { html } from "../../base/html.ts";
import type { ToolResult } from "../../../../../schemas/result.ts";
import type { ShownCall, ShownProgram, ShownRefusal } from "../../state/transcript.ts";
import { durationWords, errorLine, inputWords } from "../../state/words.ts";
import { CopyButton } from "../../parts/copy_button.ts";
import { CallArguments } from "../../show/result/call_arguments.ts";
import { ResultPictures } from "../../show/result/result_pictures.ts";
import { ShownResult } from "../../show/result/shown_result.ts";
import { visible } from "../../show/text/visible.ts";

interface CardProps {
  call: ShownCall;
  runId: string;
  /** Where the run works. */
  folder: string;
  isAtWork: boolean;
}

/** A call: one line, and all of it when it is opened. */
export function CallCard({ call, runId, folder, isAtWork }: CardProps) {
  const { tool, input, result, refusals, progress } = call;
  const [isOpen, setOpen] = useState(false);
  const onToggle = ({ currentTarget }: { currentTarget: HTMLDetailsElement }) => setOpen(currentTarget.open);
  return html`<details class=${`call call-${standing(call, isAtWork)}`} onToggle=${onToggle}>
    <summary>
      <${ToolName} tool=${tool} />
      <span class="call-input">${
    visible(lineOf(input, result?.ok === false ? "" : result?.metadata.summary))
  }${result?.ok === false && html`<${CallError} error=${result.error} folder=${folder} />`}</span>
      <span class="call-facts"><${CallFacts} call=${call} isAtWork=${isAtWork} /></span>
    </summary>
    ${isOpen && html`<${CallBody} call=${call} runId=${runId} />`}
  </details>
  ${progress && !result && isAtWork && html`<${CallProgress} progress=${progress} />`}
  ${refusals.map((refusal, at) => html`<${Refusal} key=${at} refusal=${refusal} />`)}
  ${!isOpen && result && html`<${ResultPictures} tool=${tool} result=${result} run=${runId} />`}`;
}

/** The set of a tool is read when it is looked for. */
function ToolName({ tool }: { tool: string }) {
  const at = tool.lastIndexOf("/") + 1;
  return html`
    <span class="call-name">${at > 0 && html`<span class="call-set">${tool.slice(0, at)}</span>`}${tool.slice(
      at,
    )}</span>
  `;
}

/** Why it failed; the word of its kind stands behind it. */
function CallError({ error, folder }: { error: ToolResult["error"]; folder: string }) {
  const told = error ?? { code: "failed", message: "It failed" };
  return html`<span class="call-error" title=${told.code}> ${visible(errorLine(told, folder))}</span>`;
}

/** What was asked, and what came out. */
function lineOf(input: unknown, summary: string | undefined): string {
  return [inputWords(input), summary].filter((words) => words).join(" → ");
}

function standing({ result }: ShownCall, isAtWork: boolean): string {
  if (result) return result.ok ? "done" : "failed";
  return isAtWork ? "running" : "lost";
}

function CallFacts(
  { call: { result, started, isRecorded }, isAtWork }: { call: ShownCall; isAtWork: boolean },
) {
  if (result) {
    return html`${durationWords(result.metadata.duration_ms)}${isRecorded ? " · recorded" : ""}`;
  }
  return isAtWork ? html`<${Clock} since=${started} />` : html`did not end`;
}

/** Time since the start, which goes on by itself. */
function Clock({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return html`<span class="busy">${durationWords(Math.max(0, now - Date.parse(since)))}</span>`;
}

function CallBody(
  { call: { tool, input, result, programs }, runId }: { call: ShownCall; runId: string },
) {
  return html`<div class="call-body">
    <p class="small-head">Arguments</p>
    <${CallArguments} tool=${tool} input=${input} />
    ${programs.length > 0 && html`<${Programs} programs=${programs} />`}
    <p class="small-head">Result</p>
    ${
    result
      ? html`<${ShownResult} tool=${tool} result=${result} run=${runId} />`
      : html`<p class="hint">There is none yet.</p>`
  }
  </div>`;
}

function Programs({ programs }: { programs: readonly ShownProgram[] }) {
  return html`
    <p class="small-head">Programs</p>
    <ul class="programs">${programs.map(({ program, words, sandboxed, end }) =>
      html`<li key=${program}><code>${words}</code>
        <span class="hint">${sandboxed ? "in the sandbox" : "without a sandbox"}, ${
        end ?? "runs"
      }</span></li>`
    )}</ul>
  `;
}

function CallProgress({ progress }: { progress: NonNullable<ShownCall["progress"]> }) {
  const { message, output, done, total } = progress;
  return html`<div class="progress">
    ${message && html`<span class="hint">${message}</span>`}
    ${
    done !== undefined && total !== undefined &&
    html`<progress value=${done} max=${total} aria-label="Progress">${done} of ${total}</progress>`
  }
    ${output && html`<pre class="last-lines">${output}</pre>`}
  </div>`;
}

function Refusal({ refusal: { text, flag } }: { refusal: ShownRefusal }) {
  return html`<div class="refusal"><p><b>Refused.</b> ${text}.</p>
    ${
    flag &&
    html`<p>Allow it with <code>${flag}</code> when the server starts. <${CopyButton} text=${flag} /></p>`
  }
  </div>`;
}
