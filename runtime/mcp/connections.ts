import { KeptOpen, type Opened } from "../wait/kept_open.ts";
import type { Host } from "../host/open_host.ts";
import { ArtifactResources } from "./artifact_resources.ts";
import type { ConnectionId } from "./protocol.ts";

/** Most sets of roots of one connection that are kept open: clients without sessions may send any with each call. */
const MAX_HOSTS = 4;

/** Opens a host that is granted only what lies in these folders as well; `null`: all that is granted. */
export type OpenNarrowed = (within: readonly string[] | null) => Host;

/** One client: what its tools remember, and the files that its calls left. */
export interface Connection {
  resources: ArtifactResources;
  /** Runs work with the host for these roots; it stays open until the work is done. */
  use<T>(roots: readonly string[] | null, work: (host: Host) => Promise<T>): Promise<T>;
}

/** All connections of a server. Each has hosts of its own, so nothing of one reaches another. */
export class Connections implements AsyncDisposable {
  readonly #open: OpenNarrowed;
  readonly #base: Host;
  readonly #single: boolean;
  readonly #all = new Map<ConnectionId, OneConnection>();
  readonly #ending = new Set<Promise<void>>();

  /**
   * @param open Opens the hosts of connections
   * @param base A host that is open already; it lasts as long as all others, which use its gate
   * @param options `single`: there is only one connection, so the host that is open already is its host
   */
  constructor(open: OpenNarrowed, base: Host, { single }: { single: boolean }) {
    this.#open = open;
    this.#base = base;
    this.#single = single;
  }

  /** Returns a connection; a new one at the first call. */
  of(id: ConnectionId): Connection {
    const known = this.#all.get(id);
    if (known) return known;
    const made = new OneConnection((within) => this.#take(within));
    this.#all.set(id, made);
    return made;
  }

  /** Ends a connection with all that its calls started. */
  end(id: ConnectionId): void {
    const connection = this.#all.get(id);
    this.#all.delete(id);
    const ending = connection?.[Symbol.asyncDispose]();
    if (!ending) return;
    this.#ending.add(ending);
    ending.finally(() => this.#ending.delete(ending));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const id of [...this.#all.keys()]) this.end(id);
    await Promise.allSettled([...this.#ending]);
    await this.#base[Symbol.asyncDispose]();
  }

  #take(within: readonly string[] | null): Opened<Host> {
    if (this.#single && within === null) return { thing: this.#base, close: () => Promise.resolve() };
    const host = this.#open(within);
    return { thing: host, close: async () => await host[Symbol.asyncDispose]() };
  }
}

class OneConnection implements Connection, AsyncDisposable {
  readonly resources = new ArtifactResources();
  readonly #open: (within: readonly string[] | null) => Opened<Host>;
  /** By their roots. */
  readonly #hosts = new KeptOpen<Host>(MAX_HOSTS);

  constructor(open: (within: readonly string[] | null) => Opened<Host>) {
    this.#open = open;
  }

  use<T>(roots: readonly string[] | null, work: (host: Host) => Promise<T>): Promise<T> {
    const within = roots === null ? null : [...new Set(roots)].toSorted();
    return this.#hosts.use(JSON.stringify(within), () => this.#open(within), work);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#hosts[Symbol.asyncDispose]();
  }
}
