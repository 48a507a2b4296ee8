import type { EventStore, JSONRPCMessage } from "@modelcontextprotocol/server";

/** Most characters of messages that are kept of a session for a client that comes back. */
const MAX_KEPT = 4 * 1024 * 1024;

/** The last messages of a session, so that a client whose stream broke off gets what it missed. */
export class EventLog implements EventStore {
  readonly #events: { id: string; stream: string; message: JSONRPCMessage; size: number }[] = [];
  #kept = 0;
  #count = 0;

  storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    const id = `${stream}:${++this.#count}`;
    const size = JSON.stringify(message).length;
    this.#events.push({ id, stream, message, size });
    this.#kept += size;
    while (this.#kept > MAX_KEPT && this.#events.length > 1) this.#kept -= this.#events.shift()!.size;
    return Promise.resolve(id);
  }

  getStreamIdForEventId(id: string): Promise<string | undefined> {
    return Promise.resolve(this.#events.find((event) => event.id === id)?.stream);
  }

  async replayEventsAfter(
    id: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const at = this.#events.findIndex((event) => event.id === id);
    const stream = this.#events[at]?.stream ?? id.slice(0, id.lastIndexOf(":"));
    for (const event of at < 0 ? [] : this.#events.slice(at + 1)) {
      // A stream begins with an event that holds nothing.
      if (event.stream === stream && Object.keys(event.message).length > 0) {
        await send(event.id, event.message);
      }
    }
    return stream;
  }
}
