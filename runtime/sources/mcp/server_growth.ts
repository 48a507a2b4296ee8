import type { CatalogEntry } from "../../calls/catalog/catalog.ts";
import type { SchemaChecker } from "../../calls/json_schema/schema_checker.ts";
import type { Machine } from "../../calls/machine.ts";
import { makeMasker } from "../../text/secrets/redact.ts";
import { showHidden } from "../../text/visible.ts";
import type { SourceGrowth } from "../source.ts";
import type { ServerSession } from "./client/server_session.ts";
import type { McpServer } from "./config/mcp_server.ts";
import { remoteHost } from "./login/plan_remote.ts";
import { type CarrierParts, mcpCarrier } from "./mcp_carrier.ts";
import { laterName, nameKey, publicNames } from "./public_names.ts";
import { describeMcpTool } from "./tools/describe_tool.ts";
import { listActions, type ServerAction } from "./tools/list_actions.ts";
import { serverNeeds } from "./wire/server_needs.ts";

/** A server that has told its tools. */
export interface ReadyServer {
  server: McpServer;
  session: ServerSession;
  /** What can be called of it from the beginning. */
  actions: readonly ServerAction[];
}

/** What the tools of all servers share. */
export interface GrowthParts extends Pick<CarrierParts, "checker" | "contextLimit"> {
  machine: Machine;
  checker: SchemaChecker;
  /** Where servers on this machine are enclosed, `null` if nowhere. */
  boxed: "sandbox" | "landlock" | null;
}

/** Makes what can be called of a server a tool of that name. */
type MakeEntry = (action: ServerAction, name: string) => CatalogEntry;

/** Longest name of a tool that is told. */
const SHOWN_NAME = 80;

/** The tools of all servers of a run: those of the beginning, and those that servers add. */
export class ServerGrowth implements SourceGrowth {
  readonly #warn: (message: string) => void;
  readonly #listeners = new Set<() => void>();
  #servers: readonly { ready: ReadyServer; make: MakeEntry }[] = [];

  constructor(warn: (message: string) => void) {
    this.#warn = warn;
  }

  /** Returns the tools of the beginning. */
  begin(servers: readonly ReadyServer[], parts: GrowthParts): CatalogEntry[] {
    this.#servers = servers.map((ready) => ({ ready, make: entryMaker(ready, parts) }));
    const all = this.#servers.flatMap(({ ready, make }) =>
      ready.actions.map((action) => ({ server: ready.server.name, action, make }))
    );
    const names = publicNames(all.map(({ server, action: { own } }) => ({ server, tool: own })));
    return all.map(({ action, make }, at) => make(action, names[at]!));
  }

  async added(taken: ReadonlySet<string>): Promise<readonly CatalogEntry[]> {
    const found = await Promise.all(this.#servers.map(async ({ ready: { server, session }, make }) => {
      const tools = await session.added((own) => isOffered(server, own));
      const none = { resources: false, prompts: false };
      return { server: server.name, make, actions: listActions(tools, { name: server.name, has: none }) };
    }));
    const names = new Set(taken);
    return found.flatMap(({ server, make, actions }) =>
      actions.flatMap((action) => {
        const name = laterName({ server, tool: action.own }, names);
        if (name === null) {
          const own = JSON.stringify(showHidden(action.own.slice(0, SHOWN_NAME)));
          this.#warn(`server "${server}" adds the tool ${own}, which is left out: another tool has its name`);
          return [];
        }
        names.add(nameKey(name));
        return [make(action, name)];
      })
    );
  }

  listen(onMore: () => void): void {
    this.#listeners.add(onMore);
  }

  /** A server may have more tools. */
  tell(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Says whether the server's entry offers a tool, by the server's own name for it. */
export function isOffered({ tools: { allow, deny } }: McpServer, own: string): boolean {
  return (allow?.includes(own) ?? true) && !deny.includes(own);
}

function entryMaker(
  { server, session }: ReadyServer,
  { machine, checker, contextLimit, boxed }: GrowthParts,
): MakeEntry {
  const { transport, secrets } = server;
  const { grants: { workspace }, home, maxCallMs } = machine;
  const parts: CarrierParts = {
    ...{ session, checker, contextLimit, maxCallMs },
    place: transport.kind !== "stdio" ? "none" : boxed ?? "process",
    mask: secrets.length === 0 ? null : makeMasker(secrets),
  };
  const needs = transport.kind === "stdio"
    ? serverNeeds(server.grants, { workspace, home })
    : { net: [remoteHost(transport.url)] };
  return (action, name) => ({
    tool: describeMcpTool({ ...action.words, name, own: action.own }, { server, needs }),
    carrier: mcpCarrier(action, parts),
  });
}
