import { ToolError } from "../../../schemas/error.ts";
import type { NetRefusal } from "../../../schemas/net.ts";
import { type NetHost, readHost } from "./read_host.ts";

/** A URL that may be asked, if its host is granted. */
export interface CheckedUrl extends NetHost {
  /** What is sent must be this one's `href`, never the text that it was read from. */
  url: URL;
  port: number;
}

const PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/**
 * Reads a URL that a request may be made for: `http:` or `https:`, without a name and a password.
 *
 * @throws {ToolError} `invalid_input` for any other; `details.reason` is a {@linkcode NetRefusal}
 */
export function checkUrl(text: string): CheckedUrl {
  const url = URL.parse(text);
  if (!url) throw refused(text, "host", "it is not a URL, write it whole, such as https://example.com/page");
  const standard = PORTS[url.protocol];
  if (standard === undefined) {
    throw refused(text, "scheme", `${url.protocol} does not lead to a web server, only http: and https: do`);
  }
  if (url.username !== "" || url.password !== "") {
    throw refused(text, "scheme", "it has a name or a password in it, leave them out");
  }
  const host = readHost(url.hostname);
  if (!host) throw refused(text, "host", "its host is not the name of one");
  return { url, ...host, port: url.port === "" ? standard : Number(url.port) };
}

function refused(text: string, reason: NetRefusal, why: string): ToolError {
  return new ToolError("invalid_input", `Cannot ask "${shownUrl(text)}": ${why}`, { details: { reason } });
}

/** Returns a URL as people and models are told of it: not too long, and without a name and a password. */
export function shownUrl(text: string): string {
  // As many and as odd slashes as readers of URLs take; what stands before the last "@" may be a password.
  const start = /^(?:[a-z][a-z\d+.-]*:)?[/\\\s]*/i.exec(text)![0].length;
  const end = text.slice(start).search(/[/\\?#]/);
  const at = text.slice(start, end < 0 ? undefined : start + end).lastIndexOf("@");
  const safe = at < 0 ? text : `${text.slice(0, start)}…${text.slice(start + at)}`;
  return safe.length > 200 ? `${safe.slice(0, 200)}…` : safe;
}
