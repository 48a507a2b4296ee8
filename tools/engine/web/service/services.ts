import type { ServiceKey } from "../../../../schemas/net.ts";

/** A service on the network: where it is, and how it gets its key. Plain data. */
export interface Service {
  /** The word for it in settings and messages. */
  name: string;
  /** What people call it. */
  label: string;
  /** The search engine that it asks, if it is another one. */
  asks?: string;
  /** Its usual address, `null` if everybody has one of their own. */
  url: string | null;
  /** Variable of the user with another address. */
  urlVariable: string;
  /** The variable with its key, and the header that takes it; absent if it needs none. */
  key?: { variable: string; header: string; scheme?: string };
}

/** Searches Google by an API. */
export const serper: Service = {
  name: "serper",
  label: "Serper",
  asks: "Google",
  url: "https://google.serper.dev",
  urlVariable: "SERPER_BASE_URL",
  key: { variable: "SERPER_KEY", header: "X-API-KEY" },
};

/** Searches, and gives texts of pages. */
export const jinaSearch: Service = {
  name: "jina",
  label: "Jina",
  url: "https://s.jina.ai",
  urlVariable: "JINA_SEARCH_BASE_URL",
  key: { variable: "JINA_KEY", header: "Authorization", scheme: "Bearer" },
};

/** Turns a page into text. */
export const jinaReader: Service = {
  name: "jina_reader",
  label: "Jina Reader",
  url: "https://r.jina.ai",
  urlVariable: "JINA_READER_BASE_URL",
  key: { variable: "JINA_KEY", header: "Authorization", scheme: "Bearer" },
};

/** Searches, and turns pages into texts. */
export const tavily: Service = {
  name: "tavily",
  label: "Tavily",
  url: "https://api.tavily.com",
  urlVariable: "TAVILY_BASE_URL",
  key: { variable: "TAVILY_API_KEY", header: "Authorization", scheme: "Bearer" },
};

/** Searches an index of its own. */
export const brave: Service = {
  name: "brave",
  label: "Brave",
  url: "https://api.search.brave.com",
  urlVariable: "BRAVE_BASE_URL",
  key: { variable: "BRAVE_API_KEY", header: "X-Subscription-Token" },
};

/** Searches for models. */
export const perplexity: Service = {
  name: "perplexity",
  label: "Perplexity",
  url: "https://api.perplexity.ai",
  urlVariable: "PERPLEXITY_BASE_URL",
  key: { variable: "PERPLEXITY_API_KEY", header: "Authorization", scheme: "Bearer" },
};

/** Searches Google by an API. */
export const serply: Service = {
  name: "serply",
  label: "Serply",
  url: "https://api.serply.io",
  urlVariable: "SERPLY_BASE_URL",
  key: { variable: "SERPLY_API_KEY", header: "X-Api-Key" },
};

/** Searches for models. */
export const exa: Service = {
  name: "exa",
  label: "Exa",
  url: "https://api.exa.ai",
  urlVariable: "EXA_BASE_URL",
  key: { variable: "EXA_API_KEY", header: "x-api-key" },
};

/** A search engine of one's own. */
export const searxng: Service = {
  name: "searxng",
  label: "SearXNG",
  url: null,
  urlVariable: "SEARXNG_BASE_URL",
};

/** The page of results for browsers without scripts. */
export const duckduckgo: Service = {
  name: "duckduckgo",
  label: "DuckDuckGo",
  url: "https://html.duckduckgo.com",
  urlVariable: "DUCKDUCKGO_BASE_URL",
};

/** The smallest page of results. */
export const duckduckgoLite: Service = {
  name: "duckduckgo_lite",
  label: "DuckDuckGo Lite",
  url: "https://lite.duckduckgo.com",
  urlVariable: "DUCKDUCKGO_LITE_BASE_URL",
};

/** The page of results. */
export const bing: Service = {
  name: "bing",
  label: "Bing",
  url: "https://www.bing.com",
  urlVariable: "BING_BASE_URL",
};

/** The page of results. */
export const baidu: Service = {
  name: "baidu",
  label: "Baidu",
  url: "https://www.baidu.com",
  urlVariable: "BAIDU_BASE_URL",
};

/** The page of results for the oldest browsers. */
export const google: Service = {
  name: "google",
  label: "Google",
  url: "https://www.google.com",
  urlVariable: "GOOGLE_BASE_URL",
};

/** The keys of services, as a tool declares its `secrets`. */
export function keysOf(services: readonly Service[]): ServiceKey[] {
  return services.flatMap(({ url, urlVariable, key }) => {
    if (key === undefined) return [];
    return [{ name: key.variable, hosts: url === null ? [] : [hostOf(url)], baseUrl: urlVariable }];
  });
}

/** The variables with addresses of services, as a tool declares them among its `settings`. */
export function addressesOf(services: readonly Service[]): string[] {
  return [...new Set(services.map(({ urlVariable }) => urlVariable))];
}

function hostOf(url: string): string {
  const { hostname, port, protocol } = new URL(url);
  return `${hostname}:${port || (protocol === "https:" ? 443 : 80)}`;
}
