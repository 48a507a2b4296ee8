import * as z from "zod";

import type { ToolContext } from "../../schemas/context.ts";
import { defineTool } from "../../schemas/tool.ts";
import { programErrorText } from "./shared/program_error_text.ts";
import { checkReading, maxOutputChars, readTerminal, view, yieldTimeMs } from "./shared/read_terminal.ts";
import { withSessionWords } from "./shared/session_words.ts";
import { terminalOutput, terminalText } from "./shared/terminal_text.ts";

/** Bytes of one line that a terminal holds for a program that reads whole lines; Linux drops the rest. */
const LINE_BYTES = 4095;

export default defineTool({
  name: "TerminalWrite",
  description:
    "Send input to a persistent terminal session and read the output that follows. Best for stateful shells, REPLs, " +
    "and long-running foreground programs.",
  seeAlso: ["What takes longer than yield_time_ms is read with {TerminalRead}."],
  input: z.object({
    session_id: z.string().describe("The session_id of a started terminal session."),
    input: z.string().describe("Text to send, control characters included."),
    append_newline: z.boolean().default(true).describe("Whether a line end is sent after it."),
    yield_time_ms: yieldTimeMs,
    max_output_chars: maxOutputChars,
    view,
  }),
  output: terminalOutput,
  needs: { read: "granted", run: "granted" },
  readOnly: false,
  parallel: false,
  examples: [
    { line: "session_id=ID input='ls -l'", meaning: "Type a command into the session ID of the same batch" },
  ],
  limits: { timeoutMs: 60_000 },
  targets: (input) => [
    { kind: "run", value: "bash", command: { script: dataOf(input), shell: "bash", typed: true } },
  ],
  async run(input, context) {
    const { session_id: id, yield_time_ms: waitMs, max_output_chars: maxChars } = input;
    checkReading({ waitMs, maxChars });
    const data = dataOf(input);
    warnOfLongLines(data, context);
    await withSessionWords({ purpose: "write to", id }, () => context.programs.write(id, data));
    return await readTerminal(context, id, { purpose: "write to", waitMs, maxChars, view: input.view });
  },
  text: (result) => terminalText("[TerminalWrite] Session updated.", result),
  errorText: programErrorText("TerminalWrite"),
});

function dataOf({ input, append_newline: isEnded }: { input: string; append_newline: boolean }): string {
  return isEnded ? `${input}\n` : input;
}

function warnOfLongLines(data: string, context: ToolContext): void {
  const encoder = new TextEncoder();
  const isLong = (line: string) => encoder.encode(line).length > LINE_BYTES;
  if (!data.split(/[\r\n]/).some(isLong)) return;
  context.warn(
    `A line is longer than ${LINE_BYTES} bytes: a busy shell, and a program that reads whole lines, get only its ` +
      "start; pass long text in a file",
  );
}
