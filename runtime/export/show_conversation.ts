import type { AgentOutcome } from "../../schemas/agent/agent.ts";
import type { Message } from "../../schemas/agent/chat.ts";
import { isAside } from "../../schemas/agent/model.ts";
import type { CallResult, TraceLine } from "../../schemas/agent/trace.ts";
import type { Plan, StepStatus } from "../../schemas/step/plan.ts";
import { onOneLine, visibleJson } from "../text/strip_controls.ts";
import { type BoundedTexts, shownTime } from "./show_text.ts";
import { type Html, markup } from "./html.ts";
import type { InlinePictures } from "./inline_pictures.ts";

/** What shows texts and pictures, in bounds. */
export interface Shown {
  texts: BoundedTexts;
  pictures: InlinePictures;
}

type LineOf<T extends TraceLine["t"]> = Extract<TraceLine, { t: T }>;

/** Longest arguments beside the name of a call, in characters. */
const MAX_BESIDE = 120;

const MARKS: Readonly<Record<StepStatus, string>> = {
  not_started: "○",
  in_progress: "◐",
  completed: "●",
  blocked: "✕",
};
const WORDS: Readonly<Record<StepStatus, string>> = {
  not_started: "not started",
  in_progress: "in progress",
  completed: "done",
  blocked: "blocked",
};

/** Returns what was said and done, in order. The prompts of the system and of the project are left out. */
export async function showConversation(lines: readonly TraceLine[], shown: Shown): Promise<Html> {
  const results = new Map(lines.flatMap((line) => line.t === "result" ? [[line.id, line]] : []));
  const called = new Set(lines.flatMap((line) => line.t === "call" ? [line.id] : []));
  const parts: Html[] = [];
  for (const line of lines) {
    if (line.t === "call") parts.push(await showCall(line, results.get(line.id), shown));
    else if (line.t === "result") {
      if (!called.has(line.id)) parts.push(await showCall(null, line, shown));
    } else if (line.t === "message") parts.push(await showMessage(line.message, shown));
    else parts.push(showOther(line, shown));
  }
  return markup`${parts}`;
}

function showOther(line: Exclude<TraceLine, LineOf<"call" | "result" | "message">>, { texts }: Shown): Html {
  switch (line.t) {
    case "run": {
      const facts = [shownTime(line.time), line.agent ?? "", line.model, line.policy, ...line.widened ?? []];
      const told = facts.filter((fact) => fact !== "").map(onOneLine).join(" · ");
      return markup`<p class="note">${line.resumed ? "resumed" : "begun"} ${told}</p>\n`;
    }
    case "tools":
      return markup`<p class="note">new tools: ${
        line.added.map(({ name }) => onOneLine(name)).join(", ")
      }</p>\n`;
    case "reply": {
      const { content } = line.reply;
      if (content.trim() === "" || line.purpose === "compact") return markup``;
      if (!isAside(line.purpose)) return said("model", texts.show(content));
      const who = line.purpose === "server" ? "an MCP server" : "a tool";
      return folded(markup`The model answered ${who}`, markup`<pre>${texts.show(content)}</pre>`);
    }
    case "compact":
      return folded(
        markup`Older turns were summed up`,
        markup`<p class="said">${texts.show(line.summary)}</p>`,
      );
    case "plan":
      return showPlan(line.plan);
    case "end":
      return showEnd(line.outcome);
  }
}

async function showMessage(message: Message, { texts, pictures }: Shown): Promise<Html> {
  if (message.role !== "user" || message.kind === "project" || message.kind === "summary") return markup``;
  const parts: Html[] = [];
  for (const part of message.content) {
    if (part.type === "image") parts.push(await pictures.show(part));
    else if (part.text.trim() !== "") parts.push(markup`<p class="said">${texts.show(part.text)}</p>`);
  }
  if (message.kind === "task" || message.kind === "clarification") {
    return said("person", markup`${parts}`);
  }
  const title = message.kind === "pictures" ? "Pictures for the model" : "Remark to the model";
  return folded(markup`${title}`, markup`${parts}`);
}

async function showCall(
  call: LineOf<"call"> | null,
  result: CallResult | undefined,
  { texts, pictures }: Shown,
): Promise<Html> {
  const beside = call === null ? "" : visibleJson(call.arguments);
  const short = beside.length > MAX_BESIDE ? `${beside.slice(0, MAX_BESIDE)}…` : beside;
  const given = call === null
    ? markup``
    : markup`<p class="who">arguments</p><pre>${
      texts.show(JSON.stringify(call.arguments, null, 2) ?? "")
    }</pre>`;
  const body = result === undefined
    ? markup``
    : markup`<p class="who">result</p><pre>${texts.show(result.content)}</pre>`;
  const flags = result?.error?.details.flags;
  const refused = Array.isArray(flags) && flags.length > 0
    ? markup`<p class="note">What would allow it: <code>${onOneLine(flags.join(" "))}</code></p>`
    : markup``;
  const seen: Html[] = [];
  for (const picture of result?.pictures ?? []) seen.push(await pictures.show(picture));
  const name = onOneLine(call?.tool ?? result?.tool ?? "");
  const title = markup`<code>${name}</code> <code class="dim">${short}</code> ${showOutcome(result)}`;
  return folded(title, markup`${given}${body}${refused}${seen}`);
}

function showOutcome(result: CallResult | undefined): Html {
  if (result === undefined) return markup`<span class="bad">no result: it is not known what it did</span>`;
  const word = result.ok ? "ok" : result.error?.code ?? "failed";
  const time = `${Math.round(result.duration_ms)} ms`;
  return markup`<span class="${result.ok ? "good" : "bad"}">${word}</span> <span class="dim">${time}</span>`;
}

function showPlan({ title, steps }: Plan): Html {
  const items = steps.map(({ text, status }) =>
    markup`<li><span aria-hidden="true">${MARKS[status]}</span> ${onOneLine(text)} <span class="dim">${
      WORDS[status]
    }</span></li>`
  );
  return markup`<article><p class="who">plan: ${
    onOneLine(title)
  }</p><ul class="plan">${items}</ul></article>\n`;
}

function showEnd({ termination_reason, error, questions = [] }: AgentOutcome): Html {
  const why = error === null ? "" : `: ${onOneLine(error.message)}`;
  const word = markup`<span class="${error === null ? "good" : "bad"}">${termination_reason}</span>`;
  const asked = questions.map((question) => markup`<p class="note">asked: ${onOneLine(question)}</p>\n`);
  return markup`<p class="note">end: ${word}${why}</p>\n${asked}`;
}

function said(who: "person" | "model", body: Html): Html {
  return markup`<article class="${who}"><p class="who">${who}</p><div class="said">${body}</div></article>\n`;
}

function folded(title: Html, body: Html): Html {
  return markup`<details><summary>${title}</summary>${body}</details>\n`;
}
