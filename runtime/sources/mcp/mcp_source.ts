import { resolve } from "@std/path";

import type { CatalogEntry } from "../../calls/catalog/catalog.ts";
import { SchemaChecker } from "../../calls/json_schema/schema_checker.ts";
import { toToolError } from "../../calls/failed_result.ts";
import { ownProgram } from "../../programs/narrow/own_program.ts";
import { ungrantedFlags } from "../../programs/narrow/program_needs.ts";
import { makeMasker } from "../../text/secrets/redact.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { showFlags } from "../../walls/grants/flag_word.ts";
import { namedFileError } from "../../walls/files/system_error.ts";
import type { MakeSource, McpPlace, SourceHost } from "../source.ts";
import { offersOf, serverAnswers } from "./answers/answer_server.ts";
import type { ClientPlan } from "./client/server_link.ts";
import { ServerSession } from "./client/server_session.ts";
import type { McpServer } from "./config/mcp_server.ts";
import { readMcpConfig } from "./config/read_mcp_config.ts";
import { isLoggedIn, planRemote, remoteHost } from "./login/plan_remote.ts";
import { mcpCarrier } from "./mcp_carrier.ts";
import { publicNames } from "./public_names.ts";
import { describeMcpTool } from "./tools/describe_tool.ts";
import { listActions, type ServerAction } from "./tools/list_actions.ts";
import { programWire } from "./wire/program_wire.ts";
import { auditServer } from "./wire/server_audit.ts";
import { serverNeeds } from "./wire/server_needs.ts";

const START_MS = 30_000;
/** Longest time of all servers. */
const LOAD_MS = 600_000;
/** Servers that start beside each other. */
const AT_ONCE = 8;

/** How servers are named, and how they are started. */
export interface McpSourceOptions {
  places: readonly McpPlace[];
  /** Most characters of a result's text. @default no other bound than that of all results */
  contextLimit?: number | undefined;
  /** Longest time of a server to start that its entry does not say, in milliseconds. @default 30_000 */
  startMs?: number;
  /** Takes the place of the way to a server. @default programs in the sandbox */
  openServer?: (server: McpServer) => ClientPlan["open"];
}

/** A server that has told its tools. */
interface Ready {
  server: McpServer;
  session: ServerSession;
  actions: ServerAction[];
}

