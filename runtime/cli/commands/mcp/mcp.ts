import { exitCodeOf, ToolError } from "../../../../schemas/error.ts";
import type { ServeWay } from "../../../mcp/protocol.ts";
import { startServer } from "../../../mcp/start_server.ts";
import { onOneLine } from "../../../text/strip_controls.ts";
import { flagOf, type GrantValue, type OptionName, type Options } from "../../args/options/option_table.ts";
import type { Invocation } from "../../args/parse_argv.ts";
import { type Io, printError } from "../../io/io.ts";
import { serverToken } from "../../setup/server_token.ts";

/** Where clients look unless they are told otherwise. */
const DEFAULT_PORT = 4178;
/** The variable that holds the token of HTTP clients. */
const TOKEN_VARIABLE = "BULKHEAD_MCP_TOKEN";

/** What says which tools are offered, and how; and what would lead a wrapped server past the gate. */
const OF_SERVE: readonly OptionName[] = [
  ...["http", "write", "project", "tools", "toolset", "tool", "extraTool"] as const,
  ...["timeout", "toolTimeout", "toolConcurrency", "maxParallel", "shareNet"] as const,
];

/** The entry of a server says what it may touch, and where it is written. */
const OF_EDIT: readonly OptionName[] = [...OF_SERVE.filter((name) => name !== "project"), "audit", "mcp"];

/** A watched server may do everything. */
const GRANTS_OF_WRAP: readonly OptionName[] = [
  "policy",
  "allowAll",
  "allowRead",
  "allowWrite",
  "allowNet",
  "allowRun",
];

/** The actions of `mcp`: tools for clients, entries for their configurations, and servers of other people. */
export async function mcpCommand(invocation: Invocation, io: Io): Promise<number> {
  const { positionals: [action = "", ...words], options } = invocation;
  if (action !== "list") refuseMeaningless(options, ["json"], action);
  if (action === "serve") return await serve(options, io);
  if (action === "wrap" || action === "accept") {
    refuseMeaningless(options, OF_SERVE, action);
    const { acceptCommand, wrapCommand } = await import("./wrap.ts");
    return await (action === "wrap" ? wrapCommand(words, options, io) : acceptCommand(words, io));
  }
  if (action === "audit") {
    refuseMeaningless(options, [...OF_SERVE, ...GRANTS_OF_WRAP], action);
    const { watchCommand } = await import("./audit.ts");
    return await watchCommand(words, options, io);
  }
  if (action === "login" || action === "logout") {
    refuseMeaningless(options, OF_SERVE, action);
    const { loginCommand } = await import("./login.ts");
    return await loginCommand(action, words[0] ?? "", { options, io });
  }
  if (action === "list" || action === "add" || action === "remove") {
    refuseMeaningless(options, action === "list" ? [...OF_SERVE, "audit"] : [...OF_EDIT], action);
    const { addCommand, listCommand, removeCommand } = await import("./servers.ts");
    if (action === "list") return await listCommand(options, io);
    return await (action === "add" ? addCommand : removeCommand)(words, options, io);
  }
  const { installCommand, uninstallCommand } = await import("./install.ts");
  return await (action === "uninstall" ? uninstallCommand : installCommand)(words[0] ?? "", options, io);
}

async function serve(options: Options, io: Io): Promise<number> {
  refuseMeaningless(options, ["write", "project", "json"], "serve");
  const { way, isOwnToken } = wayOf(options, io);
  // It loads its library while the rest is loaded and set up.
  const started = startServer(way);
  const { serveTools } = await import("../../../mcp/serve_tools.ts");
  const { giveUp } = await import("../../../host/give_up.ts");
  const { hostSettings } = await import("../../setup/open_run.ts");
  const { toolset: toolsets = [], tool: tools = [], extraTool: extraTools = [] } = options;
  const failure = await serveTools(started, {
    // Stdin is the client's: no person can answer there.
    settings: hostSettings(options, io, { runsCalls: true, stdinTaken: true }),
    ...{ manifest: await io.manifest(), way },
    choice: { toolsets, tools, extraTools },
    // From then on, this process holds no more than they need. What is too long for an answer becomes a file.
    async onOffered(host, offered) {
      const called = offered.map(({ entry: { tool } }) => tool);
      await giveUp({ host, process: io.process, called, keepsFiles: true });
    },
    signal: io.interrupt,
    onReady: (port) => void tellReady(port, { way, isOwnToken, options, io }),
  });
  if (failure === null) return 0;
  await printError(io, `bulkhead: ${onOneLine(failure.message)}\n`);
  return exitCodeOf(failure.code);
}

/** The way, and whether the user set the token. */
function wayOf({ http }: Options, io: Io): { way: ServeWay; isOwnToken: boolean } {
  if (http === undefined) return { way: { kind: "stdio" }, isOwnToken: false };
  const { token, isOwn } = serverToken(TOKEN_VARIABLE, io);
  return { way: { kind: "http", port: portOf(http), token }, isOwnToken: isOwn };
}

function portOf(given: GrantValue): number {
  if (given === true) return DEFAULT_PORT;
  const [text = "", ...more] = given;
  const port = Number(text);
  if (more.length === 0 && /^\d{1,5}$/.test(text) && port < 65_536) return port;
  throw new ToolError(
    "invalid_input",
    `Cannot listen on "${given.join(",")}": write --http=PORT, from 0 to 65535`,
  );
}

/** What a person, or the program that started this one, needs for HTTP. */
async function tellReady(
  port: number | null,
  { way, isOwnToken, options, io }: { way: ServeWay; isOwnToken: boolean; options: Options; io: Io },
): Promise<void> {
  if (port === null || way.kind !== "http") return;
  const shown = isOwnToken ? `the value of ${TOKEN_VARIABLE}` : way.token;
  if (options.quiet && isOwnToken) return;
  await printError(
    io,
    `bulkhead: serving MCP on http://127.0.0.1:${port}/mcp\nbulkhead: the header of clients is ` +
      `Authorization: Bearer TOKEN, TOKEN is ${shown}\n`,
  );
}

function refuseMeaningless(options: Options, names: readonly OptionName[], action: string): void {
  const name = names.find((one) => options[one] !== undefined);
  if (name === undefined) return;
  throw new ToolError(
    "invalid_input",
    `Option ${flagOf(name)} has no meaning for "mcp ${action}", see: bulkhead mcp --help`,
  );
}
