import { resolve } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { SchemaChecker } from "../../calls/json_schema/schema_checker.ts";
import { toToolError } from "../../calls/failed_result.ts";
import { ownProgram } from "../../programs/narrow/own_program.ts";
import { ungrantedFlags } from "../../programs/narrow/program_needs.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import { landlockOf } from "../../walls/box/choose_box.ts";
import { freezeFiles } from "../../walls/grants/freeze_files.ts";
import { showFlags } from "../../walls/grants/flag_word.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { covers } from "../../walls/grants/path_access.ts";
import { namedFileError } from "../../walls/files/system_error.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";
import type { MakeSource, McpPlace, SourceHost } from "../source.ts";
import { offersOf, serverAnswers } from "./answers/answer_server.ts";
import type { ClientPlan } from "./client/server_link.ts";
import { ServerSession } from "./client/server_session.ts";
import { entryFolder } from "./started/entry_folder.ts";
import type { McpServer } from "./config/mcp_server.ts";
import { readMcpConfig } from "./config/read_mcp_config.ts";
import { isLoggedIn, planRemote } from "./login/plan_remote.ts";
import { isOffered, type ReadyServer, ServerGrowth } from "./server_growth.ts";
import { listActions, type ServerAction } from "./tools/list_actions.ts";
import { type EntryCommand, MAX_FILES } from "./started/started_files.ts";
import { startedPrint } from "./started/started_print.ts";
import { programWire } from "./wire/program_wire.ts";
import { auditServer } from "./wire/server_audit.ts";
import { serverNeeds } from "./wire/server_needs.ts";

const START_MS = 30_000;
/** Longest time of all servers. */
export const LOAD_MS = 600_000;
/** Servers that start beside each other. */
export const AT_ONCE = 8;

/** How servers are named, and how they are started. */
export interface McpSourceOptions {
  places: readonly McpPlace[];
  /** Most characters of a result's text. @default no other bound than that of all results */
  contextLimit?: number | undefined;
  /** Longest time of a server to start that its entry does not say, in milliseconds. @default 30_000 */
  startMs?: number;
  /** Longest time of a list that a server has changed, in milliseconds. @default 5_000 */
  listMs?: number | undefined;
  /** Longest wait for a sign of life of a server that may hang, in milliseconds. @default 2_000 */
  signMs?: number | undefined;
  /** Takes the place of the way to a server. @default programs in the sandbox */
  openServer?: (server: McpServer) => ClientPlan["open"] | Promise<ClientPlan["open"]>;
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
    const growth = new ServerGrowth(host.warn);
    return {
      get keepsFiles() {
        return keepsFiles;
      },
      name: "MCP servers",
      loadMs: LOAD_MS,
      // A server that fails is a warning; a file that the user named for this run must be there.
      isRequired: true,
      growth,
      async load() {
        const servers = await readServers(options.places, host);
        // What proves a login is another one after it was refreshed.
        keepsFiles = (await Promise.all(servers.map((server) => isLoggedIn(server, host)))).includes(true);
        const checker = stack.use(new SchemaChecker());
        const ready: ReadyServer[] = [];
        for (let at = 0; at < servers.length; at += AT_ONCE) {
          // It took too long, and was closed.
          if (stack.disposed) break;
          const some = servers.slice(at, at + AT_ONCE).map((server) =>
            open(server, { host, options, sessions, onMore: () => growth.tell() })
          );
          ready.push(...(await Promise.all(some)).filter((one) => one !== null));
        }
        const isBoxed = await host.box.isUsed().catch(() => false);
        const boxed = !isBoxed ? null : await landlockOf(host.box) === null ? "sandbox" : "landlock";
        const { contextLimit } = options;
        return growth.begin(ready, { machine: host.machine, checker, contextLimit, boxed });
      },
      [Symbol.asyncDispose]: () => stack.disposeAsync(),
    };
  };
}

/**
 * The first of two servers with one name counts.
 *
 * @param onOther Hears of servers that are switched off, and of those that cannot be read, with the reason
 */
export async function readServers(
  places: readonly McpPlace[],
  host: SourceHost,
  onOther: (name: string, file: string, why: string | null) => void = () => {},
): Promise<McpServer[]> {
  const { env, gate, machine: { grants: { workspace }, home } } = host;
  const found = new Map<string, McpServer>();
  for (const place of places) {
    const path = "file" in place ? place.file : place.from;
    const text = textOf(place, host);
    if (text === null) continue;
    const { servers, failures, disabled, warnings } = await readMcpConfig(text, {
      path,
      env,
      workspace,
      home,
    });
    for (const name of disabled) onOther(name, path, null);
    for (const { name, error } of failures) onOther(name, path, error.message);
    for (const warning of warnings) host.warn(warning);
    for (const { error } of failures) host.warn(error.message, { leftOut: true });
    for (const server of servers) {
      const other = found.get(server.name);
      const secrets = [...server.secrets, ...server.transport.kind === "stdio" ? gate.given : []];
      if (other === undefined) {
        found.set(server.name, { ...server, secrets, folder: entryFolder(place, home) });
      } else {host.warn(
          `the server "${server.name}" of "${path}" is passed over: "${other.file}" has one of that name`,
        );}
    }
  }
  return [...found.values()];
}

