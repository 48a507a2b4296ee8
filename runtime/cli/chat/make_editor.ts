import { join } from "@std/path";

import { makeMasker, secretValues } from "../../text/secrets/redact.ts";
import type { Options } from "../args/options/option_table.ts";
import { wantsColors } from "../io/colors.ts";
import { type Io, printError } from "../io/io.ts";
import { completeCommand } from "./chat_commands.ts";
import { openHistory } from "./history.ts";
import { LineEditor } from "./line_editor.ts";

/**
 * Makes the editor of a chat, with the history of earlier ones.
 *
 * @param tell Tells the person why there is no history
 */
export function makeEditor(
  { io, state }: { io: Io; state: string },
  { noColor }: Options,
  tell: (message: string) => Promise<void>,
): LineEditor {
  const mask = makeMasker(secretValues(io.variables()));
  const { history, problem } = openHistory(join(state, "chat_history.jsonl"), mask);
  if (problem !== null) void tell(`no history of earlier chats: ${problem}`);
  const colors = wantsColors(io, { noColor, isTerminal: true });
  return new LineEditor(
    {
      keyboard: io.keyboard,
      show: (text) => printError(io, text),
      columns: () => io.stderrWidth() ?? 80,
    },
    {
      prompt: "> ",
      indent: "  ",
      paint: (prompt) => colors ? `\x1b[1m${prompt}\x1b[0m` : prompt,
      complete: completeCommand,
    },
    history,
  );
}
