import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { programErrorText } from "./shared/program_error_text.ts";
import { checkReading, maxOutputChars, readTerminal, view, yieldTimeMs } from "./shared/read_terminal.ts";
import { terminalOutput, terminalText } from "./shared/terminal_text.ts";

export default defineTool({
  name: "TerminalRead",
  description:
    "Read the unread output of a persistent terminal session, or look at its screen. Useful when a program is still " +
    "running and output arrives over time.",
  input: z.object({
    session_id: z.string().describe("The session_id of a started terminal session."),
    yield_time_ms: yieldTimeMs,
    max_output_chars: maxOutputChars,
    view,
  }),
  output: terminalOutput,
  needs: { read: "granted", run: "granted" },
  readOnly: false,
  parallel: false,
  examples: [
    { line: "session_id=ID view=screen", meaning: "Look at the screen of the session ID of the same batch" },
  ],
  limits: { timeoutMs: 60_000 },
  async run({ session_id, yield_time_ms: waitMs, max_output_chars: maxChars, view }, context) {
    checkReading({ waitMs, maxChars });
    return await readTerminal(context, session_id, { purpose: "read", waitMs, maxChars, view });
  },
  text: (result) => terminalText("[TerminalRead] Session output fetched.", result),
  errorText: programErrorText("TerminalRead"),
});
