import type OpenAI from "openai";

import { VERSION } from "../self/version.ts";
import { LONGEST_MS } from "../wait/longest.ts";
import type { ModelSettings } from "./protocol.ts";
import type { WatchedFetch } from "./watched_fetch.ts";

/** The library that speaks with providers. */
export type ChatClient = typeof import("openai");

/** How a request goes over the network: the client hands it on to its `fetch` with the other options. */
export type WatchedInit = RequestInit & { watch: WatchedFetch };

/** The client of each model, with the address that it was made for. */
const clients = new WeakMap<ModelSettings, { baseUrl: string; client: OpenAI }>();

/** Each request of a model has the same client, as long as its address is not another one. */
export function clientOf(library: ChatClient, settings: ModelSettings): OpenAI {
  const { baseUrl } = settings;
  const known = clients.get(settings);
  if (known?.baseUrl === baseUrl) return known.client;
  const client = makeClient(library, settings);
  clients.set(settings, { baseUrl, client });
  return client;
}

function makeClient(library: ChatClient, settings: ModelSettings): OpenAI {
  const { apiKey, baseUrl: baseURL, headers } = settings;
  return new library.OpenAI({
    baseURL,
    apiKey: apiKey || "none",
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: LONGEST_MS,
    logLevel: "off",
    fetch(input, init) {
      const { watch, ...rest } = init as WatchedInit;
      return watch.fetch(input, rest);
    },
    defaultHeaders: {
      "User-Agent": `bulkhead/${VERSION}`,
      ...(apiKey === "" && { Authorization: null }),
      ...headers,
    },
  });
}
