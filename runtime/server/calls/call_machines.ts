import type { z } from "zod";

import type { Catalog, CatalogEntry } from "../../calls/catalog/catalog.ts";
import { chooseTools, type ToolChoice } from "../../calls/catalog/choose_tools.ts";
import { KeptOpen } from "../../wait/kept_open.ts";
import { type Host, openHost } from "../../host/open_host.ts";
import type { CallBody } from "../api/call_operations.ts";
import { narrowHost } from "../contract/narrow.ts";
import type { Served } from "../contract/served.ts";
import { RunAccess } from "../runs/run_access.ts";

/** Most folders, with what requests do without, that stay open for further calls. */
const MAX_HOSTS = 8;

/** What a call says of its place. */
export interface CallPlace extends Pick<z.infer<typeof CallBody>, "workspace" | "session" | "grants"> {
  /** Whose memory of tools it is, such as terminals that stay open. @default that of all requests there */
  owner?: string;
}

/** How hosts are kept. */
export interface KeptHosts {
  /** Most that stay open while nobody uses them. @default 8 */
  most?: number;
  /** How long one does, in milliseconds. @default as long as there are not too many */
  idleMs?: number;
  /** Whose sessions may be used. @default what the server's settings say */
  access?: RunAccess;
}

/** What calls of requests run on: a host for each place, kept for the next call there. */
export class CallMachines implements AsyncDisposable {
  readonly #served: Served;
  readonly #kept: KeptOpen<Host>;
  readonly #access: () => RunAccess;

  constructor(served: Served, { most = MAX_HOSTS, idleMs, access }: KeptHosts = {}) {
    this.#served = served;
    // Calls without a session need no place for one.
    let made = access;
    this.#access = () => made ??= new RunAccess(served);
    this.#kept = new KeptOpen(most, idleMs);
  }

  /**
   * Runs work with the host of a place, and the tools that may be called there: all, unless the server was started with a
   * choice.
   *
   * @throws {ToolError} For a place that is not served, for a session of another folder, and as `openHost` does
   */
  async use<T>(
    place: CallPlace,
    signal: AbortSignal,
    work: (host: Host, catalog: Catalog) => Promise<T>,
  ): Promise<T> {
    const { manifest, tools } = this.#served;
    const settings = narrowHost(this.#served, place);
    const { session, owner = null, grants = {} } = place;
    if (session !== undefined) await this.#access().checkSession(session, settings.places.workspace);
    const key = JSON.stringify([settings.places.workspace, session ?? null, owner, grants]);
    const open = () => {
      const places = { ...settings.places, session };
      const host = openHost({ ...settings, places }, { manifest, alone: true });
      return { thing: host, close: async () => await host[Symbol.asyncDispose]() };
    };
    return await this.#kept.use(key, open, async (host) => {
      await host.ready({ signal });
      const { tools: only } = grants;
      const entries = chosen(host.catalog, tools).filter(({ tool: { name, full_name } }) =>
        only === undefined || only.includes(name) || only.includes(full_name)
      );
      return await work(host, { ...host.catalog, entries });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kept[Symbol.asyncDispose]();
  }
}

/** What the user chose for models is what may be called; without a choice, every tool may. */
function chosen(catalog: Catalog, choice: ToolChoice | "none"): readonly CatalogEntry[] {
  if (choice === "none") return [];
  const { toolsets = [], tools = [], extraTools = [] } = choice;
  if (toolsets.length + tools.length + extraTools.length === 0) return catalog.entries;
  return chooseTools(catalog, choice).map(({ entry }) => entry);
}
