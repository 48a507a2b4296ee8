import { assertEquals, assertRejects, assertThrows } from "@std/assert";

import type { VariableForm } from "../../../../../runtime/sources/mcp/config/clients.ts";
import { fillIn } from "../../../../../runtime/sources/mcp/config/fill_in.ts";
import type { McpConfig, McpServer } from "../../../../../runtime/sources/mcp/config/mcp_server.ts";
import { readMcpConfig } from "../../../../../runtime/sources/mcp/config/read_mcp_config.ts";
import { loginSettings } from "../../../../../runtime/sources/mcp/login/login_settings.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { listed } from "../../../../support/listed.ts";

const PLACES = { env: { A: "1", B: "${A}", EMPTY: "" }, workspace: "/ws/shop", home: "" };
const ALL = listed("braces, braced_default, env_braces, dollar, places, inputs, bare_env") as VariableForm[];

Deno.test("fillIn() fills in the forms of a client, and no others", () => {
  const cases: readonly (readonly [string, readonly VariableForm[], string])[] = [
    ["a${A}b", ["braces"], "a1b"],
    ["a${A}b", ["dollar"], "a${A}b"],
    ["$A-$AB", ["dollar"], "problem: the variable AB is not set: set it"],
    ["$5 and $", ["dollar", "braces"], "$5 and $"],
    ["${NO:-x}${EMPTY:-y}${A:-z}", ["braced_default"], "xy1"],
    ["${NO:-}", ["braced_default"], ""],
    ["${EMPTY}", ["braces"], ""],
    ["${B}", ALL, "${A}"],
    ["${env:A}{env:A}", ["env_braces"], "1{env:A}"],
    ["${env:A}{env:A}", ["bare_env"], "$11"],
    ["${workspaceFolder}${/}${workspaceFolderBasename}", ["places"], "/ws/shop/shop"],
    ["${userHome}", ["places"], "problem: ${userHome} is not known: set HOME"],
    ["${toString}${constructor}", ["braces"], "problem: the variable toString is not set: set it"],
    [
      "${input:k}",
      ["inputs"],
      "problem: ${input:k} asks the user of an editor: write ${env:NAME} instead, and set that variable",
    ],
    ["${}", ALL, "${}"],
  ];
  for (const [text, forms, wanted] of cases) {
    const filled = fillIn(text, forms, PLACES);
    assertEquals("problem" in filled ? `problem: ${filled.problem}` : filled.text, wanted, text);
  }
});

const ENV = { TOKEN: "t0ken", EMPTY: "", HOST: "api.example.com", HOME: "/home/you" };

const PLAIN = {
  timeouts: { startMs: null, callMs: null },
  tools: { allow: null, deny: [] },
  grants: null,
  oauth: null,
  secrets: [],
};
const STDIO = { kind: "stdio", command: "npx", args: ["-y", "files"], env: {}, cwd: null } as const;

type Said = Partial<McpServer>;

/** A file of a client, and what it says. */
interface Case {
  path: string;
  text: string;
  client: string;
  servers: Record<string, Said>;
}

/** What is said of servers at an address, and of programs. */
const remote = (kind: "http" | "sse" | "either", url: string, more: Said = {}, headers = {}) => ({
  ...{ transport: { kind, url, headers }, ...more },
});
const stdio = (changes: object, more: Said = {}) => ({
  ...{ transport: { ...STDIO, ...changes } as McpServer["transport"], ...more },
});
const A = "https://a.example.com";

