import { exportTool } from "../../schemas/json/export.ts";
import type { ManifestEntry } from "../../schemas/manifest.ts";
import type { OfferedTool, ToolChoice } from "../calls/catalog/choose_tools.ts";
import { laterTools, OfferedTools } from "../calls/catalog/offered_tools.ts";
import type { Host } from "../host/open_host.ts";
import type { ConnectionId, ServedList } from "./protocol.ts";

/** How soon it is looked again what sources have added, in milliseconds: some say so without end. */
const REST_MS = 50;

/** What the tools of all connections are made of. */
export interface ServedPlan {
  /** The tools of the beginning. */
  offered: readonly OfferedTool[];
  choice: ToolChoice;
  /** Says whether a tool has its schema from others: it is passed on as it is. */
  isForeign(tool: ManifestEntry): boolean;
  /** Hears that a connection has other tools than before. */
  tell(connection: ConnectionId, list: ServedList): void;
  warn(message: string): void;
}

/** The tools of each connection: those of the beginning, and what the sources of its hosts add. */
export class ServedTools implements Disposable {
  readonly #plan: ServedPlan;
  readonly #first: OfferedTools;
  readonly #grown = new Map<ConnectionId, OfferedTools>();
  readonly #followed = new WeakSet<Host>();
  readonly #timers = new Map<Host, ReturnType<typeof setTimeout>>();
  #isClosed = false;

  constructor(plan: ServedPlan) {
    this.#plan = plan;
    this.#first = new OfferedTools(plan.offered);
  }

  of(connection: ConnectionId): OfferedTools {
    return this.#grown.get(connection) ?? this.#first;
  }

  /** Returns the tools of a connection in the form of the protocol. */
  listOf(connection: ConnectionId): ServedList {
    const { all } = this.of(connection);
    return {
      tools: all.map((one) => this.describe(one)),
      rooted: all.filter(({ entry }) => touchesFiles(entry.tool)).map(({ name }) => name),
    };
  }

  /** Describes a tool in the form of the protocol. What providers of models refuse is left out of our own schemas. */
  describe({ entry: { tool }, name }: OfferedTool): Record<string, unknown> {
    const exported = exportTool(tool, "mcp", { name });
    return this.#plan.isForeign(tool) && tool.input_schema.type === "object"
      ? { ...exported, inputSchema: tool.input_schema }
      : exported;
  }

  /** Makes the host of a connection ready, and follows what its sources add from then on. */
  async ready(connection: ConnectionId, host: Host, signal?: AbortSignal): Promise<void> {
    const options = signal ? { signal } : {};
    if (this.#followed.has(host)) return void await host.ready(options);
    this.#followed.add(host);
    await host.ready({ ...options, onMore: () => this.#lookSoon(connection, host) });
  }

  /** Forgets a connection that has ended. */
  end(connection: ConnectionId): void {
    this.#grown.delete(connection);
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
  }

  #lookSoon(connection: ConnectionId, host: Host): void {
    if (this.#isClosed || this.#timers.has(host)) return;
    const timer = setTimeout(() => {
      this.#timers.delete(host);
      this.#look(connection, host);
    }, REST_MS);
    this.#timers.set(host, timer);
  }

  async #look(connection: ConnectionId, host: Host): Promise<void> {
    try {
      await host.ready();
    } catch {
      // Its next call says why.
      return;
    }
    if (this.#isClosed) return;
    const { choice, tell, warn } = this.#plan;
    const offered = this.#grown.get(connection) ?? new OfferedTools(this.#first.all);
    if (offered.add(laterTools(host.catalog, choice), warn).length === 0) return;
    this.#grown.set(connection, offered);
    tell(connection, this.listOf(connection));
  }
}

function touchesFiles({ needs: { read, write, run } }: ManifestEntry): boolean {
  return [read, write, run].some((need) => need !== undefined);
}
