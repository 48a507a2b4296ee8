import * as z from "zod";

import { defineTool } from "../../schemas/tool.ts";
import { programErrorText } from "./shared/program_error_text.ts";
import { withSessionWords } from "./shared/session_words.ts";
import { factsOf, terminalFacts, terminalText } from "./shared/terminal_text.ts";

const GRACE_MS = 2000;

export default defineTool({
  name: "TerminalKill",
  description:
    "End a persistent terminal session, together with everything that runs in it, and release its resources. " +
    "Do it for every session that is no longer needed.",
  input: z.object({
    session_id: z.string().describe("The session_id of a started terminal session."),
    force: z.boolean().default(false).describe(
      "Whether it is killed at once, without two seconds to end by itself.",
    ),
  }),
  output: terminalFacts,
  needs: { read: "granted", run: "granted" },
  readOnly: false,
  parallel: false,
  examples: [
    { line: "session_id=ID", meaning: "End the session ID of the same batch" },
  ],
  limits: { timeoutMs: 60_000 },
  async run({ session_id: id, force }, context) {
    const close = () => context.programs.close(id, { graceMs: force ? 0 : GRACE_MS });
    return factsOf(await withSessionWords({ purpose: "terminate", id }, close));
  },
  text: (result) => terminalText("[TerminalKill] Terminal session terminated.", result),
  errorText: programErrorText("TerminalKill"),
});
