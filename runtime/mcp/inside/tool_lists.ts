import type { ConnectionId, ServedList } from "../protocol.ts";

/** Which tools each connection has: those of the beginning, until main says that there are others. */
export class ToolLists {
  readonly #first: ServedList;
  readonly #own = new Map<ConnectionId, ServedList>();
  readonly #tells = new Map<ConnectionId, () => void>();

  constructor(first: ServedList) {
    this.#first = first;
  }

  of(connection: ConnectionId): ServedList {
    return this.#own.get(connection) ?? this.#first;
  }

  /** Has this called when a connection has other tools; of two for one connection, the later one. */
  follow(connection: ConnectionId, tell: () => void): void {
    this.#tells.set(connection, tell);
  }

  set(connection: ConnectionId, list: ServedList): void {
    this.#own.set(connection, list);
    this.#tells.get(connection)?.();
  }

  /** Forgets a connection that has ended. */
  end(connection: ConnectionId): void {
    this.#own.delete(connection);
    this.#tells.delete(connection);
  }
}
