import type { Grants, Scope } from "../../../schemas/grants.ts";
import { PROXY } from "../../walls/box/joined_network.ts";
import { OFFLINE_VARIABLES } from "./offline_variables.ts";
import { type BoxNetwork, boxNetwork } from "./box_network.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "::1"];
/** A host with private addresses that means this machine. */
const IS_LOOPBACK = /^(?:localhost|[^/]*\.localhost|127\.|\[?::1|0\.0\.0\.0)/i;

/** Returns the variables that tell programs what their walls leave of the network; `port` is that of the proxy. */
export function networkVariables(
  grants: Grants,
  { network = boxNetwork(grants), port = PROXY.port }: { network?: BoxNetwork; port?: number | undefined } =
    {},
): Readonly<Record<string, string>> {
  if (network === "machine") return {};
  return network === "none" ? OFFLINE_VARIABLES : proxyVariables(grants, port);
}

/** A variable that names a proxy, or hosts that need none. */
const PROXY_VARIABLE = /^(?:https?|all|no)_proxy$/i;

/** Leaves out the user's own proxies: a box whose network leads to the gate reaches none of them. */
export function withoutProxies(
  env: Readonly<Record<string, string>>,
  grants: Grants,
): Readonly<Record<string, string>> {
  if (boxNetwork(grants) !== "gate") return env;
  return Object.fromEntries(Object.entries(env).filter(([name]) => !PROXY_VARIABLE.test(name)));
}

/**
 * Returns the variables that lead programs to the proxy, in the spellings that each kind of program reads. The box's own
 * loopback network is reached without it, unless addresses of this machine are allowed: then these are meant.
 */
function proxyVariables({ privateNet }: Grants, port: number): Record<string, string> {
  const url = `http://${PROXY.host}:${port}`;
  const direct = meansLoopback(privateNet) ? [] : LOOPBACK;
  const both = (name: string, value: string) => [[name, value], [name.toUpperCase(), value]];
  return {
    ...Object.fromEntries([
      ...["http_proxy", "https_proxy", "all_proxy"].flatMap((name) => both(name, url)),
      ...(direct.length === 0 ? [] : both("no_proxy", direct.join(","))),
    ]),
    // From Node 22.21 on; older ones have no such setting.
    NODE_USE_ENV_PROXY: "1",
    YARN_HTTP_PROXY: url,
    YARN_HTTPS_PROXY: url,
    JAVA_TOOL_OPTIONS: javaOptions(direct, port),
    ...QUIET,
  };
}

/** What would otherwise ask for news with each start. */
const QUIET = {
  npm_config_update_notifier: "false",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  GOTOOLCHAIN: "local",
} as const;

/** Java has this list in other words, and its own default. */
function javaOptions(direct: readonly string[], port: number): string {
  const proxies = ["http", "https"].flatMap((scheme) => [
    `-D${scheme}.proxyHost=${PROXY.host}`,
    `-D${scheme}.proxyPort=${port}`,
  ]);
  const hosts = direct.length === 0 ? "" : "localhost|127.*|[::1]";
  return [...proxies, `-Dhttp.nonProxyHosts=${hosts}`].join(" ");
}

function meansLoopback(hosts: Scope): boolean {
  return hosts === true || hosts.some((host) => IS_LOOPBACK.test(host));
}
