import type { Handlers } from "../../../runtime/server/contract/answer.ts";
import type { ListenSettings } from "../../../runtime/server/contract/protocol.ts";
import { serveApi } from "../../../runtime/server/serve_api.ts";
import { startListener } from "../../../runtime/server/start_listener.ts";

export const TOKEN = "0123456789abcdef0123456789abcdef";

export interface Served extends AsyncDisposable {
  port: number;
  url: string;
  warnings: string[];
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a byte for each character, and returns all that comes until the connection ends. */
  raw(...parts: string[]): Promise<string>;
  close(): Promise<void>;
}

/** Starts the server of the program, its worker included, with handlers of a test. */
export async function serveHandlers(
  handlers: Handlers,
  settings: Partial<ListenSettings> = {},
): Promise<Served> {
  const ready = Promise.withResolvers<number>();
  const ends = new AbortController();
  const warnings: string[] = [];
  const given = {
    ...{ host: "127.0.0.1", port: 0, token: TOKEN, names: [], origins: [], tls: null, version: "1.2.3" },
    ...settings,
  };
  const ended = serveApi(startListener(given), {
    ...{ settings: given, handlers, signal: ends.signal, onReady: ready.resolve },
    warn: (message) => void warnings.push(message),
  });
  ended.then((error) => ready.reject(error), ready.reject);
  const port = await ready.promise;
  const url = `${given.tls ? "https" : "http"}://127.0.0.1:${port}`;
  const close = async () => {
    ends.abort();
    await ended;
  };
  return {
    ...{ port, url, warnings, close },
    fetch: (path, init = {}) =>
      fetch(`${url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${TOKEN}`, ...init.headers as Record<string, string> },
      }),
    raw: (...parts) => exchange(port, parts),
    [Symbol.asyncDispose]: close,
  };
}

/** Sends bytes as they are; what comes back until the connection ends. */
async function exchange(port: number, parts: readonly string[]): Promise<string> {
  using conn = await Deno.connect({ hostname: "127.0.0.1", port });
  const send = async () => {
    for (const part of parts) {
      const bytes = Uint8Array.from(part, (character) => character.charCodeAt(0));
      for (let at = 0; at < bytes.length;) at += await conn.write(bytes.subarray(at));
    }
  };
  // A server that has heard enough closes.
  const sending = send().catch(() => {});
  const text = await readAll(conn);
  await sending;
  return text;
}

export async function readAll(conn: Pick<Deno.Conn, "read">): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(64 * 1024);
  let text = "";
  try {
    for (let read = await conn.read(buffer); read !== null; read = await conn.read(buffer)) {
      text += decoder.decode(buffer.subarray(0, read), { stream: true });
    }
  } catch {
    // It was reset: what was said counts.
  }
  return text;
}
