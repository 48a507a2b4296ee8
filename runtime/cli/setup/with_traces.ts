import { openTraces } from "../../telemetry/traces/open_traces.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { type Io, printError } from "../io/io.ts";

/** Commands that are a server: the traces of requests are their clients'. */
const SERVERS = ["serve", "ui", "worker"];

/**
 * Runs a command and tells what it does to the collector that the variables of OpenTelemetry name. When it has ended, what is
 * left is delivered within a bound; nothing of this changes how it ends.
 */
export async function withTraces(
  { command, options }: Invocation,
  io: Io,
  run: (io: Io) => Promise<number>,
): Promise<number> {
  const said: Promise<void>[] = [];
  const traces = openTraces({
    env: io.variables(),
    isPart: !SERVERS.includes(command ?? ""),
    warn(message) {
      if (!options.quiet) said.push(printError(io, `bulkhead: ${onOneLine(message)}\n`));
    },
  });
  if (traces === null) return await run(io);
  try {
    return await run({ ...io, process: { ...io.process, telemetry: traces.telemetry } });
  } finally {
    await traces[Symbol.asyncDispose]();
    // The process ends behind this.
    await Promise.all(said);
  }
}
