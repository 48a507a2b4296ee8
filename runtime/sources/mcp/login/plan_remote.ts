import { ToolError } from "../../../../schemas/error.ts";
import { isObject } from "../../../../schemas/json/shape.ts";
import { holdLogin, keepLogin, readLogin } from "../../../state/login_store.ts";
import { stateFolder } from "../../../state/state_folder.ts";
import { hostAndPort } from "../../../walls/net/read_host.ts";
import { toolRules } from "../../../walls/net/net_rules.ts";
import { checkUrl } from "../../../walls/net/check_url.ts";
import type { SourceHost } from "../../source.ts";
import type { RemotePlan } from "../client/remote_plan.ts";
import type { McpServer } from "../config/mcp_server.ts";
import type { KeptLogin } from "../wire/remote_way.ts";
import { loginSettings } from "./login_settings.ts";

/** A person at a browser. */
export interface BrowserLogin {
  /** Where the browser comes back to. */
  redirectUrl: string;
  /** Sends the browser away, and returns the query with which it comes back. */
  authorize(url: string): Promise<string>;
}

/** How long is waited for another run that holds the login, in milliseconds. */
const HOLD_MS = 60_000;
const NOTHING: KeptLogin = { clients: {}, tokens: null };

/**
 * Says how a remote server is reached: through a door of the gate that leads to its host alone. Who is logged in, or logs
 * in, also reaches what else the run may reach: nobody knows before where a login leads.
 *
 * @param browser Logs in if the server wants it. @default a server that wants a login fails
 * @throws {ToolError} `configuration` for an entry that cannot be used; `invalid_input` for its address
 */
export function planRemote(
  server: McpServer,
  host: SourceHost,
  browser: BrowserLogin | null = null,
): RemotePlan {
  const { transport, name } = server;
  if (transport.kind === "stdio") throw new TypeError("the server is a program");
  const { url } = transport;
  const own = remoteHost(url);
  const { kept, hold, keep } = keeper({ name, url }, host);
  return {
    way: {
      kind: "remote",
      transport: transport.kind,
      url,
      headers: transport.headers,
      secrets: server.secrets,
      login: loginSettings(server),
      redirectUrl: browser?.redirectUrl ?? null,
      loginHint: `bulkhead mcp login ${/^[\w.-]+$/.test(name) ? name : JSON.stringify(name)}`,
    },
    async door() {
      const isNarrow = browser === null && (await kept()).tokens === null;
      const rules = toolRules(isNarrow ? [own] : "granted", host.machine.grants);
      return await host.gate.portDoor({ who: `server ${name}`, rules, secrets: [] });
    },
    kept,
    hold,
    keep,
    authorize: (url) =>
      browser?.authorize(url) ?? Promise.reject(new ToolError("unauthenticated", "nobody can log in now")),
  };
}

/** Keeps the login at a server. */
function keeper(
  { name, url }: { name: string; url: string },
  host: SourceHost,
): Pick<RemotePlan, "kept" | "hold" | "keep"> {
  const state = stateFolder(host.env.XDG_STATE_HOME, host.env.HOME ?? "");
  const warn = (what: string, error: unknown) =>
    host.warn(
      `the login at server "${name}" cannot be ${what}: ${
        error instanceof ToolError ? error.message : String(error)
      }`,
    );
  const kept = async () => {
    try {
      return readKept(state === null ? null : await readLogin(state, url));
    } catch (error) {
      warn("used", error);
      return NOTHING;
    }
  };
  const hold = async (signal: AbortSignal) => {
    try {
      const ended = AbortSignal.any([signal, AbortSignal.timeout(HOLD_MS)]);
      const held = state === null ? null : await holdLogin(state, url, ended);
      return held && { kept: await kept(), [Symbol.dispose]: () => held[Symbol.dispose]() };
    } catch {
      // Without it, only two runs at once can lose the login.
      return null;
    }
  };
  return {
    kept,
    hold,
    async keep({ clients, tokens }, held) {
      if (state === null) return;
      using _own = held ? null : await hold(new AbortController().signal);
      await keepLogin(state, url, { clients, tokens }).catch((error) => warn("kept", error));
    },
  };
}

/** Says whether a login at a server is kept. Needs `read` of the state. */
export async function isLoggedIn({ transport }: McpServer, { env }: SourceHost): Promise<boolean> {
  const state = stateFolder(env.XDG_STATE_HOME, env.HOME ?? "");
  if (transport.kind === "stdio" || state === null) return false;
  // What is wrong with it is told when it is used.
  return readKept(await readLogin(state, transport.url).catch(() => null)).tokens !== null;
}

/** The host and the port of a server's address. */
export function remoteHost(url: string): string {
  const { name, port } = checkUrl(url);
  return hostAndPort(name, port);
}

function readKept(kept: Record<string, unknown> | null): KeptLogin {
  const { clients, tokens } = kept ?? {};
  if (!isObject(clients) || !Object.values(clients).every(isObject)) return NOTHING;
  return {
    clients: clients as KeptLogin["clients"],
    tokens: isObject(tokens) && typeof tokens.access_token === "string" ? tokens : null,
  };
}
