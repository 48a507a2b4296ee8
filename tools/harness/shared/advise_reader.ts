import type { ToolContext } from "../../../schemas/context.ts";
import type { ContentKind } from "../../../schemas/first_bytes.ts";

/** What a file holds. */
type Kind = Pick<ContentKind, "type" | "format">;

/** Tools that start programs, the best first. */
const SHELLS = ["Bash", "TerminalStart"];

/** Tools that read a kind of content, the best first. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  pdf: ["ReadPDF"],
  image: ["ReadImage"],
  office: ["ReadDocument"],
  text: ["Read"],
};

/** Returns which offered tool reads such a content, as in `Use ReadPDF instead`; `""` if none does. */
export function adviseReader({ type }: Pick<Kind, "type">, { toolName }: ToolContext): string {
  const reader = firstOf(READERS[type] ?? [], toolName);
  if (reader !== null) return `Use ${reader} instead`;
  const shell = shellOf(toolName);
  if (shell === null) return "";
  return `Inspect it with a program in ${shell} instead`;
}

/** Words that one tool cannot read such a content, and which can. */
export function refuseFormat(kind: Kind, tool: string, { path, context }: {
  path: string;
  context: ToolContext;
}): string {
  const advice = adviseReader(kind, context);
  return `${nameOf(kind)} not supported by ${tool}${advice === "" ? "" : `. ${advice}`}: ${path}`;
}

function nameOf({ type, format }: Kind): string {
  if (type === "pdf") return "PDF files are";
  if (type === "text") return "Text files are";
  if (type === "image") return "Image files are";
  if (type === "office") return `${format.toUpperCase()} files are`;
  return `${type === "binary" || format === "" ? "Binary" : `${format.toUpperCase()} (${type})`} files are`;
}

/** Returns the offered tool that starts programs; `null` if there is none. */
export function shellOf(toolName: ToolContext["toolName"]): string | null {
  return firstOf(SHELLS, toolName);
}

function firstOf(tools: readonly string[], toolName: ToolContext["toolName"]): string | null {
  return tools.map(toolName).find((name) => name !== null) ?? null;
}
