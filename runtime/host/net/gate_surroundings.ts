import type { UpstreamProxies } from "../../net/dial/upstream.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";

/** Variables whose files hold certificate authorities of the user's own. */
const AUTHORITY_VARIABLES = ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS", "DENO_CERT"] as const;

/** Reads the variables about proxies, as curl does: small letters win. */
export function readProxies(env: Readonly<Record<string, string>>): UpstreamProxies {
  const read = (name: string) => env[name.toLowerCase()]?.trim() || env[name]?.trim() || null;
  const all = read("ALL_PROXY");
  return {
    http: read("HTTP_PROXY") ?? all,
    https: read("HTTPS_PROXY") ?? all,
    direct: (read("NO_PROXY") ?? "").split(/[\s,]+/).filter((word) => word !== ""),
  };
}

/** Says whether a client of this process would reach some hosts past any proxy. */
export function bypassesProxies(env: Readonly<Record<string, string>>): boolean {
  return readProxies(env).direct.length > 0;
}

/**
 * Reads the certificate authorities that the user's variables name. Needs `read`.
 *
 * @param warn Hears of each file that cannot be read
 */
export function readAuthorities(
  env: Readonly<Record<string, string>>,
  warn: (message: string) => void,
): readonly string[] {
  const found = AUTHORITY_VARIABLES.map((name) => {
    const path = env[name]?.trim() ?? "";
    if (path === "") return [];
    try {
      return [readNamedText(path)];
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      warn(`Cannot read the certificate authorities of ${name}: ${why}`);
      return [];
    }
  });
  return [...new Set(found.flat())];
}