const CASES: readonly Case[] = [
  {
    path: "/ws/.mcp.json",
    client: "Claude Code",
    text: `{"mcpServers":{
      "files":{"command":"npx","args":["-y","files"],"env":{"T":"\${TOKEN}","D":"\${EMPTY:-d}","N":1},"timeout":5000},
      "web":{"type":"http","url":"https://\${HOST}/mcp","headers":{"Authorization":"Bearer \${TOKEN}"}},
      "old":{"type":"sse","url":"https://old.example.com/sse"},
      "any":{"url":"https://any.example.com/mcp"},
      "boxed":{"command":"npx","args":["-y","files"],"bulkhead":{"read":["."],"net":["\${HOST}:443"],"env":["TZ"]}}
    }}`,
    servers: {
      files: stdio({ env: { T: "t0ken", D: "d", N: "1" } }, {
        timeouts: { startMs: null, callMs: 5000 },
        secrets: ["t0ken", "d"],
      }),
      web: remote("http", "https://api.example.com/mcp", { secrets: ["api.example.com", "t0ken"] }, {
        Authorization: "Bearer t0ken",
      }),
      old: remote("sse", "https://old.example.com/sse"),
      any: remote("either", "https://any.example.com/mcp"),
      boxed: stdio({}, {
        grants: { read: ["."], write: [], net: ["api.example.com:443"], env: ["TZ"] },
        secrets: ["api.example.com"],
      }),
    },
  },
  {
    path: "/home/you/Claude/claude_desktop_config.json",
    client: "Claude Desktop",
    text: '{"theme":"dark","mcpServers":{"files":{"command":"npx","args":["-y","${NOT_ITS_FORM}"]}}}',
    servers: { files: stdio({ args: ["-y", "${NOT_ITS_FORM}"] }) },
  },
  {
    path: "/ws/.cursor/mcp.json",
    client: "Cursor",
    text: `{ // own server
      "mcpServers":{"files":{"command":"\${workspaceFolder}/bin/s","args":["\${userHome}","\${env:TOKEN}"],},}}`,
    servers: {
      files: stdio({ command: "/ws/bin/s", args: ["/home/you", "t0ken"] }, { secrets: ["t0ken"] }),
    },
  },
  {
    path: "/ws/.vscode/mcp.json",
    client: "VS Code",
    text: `{"inputs":[],"servers":{
      "files":{"type":"stdio","command":"npx","args":["-y","files"],"cwd":"\${workspaceFolder}/a"},
      "web":{"type":"http","url":"https://a.example.com","headers":{"K":"\${env:TOKEN}"}} /* last */
    }}`,
    servers: {
      files: stdio({ cwd: "/ws/a" }),
      web: remote("http", A, { secrets: ["t0ken"] }, { K: "t0ken" }),
    },
  },
  {
    path: "/home/you/.codex/config.toml",
    client: "Codex",
    text: `model = "o"
[mcp_servers.files]
command = "npx"
args = ["-y", "files"]
env_vars = ["TOKEN"]
startup_timeout_sec = 2.5
tool_timeout_sec = 60
enabled_tools = ["a"]
disabled_tools = ["b"]
[mcp_servers.files.env]
A = "1"
[mcp_servers.web]
url = "https://a.example.com/mcp"
bearer_token_env_var = "TOKEN"
http_headers = { "X-A" = "1" }
env_http_headers = { "X-B" = "HOST" }
[mcp_servers.off]
command = "x"
env_vars = ["NOT_SET"]
enabled = false
`,
    servers: {
      files: stdio({ env: { TOKEN: "t0ken", A: "1" } }, {
        timeouts: { startMs: 2500, callMs: 60_000 },
        tools: { allow: ["a"], deny: ["b"] },
        secrets: ["t0ken"],
      }),
      web: remote("either", `${A}/mcp`, { secrets: ["api.example.com", "t0ken"] }, {
        ...{ "X-A": "1", "X-B": "api.example.com", Authorization: "Bearer t0ken" },
      }),
    },
  },
  {
    path: "/home/you/.gemini/settings.json",
    client: "Gemini",
    text: `{"mcpServers":{
      "files":{"command":"npx","args":["-y","files"],"env":{"T":"$TOKEN","U":"x\${TOKEN}x"},"trust":true},
      "web":{"httpUrl":"https://a.example.com","timeout":1000,"includeTools":["a"],"excludeTools":["b"]},
      "old":{"url":"https://b.example.com"}
    }}`,
    servers: {
      files: stdio({ env: { T: "t0ken", U: "xt0kenx" } }, { secrets: ["t0ken", "t0ken", "xt0kenx"] }),
      web: remote("http", A, {
        timeouts: { startMs: null, callMs: 1000 },
        tools: { allow: ["a"], deny: ["b"] },
      }),
      old: remote("sse", "https://b.example.com"),
    },
  },
  {
    path: "/ws/opencode.json",
    client: "opencode",
    text: `{"$schema":"https://x.example.com","mcp":{
      "files":{"type":"local","command":["npx","-y","files"],"environment":{"T":"{env:TOKEN}"},"enabled":true},
      "web":{"type":"remote","url":"https://a.example.com","oauth":{"clientId":"c"}}
    }}`,
    servers: {
      files: stdio({ env: { T: "t0ken" } }, { secrets: ["t0ken"] }),
      web: remote("either", A, { oauth: { clientId: "c" } }),
    },
  },
  {
    path: "/home/you/.config/zed/settings.json",
    client: "Zed",
    text: `{"context_servers":{
      "files":{"source":"custom","command":{"path":"npx","args":["-y","files"],"env":{"A":"1"}},"settings":{}},
      "new":{"command":"npx","args":["-y","files"]},
      "web":{"url":"https://a.example.com"}, // a comment
    }}`,
    servers: { files: stdio({ env: { A: "1" } }), new: stdio({}), web: remote("either", A) },
  },
  {
    path: "/home/you/.codeium/windsurf/mcp_config.json",
    client: "Windsurf",
    text:
      `{"mcpServers":{"web":{"serverUrl":"https://a.example.com/\${env:TOKEN}","disabledTools":["b"],"disabled":false}}}`,
    servers: {
      web: remote("http", `${A}/t0ken`, { tools: { allow: null, deny: ["b"] }, secrets: ["t0ken"] }),
    },
  },
  {
    path: "/ws/team.json",
    client: "mcpServers",
    text:
      `{"mcpServers":{"files":{"command":"npx","args":["-y","\${env:TOKEN}","\${TOKEN}"],"alwaysAllow":["a"]}}} // all`,
    servers: { files: stdio({ args: ["-y", "t0ken", "t0ken"] }, { secrets: ["t0ken", "t0ken"] }) },
  },
];

