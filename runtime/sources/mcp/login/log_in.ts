import { ToolError } from "../../../../schemas/error.ts";
import { holdLogin, removeLogin } from "../../../state/login_store.ts";
import { stateFolder } from "../../../state/state_folder.ts";
import type { SourceHost } from "../../source.ts";
import { ServerLink } from "../client/server_link.ts";
import type { McpServer } from "../config/mcp_server.ts";
import { loginSettings } from "./login_settings.ts";
import { type BrowserOptions, openBrowserLogin } from "./open_browser_login.ts";
import { isLoggedIn, planRemote } from "./plan_remote.ts";

/** How a login ended. */
export interface LoggedIn {
  /** The server wanted a login, and the user gave one. */
  wasWanted: boolean;
}

/**
 * Connects to a remote server, and logs in if it wants that. Needs `net` of 127.0.0.1, and `write` of the state.
 *
 * @throws {ToolError} If the server is a program, cannot be reached, or does not accept the login
 */
export async function logIn(
  server: McpServer,
  host: SourceHost,
  options: Omit<BrowserOptions, "port">,
): Promise<LoggedIn> {
  requireRemote(server);
  let wasWanted = false;
  const show = (url: string) => {
    wasWanted = true;
    options.show(url);
  };
  using browser = await openBrowserLogin({ ...options, show, port: loginSettings(server).callbackPort });
  const link = await ServerLink.open({
    open: planRemote(server, host, browser),
    offers: { sampling: false, elicitation: false },
    answer: () => Promise.reject(new ToolError("denied_by_policy", "this client only logs in")),
    onChanged() {},
  }, { signal: options.signal }).catch((error) => {
    if (!(error instanceof ToolError)) throw error;
    const { code, message, retryable, details } = error;
    throw new ToolError(code, `Cannot log in at server "${server.name}": ${message}`, { retryable, details });
  });
  // What it says is kept, once it is closed.
  await link[Symbol.asyncDispose]();
  if (wasWanted && !await isLoggedIn(server, host)) {
    throw new ToolError("unavailable", `The login at server "${server.name}" was accepted, but is not kept`);
  }
  return { wasWanted };
}

/**
 * Forgets the login at a server. Needs `write` of the state.
 *
 * @returns Whether there was one
 */
export async function logOut(
  server: McpServer,
  { env }: SourceHost,
  { signal }: { signal: AbortSignal },
): Promise<boolean> {
  const { url } = requireRemote(server);
  const state = stateFolder(env.XDG_STATE_HOME, env.HOME ?? "");
  if (state === null) return false;
  // A run that renews it now would keep it again.
  using _held = await holdLogin(state, url, signal);
  return await removeLogin(state, url);
}

function requireRemote({ name, transport }: McpServer): { url: string } {
  if (transport.kind !== "stdio") return transport;
  throw new ToolError(
    "invalid_input",
    `Server "${name}" is a program: only servers with a "url" have logins`,
  );
}
