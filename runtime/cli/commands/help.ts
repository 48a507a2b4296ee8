import { isCommand } from "../args/command_table.ts";
import type { Invocation } from "../args/parse_argv.ts";
import { isTopic } from "../args/topic_table.ts";
import { renderHelp } from "../help/render_help.ts";
import { type Io, print } from "../io/io.ts";

/** `help [COMMAND|TOPIC]`, `--help` with any command, and the program without one. */
export async function printHelp({ command, positionals: [word] }: Invocation, io: Io): Promise<number> {
  if (command === "help" && word !== undefined && isTopic(word)) {
    const { renderTopic } = await import("../help/render_topic.ts");
    await print(io, await renderTopic(word));
    return 0;
  }
  const about = command === "help" && word !== undefined && isCommand(word) ? word : command;
  const { command_examples } = await io.manifest();
  await print(io, renderHelp(about === "help" ? null : about, command_examples));
  return 0;
}
