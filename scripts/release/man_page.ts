import { COMMAND_NAMES, type CommandName, commandOf } from "../../runtime/cli/args/command_table.ts";
import { COMMON_OPTIONS } from "../../runtime/cli/args/command_kinds.ts";
import type { OptionGroup } from "../../runtime/cli/args/options/option_kinds.ts";
import { flagOf, OPTION_NAMES, optionOf } from "../../runtime/cli/args/options/option_table.ts";
import { TOPIC_NAMES, topicOf } from "../../runtime/cli/args/topic_table.ts";
import {
  examplesOf,
  EXIT_MEANINGS,
  OPTION_HEADINGS,
  optionRow,
  type ToolExamples,
} from "../../runtime/cli/help/render_help.ts";

/**
 * Returns the manual page `bulkhead.1`, made of the tables that help is made of.
 *
 * @param toolExamples Examples of commands that name tools
 */
export function manPage(version: string, toolExamples: ToolExamples): string {
  return [
    `.TH BULKHEAD 1 "" ${quoted(`bulkhead ${version}`)} "User Commands"`,
    ...[".nh", ".ad l"],
    ".SH NAME",
    plain("bulkhead - run the tools of LLM agents inside the permissions that you grant"),
    ".SH SYNOPSIS",
    ".B bulkhead",
    plain("COMMAND [options]"),
    ".SH DESCRIPTION",
    plain(
      "Each call of a tool runs in a room of its own, with only the permissions that it needs and you granted.",
    ),
    plain("On Linux a sandbox is around it. The commands and what they take:"),
    ...COMMAND_NAMES.flatMap((name) => commandLines(name)),
    ".SH OPTIONS",
    plain("Each command lists its own options. All options, by what they are about:"),
    ...(Object.keys(OPTION_HEADINGS) as OptionGroup[]).flatMap(groupLines),
    ".SH TOPICS",
    plain("The program holds its manual: bulkhead help TOPIC."),
    ...TOPIC_NAMES.flatMap((name) => item(name, topicOf(name).summary)),
    ".SH EXIT STATUS",
    ...EXIT_MEANINGS.flatMap(([code, meaning]) => item(code, meaning)),
    ".SH EXAMPLES",
    ...COMMAND_NAMES.flatMap((name) => examplesOf(name, toolExamples).slice(0, 1)).flatMap((
      { line, meaning },
    ) => [
      ".PP",
      plain(`${meaning}:`),
      ...[".PP", ".RS 4", ".nf", plain(`bulkhead ${line}`), ".fi", ".RE"],
    ]),
    "",
  ].join("\n");
}

function commandLines(name: CommandName): string[] {
  const { summary, usage, notes = [], options, actions = {} } = commandOf(name);
  const flags = [...options].filter((option) => !COMMON_OPTIONS.includes(option)).map(flagOf);
  return [
    `.SS ${quoted(name)}`,
    plain(`${summary}.`),
    ...usage.flatMap((form) => [".PP", ".RS 4", plain(`bulkhead ${form}`), ".RE"]),
    ...notes.flatMap((note) => [".PP", plain(note)]),
    ...Object.entries(actions).flatMap(([action, { summary }]) => item(action, summary)),
    ...(flags.length > 0 ? [".PP", plain(`Options: ${flags.join(", ")}.`)] : []),
  ];
}

function groupLines(group: OptionGroup): string[] {
  const names = OPTION_NAMES.filter((name) => optionOf(name).group === group);
  if (names.length === 0) return [];
  return [
    `.SS ${quoted(OPTION_HEADINGS[group])}`,
    ...names.map((name) => optionRow(name)).flatMap(([term, meaning]) => item(term.trim(), meaning)),
  ];
}

function item(term: string, meaning: string): string[] {
  return [".TP", `\\fB${escaped(term)}\\fR`, plain(meaning)];
}

/** A line of text: none of its signs is a command of the formatter. */
function plain(text: string): string {
  const line = escaped(text.replace(/\s*\n\s*/g, " ").trim());
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

function quoted(text: string): string {
  return `"${escaped(text).replaceAll('"', "\\(dq")}"`;
}

/** Signs beyond ASCII as the formatter names them. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("'", "\\(aq").replaceAll("`", "\\(ga")
    .replaceAll("^", "\\(ha").replaceAll("~", "\\(ti")
    .replace(
      /[^\n -~]/gu,
      (char) => `\\[u${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`,
    );
}
