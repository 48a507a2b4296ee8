import { bearerToken, isSameSecret } from "../../text/secrets/is_same_secret.ts";
import { callerProblem, LOOPBACK_HOSTS } from "../../walls/net/web_caller.ts";

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
 * Returns the refusal of a request, `null` if it may pass. Nothing of its body is read before.
 */
export function guardRequest(request: Request, { port, token }: HttpGate): Response | null {
  const { headers } = request;
  const hosts = LOOPBACK_HOSTS.map((name) => `${name}:${port}`);
  const problem = callerProblem({
    host: headers.get("host"),
    origin: headers.get("origin"),
    site: headers.get("sec-fetch-site"),
  }, { scheme: "http", hosts, origins: [] });
  if (problem === "host") return refuseRequest(403, `this server answers as ${hosts.join(", ")} only`);
  if (problem === "origin") return refuseRequest(403, "requests of other web pages are refused");
  if (new URL(request.url).pathname !== HTTP_PATH) return refuseRequest(404, `only ${HTTP_PATH} is served`);
  if (token === null || isSameSecret(bearerToken(headers.get("authorization")), token)) return null;
  const refused = refuseRequest(401, "the token is missing or wrong: send it as Authorization: Bearer TOKEN");
  refused.headers.set("www-authenticate", "Bearer");
  return refused;
}

/** An error of JSON-RPC that answers no request in particular. */
export function refuseRequest(status: number, why: string, code = -32000): Response {
  const body = { jsonrpc: "2.0", id: null, error: { code, message: `Refused: ${why}` } };
  return Response.json(body, { status, headers: { "cache-control": "no-store" } });
}
