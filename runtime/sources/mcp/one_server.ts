import { ToolError } from "../../../schemas/error.ts";
import type { MakeSource, McpPlace, ServerWork } from "../source.ts";
import { readServers } from "./mcp_source.ts";

/** Longest time of the work: a person may have to do something, in milliseconds. */
const WORK_MS = 15 * 60_000;

/** Makes a source that gives no tools: it does something with one server that the files name. */
export function oneServer(places: readonly McpPlace[], { name, work }: ServerWork): MakeSource {
  return (host) => ({
    name: `server "${name}"`,
    loadMs: WORK_MS,
    isRequired: true,
    async load() {
      const servers = await readServers(places, host);
      const server = servers.find((one) => one.name === name);
      if (server === undefined) {
        const names = servers.map((one) => JSON.stringify(one.name));
        const known = names.length === 0
          ? "no server is named at all, pass --mcp FILE or name it in mcpServers of the configuration"
          : `there are ${names.join(", ")}`;
        throw new ToolError("not_found", `Unknown server ${JSON.stringify(name)}: ${known}`);
      }
      await work(server, host);
      return [];
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}
