import type { Message, Part } from "../../../schemas/agent/chat.ts";
import { isAside } from "../../../schemas/agent/model.ts";
import type { TraceLine } from "../../../schemas/agent/trace.ts";
import { onOneLine, stripControls } from "../../text/strip_controls.ts";
import { showCall } from "../show/show_call.ts";

/** Returns a conversation as Markdown: what was asked, what was answered, and each call in a line. */
export function renderChat(id: string, lines: readonly TraceLine[]): string {
  const run = lines.find((line) => line.t === "run");
  const facts = [
    `session \`${id}\``,
    ...run === undefined ? [] : [`model \`${run.model}\``, `workspace ${code(run.workspace)}`, run.time],
  ];
  const results = new Map(lines.flatMap((line) => line.t === "result" ? [[line.id, line] as const] : []));
  const parts: string[] = [`# Chat`, facts.join(", ")];
  lines.forEach((line, at) =>
    parts.push(...renderTraceLine(line, { results, before: () => lines.slice(0, at) }))
  );
  return `${joined(parts)}\n`;
}

/** What else is known where a line stands. */
interface Around {
  results: ReadonlyMap<string, Extract<TraceLine, { t: "result" }>>;
  before(): readonly TraceLine[];
}

function renderTraceLine(line: TraceLine, { results, before }: Around): string[] {
  switch (line.t) {
    case "message":
      return [...renderQuestions(line.message, before), ...renderAsked(line.message)];
    case "reply": {
      const text = stripControls(line.reply.content).trim();
      return line.purpose === "compact" || isAside(line.purpose) || text === "" ? [] : [ANSWER, text];
    }
    case "call": {
      const result = results.get(line.id);
      const end = result === undefined ? "no result" : result.ok ? "ok" : result.error?.code ?? "failed";
      return [ANSWER, `- ${code(showCall(line.tool, line.arguments))}: ${end}`];
    }
    case "compact":
      return ["*Older turns were summed up for the model.*"];
    case "end": {
      const { answer, error, termination_reason } = line.outcome;
      const end = error === null
        ? []
        : [`*The turn ended: ${termination_reason}: ${onOneLine(error.message)}*`];
      return [...renderAnswer(answer, before), ...end];
    }
    default:
      return [];
  }
}

const ANSWER = "## Answer";

/** An answer that was given by a call, or what a run asks that waits, is no text of the model. */
function renderAnswer(answer: string | null, before: Around["before"]): string[] {
  const last = before().findLast((line) => line.t === "reply" && line.purpose === "turn");
  const said = last?.t === "reply" ? last.reply.content : "";
  const text = stripControls(answer ?? "").trim();
  return text === "" || text === stripControls(said).trim() ? [] : [ANSWER, text];
}

/** What was asked and answered within a turn stands in the result before the answer. */
function renderQuestions(message: Message, before: Around["before"]): string[] {
  if (message.role !== "user" || message.kind !== "clarification") return [];
  const last = before().findLast(({ t }) => t === "result" || t === "end");
  const asked = last?.t === "result" ? stripControls(last.content).trim() : "";
  return asked === "" ? [] : [ANSWER, asked];
}

function renderAsked(message: Message): string[] {
  if (message.role !== "user" || (message.kind !== "task" && message.kind !== "clarification")) return [];
  const [first, ...more] = message.content;
  return ["## You", ...first === undefined ? [] : [renderPart(first)], ...more.map(renderAttached)];
}

function renderPart(part: Part): string {
  return part.type === "text" ? stripControls(part.text).trim() : `*Picture ${code(part.path)}*`;
}

/** What was attached is no text of the person. */
function renderAttached(part: Part): string {
  return part.type === "text" ? fenced(stripControls(part.text)) : renderPart(part);
}

/** The fence is longer than all in the text. */
function fenced(text: string): string {
  const fence = "`".repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}

function code(text: string): string {
  const ticks = "`".repeat(longestTicks(text) + 1);
  const gap = text.startsWith("`") || text.endsWith("`") ? " " : "";
  return `${ticks}${gap}${text}${gap}${ticks}`;
}

function longestTicks(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
}

/** One heading for an answer of several parts, and no empty line between the items of a list. */
function joined(parts: readonly string[]): string {
  let text = "";
  let isAnswer = false;
  let last = "";
  for (const part of parts) {
    if (part === ANSWER && isAnswer) continue;
    if (part === ANSWER) isAnswer = true;
    else if (part.startsWith("## You")) isAnswer = false;
    const isNextItem = part.startsWith("- `") && last.startsWith("- `");
    text += `${text === "" ? "" : isNextItem ? "\n" : "\n\n"}${part}`;
    last = part;
  }
  return text;
}
