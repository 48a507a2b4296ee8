import { ACCESS_KINDS, type AccessKind, type NeedScope } from "../../../schemas/access.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import type { ManifestEntry } from "../../../schemas/manifest.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { optionsOf } from "../args/command_table.ts";
import { flagOf } from "../args/options/option_table.ts";
import { type ArgumentRow, describeArguments } from "./describe_arguments.ts";
import { firstSentence } from "../show/tables/first_sentence.ts";
import { drawTable } from "../show/markdown/draw_table.ts";
import { wrap } from "./wrap.ts";

const WIDTH = 80;
const INDENT = "  ";
/** Where the second column of facts starts. */
const COLUMN = 14;

/** What the help of a tool knows beside its description. */
export interface ToolHelp {
  /** The name that finds it: the bare one, or the full one. */
  name: string;
  /** Full names of other tools with its bare name. */
  others: readonly string[];
  /** Whether it may run with the permissions at hand, in words. @default not told */
  grant?: string;
}

/** Returns the help of a tool as plain text in lines of at most 80 columns, examples apart. */
export function renderTool(tool: ManifestEntry, { name, others, grant }: ToolHelp): string {
  const rows = describeArguments(tool.input_schema);
  const parts = [
    wrap(`${tool.full_name}: ${firstSentence(tool.description)}`, WIDTH, ""),
    `Usage: ${callForm(name, rows)}`,
    rows.length === 0
      ? `It takes ${takesAny(tool) ? "any" : "no"} arguments.`
      : `Arguments:\n${renderArguments(rows)}`,
    `Facts:\n${factsOf(tool, grant).map(fact).join("\n")}`,
    tool.examples.length === 0 ? "" : `Examples:\n${renderToolExamples(tool, name)}`,
    `What a model reads of it:\n${indent(renderDescription(tool.description))}`,
    others.length === 0 ? "" : wrap(`Other tools of this name: ${others.join(", ")}`, WIDTH, INDENT),
    `Its JSON Schema: bulkhead schema ${name}; ways to give arguments: bulkhead call --help`,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function takesAny({ input_schema, open_input }: ManifestEntry): boolean {
  return isObject(input_schema.additionalProperties) ||
    open_input === true && input_schema.additionalProperties !== false;
}

/** The form of a call with everything that is required; one argument needs no name. */
function callForm(name: string, rows: readonly ArgumentRow[]): string {
  const top = rows.filter((row) => !row.name.includes("."));
  const required = top.filter(({ fallback }) => fallback === "required");
  const words = required.map(({ name }) => `${required.length > 1 ? `${name}=` : ""}${name.toUpperCase()}`);
  const more = top.length > required.length ? ["[key=value ...]"] : [];
  return wrap(["bulkhead call", name, ...words, ...more, "[options]"].join(" "), WIDTH - 7, " ".repeat(7));
}

function renderArguments(rows: readonly ArgumentRow[]): string {
  const spans = (...cells: string[]) => cells.map((text) => [{ text, style: "" }]);
  const table = drawTable({
    head: spans("NAME", "TYPE", "DEFAULT", "MEANING"),
    rows: rows.map(({ name, type, fallback, meaning }) => spans(name, type, fallback, meaning)),
  }, { columns: WIDTH, colors: false });
  return [...table, ...clashes(rows).map((line) => wrap(line, WIDTH, ""))].join("\n");
}

/** Arguments that are called like an option of the program, which wins. */
function clashes(rows: readonly ArgumentRow[]): string[] {
  const flags = new Set(optionsOf("call").map(flagOf));
  const names = rows.map(({ name }) => name).filter((name) => flags.has(`--${name.replaceAll("_", "-")}`));
  return names.map((name) =>
    `Write ${name}=VALUE for the argument: --${name.replaceAll("_", "-")} is an option of bulkhead.`
  );
}

function factsOf(tool: ManifestEntry, grant: string | undefined): [string, string][] {
  const { needs, limits, settings, secrets } = tool;
  const facts: [string, string][] = ACCESS_KINDS.flatMap((kind) =>
    needs[kind] === undefined ? [] : [[kind, scopeWords(kind, needs[kind])] as [string, string]]
  );
  const { timeout_ms: time, concurrency } = limits;
  return [
    ...(facts.length === 0 ? [["needs", "no files, no network, no programs"] as [string, string]] : facts),
    ["permission", permissionWords(tool)],
    ...(grant === undefined ? [] : [["now", grant] as [string, string]]),
    [
      "time limit",
      time === null ? "none: it waits for a person" : `${time / 1000} s a call; --timeout lowers it`,
    ],
    ...(concurrency === null ? [] : [["at once", `${concurrency} at most`] as [string, string]]),
    ["order", tool.parallel ? "runs beside its neighbours in a batch" : "runs alone in a batch"],
    ...(settings.length === 0 ? [] : [["environment", `reads ${settings.join(", ")}`] as [string, string]]),
    ...(secrets.length === 0 ? [] : [["keys", keyWords(secrets)] as [string, string]]),
    ...(tool.optional ? [["model", `gets it with --extra-tool ${tool.full_name}`] as [string, string]] : []),
  ];
}

/** The tool sees none of them. */
function keyWords(secrets: ManifestEntry["secrets"]): string {
  const names = [...new Set(secrets.map(({ name }) => name))];
  return `takes ${names.join(", ")} if set: the gate adds each to requests for its own service`;
}

function scopeWords(kind: AccessKind, scope: NeedScope): string {
  if (scope === "workspace") return "the workspace alone";
  if (Array.isArray(scope)) return onOneLine(scope.join(", "));
  const granted = {
    read: "files in the folders that are granted: the workspace, and those of --allow-read",
    write:
      "files in the folders that are granted: the workspace, unless the policy says read-only, and those of " +
      "--allow-write",
    net: "hosts that are granted: public ones, unless the policy says otherwise, and those of --allow-net",
    run: "programs: any in a sandbox, and without one those of --allow-run",
  };
  return `${granted[kind]}${scope === "if-granted" ? "; it works without them" : ""}`;
}

function permissionWords({ permission, read_only, asks }: ManifestEntry): string {
  const changes = read_only ? "; it changes nothing" : "";
  if (asks) return "asks a person at the terminal";
  if (permission === "allow") return `runs without asking${changes}`;
  if (permission === "confirm") return `a person is asked before each call${changes}`;
  if (permission === "deny") return "refused, unless the configuration allows it";
  return "roles" in permission ? `for the roles ${permission.roles.join(", ")}` : "for some arguments alone";
}

function fact([name, words]: [string, string]): string {
  return `${INDENT}${name}`.padEnd(COLUMN) + wrap(words, WIDTH - COLUMN, " ".repeat(COLUMN));
}

function renderToolExamples(tool: ManifestEntry, name: string): string {
  return tool.examples
    .map(({ line, meaning }) =>
      `  # ${onOneLine(meaning)}\n  bulkhead call ${name} ${onOneLine(line)}`.trimEnd()
    )
    .join("\n");
}

/** Paragraphs and items of a list stay lines of their own. */
function renderDescription(description: string): string {
  const lines = description.trim().split("\n").map(onOneLine);
  return lines.map((line) => wrap(line, WIDTH - INDENT.length, "")).join("\n");
}

function indent(text: string): string {
  return text.split("\n").map((line) => line === "" ? "" : INDENT + line).join("\n");
}
