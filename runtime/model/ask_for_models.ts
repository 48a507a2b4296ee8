import { ToolError } from "../../schemas/error.ts";
import type { OfferedModel } from "../../schemas/agent/model.ts";
import { isObject } from "../../schemas/json/shape.ts";
import { connectionError, modelRefusal, noReplyError } from "./model_error.ts";
import type { ModelSettings } from "./protocol.ts";
import { versionedUrl } from "./providers/addresses.ts";
import { WatchedFetch } from "./watched_fetch.ts";

/** How servers name the longest conversation of a model. */
const CONTEXT_FIELDS = [
  "context_length",
  "context_window",
  "max_model_len",
  "max_context_length",
  "max_input_tokens",
];

/**
 * Asks a server which models it offers. Without a list at the base URL, looks below `/v1` as well.
 *
 * @throws {ToolError} As {@linkcode complete} does
 */
export async function askForModels(settings: ModelSettings, signal: AbortSignal): Promise<OfferedModel[]> {
  const versioned = versionedUrl(settings.baseUrl);
  try {
    return await listAt(settings.baseUrl, settings, signal);
  } catch (error) {
    const isAbsent = error instanceof ToolError && error.code === "external_failure" && !error.retryable;
    if (!isAbsent || versioned === null) throw error;
    return await listAt(versioned, settings, signal).catch(() => {
      throw error;
    });
  }
}

async function listAt(
  baseUrl: string,
  settings: ModelSettings,
  signal: AbortSignal,
): Promise<OfferedModel[]> {
  const abort = new AbortController();
  const onAbort = () => abort.abort(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const watch = new WatchedFetch({ abort, idleTimeoutMs: settings.idleTimeoutMs, model: settings.name });
  try {
    const { query = "" } = settings.list ?? {};
    const response = await watch.fetch(`${baseUrl.replace(/\/+$/, "")}/models${query}`, {
      headers: headersOf(settings),
    });
    if (watch.refusal?.status === 404) throw noReplyError("no list of models", settings);
    if (watch.refusal) throw modelRefusal(watch.refusal, settings);
    return readList(await response.text(), settings);
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw abort.signal.aborted
      ? abort.signal.reason
      : await connectionError(error, settings, { begun: watch.answered });
  } finally {
    watch.close();
    signal.removeEventListener("abort", onAbort);
  }
}

function headersOf({ apiKey, headers, list }: ModelSettings): Headers {
  const made = new Headers({ accept: "application/json", ...list?.headers });
  if (apiKey !== "" && list) made.set(list.keyHeader, apiKey);
  else if (apiKey !== "") made.set("authorization", `Bearer ${apiKey}`);
  for (const [name, value] of Object.entries(headers)) made.set(name, value);
  return made;
}

function readList(text: string, settings: ModelSettings): OfferedModel[] {
  const answer = parse(text);
  const list = isObject(answer) ? answer.data ?? answer.models : answer;
  if (!Array.isArray(list)) throw noReplyError("something that is not a list of models", settings);
  return list.filter(isObject).flatMap((model) => {
    const id = [model.id, model.name].find((name) => typeof name === "string" && name !== "");
    const context = CONTEXT_FIELDS.map((field) => model[field]).find((value) => typeof value === "number");
    return typeof id === "string"
      ? [{ id, context_tokens: typeof context === "number" ? context : null }]
      : [];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
