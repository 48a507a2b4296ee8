import type { Shell } from "../args/command_table.ts";
import { renderCompletions } from "../help/render_completions.ts";
import { type Io, print } from "../io/io.ts";
import type { Invocation } from "../args/parse_argv.ts";

/** `completions SHELL`. */
export async function printCompletions({ positionals }: Invocation, io: Io): Promise<number> {
  const { tools } = await io.manifest();
  const names = tools.flatMap((tool) => [tool.name, tool.full_name]);
  await print(io, renderCompletions(positionals[0] as Shell, names));
  return 0;
}
