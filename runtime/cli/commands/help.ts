import { type CommandName, isCommand } from "../args/command_table.ts";
import { renderHelp } from "../help/render_help.ts";
import { type Io, print } from "../io/io.ts";
import type { Invocation } from "../args/parse_argv.ts";

/** `help [COMMAND]`, `--help` with any command, and the program without one. */
export async function printHelp({ command, positionals }: Invocation, io: Io): Promise<number> {
  const [word] = positionals;
  const about: CommandName | null = command === "help" && word !== undefined && isCommand(word)
    ? word
    : command;
  await print(io, renderHelp(about === "help" || about === null ? undefined : about));
  return 0;
}