/** Makes one source of all MCP servers of a run: their tools need names that differ. */
export function mcpSource(options: McpSourceOptions): MakeSource {
  return (host) => {
    const stack = new AsyncDisposableStack();
    const sessions: ServerSession[] = [];
    // Some servers take their time to end.
    stack.defer(async () => {
      await Promise.allSettled(sessions.map((session) => session[Symbol.asyncDispose]()));
    });
    let keepsFiles = false;
    return {
      get keepsFiles() {
        return keepsFiles;
      },
      name: "MCP servers",
      loadMs: LOAD_MS,
      // A server that fails is a warning; a file that the user named for this run must be there.
      isRequired: true,
      async load() {
        const servers = await readServers(options.places, host);
        // What proves a login is another one after it was refreshed.
        keepsFiles = (await Promise.all(servers.map((server) => isLoggedIn(server, host)))).includes(true);
        const checker = stack.use(new SchemaChecker());
        const ready: Ready[] = [];
        for (let at = 0; at < servers.length; at += AT_ONCE) {
          // It took too long, and was closed.
          if (stack.disposed) break;
          const some = servers.slice(at, at + AT_ONCE).map((server) =>
            open(server, { host, options, sessions })
          );
          ready.push(...(await Promise.all(some)).filter((one) => one !== null));
        }
        return await entriesOf(ready, { host, options, checker });
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  };
}

/** The first of two servers with one name counts. */
export async function readServers(places: readonly McpPlace[], host: SourceHost): Promise<McpServer[]> {
  const { env, machine: { grants: { workspace }, home } } = host;
  const found = new Map<string, McpServer>();
  for (const place of places) {
    const text = "servers" in place
      ? JSON.stringify({ mcpServers: place.servers })
      : place.text ?? await readFile(place.file);
    const path = "file" in place ? place.file : place.from;
    const { servers, failures, warnings } = await readMcpConfig(text, { path, env, workspace, home });
    warnings.forEach(host.warn);
    for (const { error } of failures) host.warn(`${error.message}; the other tools go on without it`);
    for (const server of servers) {
      const other = found.get(server.name);
      if (other === undefined) found.set(server.name, server);
      else {host.warn(
          `the server "${server.name}" of "${path}" is passed over: "${other.file}" has one of that name`,
        );}
    }
  }
  return [...found.values()];
}

async function readFile(path: string): Promise<string> {
  try {
    return await Deno.readTextFile(path);
  } catch (error) {
    throw namedFileError(error, "read", path);
  }
}

interface Opening {
  host: SourceHost;
  options: McpSourceOptions;
  /** Takes the sessions that were begun. */
  sessions: ServerSession[];
}

/** Returns `null` for a server that fails: the others go on. */
async function open(server: McpServer, { host, options, sessions }: Opening): Promise<Ready | null> {
  const { name } = server;
  try {
    const session = new ServerSession({
      name,
      open: (options.openServer ?? ((one) => openServer(one, host)))(server),
      offers: offersOf(host),
      answer: serverAnswers(server, host),
      startMs: server.timeouts.startMs ?? options.startMs ?? START_MS,
      warn: host.warn,
    });
    sessions.push(session);
    const tools = await session.tools();
    return {
      server,
      session,
      actions: allowed(listActions(tools, { name, has: await session.has() }), server, host),
    };
  } catch (error) {
    const { message } = toToolError(error);
    host.warn(
      `server "${name}" of "${server.file}" failed: ${onOneLine(message)}; the other tools go on without it`,
    );
    return null;
  }
}

/** What the entry does not offer is not offered, and a name that means nothing is told: it may have meant much. */
function allowed(actions: ServerAction[], { name, tools }: McpServer, { warn }: SourceHost): ServerAction[] {
  const unknown = [...tools.allow ?? [], ...tools.deny].filter((word) =>
    !actions.some(({ own }) => own === word)
  );
  for (const word of unknown) {
    warn(`server "${name}" has no tool ${JSON.stringify(word)}, which its entry names`);
  }
  return actions.filter(({ own }) => (tools.allow?.includes(own) ?? true) && !tools.deny.includes(own));
}

function openServer(server: McpServer, host: SourceHost): ClientPlan["open"] {
  const { name, transport, grants } = server;
  if (transport.kind !== "stdio") return planRemote(server, host);
  const { env, machine: { grants: { workspace }, home }, warn } = host;
  const { command, args, cwd } = transport;
  const folder = resolve(workspace, cwd ?? ".");
  const { argv, show, packages, advice } = ownProgram([command, ...args], { env, home, cwd: folder });
  if (advice !== null) warn(`server "${name}": ${advice}`);
  const needs = serverNeeds(grants, { workspace, home });
  const flags = ungrantedFlags(host.machine.grants, needs);
  if (flags.length > 0) {
    warn(`server "${name}" gets less than its entry names: pass ${showFlags(flags)} to grant it`);
  }
  const programs = host.programsFor({ ...needs, show, packages });
  return programWire(programs, { argv, env: transport.env, ...cwd !== null && { cwd: folder } }, {
    warn: (message) => warn(`server "${name}": ${message}`),
    onEnd: auditServer(server, { machine: host.machine, needs }),
  });
}

async function entriesOf(
  ready: readonly Ready[],
  { host, options, checker }: Pick<Opening, "host" | "options"> & { checker: SchemaChecker },
): Promise<CatalogEntry[]> {
  const isBoxed = await host.box.isUsed().catch(() => false);
  const all = ready.flatMap(({ server, session, actions }) => {
    const parts = {
      ...{ session, checker, contextLimit: options.contextLimit, maxCallMs: host.machine.maxCallMs },
      place: server.transport.kind !== "stdio"
        ? "none" as const
        : isBoxed
        ? "sandbox" as const
        : "process" as const,
      mask: server.secrets.length === 0 ? null : makeMasker(server.secrets),
    };
    return actions.map((action) => ({ server, action, carrier: mcpCarrier(action, parts) }));
  });
  const { grants: { workspace }, home } = host.machine;
  const names = publicNames(all.map(({ server, action: { own } }) => ({ server: server.name, tool: own })));
  return all.map(({ server, action: { words }, carrier }, at) => ({
    tool: describeMcpTool({ ...words, name: names[at]! }, {
      server,
      needs: server.transport.kind === "stdio"
        ? serverNeeds(server.grants, { workspace, home })
        : { net: [remoteHost(server.transport.url)] },
    }),
    carrier,
  }));
}
