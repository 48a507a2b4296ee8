import type { ToolResult } from "../../../schemas/result.ts";
import type { ShownOutput } from "../../../schemas/manifest.ts";
import { callTool } from "../../calls/call_tool.ts";
import { clipText } from "../../calls/results/cap_result.ts";
import { findTool, isCertain, noteOnName } from "../../calls/catalog/find_tool.ts";
import { plural } from "../../text/plural.ts";
import { onOneLine, onTerminal } from "../../text/strip_controls.ts";
import { wantsColors } from "../io/colors.ts";
import { type Io, printError, userFolder } from "../io/io.ts";
import { jsonLine } from "../../text/json_line.ts";
import { makeOutput, type Output } from "../io/output.ts";
import { sourceOf } from "../args/call_arguments.ts";
import type { Options } from "../args/options/option_table.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { readInput } from "../io/read_input.ts";
import { EventReporter, exitCodeOfResult, interruptedCode } from "../show/event_reporter.ts";
import { keepOnly, openRun } from "../setup/open_run.ts";
import type { ShownStreams } from "../show/output/show_output.ts";
import { StatusLine } from "../show/status_line.ts";

/** `call TOOL …`: one call; prints what a model would see, the whole result with `--json`, or its events. */
export async function runCallCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const [name = "", ...words] = positionals;
  const manifest = await io.manifest();
  const stdinTaken = words.includes("-");
  const person = personAt(io, options);
  using output = makeOutput(options.output, io, { form: options.events ? "lines" : "whole" });
  const source = words[0] === undefined ? null : sourceOf(words[0]);
  const files = { inputs: source?.kind === "file" ? [source.path] : [], outputs: output.files };
  await using host = openRun(options, io, {
    manifest,
    runsCalls: true,
    isSingle: true,
    stdinTaken,
    ...files,
  });
  // Whoever names files of tools may mean theirs.
  if (options.tools || !isCertain(host.catalog, name)) await host.ready({ signal: io.interrupt });
  const entry = findTool(host.catalog, name);
  const { tool } = entry;
  const input = await readInput(words, tool, io);
  using status = new StatusLine(io, { quiet: options.quiet ?? false, label: tool.full_name });
  await keepOnly([tool], { host, options, io });
  const events = options.events ? new EventReporter(output) : undefined;
  events?.start("call", host);
  events?.toolStart(1, tool.full_name, input);
  const heard = events?.ofCall(1);
  const called = await callTool(entry, input, {
    machine: host,
    signal: io.interrupt,
    ...heard,
    onProgress(progress) {
      status.show(progress);
      heard?.onProgress(progress);
    },
    onQuestion: (state) => status.follow(state),
    onConfirm(state) {
      status.follow(state);
      heard?.onConfirm(state);
    },
  });
  const note = noteOnName(host.catalog, name, entry);
  if (note !== null) called.warnings.unshift(note);
  status.clear();
  const result = options.check ? await checked(called) : called;
  const code = interruptedCode(io.interrupt, exitCodeOfResult(result));
  if (events) {
    await events.toolEnd(1, result);
    // Their ends are events too.
    await host.programs.end();
    await events.end(code, { interrupted: io.interrupt.aborted });
  } else {
    // What still runs must not change the file that was just written.
    if (output.files.length > 0) await host.programs.end();
    await report(called, { io, output, options, judged: result, shows: tool.shows, input, person });
  }
  return code;
}

/** Few calls are checked. */
async function checked(called: ToolResult): Promise<ToolResult> {
  const { judgeResult } = await import("../../calls/batch/expect.ts");
  return (await judgeResult(called, { expect: null, check: true })).result;
}

async function report(
  result: ToolResult,
  { io, output, options, judged, shows, input, person }: CallReport,
): Promise<void> {
  if (options.json) {
    await output.write(jsonLine(judged));
    return;
  }
  if (!options.quiet) {
    for (const warning of result.warnings) await printError(io, `warning: ${onOneLine(warning)}\n`);
    const bytes = bytesIn(result);
    if (bytes !== "") await printError(io, `not shown as text: ${bytes}; --json has them\n`);
  }
  const shown = shows && result.ok && person ? await forPerson(result, shows, { person, input }) : null;
  if (shown) {
    // Hits are few, and a cut could leave colors behind.
    await output.write(shows?.kind === "matches" ? shown.stdout : clipped(shown.stdout));
    await printError(io, shown.stderr);
  } else if (result.ok) {
    // A pipe and a file get the bytes as they are.
    await output.write(endWithNewline(person ? onTerminal(clipped(result.text)) : result.text));
  } else await printError(io, endWithNewline(onTerminal(result.text)));
  if (result.ok && !judged.ok) {
    await printError(io, `bulkhead: ${onOneLine(judged.error?.message ?? "")} (--check)\n`);
  }
}

/** Names what a result has besides its text, with its number. */
function bytesIn({ images, audio = [], resources = [] }: ToolResult): string {
  const parts: [number, string][] = [
    [images.length, "picture"],
    [audio.length, "sound"],
    [resources.filter((one) => "data" in one).length, "document"],
  ];
  return parts.filter(([count]) => count > 0).map(([count, noun]) => plural(count, noun)).join(", ");
}

/** What a result is told with. */
interface CallReport {
  io: Io;
  output: Output;
  options: Options;
  /** The result that counts. */
  judged: ToolResult;
  shows: ShownOutput | undefined;
  input: Record<string, unknown>;
  person: Person | null;
}

/** A person at a terminal need not read what a model reads. */
async function forPerson(
  result: ToolResult,
  shows: ShownOutput,
  { person, input }: { person: Person; input: Record<string, unknown> },
): Promise<ShownStreams | null> {
  const [{ showOutput }, { makeForeignReader }] = await Promise.all([
    import("../show/output/show_output.ts"),
    import("../show/markdown/foreign_reader.ts"),
  ]);
  using reader = makeForeignReader();
  return await showOutput(result, { shows, input, canvas: person, folder: person.folder, reader });
}

/** Who looks at a terminal. */
interface Person {
  colors: boolean;
  folder: string;
}

/** A person looks at a terminal; a pipe and a file get the whole. Needs `env`, before the run gives it up. */
function personAt(io: Io, { output, json, noColor }: Options): Person | null {
  if (io.stdoutWidth() === null || output !== undefined || json) return null;
  return { colors: wantsColors(io, { noColor, isTerminal: true }), folder: userFolder(io) };
}

function clipped(text: string): string {
  const cut = clipText(text);
  if (cut === null) return text;
  const start = cut.shown.endsWith("\n") ? cut.shown : `${cut.shown}\n`;
  return `${start}[the result has ${cut.wholeBytes} bytes; for the whole, pass -o FILE or pipe it, as into less]`;
}

function endWithNewline(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
