import type { Shell } from "../args/command_table.ts";
import { shortName } from "../help/tool_help.ts";
import { completedCall, renderCompletions } from "../help/render_completions.ts";
import { readHostConfig } from "../../host/configure_host.ts";
import { hostSettings } from "../setup/open_run.ts";
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
  const { config: { agents: own = {} } } = readHostConfig(
    hostSettings({ ...options, quiet: true }, io, {}),
    [],
  );
  const agents = [...new Set([...Object.keys((await io.manifest()).agents), ...Object.keys(own)])];
  await print(io, renderCompletions(positionals[0] as Shell, names, { calls, agents }));
  return 0;
}
