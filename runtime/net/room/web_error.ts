import { ToolError } from "../../../schemas/error.ts";
import type { NetRefusal } from "../../../schemas/net.ts";
import { checkUrl } from "../../walls/net/check_url.ts";
import { netRefusal } from "../../walls/net/net_refusal.ts";
import { hostAndPort } from "../../walls/net/read_host.ts";
import { ANSWER_HEADERS } from "../forms/gate_headers.ts";

const REFUSALS: ReadonlySet<string> = new Set(
  ["denied", "outside", "private", "scheme", "host", "server_name", "secret"] satisfies NetRefusal[],
);

/**
 * Says in the words of a call why the gate gave no answer of a server.
 *
 * @throws {ToolError} `invalid_input` for a URL that may not be asked, whatever is granted
 */
export function gateError(url: string, headers: Headers, message: string): ToolError {
  const reason = headers.get(ANSWER_HEADERS.reason) ?? "";
  const rule = plain(headers.get(ANSWER_HEADERS.rule));
  const flag = plain(headers.get(ANSWER_HEADERS.flag)) || null;
  if (reason === "scheme") checkUrl(url);
  const to = targetOf(url);
  if (REFUSALS.has(reason)) {
    return netRefusal({ allowed: false, reason: reason as NetRefusal, rule, flag }, to);
  }
  const target = hostAndPort(to.host, to.port);
  const details = { kind: "net", target, reason };
  if (reason === "timeout") {
    return new ToolError("timeout", `Cannot reach ${target}: ${message}`, { details });
  }
  // A wrong name or certificate is as wrong the next time.
  const retryable = reason === "connect" || reason === "proxy";
  return new ToolError("external_failure", `Cannot reach ${target}: ${message}`, { retryable, details });
}

function plain(text: string | null): string {
  return decodeURIComponent(text ?? "");
}

function targetOf(url: string): { host: string; port: number } {
  const { hostname = url, port = "", protocol } = URL.parse(url) ?? {};
  return { host: hostname, port: port === "" ? (protocol === "http:" ? 80 : 443) : Number(port) };
}
