import { ToolError } from "../../schemas/error.ts";
import type { AgentOutcome, AgentUsage } from "../../schemas/agent/agent.ts";
import type { TraceLine } from "../../schemas/agent/trace.ts";
import type { Manifest } from "../../schemas/manifest.ts";
import type { KeptSource } from "../../schemas/step/sources.ts";
import { artifactsOf } from "../state/kept_artifacts.ts";
import { sessionSources } from "../state/sessions/read_sources.ts";
import { tracePath } from "../state/sessions/session_folder.ts";
import { readTrace } from "../state/sessions/trace_file.ts";
import { sessionFolder } from "../state/tool_state.ts";
import { hideUnreadable } from "../state/undo/hidden_changes.ts";
import { runChanges } from "../state/undo/run_changes.ts";
import { sessionRecords } from "../state/undo/undo_store.ts";
import { onOneLine } from "../text/strip_controls.ts";
import { lstat } from "../walls/files/file_facts.ts";
import { BoundedTexts, shownTime } from "./show_text.ts";
import { Html, markup } from "./html.ts";
import { InlinePictures } from "./inline_pictures.ts";
import { PAGE_STYLE } from "./page_style.ts";
import { showConversation } from "./show_conversation.ts";
import { showDiff } from "./show_diff.ts";

/** What an export is made from. */
export interface ExportParts {
  /** Where bulkhead keeps what outlives a run. */
  state: string;
  manifest: Pick<Manifest, "tools">;
  /** Masks the secrets of a text: those of the trace are masked already, those of changed files are not. */
  redact(text: string): string;
  /** Says which changed files may be shown. @default all */
  mayRead?(path: string): boolean;
}

/** Longest title, in characters. */
const MAX_TITLE = 200;
/** No program, no other address: whatever stands in the page. */
const CLOSED =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/**
 * Returns a session as one page of HTML that needs nothing else and runs nothing: what was said and done, what was changed
 * and is not undone, sources, what it used. Needs `read`.
 *
 * @throws {ToolError} `not_found` if nothing was said in it yet; `unavailable` for a damaged trace
 */
export async function exportSession(id: string, parts: ExportParts): Promise<string> {
  const { state, manifest, redact, mayRead = () => true } = parts;
  const trace = tracePath(state, id);
  const lines = lstat(trace) === null ? [] : await readTrace(trace);
  if (lines.length === 0) throw new ToolError("not_found", `Session "${id}" has nothing to export yet`);
  const records = sessionRecords(state, id);
  const workspace = records[0]?.head.workspace ?? "/";
  const changes = hideUnreadable(await runChanges(records), { workspace, mayRead })
    .map((change) => ({ ...change, diff: redact(change.diff) }));
  const sources = await sessionSources(state, id, manifest);
  const pictures = new InlinePictures(artifactsOf(sessionFolder(state, id)));
  const texts = new BoundedTexts();
  const outcome = lines.findLast((line) => line.t === "end")?.outcome ?? null;
  const task = taskOf(lines);
  const title = task.length > MAX_TITLE ? `${task.slice(0, MAX_TITLE)}…` : task;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${CLOSED}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(PAGE_STYLE)}</style>
</head>
<body>
<header><h1>${title}</h1>${showFacts(id, lines, outcome)}</header>
<main>
${section("Answer", outcome?.answer ? markup`<p class="said">${texts.show(outcome.answer)}</p>` : null)}
${section("What was said and done", await showConversation(lines, { texts, pictures }))}
${section("Changes", changes.length > 0 ? showDiff(changes) : null)}
${section("Sources", sources.length > 0 ? showSources(sources, redact) : null)}
</main>
<footer class="note">Exported by bulkhead. Secrets that it knows or recognises are masked.</footer>
</body>
</html>
`.text;
}

function section(title: string, body: Html | null): Html {
  return body === null ? markup`` : markup`<h2>${title}</h2>\n${body}`;
}

/** One line: the first thing that was asked for. */
function taskOf(lines: readonly TraceLine[]): string {
  for (const line of lines) {
    if (line.t !== "message" || line.message.role !== "user" || line.message.kind !== "task") continue;
    const text = line.message.content.map((part) => part.type === "text" ? part.text : "").join(" ");
    return onOneLine(text.replace(/\s+/gu, " ")).trim() || "A run";
  }
  return "A run";
}

function showFacts(id: string, lines: readonly TraceLine[], outcome: AgentOutcome | null): Html {
  const runs = lines.filter((line) => line.t === "run");
  const [first, last] = [runs[0], runs.at(-1)];
  const end = lines.at(-1);
  const facts: [string, string][] = [
    ["session", id],
    ["agent", last?.agent ?? ""],
    ["model", last?.model ?? ""],
    ["workspace", last?.workspace ?? ""],
    ["policy", last?.policy ?? ""],
    ["begun", shownTime(first?.time ?? "")],
    ["ended", end?.t === "end" ? `${shownTime(end.time)}, ${end.outcome.termination_reason}` : "not yet"],
    ...usageOf(outcome?.usage ?? null),
    ["version", last?.version ?? ""],
  ];
  const known = facts.filter(([, fact]) => fact !== "");
  return markup`<dl>${known.map(([name, fact]) => markup`<dt>${name}</dt><dd>${onOneLine(fact)}</dd>`)}</dl>`;
}

function usageOf(usage: AgentUsage | null): [string, string][] {
  if (usage === null) return [];
  const { rounds, calls, failed, input_tokens, cached_tokens, output_tokens, cost, estimated } = usage;
  const tokens = `${input_tokens} in (${cached_tokens} cached), ${output_tokens} out${
    estimated ? ", estimated" : ""
  }`;
  return [
    ["rounds", String(rounds)],
    ["calls", `${calls}, ${failed} failed`],
    ["tokens", tokens],
    ["cost", cost === null ? "" : `$${cost.toFixed(4)}`],
  ];
}

/** Addresses are texts, and lead nowhere: strangers chose them. */
function showSources(sources: readonly KeptSource[], redact: (text: string) => string): Html {
  const plain = (text: string) => redact(onOneLine(text.replace(/\s+/gu, " ")).trim());
  const items = sources.map(({ number, title, url }) =>
    markup`<li value="${number}">${plain(title || url)}<br><code class="dim">${plain(url)}</code></li>\n`
  );
  return markup`<ol class="sources">${items}</ol>`;
}
