import { bearerToken, isSameSecret } from "../../text/secrets/is_same_secret.ts";
import {
  callerProblem,
  isListedOrigin,
  isOwnOrigin,
  LOOPBACK_HOSTS,
  type WebDoor,
} from "../../walls/net/web_caller.ts";
import type { ListenSettings } from "../contract/protocol.ts";
import { OpeningCode } from "./opening_code.ts";
import { redirectPage } from "../contract/redirect_page.ts";
import { HttpFailure } from "./wire/http_failure.ts";
import type { Incoming } from "./wire/read_request.ts";
import type { Reply } from "./wire/reply.ts";

/** Who may ask the server. */
export interface ServerGate extends WebDoor {
  token: string;
  /** Holds no token: a browser shows it to all servers of this machine. */
  cookie: { name: string; value: string };
  /** What the page shows besides to change anything. It keeps it where no page of another port can read it. */
  pageKey: string;
  /** What lets the browser in that the server itself opened. */
  code: OpeningCode;
  /** Tells who started the server. */
  warn(message: string): void;
}

/** The address by which the browser is opened. */
const OPENED = /^\/\?code=([\w-]+)$/;
/** The header in which the page shows its key. */
const PAGE_KEY = "x-page-key";
const METHODS_THAT_CHANGE = ["POST", "DELETE", "PUT", "PATCH"];
/** Longest time for which a page may remember what it was allowed, in seconds. */
const PREFLIGHT_SECONDS = "600";
const EXPOSED = "location, retry-after, x-agent-id, x-request-id";

/** Makes the gate of a server that listens on a port. */
export async function openServerGate(
  settings: ListenSettings,
  port: number,
  warn: (message: string) => void = () => {},
): Promise<ServerGate> {
  const { host, names, origins, token, code, tls } = settings;
  const scheme = tls ? "https" : "http";
  const usual = (scheme === "http" ? 80 : 443) === port;
  const withPort = (name: string) => /:\d+$/.test(name) ? [name] : [name, `${name}:${port}`];
  const own = [host.includes(":") ? `[${host}]` : host, ...LOOPBACK_HOSTS];
  const hosts = [
    ...own.flatMap((name) => usual ? [name, `${name}:${port}`] : [`${name}:${port}`]),
    ...names.flatMap(withPort),
  ];
  return {
    scheme,
    hosts: hosts.map((name) => name.toLowerCase()),
    origins: origins.map((origin) => origin.toLowerCase().replace(/\/$/, "")),
    token,
    cookie: { name: `bulkhead_${port}`, value: await secretOf("the page of", token) },
    pageKey: await secretOf("changes by the page of", token),
    code: new OpeningCode(code),
    warn,
  };
}

/** The gate for who reached the server by an address: a page that was led here by a name is never called by an address. */
export function gateAt(gate: ServerGate, local: string): ServerGate {
  return gate.hosts.includes(local) ? gate : { ...gate, hosts: [...gate.hosts, local] };
}

/**
 * Makes sure that the request is none of a foreign page, whatever it has to show.
 *
 * @throws {HttpFailure} 421, 403
 */
export function checkCaller({ method, target, headers }: Incoming, gate: ServerGate): void {
  const host = headers.get("host") ?? null;
  const origin = headers.get("origin") ?? null;
  // The browser is led here by a file, and no foreign page knows the code.
  const isOpened = method === "GET" && gate.code.isCode(OPENED.exec(target)?.[1] ?? "");
  const site = isOpened ? null : headers.get("sec-fetch-site") ?? null;
  const problem = callerProblem({ host, origin, site }, gate);
  if (problem === "host") {
    const shown = host === null ? "no Host" : `the Host ${JSON.stringify(host)}`;
    throw HttpFailure.of(
      421,
      `The request has ${shown}: this server answers as ${
        gate.hosts.join(", ")
      } only; the one who starts it can name others`,
    );
  }
  if (problem === "origin") {
    const shown = origin === null ? "another site" : origin;
    throw HttpFailure.of(
      403,
      `Requests of pages of ${shown} are refused: only origins that the server was started with may ask`,
    );
  }
}

/**
 * Makes sure that who asks knows the token, or is the server's own page.
 *
 * @throws {HttpFailure} 401, 403
 */
