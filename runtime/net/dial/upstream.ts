import { isInRange, readAddress, readRange } from "../../walls/net/read_address.ts";
import { type NetHost, readHost } from "../../walls/net/read_host.ts";
import { GateFailure } from "./gate_failure.ts";

/** Proxies of the user: where requests go instead of directly. */
export interface UpstreamProxies {
  /** For `http:`, with its name and password if it has them. */
  http: string | null;
  /** For all else. */
  https: string | null;
  /** Hosts that are reached directly, as `NO_PROXY` names them. */
  direct: readonly string[];
}

/** A proxy of the user. */
export interface UpstreamProxy {
  host: string;
  port: number;
  /** It is itself reached by TLS. */
  secure: boolean;
  /** It speaks SOCKS 5 instead of HTTP. */
  socks: boolean;
  /** Name and password for it. */
  login: { name: string; password: string } | null;
}

/**
 * Returns the proxy by which a host is reached, `null` for none. This machine itself is always reached directly.
 *
 * @throws {GateFailure} `proxy` for a proxy that the gate cannot use: going directly is not what the user asked for
 */
export function proxyFor(
  { host, port }: { host: string; port: number },
  scheme: "http" | "https",
  { direct, ...proxies }: UpstreamProxies,
): UpstreamProxy | null {
  const text = proxies[scheme];
  const target = text === null ? null : readHost(host);
  if (text === null || target === null || isThisMachine(target)) return null;
  return direct.some((word) => meansTarget(word, target, port)) ? null : readProxy(text);
}

/** Says what is wrong with the proxies themselves, `null` if they can be used. */
export function proxyFault(proxies: UpstreamProxies): string | null {
  try {
    for (const text of [proxies.http, proxies.https]) if (text !== null) readProxy(text);
    return null;
  } catch (error) {
    if (error instanceof GateFailure) return error.message;
    throw error;
  }
}

function isThisMachine({ name, address }: NetHost): boolean {
  if (address === null) return name === "localhost" || name.endsWith(".localhost");
  return ["127.0.0.0/8", "::1/128"].some((range) => isInRange(address, readRange(range)!));
}

/** As curl reads `NO_PROXY`: a name means also what lies below it, a range means addresses. */
function meansTarget(word: string, { name, address }: NetHost, port: number): boolean {
  if (word === "*") return true;
  const one = readAddress(word.replace(/^\[|\]$/g, ""));
  const range = one ? { base: one, length: one.family === 4 ? 32 : 128 } : readRange(word);
  if (range) return address !== null && isInRange(address, range);
  const [, host = word, only = ""] = /^(.+?)(?::(\d+))?$/.exec(word) ?? [];
  if (only !== "" && Number(only) !== port) return false;
  const wanted = readHost(host.replace(/^\*?\./, ""))?.name;
  return wanted !== undefined && (name === wanted || (address === null && name.endsWith(`.${wanted}`)));
}

function readProxy(text: string): UpstreamProxy {
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (!url || !/^(?:https?|socks5h?):$/.test(url.protocol) || url.hostname === "") {
    const form = url ? `a proxy of the form ${url.protocol}//` : "the address of your proxy";
    throw new GateFailure(
      "proxy",
      `cannot use ${form}: name one as http://HOST:PORT in HTTPS_PROXY and HTTP_PROXY`,
    );
  }
  const secure = url.protocol === "https:";
  const { username, password, hostname, port } = url;
  const socks = url.protocol.startsWith("socks");
  return {
    host: hostname,
    port: port === "" ? (socks ? 1080 : secure ? 443 : 80) : Number(port),
    secure,
    socks,
    login: username === "" ? null : {
      name: decoded(username),
      password: decoded(password),
    },
  };
}

/** A password may have a percent sign that stands for itself. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * Says why a proxy of the user did not lead to a host.
 *
 * @param status How it answered, `""` if that was no HTTP
 */
export function proxyRefusal(where: string, status: string): GateFailure {
  const login = status === "407";
  const why = login ? "it wants a name and a password" : `it answered ${status || "no HTTP"}`;
  return new GateFailure(login ? "proxy_login" : "proxy", `your proxy did not lead to ${where}: ${why}`);
}

/** Returns the value of an HTTP proxy's header for name and password, `null` if it wants none. */
export function proxyAuthorization({ login }: UpstreamProxy): string | null {
  if (login === null) return null;
  const bytes = new TextEncoder().encode(`${login.name}:${login.password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
