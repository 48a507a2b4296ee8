import { exitCodeOf, ToolError } from "../../../schemas/error.ts";
import { endError, execCommand } from "../../calls/exec_command.ts";
import { giveUp } from "../../host/give_up.ts";
import { openHost } from "../../host/open_host.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { type Io, printError } from "../io/io.ts";
import { SIGNAL_CODES } from "../io/signal_codes.ts";
import { hostSettings } from "../setup/open_run.ts";

/** What shells say of a command that is not there, and of one that cannot be executed. */
const NOT_THERE = 127;
const NOT_EXECUTABLE = 126;

/** `exec -- COMMAND …`: the sandbox around one command of the user, on the streams and with the exit code of that command. */
export async function runExecCommand(
  { positionals, options, strays = [] }: Invocation,
  io: Io,
): Promise<number> {
  const { interrupt } = io;
  const settings = hostSettings(options, io, { runsCalls: true, stdinTaken: true });
  await using host = openHost(settings, { manifest: await io.manifest() });
  await giveUp({
    host,
    process: io.process,
    called: [{ needs: { run: "granted" }, leaves_files: true }],
    keepsFiles: true,
  });
  const gentle = new AbortController();
  const forced = new AbortController();
  const onInterrupt = () => (interrupt.reason === "SIGINT" ? gentle : forced).abort(interrupt.reason);
  if (interrupt.aborted) onInterrupt();
  else interrupt.addEventListener("abort", onInterrupt);
  const tell = (warnings: readonly string[]) =>
    Promise.all(
      options.quiet ? [] : warnings.map((line) => printError(io, `bulkhead: ${onOneLine(line)}\n`)),
    );
  try {
    const end = await execCommand({
      argv: positionals,
      terminals: {
        stdin: io.stdinIsTerminal(),
        stdout: io.stdoutWidth() !== null,
        stderr: io.stderrWidth() !== null,
      },
      term: settings.env.TERM,
      timeoutMs: options.timeout === undefined ? undefined : options.timeout * 1000,
      interrupt: gentle.signal,
      tellsLeft: !options.quiet,
      onStart: async (warnings) => void await tell(warnings),
    }, { machine: host, programs: host.programs, signal: forced.signal });
    await tell(end.warnings);
    const error = endError(end);
    if (error === null) return end.exitCode;
    if (!forced.signal.aborted) await printError(io, `bulkhead: ${error.message}\n`);
    return SIGNAL_CODES[String(forced.signal.reason)] ?? exitCodeOf(error.code);
  } catch (error) {
    if (forced.signal.aborted) return SIGNAL_CODES[String(forced.signal.reason)]!;
    if (!(error instanceof ToolError) || error.code !== "not_found") throw error;
    const stray = strays.find(({ word }) => word === positionals[0]);
    await printError(io, `bulkhead: ${onOneLine(error.message)}${stray ? `; ${stray.advice}` : ""}\n`);
    return error.details.reason === "not_executable" ? NOT_EXECUTABLE : NOT_THERE;
  }
}
