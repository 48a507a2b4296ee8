/** What a request over HTTP says about who sends it: the headers `Host`, `Origin` and `Sec-Fetch-Site`. */
export interface WebCaller {
  host: string | null;
  origin: string | null;
  site: string | null;
}

/** By what a server of this machine is called, and which pages may ask it. */
export interface WebDoor {
  scheme: "http" | "https";
  /** Small letters, with the port. */
  hosts: readonly string[];
  /** Other origins than its own whose pages may ask. */
  origins: readonly string[];
}

/** Names of this machine for itself. */
export const LOOPBACK_HOSTS = ["127.0.0.1", "localhost", "[::1]"] as const;

/**
 * Says what is wrong with who asks. A page in a browser that was led here by its own name has a foreign `Host`, any other page
 * a foreign `Origin`.
 */
export function callerProblem({ host, origin, site }: WebCaller, door: WebDoor): "host" | "origin" | null {
  if (!door.hosts.includes(host?.toLowerCase() ?? "")) return "host";
  if (isListedOrigin(origin, door)) return null;
  const isForeign = origin !== null && !isOwnOrigin(origin, door);
  return isForeign || site === "cross-site" ? "origin" : null;
}

/** Says whether an origin is that of the server's own pages. */
export function isOwnOrigin(origin: string, { scheme, hosts }: WebDoor): boolean {
  return hosts.some((host) => `${scheme}://${host}` === origin.toLowerCase());
}

/** Says whether an origin is one of the list. */
export function isListedOrigin(origin: string | null, { origins }: WebDoor): boolean {
  return origin !== null && origins.includes(origin.toLowerCase());
}
