import type { Message } from "../../../schemas/agent/chat.ts";
import type { FunctionTool } from "../../../schemas/agent/model.ts";

/** What a template says for braces that would stand around the name of a placeholder. */
const BRACES: Readonly<Record<string, string>> = { lbrace: "{", rbrace: "}" };

/** Fills the placeholders of a template. Each other brace stays as it is. */
export function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  const all = { ...BRACES, ...values };
  return template.replace(
    /\{(\w+)\}/g,
    (whole, name: string) => Object.hasOwn(all, name) ? all[name]! : whole,
  );
}

/** The tools as numbered lines of their names and descriptions. */
export function numberedTools(tools: readonly Pick<FunctionTool, "name" | "description">[]): string {
  return tools.map(({ name, description }, at) => `${at + 1}. ${name}: ${description}`).join("\n");
}

/** How the model reads the person's answer to questions, unless the user words it. */
const CLARIFICATION =
  "The person answers your questions (today is {current_date}):\n\n{clarifications}\n\nGo on with the task.";

/** Makes the message of the person's answer to questions. */
export function clarificationMessage(answer: string, template: string | undefined, date: string): Message {
  const text = placed(
    template ?? CLARIFICATION,
    { clarifications: answer, current_date: date },
    "clarifications",
  );
  return { role: "user", kind: "clarification", content: [{ type: "text", text }] };
}

/** Fills a template around a text, or puts it behind the text if it has no place for it. */
export function placed(template: string, values: Readonly<Record<string, string>>, name: string): string {
  const filled = fillTemplate(template, values);
  return template.includes(`{${name}}`) ? filled : `${values[name]}\n\n${filled}`;
}
