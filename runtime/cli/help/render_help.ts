import type { Example, Manifest } from "../../../schemas/manifest.ts";
import { COMMAND_NAMES, type CommandName, commandOf, optionsOf } from "../args/command_table.ts";
import type { OptionGroup } from "../args/options/option_kinds.ts";
import { flagOf, type HelpForm, type OptionName, optionOf } from "../args/options/option_table.ts";
import { TOPIC_NAMES, topicOf } from "../args/topic_table.ts";
import { wrap } from "./wrap.ts";

const WIDTH = 80;

const USAGE = "Usage: ";

/** Where the second column of a table starts. */
const COLUMN = 30;

/** The headings of options. */
export const OPTION_HEADINGS: Record<OptionGroup, string> = {
  agent: "Agent",
  grants: "Permissions (lists are separated by commas, deny wins)",
  tools: "Choice of tools",
  running: "Running",
  output: "Output",
  general: "General",
};

/** Exit codes with their meanings. */
export const EXIT_MEANINGS: readonly (readonly [string, string])[] = [
  ["0", "ok, also a search that found nothing"],
  ["1", "the call failed: not found, conflict, unavailable, internal"],
  ["2", "invalid input: command, option, tool, arguments, file"],
  ["3", "permission denied, or against a rule"],
  ["4", "a key is missing or refused"],
  ["5", "a service failed or cannot be reached"],
  ["6", "workspace, configuration or audit cannot be used"],
  ["7", "a limit was exceeded"],
  ["8", "a tool gave an invalid result"],
  ["124, 141", "timeout, closed pipe"],
  ["129, 130, 131, 143", "ended by SIGHUP, SIGINT, SIGQUIT, SIGTERM"],
];

/** Examples that name tools, by the command. */
export type ToolExamples = Manifest["command_examples"];

/**
 * Returns the help of a command, or of the program for `null`, in lines of at most 80 columns, examples apart. Ends with
 * a line break.
 *
 * @param form Of a command, the short form leaves out notes, most permissions, and what options mean in detail
 */
export function renderHelp(
  command: CommandName | null,
  toolExamples: ToolExamples,
  form: HelpForm = "long",
): string {
  if (command === null) return renderProgram(toolExamples);
  return form === "long" ? renderCommand(command, toolExamples) : renderShort(command, toolExamples);
}

/** What the program says of itself without a command. */
export const FIRST_WORDS = `bulkhead: runs the tools of LLM agents inside the permissions you grant
  bulkhead demo                    a recorded run in a folder of examples, no key needed
  bulkhead run 'What is here?'     an agent works in this folder; chat talks with one
  bulkhead call Grep TODO          one tool; exec -- CMD runs one command in the sandbox
  bulkhead help                    all commands and topics; doctor says what works here
`;

function renderProgram(toolExamples: ToolExamples): string {
  const examples = COMMAND_NAMES.flatMap((name) => examplesOf(name, toolExamples).slice(0, 1));
  return [
    "bulkhead: runs the tools of LLM agents inside the permissions you grant\n",
    "Usage: bulkhead COMMAND [options]\n",
    section("Commands", COMMAND_NAMES.map((name) => [name, commandOf(name).summary])),
    section("Topics", TOPIC_NAMES.map((name) => [name, topicOf(name).summary])),
    section("Options of every command", optionsOf("help").map((name) => optionRow(name))),
    section("Exit codes", EXIT_MEANINGS),
    renderExamples(examples),
    "More: bulkhead help COMMAND, bulkhead help TOPIC, bulkhead help TOOL\n",
  ].join("\n");
}

/** The permissions that are told in short; the others have a topic. */
const SHORT_GRANTS: readonly OptionName[] = ["policy", "allowAll", "sandbox"];

