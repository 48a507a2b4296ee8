/** What main asks the worker that looks for a release. */
export interface ReleaseQuestion {
  url: string;
  /** Longest time for the answer, in milliseconds. */
  timeoutMs: number;
}

/** What the worker found. */
export type ReleaseAnswer = { text: string } | { fault: string };

/** The part of a worker's global scope that it uses. */
export interface ReleaseScope {
  onmessage: ((event: MessageEvent<ReleaseQuestion>) => void) | null;
  postMessage(message: ReleaseAnswer): void;
}

/** A longer file is no index of a release. */
const MAX_BYTES = 256 * 1024;

/** Most times that a server may send on. */
const MAX_REDIRECTS = 5;

/** Answers one question. The worker asks the server of the URL and nothing else: one that sends elsewhere is a fault. */
export function serveRelease(scope: ReleaseScope): void {
  scope.onmessage = async ({ data: { url, timeoutMs } }) => {
    try {
      const response = await follow(new URL(url), AbortSignal.timeout(timeoutMs));
      if (!response.ok) throw new Error(`the server answered with status ${response.status}`);
      scope.postMessage({ text: await textOf(response) });
    } catch (error) {
      const isLate = error instanceof DOMException && error.name === "TimeoutError";
      const why = error instanceof Error ? error.message : String(error);
      scope.postMessage({ fault: isLate ? `it did not answer in ${timeoutMs / 1_000} s` : why });
    }
  };
}

async function follow(first: URL, signal: AbortSignal): Promise<Response> {
  let url = first;
  for (let sent = 0; sent <= MAX_REDIRECTS; sent++) {
    const response = await fetch(url, {
      headers: { accept: "application/json" },
      signal,
      redirect: "manual",
    });
    const location = response.headers.get("location");
    if (response.status < 300 || response.status >= 400 || location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, url);
    if (next?.origin !== first.origin) {
      throw new Error(
        `it sends to ${next?.origin ?? "no address"}, which is not asked: name the folder there with --from`,
      );
    }
    url = next;
  }
  throw new Error(`it sends on more than ${MAX_REDIRECTS} times`);
}

async function textOf(response: Response): Promise<string> {
  const parts: string[] = [];
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MAX_BYTES) throw new Error(`its file is larger than ${MAX_BYTES / 1024} KB`);
    parts.push(decoder.decode(part, { stream: true }));
  }
  return parts.join("");
}
