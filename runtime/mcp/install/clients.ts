import { join } from "@std/path";

/** The clients that an entry can be made for, in the order of help. */
export const MCP_CLIENTS = [
  "claude-code",
  "claude-desktop",
  "cursor",
  "vscode",
  "codex",
  "gemini",
  "opencode",
  "zed",
  "windsurf",
] as const;

/** The name of a client. */
export type McpClient = typeof MCP_CLIENTS[number];

/** The program that a client starts. */
export interface StartedServer {
  command: string;
  args: readonly string[];
}

/** How a client wants its configuration. */
export interface ClientForm {
  format: "json" | "toml";
  /** Where the entries of servers stand. */
  key: string;
  /** The user's own file. */
  userFile(places: UserPlaces): string;
  /** The file of a project, from its folder; `null` if the client has none. */
  projectFile: string | null;
  /** It starts servers in the folder of the project that it works in, also those of the user's own file. @default false */
  startsInProject?: boolean;
  entry(server: StartedServer): Record<string, unknown>;
}

/** Where a user's files are. */
export interface UserPlaces {
  home: string;
  os: typeof Deno.build.os;
  env(name: string): string | undefined;
}

const plain = ({ command, args }: StartedServer) => ({ command, args });
const stdio = (server: StartedServer) => ({ type: "stdio", ...plain(server) });

/** Settings of desktop programs. */
function desktop({ home, os, env }: UserPlaces): string {
  if (os === "darwin") return join(home, "Library/Application Support");
  return env("XDG_CONFIG_HOME") || join(home, ".config");
}

/** Settings of programs that keep to the same place on every system. */
const config = ({ home, env }: UserPlaces) => env("XDG_CONFIG_HOME") || join(home, ".config");

/** How each client wants its configuration, as its documentation says. */
export const CLIENT_FORMS: Readonly<Record<McpClient, ClientForm>> = {
  "claude-code": {
    startsInProject: true,
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => join(home, ".claude.json"),
    projectFile: ".mcp.json",
    entry: stdio,
  },
  "claude-desktop": {
    format: "json",
    key: "mcpServers",
    userFile: (places) => join(desktop(places), "Claude/claude_desktop_config.json"),
    projectFile: null,
    entry: plain,
  },
  cursor: {
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => join(home, ".cursor/mcp.json"),
    projectFile: ".cursor/mcp.json",
    entry: plain,
  },
  vscode: {
    format: "json",
    key: "servers",
    userFile: (places) => join(desktop(places), "Code/User/mcp.json"),
    projectFile: ".vscode/mcp.json",
    entry: stdio,
  },
  codex: {
    startsInProject: true,
    format: "toml",
    key: "mcp_servers",
    userFile: ({ home, env }) => join(env("CODEX_HOME") || join(home, ".codex"), "config.toml"),
    projectFile: ".codex/config.toml",
    entry: plain,
  },
  gemini: {
    startsInProject: true,
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => join(home, ".gemini/settings.json"),
    projectFile: ".gemini/settings.json",
    entry: plain,
  },
  opencode: {
    startsInProject: true,
    format: "json",
    key: "mcp",
    userFile: (places) => join(config(places), "opencode/opencode.json"),
    projectFile: "opencode.json",
    entry: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
  },
  zed: {
    format: "json",
    key: "context_servers",
    userFile: (places) => join(config(places), "zed/settings.json"),
    projectFile: ".zed/settings.json",
    entry: (server) => ({ source: "custom", ...plain(server), env: {} }),
  },
  windsurf: {
    format: "json",
    key: "mcpServers",
    userFile: ({ home }) => join(home, ".codeium/windsurf/mcp_config.json"),
    projectFile: null,
    entry: plain,
  },
};

/** Returns the form of a client, `null` for an unknown name. */
export function clientForm(name: string): ClientForm | null {
  return (MCP_CLIENTS as readonly string[]).includes(name) ? CLIENT_FORMS[name as McpClient] : null;
}
