import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { programErrorText } from "./shared/program_error_text.ts";
import { checkReading, maxOutputChars, readTerminal, view } from "./shared/read_terminal.ts";
import { withSessionWords } from "./shared/session_words.ts";
import { terminalOutput, terminalText } from "./shared/terminal_text.ts";

const WAIT_MS = 200;

export default defineTool({
  name: "TerminalInterrupt",
  description:
    "Send Ctrl-C to the foreground program of a terminal session and read the output that follows. The session stays. " +
    "Use it when a long-running program must be interrupted but the shell should remain alive.",
  input: z.object({
    session_id: z.string().describe("The session_id of a started terminal session."),
    max_output_chars: maxOutputChars,
    view,
  }),
  output: terminalOutput,
  needs: { read: "granted", run: "granted" },
  readOnly: false,
  parallel: false,
  examples: [
    { line: "session_id=ID", meaning: "Press Ctrl-C in the session ID of the same batch" },
  ],
  limits: { timeoutMs: 60_000 },
  async run({ session_id: id, max_output_chars: maxChars, view }, context) {
    checkReading({ waitMs: WAIT_MS, maxChars });
    await withSessionWords({ purpose: "interrupt", id }, () => context.programs.signal(id, "SIGINT"));
    return await readTerminal(context, id, { purpose: "interrupt", waitMs: WAIT_MS, maxChars, view });
  },
  text: (result) => terminalText("[TerminalInterrupt] Sent Ctrl-C to terminal session.", result),
  errorText: programErrorText("TerminalInterrupt"),
});
