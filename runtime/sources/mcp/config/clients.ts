/** What a field of a server's entry means. */
export type FieldMeaning =
  | "allow"
  | "args"
  | "bearer_name"
  | "call_ms"
  | "call_seconds"
  | "command"
  | "cwd"
  | "deny"
  | "disabled"
  | "enabled"
  | "env"
  | "env_names"
  /** Names of variables that are passed on as far as they are set. */
  | "env_allowed"
  | "grants"
  | "header_names"
  | "headers"
  | "http_url"
  | "oauth"
  /** It concerns only that client. */
  | "passed_over"
  /** Without it the server would not be what the file says. */
  | "refused"
  | "sse_url"
  | "start_ms"
  | "start_seconds"
  | "type"
  | "url";

/** How a client marks variables: see `fillIn`. */
export type VariableForm =
  | "braces"
  | "braced_default"
  | "env_braces"
  | "dollar"
  | "places"
  | "inputs"
  | "bare_env";

/** The form of a client's file, as data. */
export interface Client {
  name: string;
  syntax: "json" | "jsonc" | "toml";
  /** The field that holds the servers. */
  key: string;
  /** Ends of paths by which its file is known. */
  paths: readonly string[];
  variables: readonly VariableForm[];
  /** The meaning of fields besides the common ones. */
  fields: Readonly<Record<string, FieldMeaning>>;
}

/** Fields that every client has, or that mean the same wherever they are. */
export const COMMON_FIELDS: Readonly<Record<string, FieldMeaning>> = {
  command: "command",
  args: "args",
  env: "env",
  cwd: "cwd",
  url: "url",
  headers: "headers",
  type: "type",
  transport: "type",
  disabled: "disabled",
  enabled: "enabled",
  bulkhead: "grants",
  name: "passed_over",
  description: "passed_over",
};

/** Fields of clients that extend the form of `.mcp.json`; a file of no known name may have all of them. */
const EXTENDED_FIELDS: Readonly<Record<string, FieldMeaning>> = {
  httpUrl: "http_url",
  serverUrl: "http_url",
  includeTools: "allow",
  excludeTools: "deny",
  disabledTools: "deny",
  timeout: "call_ms",
  timeout_s: "call_seconds",
  env_allowlist: "env_allowed",
  id: "passed_over",
  oauth: "oauth",
  auth: "oauth",
  envFile: "refused",
  headersHelper: "refused",
  autoApprove: "passed_over",
  alwaysAllow: "passed_over",
};

/** The clients whose files are understood. The first one whose path fits counts, then the first whose key is there. */
export const CLIENTS: readonly Client[] = [
  {
    name: "Codex",
    syntax: "toml",
    key: "mcp_servers",
    paths: [".toml"],
    variables: [],
    fields: {
      env_vars: "env_names",
      bearer_token_env_var: "bearer_name",
      http_headers: "headers",
      env_http_headers: "header_names",
      startup_timeout_sec: "start_seconds",
      startup_timeout_ms: "start_ms",
      tool_timeout_sec: "call_seconds",
      enabled_tools: "allow",
      disabled_tools: "deny",
      required: "passed_over",
      scopes: "passed_over",
      oauth: "oauth",
    },
  },
  {
    name: "VS Code",
    syntax: "jsonc",
    key: "servers",
    paths: ["/.vscode/mcp.json"],
    variables: ["env_braces", "places", "inputs"],
    fields: { envFile: "refused", dev: "passed_over", gallery: "passed_over", version: "passed_over" },
  },
  {
    name: "Cursor",
    syntax: "jsonc",
    key: "mcpServers",
    paths: ["/.cursor/mcp.json"],
    variables: ["env_braces", "places"],
    fields: { envFile: "refused", auth: "oauth" },
  },
  {
    name: "Gemini",
    syntax: "jsonc",
    key: "mcpServers",
    paths: ["/.gemini/settings.json"],
    variables: ["braces", "braced_default", "dollar"],
    fields: {
      url: "sse_url",
      httpUrl: "http_url",
      timeout: "call_ms",
      includeTools: "allow",
      excludeTools: "deny",
      trust: "passed_over",
      oauth: "oauth",
      authProviderType: "refused",
    },
  },
  {
    name: "Claude Desktop",
    syntax: "json",
    key: "mcpServers",
    paths: ["/claude_desktop_config.json"],
    variables: [],
    fields: {},
  },
  {
    name: "Windsurf",
    syntax: "json",
    key: "mcpServers",
    paths: ["/mcp_config.json"],
    variables: ["env_braces"],
    fields: {
      serverUrl: "http_url",
      disabledTools: "deny",
      alwaysAllow: "passed_over",
      registry: "passed_over",
    },
  },
  {
    name: "Claude Code",
    syntax: "json",
    key: "mcpServers",
    paths: ["/.mcp.json", "/.claude.json"],
    variables: ["braces", "braced_default"],
    fields: { timeout: "call_ms", oauth: "oauth", headersHelper: "refused" },
  },
  {
    name: "Zed",
    syntax: "jsonc",
    key: "context_servers",
    paths: ["/.zed/settings.json", "/zed/settings.json"],
    variables: [],
    fields: { source: "passed_over", settings: "passed_over", timeout: "call_ms" },
  },
  {
    name: "opencode",
    syntax: "jsonc",
    key: "mcp",
    paths: ["/opencode.json", "/opencode.jsonc"],
    variables: ["bare_env"],
    fields: { environment: "env", timeout: "call_ms", oauth: "oauth" },
  },
  {
    name: "mcpServers",
    syntax: "jsonc",
    key: "mcpServers",
    paths: [],
    variables: ["braces", "braced_default", "env_braces", "places", "inputs"],
    fields: EXTENDED_FIELDS,
  },
];