for (const { path, text, client, servers } of CASES) {
  Deno.test(`readMcpConfig() reads the file of ${client}`, async () => {
    const config = await read(text, path);
    assertEquals([config.client, config.failures, config.warnings], [client, [], []]);
    const wanted = Object.entries(servers).map(([name, said]) => ({ ...PLAIN, name, file: path, ...said }));
    assertEquals(config.servers, wanted as McpServer[]);
    assertEquals(config.disabled, client === "Codex" ? ["off"] : []);
  });
}

Deno.test("readMcpConfig() names file, server, field and remedy, and goes on with the others", async () => {
  const entries: Readonly<Record<string, [entry: unknown, message: string]>> = {
    unset: [
      { command: "x", env: { K: "a${NOT_SET}" } },
      ".env.K: the variable NOT_SET is not set: set it, or write ${NOT_SET:-…} with what stands for it",
    ],
    input: [
      { command: "x", args: ["${input:key}"] },
      ".args.0: ${input:key} asks the user of an editor: write ${env:NAME} instead, and set that variable",
    ],
    nothing: [{}, ': it needs "command" or "url"'],
    text: ["npx", ": it must be an object"],
    both: [{ command: "x", url: "https://a" }, '.url: a server has a "command" or an address, not both'],
    args: [{ command: "x", args: "y" }, ".args: it must be a list of texts"],
    line: [{ command: [] }, ".command: it must name a program"],
    env: [{ command: "x", env: { A: {} } }, ".env.A: it must be a text"],
    url: [{ url: "file:///etc/passwd" }, ".url: it must be an address that begins with https:// or http://"],
    type: [{ type: "ws", url: "https://a" }, '.type: "ws" is no transport: write stdio, http or sse'],
    stdio: [{ type: "stdio", url: "https://a" }, ".type: a server with an address is not of that type"],
    remote: [{ type: "http", command: "x" }, ': a remote server needs "url"'],
    time: [{ command: "x", timeout: -1 }, ".timeout: it must be a number above 0"],
    flag: [{ command: "x", disabled: "no" }, ".disabled: it must be true or false"],
    file: [{ command: "x", envFile: ".env" }, '.envFile: it is not supported: use "env" instead'],
    grants: [
      { command: "x", bulkhead: { reads: true } },
      ".bulkhead.reads: there are only read, write, net and env",
    ],
    grant: [{ command: "x", bulkhead: { net: "a" } }, ".bulkhead.net: it must be true or a list of texts"],
    twice: [
      { command: "x", type: "stdio", transport: "stdio" },
      '.transport: "type" says the same: remove one of them',
    ],
  };
  const servers = Object.fromEntries(Object.entries(entries).map(([name, [entry]]) => [name, entry]));
  const { servers: good, failures } = await read(
    JSON.stringify({ mcpServers: { ...servers, ok: { command: "x" } } }),
  );
  assertEquals(good.map(({ name }) => name), ["ok"]);
  assertEquals(
    failures.map(({ name, error }) => [name, error.code, error.message]),
    Object.entries(entries).map(([name, [, message]]) => {
      const where = message.startsWith(".") ? `: mcpServers.${name}${message}` : message;
      return [name, "configuration", `Cannot use the server "${name}" of "/ws/team.json"${where}`];
    }),
  );
});