function renderShort(name: CommandName, toolExamples: ToolExamples): string {
  const { summary } = commandOf(name);
  const options = optionsOf(name);
  const left = options.filter((option) =>
    optionOf(option).group === "grants" && !SHORT_GRANTS.includes(option)
  );
  const rows = options.filter((option) => !left.includes(option)).map((option): [string, string] => [
    optionRow(option)[0],
    (optionOf(option).says?.[name] ?? optionOf(option).summary).split(/;|: /)[0]!,
  ]);
  const more = [
    `All options: bulkhead ${name} --help`,
    ...(left.length > 0 ? [`${left.length} more about permissions: bulkhead help permissions`] : []),
  ];
  const examples = examplesOf(name, toolExamples);
  return [
    `${summary}\n`,
    `${renderUsage(name)}\n`,
    section("Options", rows),
    examples.length > 0 ? renderExamples(examples.slice(0, 2)) : "",
    `${more.join("\n")}\n`,
  ].filter((part) => part !== "").join("\n");
}

function renderUsage(name: CommandName): string {
  const indent = " ".repeat(USAGE.length);
  const forms = commandOf(name).usage.map((form) => wrap(`bulkhead ${form}`, WIDTH - USAGE.length, indent));
  return USAGE + forms.join(`\n${indent}`);
}

function renderCommand(name: CommandName, toolExamples: ToolExamples): string {
  const { summary, notes = [], actions = {} } = commandOf(name);
  const examples = examplesOf(name, toolExamples);
  const options = optionsOf(name);
  const groups = (Object.keys(OPTION_HEADINGS) as OptionGroup[]).map((group) => {
    const rows = options.filter((option) => optionOf(option).group === group)
      .map((option) => optionRow(option, name));
    return rows.length > 0 ? section(OPTION_HEADINGS[group], rows) : "";
  });
  return [
    `${summary}\n`,
    `${renderUsage(name)}\n`,
    ...notes.map((note) => `${wrap(note, WIDTH, "")}\n`),
    Object.keys(actions).length > 0
      ? section("Actions", Object.entries(actions).map(([action, { summary }]) => [action, summary]))
      : "",
    ...groups,
    examples.length > 0 ? renderExamples(examples) : "",
  ].filter((part) => part !== "").join("\n");
}

/** Returns the examples of a command, those of tools first. */
export function examplesOf(name: CommandName, toolExamples: ToolExamples): readonly Example[] {
  const own = commandOf(name).examples.map(([line, meaning]) => ({ line, meaning }));
  return [...toolExamples[name] ?? [], ...own];
}

function renderExamples(examples: readonly Example[]): string {
  const lines = examples.map(({ line, meaning }) => `  # ${meaning}\n  bulkhead ${line}\n`);
  return `Examples:\n${lines.join("")}`;
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  return `${title}:\n${rows.map(([left, right]) => `${row(left, right)}\n`).join("")}`;
}

/** A term that is too long for its column has its meaning on the next line. */
function row(left: string, right: string): string {
  const fits = left.length + 4 <= COLUMN;
  const head = fits ? `  ${left}`.padEnd(COLUMN) : `  ${left}\n${" ".repeat(COLUMN)}`;
  return head + wrap(right, WIDTH - COLUMN, " ".repeat(COLUMN));
}

/** Returns an option as help shows it: how it is written, and what it does, for a command if that is named. */
export function optionRow(name: OptionName, command?: CommandName): [string, string] {
  const option = optionOf(name);
  const says = command && option.says?.[command];
  const letter = option.short ? `-${option.short}, ` : "    ";
  const joint = option.kind === "names" ? "=" : " ";
  const value = option.kind === "optional"
    ? ` [${option.value}]`
    : option.kind === "grant"
    ? `[=${option.value}]`
    : option.value
    ? joint + option.value
    : "";
  const choices = option.kind === "choice" ? `: ${option.choices.join(", ")}` : "";
  const fallback = option.default === undefined ? "" : ` (default: ${option.default})`;
  return [`${letter}${flagOf(name)}${value}`, `${says ?? option.summary}${choices}${fallback}`];
}
