import type { Shell } from "../args/command_table.ts";
import { shortName } from "../help/tool_help.ts";
import { completedCall, renderCompletions } from "../help/render_completions.ts";
import { describedTools } from "../setup/described_tools.ts";
import { type Io, print } from "../io/io.ts";
import type { Invocation } from "../args/parse_argv.ts";

/** `completions SHELL`. */
export async function printCompletions({ positionals, options }: Invocation, io: Io): Promise<number> {
  const catalog = await describedTools(options, io, { servers: false });
  const tools = catalog.entries.map(({ tool }) => tool);
  const names = tools.flatMap((tool) => [tool.name, tool.full_name]);
  const calls = tools.map((tool) =>
    completedCall(tool, [...new Set([shortName(catalog, tool), tool.full_name])])
  );
  await print(io, renderCompletions(positionals[0] as Shell, names, calls));
  return 0;
}
