import { assertEquals } from "@std/assert";

import type { EngineSettings, LinkState, QueueEngine } from "../../../runtime/queue/contract/engine.ts";
import { openEngine } from "../../../runtime/queue/open_engine.ts";
import { type NatsServer, startNatsServer } from "./nats_server.ts";

export interface QueueScene extends AsyncDisposable {
  server: NatsServer;
  open(settings?: Partial<EngineSettings>, onLink?: (state: LinkState) => void): Promise<QueueEngine>;
}

/** Starts a server for a test: `await using scene = await queueScene()`. */
export async function queueScene(server?: NatsServer): Promise<QueueScene> {
  const running = server ?? await startNatsServer();
  const engines: QueueEngine[] = [];
  return {
    server: running,
    async open(settings, onLink) {
      const engine = await openOn([running], settings, onLink);
      engines.push(engine);
      return engine;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(engines.map((engine) => engine[Symbol.asyncDispose]()));
      await running[Symbol.asyncDispose]();
    },
  };
}

/** Fails unless lane "a" comes to stand so: the server counts a moment after it has answered. */
export async function assertLane(
  engine: QueueEngine,
  expected: { waiting: number; taken: number },
): Promise<void> {
  for (let tries = 1;; tries++) {
    const { lanes } = await engine.status();
    const [lane] = lanes;
    if (lane?.waiting === expected.waiting && lane.taken === expected.taken && lanes.length === 1) return;
    if (tries === 1000) return assertEquals(lanes, [{ lane: "a", ...expected }]);
  }
}

export function openOn(
  servers: readonly Pick<NatsServer, "port">[],
  settings: Partial<EngineSettings> = {},
  onLink: (state: LinkState) => void = () => {},
): Promise<QueueEngine> {
  return openEngine({
    scheme: "nats",
    nodes: servers.map(({ port }) => ({ host: "127.0.0.1", port })),
    tls: null,
    credentials: { kind: "none" },
    replicas: 1,
    keepMs: 3_600_000,
    mostOrders: 10_000,
    ...settings,
  }, { onLink, signal: new AbortController().signal });
}

export function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

export function textOf(body: Uint8Array): string {
  return new TextDecoder().decode(body);
}

export async function takeItems<T>(feed: AsyncIterator<T>, count: number): Promise<T[]> {
  const items: T[] = [];
  while (items.length < count) {
    const { done, value } = await feed.next();
    if (done) throw new Error(`the feed ended after ${items.length} of ${count} items`);
    items.push(value);
  }
  return items;
}

export function begunBy(worker: string) {
  return { worker, time: "2026-01-01T00:00:00Z" };
}

export function jobRecord(client = "c") {
  return { digest: "d", client, started: "2026-01-01T00:00:00Z", isCancelled: false };
}
