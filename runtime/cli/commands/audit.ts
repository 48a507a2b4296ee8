import { ToolError } from "../../../schemas/error.ts";
import { readBoundedLines } from "../../text/lines.ts";
import { AuditTally } from "../../calls/audit/sum_up_audit.ts";
import { awaitInput, type Io, print } from "../io/io.ts";
import { jsonLine } from "../../text/json_line.ts";
import { openInput } from "../io/open_input.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { renderAudit } from "../show/render_audit.ts";
import { StatusLine } from "../show/status_line.ts";

/** Longest line that is read, in bytes: a good deal more than the audit writes. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;
/** How many lines pass between two looks at the clock and the signals. */
const LINES_A_TURN = 1_000;

/** `audit FILE|-`: what the calls of an audit did, what was refused, and the smallest grants for all of it. */
export async function auditCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const [file = "-"] = positionals;
  const { tools } = await io.manifest();
  const needs = new Map(tools.map((tool) => [tool.full_name, tool.needs]));
  const tally = new AuditTally((tool) => needs.get(tool) ?? {});
  using status = new StatusLine(io, { quiet: options.quiet ?? false, label: "lines" });
  const input = await awaitInput(io, openInput(file, io));
  await awaitInput(io, readAll(input, { tally, status, io }));
  status.clear();
  const summary = tally.sum();
  const { calls, runs, skipped: { broken } } = summary;
  if (calls + runs === 0 && broken > 0) {
    throw new ToolError(
      "invalid_input",
      `Cannot use "${file}" as an audit: none of its ${broken} lines is a record, make one with: --audit FILE`,
    );
  }
  await print(io, options.json ? jsonLine(summary) : renderAudit(summary));
  return 0;
}

async function readAll(
  stream: ReadableStream<Uint8Array>,
  { tally, status, io }: { tally: AuditTally; status: StatusLine; io: Io },
): Promise<void> {
  let done = 0;
  for await (const line of readBoundedLines(stream, MAX_LINE_BYTES)) {
    tally.addLine(line);
    if (++done % LINES_A_TURN !== 0) continue;
    status.show({ done });
    // Gives timers and signals a turn.
    await new Promise((resolve) => setTimeout(resolve));
    if (io.interrupt.aborted) return;
  }
}
