import type { BrowserAction } from "../../schemas/browser/browser.ts";
import { ToolError } from "../../schemas/error.ts";
import type { Connection, NetRefusal, NetRules } from "../../schemas/net.ts";
import { decideName } from "../walls/net/decide_net.ts";
import { netRefusal } from "../walls/net/net_refusal.ts";
import { hostAndPort, shownHost } from "../walls/net/read_host.ts";

/** Schemes of addresses that may be opened: a browser has many others, for its own pages and the disk. */
const SCHEMES = ["http:", "https:", "data:"];
/** The one address of the browser's own that is a page. */
const EMPTY = "about:blank";
/** Most hosts that are told of in one answer. */
const MOST_HOSTS = 5;

/** Refuses an address that no page has. */
export function checkAddress(action: BrowserAction): void {
  if (action.do !== "open") return;
  const { url } = action;
  if (!URL.canParse(url)) {
    throw new ToolError("invalid_input", `${JSON.stringify(url)} is no address: begin it with https://`);
  }
  const { protocol, username, password } = new URL(url);
  if (!SCHEMES.includes(protocol) && url !== EMPTY) {
    throw new ToolError(
      "invalid_input",
      `Cannot open ${JSON.stringify(url)}: only http and https can be opened`,
    );
  }
  if (username !== "" || password !== "") {
    throw new ToolError("invalid_input", "Cannot open an address with a name or a password in it");
  }
}

/** Refuses an address that is not granted, as far as its name tells. Throws `permission_denied`. */
export function checkGranted(action: BrowserAction, rules: NetRules): void {
  if (action.do !== "open" || !/^https?:/i.test(action.url)) return;
  const { hostname, port, protocol } = new URL(action.url);
  const target = { host: bare(hostname), port: Number(port || (protocol === "https:" ? 443 : 80)) };
  const decision = decideName(rules, target);
  if (!decision.allowed) throw netRefusal(decision, target);
}

/** Returns why the host of an address was not reached; `null` if it was, or if the browser had its page already. */
export function whyUnreached(url: string, connections: readonly Connection[]): ToolError | null {
  const { hostname, port, protocol } = new URL(url);
  const wanted = Number(port || (protocol === "https:" ? 443 : 80));
  const own = connections.filter((one) => bare(one.host) === bare(hostname) && one.port === wanted);
  if (own.length === 0 || own.some(({ decision }) => decision === "allowed")) return null;
  const [{ decision, host, rule, reason, flag = null }] = own as [Connection];
  if (decision === "refused" && reason !== undefined) {
    return refusalOf({ host, port: wanted, rule, reason, flag });
  }
  return new ToolError("external_failure", `Cannot reach ${hostAndPort(shownHost(host), wanted)}: ${rule}`, {
    details: { url },
  });
}

/** Tells of hosts that pages asked for and were refused. */
export function refusedHosts(connections: readonly Connection[]): string[] {
  const refused = connections.filter(({ decision }) => decision === "refused");
  const said = new Set(
    refused.map(({ host, port, rule, flag }) =>
      `The page asked for ${hostAndPort(shownHost(host), port)}, which was refused: ${rule}${
        flag === undefined ? "" : `, pass ${flag} to grant it`
      }`
    ),
  );
  const more = said.size - MOST_HOSTS;
  return [...[...said].slice(0, MOST_HOSTS), ...more > 0 ? [`The page was refused ${more} more hosts`] : []];
}

function refusalOf(
  { host, port, rule, reason, flag }: {
    host: string;
    port: number;
    rule: string;
    reason: NetRefusal;
    flag: string | null;
  },
): ToolError {
  return netRefusal({ allowed: false, reason, rule, flag }, { host: bare(host), port });
}

function bare(host: string): string {
  return host.replace(/^\[|\]$/g, "").toLowerCase();
}
