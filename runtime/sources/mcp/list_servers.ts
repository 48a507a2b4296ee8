import { toToolError } from "../../calls/failed_result.ts";
import { quoteWord } from "../../text/shell_quote.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { makeMasker } from "../../text/secrets/redact.ts";
import type { ListedServer, MakeSource, McpPlace } from "../source.ts";
import type { ServerSession } from "./client/server_session.ts";
import type { McpServer } from "./config/mcp_server.ts";
import { AT_ONCE, beginServer, LOAD_MS, readServers } from "./mcp_source.ts";

/** Makes a source that gives no tools: it starts each server that the files name, and says how it stands. */
export function listServers(
  places: readonly McpPlace[],
  tell: (servers: readonly ListedServer[]) => void,
): MakeSource {
  return (host) => {
    const sessions: ServerSession[] = [];
    return {
      name: "MCP servers",
      loadMs: LOAD_MS,
      isRequired: true,
      async load() {
        const others: ListedServer[] = [];
        const servers = await readServers(
          places,
          { ...host, warn() {} },
          (name, file, why) =>
            void others.push({
              name,
              file,
              start: "",
              state: why === null ? "off" : "failed",
              tools: null,
              why,
            }),
        );
        const listed: ListedServer[] = [];
        for (let at = 0; at < servers.length; at += AT_ONCE) {
          const some = servers.slice(at, at + AT_ONCE).map(async (server): Promise<ListedServer> => {
            const about = { name: server.name, file: server.file, start: startOf(server) };
            try {
              const { actions } = await beginServer(server, {
                host,
                options: { places },
                sessions,
                onMore() {},
              });
              return { ...about, state: "ready", tools: actions.length, why: null };
            } catch (error) {
              const { code, message } = toToolError(error);
              const state = code === "unauthenticated" ? "needs login" : "failed";
              return { ...about, state, tools: null, why: onOneLine(message) };
            }
          });
          listed.push(...await Promise.all(some));
        }
        tell([...listed, ...others]);
        return [];
      },
      async [Symbol.asyncDispose]() {
        await Promise.allSettled(sessions.map((session) => session[Symbol.asyncDispose]()));
      },
    };
  };
}

/** What starts it, or where it is, without the secrets that were filled in. */
function startOf({ transport, secrets }: McpServer): string {
  const words = transport.kind === "stdio"
    ? [transport.command, ...transport.args].map(quoteWord).join(" ")
    : transport.url;
  return onOneLine(makeMasker(secrets)(words));
}
