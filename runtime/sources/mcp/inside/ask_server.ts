import type {
  Client,
  Progress as McpProgress,
  RequestOptions,
  StandardSchemaV1,
} from "@modelcontextprotocol/client";

import type { Progress } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { LONGEST_MS } from "../../../wait/longest.ts";
import type { ListAnswer, ServerAsk } from "../wire/protocol.ts";

/** Most items of a list that are taken, and most pages. */
const MAX_ITEMS = 2_000;
const MAX_PAGES = 200;
/** Shortest time between two messages of progress, in milliseconds. */
const PROGRESS_MS = 100;

/** Options of {@linkcode askServer}. */
export interface AskOptions {
  signal: AbortSignal;
  onProgress?: (progress: Progress) => void;
}

/** Asks the server, and returns its answer in the form of the protocol; a list comes whole. */
export async function askServer(
  client: Client,
  ask: ServerAsk,
  { signal, onProgress }: AskOptions,
): Promise<unknown> {
  const options = { signal, timeout: LONGEST_MS };
  if (!onProgress) return await send(client, ask, options);
  const throttle = new ProgressThrottle(onProgress);
  try {
    return await send(client, ask, { ...options, onprogress: (progress) => throttle.take(progress) });
  } finally {
    throttle.flush();
  }
}

async function send(client: Client, ask: ServerAsk, options: RequestOptions): Promise<unknown> {
  switch (ask.method) {
    case "ping":
      // The newer era has no question of its own for this.
      return client.getProtocolEra() === "modern"
        ? await client.request({ method: "tools/list", params: {} }, ANY_RESULT, options)
        : await client.ping(options);
    case "tools/list":
      return await knownTools(client, options) ??
        await walk(
          (params) => client.request({ method: "tools/list", params }, ANY_RESULT, options),
          "tools",
        );
    case "resources/list":
    case "resources/templates/list":
    case "prompts/list": {
      const { method } = ask;
      return await walk((params) => client.request({ method, params }, ANY_RESULT, options), FIELDS[method]);
    }
    case "tools/call":
      return await client.callTool({ name: ask.name, arguments: ask.input }, options);
    case "resources/read":
      return await client.readResource({ uri: ask.uri }, options);
    case "prompts/get":
      return await client.getPrompt({ name: ask.name, arguments: ask.input }, options);
  }
}

/**
 * Lists tools in the words of the library, which then knows what of a call goes into headers, and leaves tools out that
 * have none that can be sent.
 *
 * @returns `null` if it does not understand the list, and in the older era, which has no such headers
 */
async function knownTools(client: Client, options: RequestOptions): Promise<ListAnswer | null> {
  if (client.getProtocolEra() !== "modern") return null;
  try {
    const { tools } = await client.listTools(undefined, { ...options, cacheMode: "refresh" });
    return { items: tools.slice(0, MAX_ITEMS), isCut: tools.length > MAX_ITEMS };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    return null;
  }
}

/** The field of each list's answer that holds its items. */
const FIELDS = {
  "resources/list": "resources",
  "resources/templates/list": "resourceTemplates",
  "prompts/list": "prompts",
} as const;

/** One item that is not what the protocol says must not take the others down: who reads the list looks at each. */
const ANY_RESULT: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "bulkhead", validate: (value) => ({ value }) },
};

/** A cursor that was there before leads in a circle. */
async function walk(
  read: (params: { cursor?: string }) => Promise<unknown>,
  field: string,
): Promise<ListAnswer> {
  const items: unknown[] = [];
  const seen = new Set<string>();
  let params: { cursor?: string } = {};
  for (let pages = 0; pages < MAX_PAGES && items.length < MAX_ITEMS; pages++) {
    const { [field]: more, nextCursor } = await read(params) as Record<string, unknown>;
    if (!Array.isArray(more)) throw new ToolError("external_failure", `its answer has no list of ${field}`);
    items.push(...more.slice(0, MAX_ITEMS - items.length));
    if (typeof nextCursor !== "string") return { items, isCut: false };
    if (seen.has(nextCursor)) break;
    seen.add(nextCursor);
    params = { cursor: nextCursor };
  }
  return { items, isCut: true };
}

/** Passes messages on with some time between them. Of those that come too soon, the last one waits. */
class ProgressThrottle {
  readonly #pass: (progress: Progress) => void;
  #waiting: McpProgress | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #passedAt = -Infinity;

  constructor(pass: (progress: Progress) => void) {
    this.#pass = pass;
  }

  take(progress: McpProgress): void {
    this.#waiting = progress;
    const rest = this.#passedAt + PROGRESS_MS - performance.now();
    if (rest <= 0) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), rest);
  }

  /** Passes on what waits: the call has ended, or it has waited long enough. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting === null) return;
    const { progress, total, message } = this.#waiting;
    this.#waiting = null;
    this.#passedAt = performance.now();
    this.#pass({
      done: progress,
      ...total !== undefined && { total },
      ...message !== undefined && { message: message.slice(0, 1_000) },
    });
  }
}
