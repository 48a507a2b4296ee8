import { type ErrorInfo, exitCodeOf, ToolError } from "../../schemas/error.ts";
import { onTerminal } from "../text/strip_controls.ts";
import { type CommandName, isCommand } from "./args/command_table.ts";
import type { Options } from "./args/options/option_table.ts";
import { IN_CHAT } from "./io/in_chat.ts";
import { endWithChat } from "./io/in_chat.ts";
import { type Io, print, printError } from "./io/io.ts";
import { SIGNAL_CODES } from "./io/signal_codes.ts";
import { jsonLine } from "../text/json_line.ts";
import { type Invocation, parseArgv, takesArguments } from "./args/parse_argv.ts";
import { OVERLAY_COMMAND } from "../self/find_self.ts";
import { toToolError } from "../calls/failed_result.ts";
import { checkArgv, currentFolder, readVariable, readVariables } from "../self/surroundings.ts";

/** A command: does its work and returns the exit code. Throws {@linkcode ToolError} if it cannot. */
export type RunCommand = (invocation: Invocation, io: Io) => Promise<number>;

/** Exit code when the reader of stdout has gone away. */
const BROKEN_PIPE = 141;

const COMMANDS: Readonly<Record<CommandName, () => Promise<RunCommand>>> = {
  run: async () => (await import("./commands/run.ts")).runAgentCommand,
  agents: async () => (await import("./commands/agent/agents.ts")).agentsCommand,
  chat: async () => (await import("./commands/agent/chat.ts")).chatCommand,
  models: async () => (await import("./commands/models.ts")).modelsCommand,
  sources: async () => (await import("./commands/sources/sources.ts")).sourcesCommand,
  sessions: async () => (await import("./commands/sessions.ts")).sessionsCommand,
  trust: async () => (await import("./commands/project/trust.ts")).trustCommand,
  undo: async () => (await import("./commands/changes/undo.ts")).undoCommand,
  diff: async () => (await import("./commands/changes/diff.ts")).diffCommand,
  apply: async () => (await import("./commands/changes/apply.ts")).applyCommand,
  call: async () => (await import("./commands/call.ts")).runCallCommand,
  exec: async () => (await import("./commands/exec.ts")).runExecCommand,
  batch: async () => (await import("./commands/batch.ts")).runBatchCommand,
  tools: async () => (await import("./commands/tools.ts")).listTools,
  schema: async () => (await import("./commands/schema.ts")).printSchema,
  explain: async () => (await import("./commands/explain.ts")).explainCommand,
  audit: async () => (await import("./commands/audit.ts")).auditCommand,
  config: async () => (await import("./commands/config.ts")).configCommand,
  serve: async () => (await import("./commands/serve/serve.ts")).serveCommand,
  ui: async () => (await import("./commands/serve/serve.ts")).uiCommand,
  worker: async () => (await import("./commands/queue/worker.ts")).workerCommand,
  queue: async () => (await import("./commands/queue/queue.ts")).queueCommand,
  mcp: async () => (await import("./commands/mcp/mcp.ts")).mcpCommand,
  doctor: async () => (await import("./commands/doctor.ts")).doctor,
  demo: async () => (await import("./demo/show_demo.ts")).demoCommand,
  completions: async () => (await import("./commands/completions.ts")).printCompletions,
  upgrade: async () => (await import("./commands/release/upgrade.ts")).upgradeCommand,
  version: async () => (await import("./commands/release/version.ts")).printVersion,
  help: async () => (await import("./commands/help.ts")).printHelp,
};

/** Commands that do work of which traces tell, and the variables of OpenTelemetry of which one asks for traces. */
const TOLD: readonly CommandName[] = ["run", "chat", "call", "batch", "serve", "ui", "worker", "mcp"];
const TRACE_VARIABLES = [
  "OTEL_EXPORTER_OTLP_ENDPOINT",
  "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
  "OTEL_TRACES_EXPORTER",
];

/**
 * Runs the program for the words of its command line.
 *
 * @returns The exit code, as the table in schemas/README.md says
 */
export async function runCli(argv: readonly string[], given: Io): Promise<number> {
  let io = withSurroundings(given);
  const isInside = argv[0] === OVERLAY_COMMAND;
  let words = isInside ? argv.slice(1) : argv;
  let invocation: Invocation | undefined;
  try {
    checkArgv(words);
    ({ words, invocation } = await parseWords(words, io));
    if (invocation.options.envFile !== undefined) {
      const { withEnvFile } = await import("./coming/env_file.ts");
      io = await withEnvFile(invocation.options.envFile, io);
    }
    if (isOfModels(invocation) && io.env(IN_CHAT) === undefined) {
      await (await import("./coming/env_file.ts")).warnAboutForeign(io);
    }
    if (invocation.command === "run") io = endWithChat(io);
    const { overlay, resume, help, version } = invocation.options;
    // Each turn of a chat enters its overlay by itself.
    if (!isInside && !isChat(invocation) && (overlay || resume !== undefined) && !help && !version) {
      const { enterOverlay, goesOnInOverlay } = await import("./setup/enter_overlay.ts");
      if (overlay || await goesOnInOverlay(invocation, io)) return await enterOverlay(words, invocation, io);
    }
    const code = await dispatch(invocation, io);
    // A program of the user that was interrupted ends as it likes.
    return invocation.command === "exec" ? code : signalCode(io) ?? code;
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) return BROKEN_PIPE;
    const info = (await explained(toToolError(error), io, invocation)).toInfo();
    // The error may be that stdout cannot be written.
    await print(io, await failureText(words, info, invocation?.options)).catch(() => {});
    // Names and values in it may come from files and models.
    await printError(io, `bulkhead: ${onTerminal(info.message)}\n`);
    return signalCode(io) ?? exitCodeOf(info.code);
  }
}

