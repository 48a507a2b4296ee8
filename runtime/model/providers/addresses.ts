import type { Preset } from "./presets.ts";

/** Reads a variable of the user's environment. */
export type GetEnv = (name: string) => string | undefined;

/** A variable that is set, and its value without space around it. */
export interface SetVariable {
  name: string;
  value: string;
}

/** Returns the first of the variables that is set; an empty one counts as not set. */
export function firstSet(names: readonly string[], env: GetEnv): SetVariable | undefined {
  for (const name of names) {
    const value = env(name)?.trim();
    if (value) return { name, value };
  }
  return undefined;
}

/** Returns where a provider is, and which variable says so if one does. */
export function addressOf(preset: Preset, env: GetEnv): { baseUrl: string; from?: string } {
  const set = firstSet(preset.addresses ?? [], env);
  return set ? { baseUrl: movedTo(set.value, preset), from: set.name } : { baseUrl: preset.baseUrl };
}

/** Names that a server listens on and that nothing can be sent to. */
const EVERYWHERE: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "[::]": "[::1]" };

/** Reads an address that may be as short as `host`, `:port` or `host:port`. What is no address stays as it is. */
function movedTo(said: string, { baseUrl, port }: Preset): string {
  const home = new URL(baseUrl);
  const short = said.startsWith(":") ? `${home.hostname}${said}` : said;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(short) ? short : `http://${short}`);
  if (!url) return said;
  url.hostname = EVERYWHERE[url.hostname] ?? url.hostname;
  const isHost = !/^[a-z][a-z0-9+.-]*:\/\//i.test(short);
  if (isHost && port !== undefined && !/:\d+(?:\/|$)/.test(short)) url.port = String(port);
  if (url.pathname === "/") url.pathname = home.pathname;
  return url.href;
}

/** Says whether a host is this machine. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || host === "[::1]" ||
    /^127(\.\d+){3}$/.test(host);
}

/** Says whether a host is this machine or, by its name or address, one of the local network. */
export function isLocal(host: string): boolean {
  return isLoopback(host) || isPrivateAddress(host) || (!host.includes(".") && !host.startsWith("[")) ||
    /\.(?:local|lan|internal|home\.arpa)$/.test(host);
}

function isPrivateAddress(host: string): boolean {
  return /^(?:10\.\d+|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.\d+\.\d+$/
    .test(host) || /^\[f(?:[cd]|e[89ab])/.test(host);
}

/** Returns a base URL with `/v1` behind it, `null` if it has a version already. */
export function versionedUrl(baseUrl: string): string | null {
  const url = URL.parse(baseUrl);
  if (!url || /\/v\d+(?:[a-z]+\d*)?(?:\/|$)/.test(url.pathname)) return null;
  url.pathname = `${url.pathname.replace(/\/+$/, "")}/v1`;
  return url.href;
}
