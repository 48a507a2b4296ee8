import { greaterThan, tryParse } from "@std/semver";

import { ToolError } from "../../../schemas/error.ts";
import { parseJson } from "../../../schemas/json/json_text.ts";
import { isObject } from "../../../schemas/json/shape.ts";
import { entryUrl } from "../entry_urls.ts";
import { startNetWorker } from "../net_worker.ts";
import type { ReleaseAnswer, ReleaseQuestion } from "./serve_release.ts";

/** A release, compared with a version. */
export interface FoundRelease {
  version: string;
  /** It is newer than the given version. */
  newer: boolean;
  /** The folder of the release. */
  url: string;
}

/** Name of the index in the folder of a release. */
const INDEX = "release.json";
/** Longest time until the host has answered, in milliseconds. */
const ANSWER_MS = 20_000;
/** A host that only this machine has: nobody is between. */
const OWN_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Asks for the release in a folder. Needs `net` for its host until the worker has started.
 *
 * @param from URL of the folder
 * @param than The version to compare with
 * @throws {ToolError} `invalid_input` for a URL that cannot be used; `external_failure` if the host does not answer with the
 * index of a release; `cancelled` at the signal
 */
export async function newestRelease(
  from: string,
  { than, signal, timeoutMs = ANSWER_MS }: { than: string; signal: AbortSignal; timeoutMs?: number },
): Promise<FoundRelease> {
  const url = folderUrl(from);
  const index = new URL(INDEX, url);
  const text = await ask({ url: index.href, timeoutMs }, index.host, signal);
  const version = versionIn(text, index.href);
  return { version, newer: greaterThan(tryParse(version)!, tryParse(than)!), url: url.href };
}

function folderUrl(from: string): URL {
  const url = URL.parse(from.endsWith("/") ? from : `${from}/`);
  const isOwn = url?.protocol === "http:" && OWN_HOSTS.includes(url.hostname);
  if (url !== null && (url.protocol === "https:" || isOwn)) return url;
  throw new ToolError(
    "invalid_input",
    `Cannot ask ${JSON.stringify(from)} for a release: name its folder with a URL that begins with https://`,
  );
}

async function ask(question: ReleaseQuestion, host: string, signal: AbortSignal): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<ReleaseAnswer | null>();
  const worker = startNetWorker(entryUrl("release"), [host]);
  const stop = () => resolve(null);
  try {
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    worker.onmessage = ({ data }: MessageEvent<ReleaseAnswer>) => resolve(data);
    worker.onerror = (event) => {
      event.preventDefault();
      resolve({ fault: event.message });
    };
    worker.postMessage(question);
    const answer = await promise;
    if (answer === null) throw new ToolError("cancelled", "Interrupted while asking for the release");
    if ("text" in answer) return answer.text;
    throw noRelease(question.url, answer.fault);
  } finally {
    signal.removeEventListener("abort", stop);
    worker.terminate();
  }
}

function versionIn(text: string, url: string): string {
  let index: unknown;
  try {
    index = parseJson(text, url);
  } catch (error) {
    throw noRelease(url, error instanceof Error ? error.message : String(error));
  }
  const { name, version } = isObject(index) ? index : {};
  if (name === "bulkhead" && typeof version === "string" && tryParse(version) !== undefined) return version;
  throw noRelease(url, "its file is not the index of a release of bulkhead");
}

function noRelease(url: string, why: string): ToolError {
  return new ToolError("external_failure", `Cannot learn of the newest version from ${url}: ${why}`, {
    retryable: true,
  });
}