/** What names the servers; `null` if that is gone and need not be there. */
function textOf(place: McpPlace, host: SourceHost): string | null {
  if ("servers" in place) return JSON.stringify({ mcpServers: place.servers });
  const { file, text, isRequired = true } = place;
  if (text !== undefined) return text;
  try {
    return readNamedText(file);
  } catch (error) {
    const failure = namedFileError(error, "read", file);
    if (isRequired) throw failure;
    host.warn(failure.message, { leftOut: true });
    return null;
  }
}

interface Opening {
  host: SourceHost;
  options: McpSourceOptions;
  /** Takes the sessions that were begun. */
  sessions: ServerSession[];
  /** Called when a server may have more tools. */
  onMore(): void;
}

/** Returns `null` for a server that fails: the others go on. */
async function open(server: McpServer, opening: Opening): Promise<ReadyServer | null> {
  const { name } = server;
  const { host } = opening;
  try {
    const ready = await beginServer(server, opening);
    if (ready.offered === 0) {
      const why = `server "${name}" of "${server.file}" offers no tools, no resources and no prompts`;
      host.warn(why, { leftOut: true });
    }
    return ready;
  } catch (error) {
    const { message } = toToolError(error);
    host.warn(`server "${name}" of "${server.file}" failed: ${onOneLine(message)}`, { leftOut: true });
    return null;
  }
}

/**
 * Starts a server, and asks it for what can be called of it.
 *
 * @returns It, and how much it offers before its entry leaves something out
 * @throws {ToolError} If it does not start, or does not tell
 */
export async function beginServer(
  server: McpServer,
  { host, options, sessions, onMore }: Opening,
): Promise<ReadyServer & { offered: number }> {
  const { name } = server;
  const session = new ServerSession({
    name,
    open: await (options.openServer ?? ((one) => openServer(one, host)))(server),
    offers: offersOf(host),
    answer: serverAnswers(server, host),
    startMs: server.timeouts.startMs ?? options.startMs ?? START_MS,
    listMs: options.listMs,
    signMs: options.signMs,
    onMore,
    warn: host.warn,
  });
  sessions.push(session);
  const tools = await session.tools();
  const actions = listActions(tools, { name, has: await session.has() });
  return { server, session, actions: allowed(actions, server, host), offered: actions.length };
}

/** What the entry does not offer is not offered, and a name that means nothing is told: it may have meant much. */
function allowed(actions: ServerAction[], server: McpServer, { warn }: SourceHost): ServerAction[] {
  const { name, tools } = server;
  const unknown = [...tools.allow ?? [], ...tools.deny].filter((word) =>
    !actions.some(({ own }) => own === word)
  );
  for (const word of unknown) {
    warn(`server "${name}" has no tool ${JSON.stringify(word)}, which its entry names`);
  }
  return actions.filter(({ own }) => isOffered(server, own));
}

async function openServer(server: McpServer, host: SourceHost): Promise<ClientPlan["open"]> {
  const { name, transport, grants } = server;
  if (transport.kind !== "stdio") return planRemote(server, host);
  const { env, machine: { grants: { workspace, allow }, home }, warn } = host;
  const { command, args, cwd } = transport;
  const folder = resolve(workspace, cwd ?? ".");
  const mayShow = (path: string) =>
    !server.folder || isInside(server.folder, path) || covers(allow.read, path);
  const place = { env, home, cwd: folder, mayShow };
  const { argv, show, packages, advice } = ownProgram([command, ...args], place);
  if (advice !== null) warn(`server "${name}": ${advice}`);
  const needs = serverNeeds(grants, { workspace, home });
  const flags = ungrantedFlags(host.machine.grants, needs);
  if (flags.length > 0) {
    warn(`server "${name}" gets less than its entry names: pass ${showFlags(flags)} to grant it`);
  }
  const programs = host.programsFor({ ...needs, show, packages });
  const requireSame = await keepStarted(server, { command, args, env: transport.env, cwd: folder }, host);
  return programWire(programs, { argv, env: transport.env, ...cwd !== null && { cwd: folder } }, {
    requireSame,
    warn: (message) => warn(`server "${name}": ${message}`),
    onEnd: auditServer(server, { machine: host.machine, needs }),
  });
}

/**
 * Keeps what a server starts from the run's own tools: they would decide what runs with all that the server is given.
 *
 * @returns Throws `conflict` if it would start something else by now
 */
async function keepStarted(
  { name, folder }: McpServer,
  command: EntryCommand,
  { machine: { grants }, warn }: SourceHost,
): Promise<() => Promise<void>> {
  const root = folder ?? grants.workspace;
  const { files, packages, print, isWhole } = await startedPrint(command, root);
  if (!isWhole) {
    warn(
      `server "${name}" starts more than ${MAX_FILES} files of "${root}", and tools of the run could write the others: ` +
        `pass --deny-write with their folder`,
    );
  }
  freezeFiles(grants, [...files, ...packages]);
  return async () => {
    if ((await startedPrint(command, root)).print === print) return;
    const what = `the files that it starts in "${root}" are not those of the start of this run`;
    throw new ToolError(
      "conflict",
      `Cannot start the server "${name}": ${what}; look at them, and run again`,
    );
  };
}
