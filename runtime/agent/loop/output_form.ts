import type { Message } from "../../../schemas/agent/chat.ts";
import type { AgentParts } from "./parts.ts";

/** What the last answer must be. */
export type OutputForm = NonNullable<AgentParts["output"]>;

/** An answer that was read: its JSON, or what is wrong with it. */
export type ReadOutput = { ok: true; text: string; value: unknown } | { ok: false; problems: string[] };

/** Most problems that are shown to a model. */
const MAX_PROBLEMS = 10;

/** Reads an answer as JSON, also inside one fenced block, and checks it. */
export async function readOutput(answer: string, form: OutputForm): Promise<ReadOutput> {
  const found = findJson(answer);
  if (found === null) return { ok: false, problems: ["it is not one JSON document"] };
  const problems = await form.check(found.value);
  return problems.length === 0 ? { ok: true, ...found } : { ok: false, problems };
}

/** Words what is wrong with an answer, for the model. */
export function askForOutput(problems: readonly string[]): string {
  const shown = problems.slice(0, MAX_PROBLEMS).map((problem) => `- ${problem}`);
  if (problems.length > MAX_PROBLEMS) shown.push(`- and ${problems.length - MAX_PROBLEMS} more`);
  return `Your answer is not what the schema asks for:\n${
    shown.join("\n")
  }\nGive the whole answer again: only JSON that fits the schema, no text around it.`;
}

/** Adds the form of the last answer to the system message of a request, so that no summary loses it. */
export function withOutputForm(
  messages: readonly Message[],
  form: OutputForm | undefined,
): readonly Message[] {
  if (!form) return messages;
  const text =
    "When you are done, your last message must be only one JSON document, without text or code fences around it, " +
    `that fits this JSON Schema:\n${JSON.stringify(form.schema)}`;
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [{ role: "system", content: text }, ...messages];
  return [{ role: "system", content: `${first.content}\n\n${text}` }, ...rest];
}

function findJson(answer: string): { text: string; value: unknown } | null {
  const text = answer.trim();
  const [, fenced] = /```(?:json)?[ \t]*\r?\n(.*)\n[ \t]*```/s.exec(text) ?? [];
  for (const candidate of [text, fenced?.trim()]) {
    if (candidate === undefined) continue;
    try {
      return { text: candidate, value: JSON.parse(candidate) };
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
  }
  return null;
}
