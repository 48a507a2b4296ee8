import { ToolError } from "../../../../schemas/error.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import { runChat } from "../../chat/run_chat.ts";
import type { Io } from "../../io/io.ts";
import { stateOf } from "../../setup/state_of.ts";

/** `chat [PROMPT]`: a conversation at the terminal, turn after turn in one session. */
export async function chatCommand({ positionals, options }: Invocation, io: Io): Promise<number> {
  const [first, second] = positionals;
  if (first === "-" || second !== undefined) {
    throw new ToolError(
      "invalid_input",
      "A chat takes one prompt, as one word in quotes, and none from stdin",
    );
  }
  checkTerminal(io);
  return await runChat(first?.trim() ? first : null, options, { io, state: stateOf(io) });
}

function checkTerminal(io: Io): void {
  const missing = [
    ...io.stdinIsTerminal() ? [] : ["stdin"],
    ...io.stdoutWidth() === null ? ["stdout"] : [],
    ...io.stderrWidth() === null ? ["stderr"] : [],
  ];
  const why = missing.length > 0
    ? `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} none`
    : io.env("CI")
    ? "CI is set, so nobody is there"
    : io.env("TERM") === "dumb"
    ? "TERM is dumb, so the cursor cannot move"
    : null;
  if (why === null) return;
  throw new ToolError(
    "invalid_input",
    `A chat needs a terminal, and ${why}: take one turn with bulkhead run 'PROMPT', and the next ones with ` +
      "bulkhead run --resume ID 'PROMPT'",
  );
}
