import type { AgentOutcome } from "../../../schemas/agent/agent.ts";
import type { Message } from "../../../schemas/agent/chat.ts";
import { isAside } from "../../../schemas/agent/model.ts";
import type { TraceLine } from "../../../schemas/agent/trace.ts";
import { planLines } from "./show_note.ts";
import { onOneLine, onTerminal, visibleJson } from "../../text/strip_controls.ts";

/** Longest arguments and first line of a result that are shown, in characters. */
const SHOWN = 160;

/** Returns what was said and done in a session, for a person. */
export function renderSession(id: string, lines: readonly TraceLine[]): string {
  return [`session ${id}`, ...lines.flatMap(renderLine)].map((line) => `${line}\n`).join("");
}

function renderLine(line: TraceLine): string[] {
  switch (line.t) {
    case "run": {
      const { time, model, policy, workspace, resumed, widened = [] } = line;
      const wider = widened.length === 0 ? [] : [`widened by ${widened.join(" ")}`];
      const facts = [time, model, policy, workspace, ...wider].map(onOneLine).join("  ");
      return ["", `${resumed ? "resumed" : "run"}  ${facts}`];
    }
    case "message":
      return renderMessage(line.message);
    case "tools":
      return [`[new tools: ${line.added.map(({ name }) => onOneLine(name)).join(", ")}]`];
    case "reply":
      if (isAside(line.purpose)) {
        const who = line.purpose === "server" ? "an MCP server" : "a tool";
        return [`[the model answered ${who}]`, ...textLines(line.reply.content, "  ")];
      }
      return line.purpose === "compact" ? [] : textLines(line.reply.content, "");
    case "call":
      return [`  ${onOneLine(line.tool)} ${clip(visibleJson(line.arguments))}`];
    case "result": {
      const { ok, error, content, duration_ms } = line;
      return [`    ${ok ? "ok" : error?.code ?? "failed"} (${duration_ms} ms): ${clip(firstLine(content))}`];
    }
    case "compact":
      return ["[older turns were summed up]", ...textLines(line.summary, "  ")];
    case "plan":
      return planLines(line.plan);
    case "end":
      return renderEnd(line.outcome);
  }
}

/** The prompts of the system and of the project are not shown. */
function renderMessage(message: Message): string[] {
  if (message.role !== "user" || message.kind === "project" || message.kind === "summary") return [];
  const text = message.content
    .map((part) => part.type === "text" ? part.text : `[picture ${part.path}]`)
    .join("\n");
  return textLines(text, message.kind === "task" || message.kind === "clarification" ? "> " : "| ");
}

function renderEnd({ termination_reason, error, usage, questions = [] }: AgentOutcome): string[] {
  const { rounds, calls, input_tokens, output_tokens } = usage;
  const counts = `rounds ${rounds}, calls ${calls}, tokens ${input_tokens} + ${output_tokens}`;
  return [
    `end: ${termination_reason}, ${counts}`,
    ...questions.map((question) => `  ? ${onOneLine(question)}`),
    ...error === null ? [] : [`  ${onOneLine(error.message)}`],
  ];
}

function textLines(text: string, lead: string): string[] {
  if (text.trim() === "") return [];
  return onTerminal(text).trimEnd().split("\n").map((line) => `${lead}${line}`);
}

function firstLine(text: string): string {
  return text.trimStart().split("\n", 1)[0] ?? "";
}

function clip(text: string): string {
  const line = onOneLine(text);
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
