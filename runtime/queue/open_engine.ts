import { ToolError } from "../../schemas/error.ts";
import { orAborted } from "../wait/or_aborted.ts";
import { entryUrl } from "../self/entry_urls.ts";
import { startNetWorker } from "../self/net_worker.ts";
import { hostAndPort } from "../walls/net/read_host.ts";
import type { EngineSettings, LinkState, QueueEngine } from "./contract/engine.ts";
import { EngineClient } from "./engine_client.ts";

/** What {@linkcode openEngine} needs besides the settings. */
export interface OpenEngineOptions {
  /** Is told when the engine can be reached, and when it cannot. */
  onLink(state: LinkState): void;
  /** Gives up the opening. */
  signal: AbortSignal;
}

/**
 * Opens the engine of a queue. All that speaks with it is a worker that may reach its nodes and nothing else. Needs `net` for
 * them until it has opened, and `read` of the program's own files.
 *
 * @throws {ToolError} `unauthenticated` if the engine refuses the credentials; `external_failure` if it cannot be reached within
 * 10 seconds, is not what it should be, or has no JetStream; `permission_denied` if Deno may not reach a node; `cancelled`
 */
export async function openEngine(
  settings: EngineSettings,
  { onLink, signal }: OpenEngineOptions,
): Promise<QueueEngine> {
  if (signal.aborted) throw gaveUpWaiting(signal);
  const client = new EngineClient(startWorker(settings), onLink);
  try {
    // What is thrown by an opening that was given up is nobody's.
    const isOpen = await orAborted(client.open(settings).then(() => true), signal);
    if (isOpen === null) throw gaveUpWaiting(signal);
    return client;
  } catch (error) {
    await client[Symbol.asyncDispose]();
    throw error;
  }
}

function gaveUpWaiting({ reason }: AbortSignal): ToolError {
  if (reason instanceof ToolError) return reason;
  return new ToolError("cancelled", "Interrupted before the queue answered", { cause: reason });
}

function startWorker({ nodes }: EngineSettings): Worker {
  const addresses = nodes.map(({ host, port }) => hostAndPort(host, port));
  try {
    return startNetWorker(entryUrl("queue"), addresses);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotCapable)) throw error;
    const flag = `--allow-net=${addresses.join(",")}`;
    throw new ToolError("permission_denied", `Cannot reach the queue: Deno was started without ${flag}`, {
      details: { kind: "net", target: addresses[0], flag },
      cause: error,
    });
  }
}
