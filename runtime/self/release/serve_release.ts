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

/** Answers one question. The worker may reach the host of the URL and nothing else: a redirect elsewhere fails. */
export function serveRelease(scope: ReleaseScope): void {
  scope.onmessage = async ({ data: { url, timeoutMs } }) => {
    try {
      const response = await fetch(url, {
        headers: { accept: "application/json" },
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) throw new Error(`the server answered with status ${response.status}`);
      scope.postMessage({ text: await textOf(response) });
    } catch (error) {
      scope.postMessage({ fault: error instanceof Error ? error.message : String(error) });
    }
  };
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