export function checkToken({ headers, method }: Incoming, gate: ServerGate): void {
  const shown = bearerToken(headers.get("authorization") ?? null);
  if (shown !== "") {
    if (isSameSecret(shown, gate.token)) return;
    throw unknownToken("wrong");
  }
  const cookie = cookieOf(headers.get("cookie") ?? "", gate.cookie.name);
  if (cookie === null || !isSameSecret(cookie, gate.cookie.value)) throw unknownToken("missing");
  const origin = headers.get("origin");
  const site = headers.get("sec-fetch-site");
  const isOwnPage = site === "same-origin" || (origin !== undefined && isOwnOrigin(origin, gate));
  // Other ports of this machine are the same site: a browser sends the cookie with what their pages ask for.
  const isOpened = site === undefined || site === "none";
  const changes = METHODS_THAT_CHANGE.includes(method);
  if (!isOwnPage && (!isOpened || changes)) {
    throw HttpFailure.of(
      403,
      "The cookie alone is enough for the server's own page only: send the token as Authorization: Bearer TOKEN",
    );
  }
  // A server on another port gets the cookie from the browser, and can say that it is the page.
  if (changes && !isSameSecret(headers.get(PAGE_KEY) ?? "", gate.pageKey)) throw unknownToken("missing");
}

/**
 * Lets a browser in that was opened with the token or a code in its address, and takes that out of the address.
 *
 * @returns `null` for an address without them
 * @throws {HttpFailure} 401, 403
 */
export function letIn(
  { token, code }: Readonly<Record<string, string>>,
  request: Incoming,
  gate: ServerGate,
): Reply | null {
  if (token !== undefined) {
    if (!isSameSecret(token.trim(), gate.token)) throw unknownToken("wrong");
    return entered(gate, gate.pageKey);
  }
  if (code === undefined) return null;
  const taken = gate.code.take(code);
  if (taken === "taken") return opened(gate);
  try {
    // The page may be loaded again, or opened again with the browser, by its first address.
    checkToken(request, gate);
  } catch (error) {
    if (taken === "again") {
      gate.warn(
        "the address that the browser was opened with was used by two: if your browser was not let in, somebody else was; " +
          "end this server and start it again",
      );
    }
    throw error;
  }
  return entered(gate, null);
}

/** What leads a browser here is a foreign page to it: only a page of the server itself may send the cookie on. */
function opened(gate: ServerGate): Reply {
  const { headers } = entered(gate, gate.pageKey);
  const { location, ...others } = headers as Record<string, string>;
  return {
    status: 200,
    headers: { ...others, "content-type": "text/html; charset=utf-8" },
    body: new TextEncoder().encode(redirectPage(location!)),
  };
}

function entered(gate: ServerGate, pageKey: string | null): Reply {
  const { name, value } = gate.cookie;
  const secure = gate.scheme === "https" ? "; Secure" : "";
  return {
    status: 303,
    headers: {
      // A browser keeps what stands behind # to itself.
      location: pageKey === null ? "/" : `/#key=${pageKey}`,
      "set-cookie": `${name}=${value}; HttpOnly; SameSite=Strict; Path=/${secure}`,
      "cache-control": "no-store",
    },
    body: new Uint8Array(),
  };
}

/** The headers that let pages of listed origins read an answer. */
export function corsHeaders({ headers }: Incoming, gate: ServerGate): Record<string, string> {
  if (gate.origins.length === 0) return {};
  const origin = headers.get("origin") ?? null;
  if (origin === null || !isListedOrigin(origin, gate)) return { vary: "origin" };
  return {
    vary: "origin",
    "access-control-allow-origin": origin,
    "access-control-expose-headers": EXPOSED,
    // Else browsers keep it from pages that may read it.
    "cross-origin-resource-policy": "cross-origin",
  };
}

/** Answers a browser that asks what a page may ask for; `null` if it does not ask that. */
export function answerPreflight({ headers, method }: Incoming, gate: ServerGate): Reply | null {
  if (method !== "OPTIONS" || !isListedOrigin(headers.get("origin") ?? null, gate)) return null;
  if (!headers.has("access-control-request-method")) return null;
  const wanted = (headers.get("access-control-request-headers") ?? "").toLowerCase().split(",")
    .map((name) => name.trim()).filter((name) => /^[\w-]{1,64}$/.test(name));
  return {
    status: 204,
    headers: {
      "access-control-allow-methods": "GET, HEAD, POST, DELETE",
      "access-control-allow-headers": [
        ...new Set(["authorization", "content-type", "last-event-id", ...wanted]),
      ].join(", "),
      "access-control-max-age": PREFLIGHT_SECONDS,
      ...(headers.has("access-control-request-private-network") &&
        { "access-control-allow-private-network": "true" }),
    },
    body: new Uint8Array(),
  };
}

/** What follows from the token, and does not tell it: the page still holds it when the server starts again. */
async function secretOf(what: string, token: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`${what} ${token}`));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function cookieOf(header: string, wanted: string): string | null {
  for (const part of header.split(";")) {
    const at = part.indexOf("=");
    if (at > 0 && part.slice(0, at).trim() === wanted) return part.slice(at + 1).trim();
  }
  return null;
}

function unknownToken(how: "missing" | "wrong"): HttpFailure {
  return HttpFailure.of(
    401,
    `The token is ${how}: send the one that the server printed at its start as Authorization: Bearer TOKEN`,
    { "www-authenticate": "Bearer" },
  );
}
