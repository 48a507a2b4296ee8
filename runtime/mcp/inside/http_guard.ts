/** Who may speak with the server over HTTP. */
export interface HttpGate {
  /** Where the server listens. */
  port: number;
  /** What a client must show; `null`: nothing. */
  token: string | null;
}

/** The only path that is served. */
export const HTTP_PATH = "/mcp";

/**
 * Returns the refusal of a request, `null` if it may pass. Nothing of its body is read before. A page in a browser that
 * was led here by its own name has a foreign `Host`, any other page a foreign `Origin`.
 */
export async function guardRequest(request: Request, { port, token }: HttpGate): Promise<Response | null> {
  const { headers } = request;
  const hosts = ["127.0.0.1", "localhost", "[::1]"].map((name) => `${name}:${port}`);
  if (!hosts.includes(headers.get("host")?.toLowerCase() ?? "")) {
    return refuseRequest(403, `this server answers as ${hosts.join(", ")} only`);
  }
  const origin = headers.get("origin");
  const isForeign = origin !== null && !hosts.includes(origin.toLowerCase().replace(/^http:\/\//, ""));
  if (isForeign || headers.get("sec-fetch-site") === "cross-site") {
    return refuseRequest(403, "requests of other web pages are refused");
  }
  if (new URL(request.url).pathname !== HTTP_PATH) return refuseRequest(404, `only ${HTTP_PATH} is served`);
  if (token === null || await isSame(shownToken(headers), token)) return null;
  const refused = refuseRequest(401, "the token is missing or wrong: send it as Authorization: Bearer TOKEN");
  refused.headers.set("www-authenticate", "Bearer");
  return refused;
}

/** An error of JSON-RPC that answers no request in particular. */
export function refuseRequest(status: number, why: string, code = -32000): Response {
  const body = { jsonrpc: "2.0", id: null, error: { code, message: `Refused: ${why}` } };
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}

function shownToken(headers: Headers): string {
  return /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? "";
}

/** How long it takes says nothing about the token. */
async function isSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map(digest));
  return first!.reduce((differs, byte, at) => differs | (byte ^ second![at]!), 0) === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
}