/** Whether a person who comes from another agent expects that its variables count. */
function isOfModels({ command, options: { help, version, quiet } }: Invocation): boolean {
  return !help && !version && !quiet && (command === "run" || command === "chat" || command === "serve");
}

/** What is not UTF-8 is an error with its name, wherever it is read. */
function withSurroundings(io: Io): Io {
  return {
    ...io,
    env: (name) => readVariable(name, io.env),
    variables: () => readVariables({ list: io.variables, read: io.env }),
    cwd: () => currentFolder(io.cwd),
  };
}

/** Parses words, where options of other systems that mean the same as one here stand for that. */
async function parseWords(
  words: readonly string[],
  io: Io,
): Promise<{ words: readonly string[]; invocation: Invocation }> {
  const reading = { isSwitch: await findSwitches(words, io), home: io.env("HOME") };
  for (let given = words;;) {
    try {
      return { words: given, invocation: parseArgv(given, reading) };
    } catch (error) {
      const option = error instanceof ToolError ? error.details.unknown_option : undefined;
      const renamed = typeof option === "string"
        ? (await import("./coming/same_options.ts")).withOwnOption(given, option)
        : null;
      if (renamed === null) throw error;
      given = renamed;
    }
  }
}

/** Of the tools, the words of a call alone say something. */
async function findSwitches(words: readonly string[], io: Io) {
  const isCall = words.some((word) => isCommand(word) && takesArguments(word));
  if (!isCall) return undefined;
  const { switchesOf } = await import("./args/argument_fields.ts");
  return switchesOf(await io.manifest());
}

async function dispatch(invocation: Invocation, io: Io): Promise<number> {
  const { command, options } = invocation;
  const wanted = isChat(invocation) ? "chat" : command;
  const name: CommandName = options.version ? "version" : options.help || wanted === null ? "help" : wanted;
  const run = await COMMANDS[name]();
  if (!TOLD.includes(name) || TRACE_VARIABLES.every((variable) => !io.env(variable))) {
    return await run(invocation, io);
  }
  const { withTraces } = await import("./setup/with_traces.ts");
  return await withTraces(invocation, io, (told) => run(invocation, told));
}

function isChat({ command, options }: Invocation): boolean {
  return command === "chat" || options.chat === true;
}

/** An error that says more, if the user typed a word of another program, or no name of a tool. */
async function explained(
  error: ToolError,
  io: Io,
  { command, strays }: Pick<Invocation, "command" | "strays"> = { command: null },
): Promise<ToolError> {
  const { unknown_option, unknown_command, unknown_tool, unexpected_word, found } = error.details;
  if (found !== undefined) return (await import("./coming/offer_env_file.ts")).offerEnvFile(error, io);
  const stray = strays?.find(({ word }) => word === unexpected_word);
  if (stray) {
    return new ToolError(error.code, `Unexpected word ${JSON.stringify(stray.word)}: ${stray.advice}`);
  }
  if ([unknown_option, unknown_command, unknown_tool].every((word) => word === undefined)) return error;
  const { explainUnknown } = await import("./help/explain_unknown.ts");
  return explainUnknown(error, await io.manifest(), command);
}

/** The output of a command that could not begin: a document or a last event, if the user asked for one. */
async function failureText(
  words: readonly string[],
  error: ErrorInfo,
  options?: Options,
): Promise<string> {
  const has = (name: "json" | "events") => options ? name in options : words.includes(`--${name}`);
  const command = words.find(isCommand);
  // The words behind it may be another program's.
  if (command === "exec") return "";
  if (command !== "run") return has("json") ? jsonLine({ ok: false, error }) : "";
  if (!has("json") && !has("events")) return "";
  const { endEvent, failedRun } = await import("./show/agent_report.ts");
  const run = failedRun(error, exitCodeOf(error.code));
  return jsonLine(has("json") ? run : { v: 1, ...endEvent(run) });
}

function signalCode(io: Io): number | undefined {
  return io.interrupt.aborted ? SIGNAL_CODES[String(io.interrupt.reason)] : undefined;
}
