import type { Shell } from "./commands.ts";
import { renderCompletions } from "./completions.ts";
import { type Io, print } from "./io.ts";
import type { Invocation } from "./parse_argv.ts";

/** `completions SHELL`. */
export async function printCompletions({ positionals }: Invocation, io: Io): Promise<number> {
  const { tools } = await io.manifest();
  const names = tools.flatMap((tool) => [tool.name, tool.full_name]);
  await print(io, renderCompletions(positionals[0] as Shell, names));
  return 0;
}