Deno.test("readMcpConfig() warns of fields that are not known", async () => {
  const { servers, warnings } = await read(
    '{"mcpServers":{"a":{"command":"x","comand":"y","__proto__":{}}}}',
  );
  assertEquals([servers.length, warnings], [1, [
    'file "/ws/team.json": server "a": the field "comand" is not known and passed over',
    'file "/ws/team.json": server "a": the field "__proto__" is not known and passed over',
  ]]);
});

Deno.test("readMcpConfig() refuses what is no file of servers", async () => {
  const cases = [
    ["{}", "/ws/a.json", 'it has no servers under "mcpServers" or "servers" or "mcp" or "context_servers"'],
    ["[]", "/ws/a.json", "it must hold an object"],
    ['{"mcpServers":[]}', "/ws/.mcp.json", 'it has no servers under "mcpServers"'],
    ["a = ", "/ws/a.toml", "it is no TOML"],
    ['{"mcpServers":{}} // no', "/ws/.mcp.json", ""],
  ];
  for (const [text = "", path = "", why = ""] of cases) {
    const error = await assertRejects(() => read(text, path), ToolError);
    assertEquals(error.code, "configuration");
    assertEquals(error.message.includes(path), true);
    assertEquals(error.message.includes(why), true);
  }
});

async function read(text: string, path = "/ws/team.json"): Promise<McpConfig> {
  return await readMcpConfig(text, { path, env: ENV, workspace: "/ws", home: "/home/you" });
}

const readLogin = (oauth: Record<string, unknown>) =>
  readMcpConfig(JSON.stringify({ mcpServers: { s: { url: "https://a.example/mcp", oauth } } }), {
    path: "/ws/.mcp.json",
    env: { SECRET: "of-the-client", PORT: "3118", SCOPE: "read" },
    workspace: "/ws",
    home: "/home/you",
  });

Deno.test("variables are filled in in what an entry says about logins, and masked", async () => {
  const { servers: [server], failures } = await readLogin({
    clientId: "me",
    clientSecret: "${SECRET}",
    scopes: ["${SCOPE}", "${NONE:-write}"],
    callbackPort: "${PORT}",
  });
  assertEquals(failures, []);
  assertEquals(loginSettings(server!), {
    clientId: "me",
    clientSecret: "of-the-client",
    scope: "read write",
    callbackPort: 3118,
  });
  assertEquals(server!.secrets, ["of-the-client", "read", "write", "3118"]);
});

Deno.test("a variable that is not set is told as in all other fields", async () => {
  const { servers, failures } = await readLogin({ clientSecret: "${NOT_SET}" });
  assertEquals([servers, failures[0]?.error.message], [
    [],
    'Cannot use the server "s" of "/ws/.mcp.json": mcpServers.s.oauth.clientSecret: the variable NOT_SET is not set: ' +
    "set it, or write ${NOT_SET:-…} with what stands for it",
  ]);
});

Deno.test("a port that is none is refused", async () => {
  for (const callbackPort of [0, 70_000, "x", "${SECRET}"]) {
    const { servers: [server] } = await readLogin({ callbackPort });
    assertThrows(() => loginSettings(server!), ToolError, "oauth.callbackPort: it must be a port");
  }
});
