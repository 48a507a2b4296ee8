import { ToolError } from "../../../../schemas/error.ts";
import { entryUrl } from "../../../self/entry_urls.ts";
import { startNetWorker } from "../../../self/net_worker.ts";
import type { BrowserLogin } from "./plan_remote.ts";
import { type FromReturn, RETURN_PATH, type ToReturn } from "./serve_return.ts";

/** What a login by a browser needs. */
export interface BrowserOptions {
  /** Port of this machine. @default a free one */
  port?: number | undefined;
  /** Shows the person where to go. */
  show(url: string): void;
  /** Reads the address that a browser came to, where it cannot come back here. @default only the browser comes back */
  pasted?(signal: AbortSignal): Promise<string>;
  signal: AbortSignal;
}

/**
 * Waits for the browser of a person who logs in, in a worker that may do nothing but listen on its port. Needs `net` of
 * 127.0.0.1.
 *
 * @throws {ToolError} `unavailable` if nothing can listen on the port
 */
export async function openBrowserLogin(
  { port = freePort(), show, pasted, signal }: BrowserOptions,
): Promise<BrowserLogin & Disposable> {
  const worker = startNetWorker(entryUrl("login_return"), [`127.0.0.1:${port}`]);
  const ready = Promise.withResolvers<number>();
  let onReturn = (_query: string) => {};
  worker.onmessage = ({ data }: MessageEvent<FromReturn>) => {
    if (data.t === "ready") ready.resolve(data.port);
    else if (data.t === "returned") onReturn(data.query);
    else {ready.reject(
        new ToolError("unavailable", `Cannot wait for the browser on port ${port}: ${data.message}`),
      );}
  };
  worker.onerror = (event) => {
    event.preventDefault();
    ready.reject(new ToolError("internal", `Cannot wait for the browser: ${event.message}`));
  };
  const tell = (message: ToReturn) => worker.postMessage(message);
  tell({ t: "listen", port });
  try {
    await ready.promise;
  } catch (error) {
    worker.terminate();
    throw error;
  }
  return {
    redirectUrl: `http://127.0.0.1:${port}${RETURN_PATH}`,
    async authorize(url) {
      requireSafe(url);
      const over = new AbortController();
      const ended = AbortSignal.any([signal, over.signal]);
      const returned = Promise.withResolvers<string>();
      onReturn = returned.resolve;
      const onAbort = () => returned.reject(new ToolError("cancelled", "The login was interrupted"));
      signal.addEventListener("abort", onAbort, { once: true });
      if (signal.aborted) onAbort();
      tell({ t: "expect", state: new URL(url).searchParams.get("state") ?? "" });
      show(url);
      // Whoever comes first.
      pasted?.(ended).then(
        (text) => returned.resolve(URL.parse(text.trim())?.search ?? text.trim()),
        () => {},
      );
      try {
        return await returned.promise;
      } finally {
        signal.removeEventListener("abort", onAbort);
        over.abort();
      }
    },
    [Symbol.dispose]: () => worker.terminate(),
  };
}

/** What a server names is shown to a person, who trusts it: it must not lead to a file, or go over an open wire. */
function requireSafe(text: string): void {
  const { protocol, hostname } = new URL(text);
  const isHere = hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
  if (protocol === "https:" || (protocol === "http:" && isHere)) return;
  throw new ToolError(
    "denied_by_policy",
    `it logs in at "${protocol}//${hostname}": only https, or http on this machine, is followed`,
  );
}

/** A worker listens on no port that was not named when it was made. */
function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
