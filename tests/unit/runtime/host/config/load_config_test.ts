import { assertEquals, assertThrows } from "@std/assert";

import { loadConfig } from "../../../../../runtime/host/config/load_config.ts";
import { choosePolicy, keepPolicy } from "../../../../../runtime/host/config/choose_policy.ts";
import { namedPolicy } from "../../../../../runtime/walls/grants/policies.ts";
import { applyToolConfig, mostExact, permissionsOf } from "../../../../../runtime/host/config/tool_rules.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { entryOf } from "../../../../support/manifest_entry.ts";
import { type Workspace, workspace } from "../../../../support/run_tool.ts";

const TOOLS = ["harness/Bash", "harness/Read", "par/bash", "par/read"].map((name) => entryOf(name));
const BASH = TOOLS[2]!;

/** Loads the configuration of a workspace `ws` with the user's file in the usual place below `home`. */
function load(
  ws: Workspace,
  options: { file?: string; env?: Record<string, string> } = {},
) {
  const env: Record<string, string> = { HOME: ws.at("home"), ...options.env };
  return loadConfig(
    { file: options.file, cwd: ws.path, workspace: ws.at("ws"), env: (name) => env[name] },
    TOOLS,
  );
}

const USER = "home/.config/bulkhead/config.json";
const PROJECT = "ws/bulkhead.json";
const json = (value: unknown) => JSON.stringify(value);

/** The message of the configuration error, with the workspace's path left out. */
function fault(files: Record<string, string>, options: Parameters<typeof load>[1] = {}): string {
  using ws = workspace({ "ws/a": "", ...files });
  const error = assertThrows(() => load(ws, options), ToolError);
  assertEquals(error.code, "configuration");
  return error.message.replaceAll(`${ws.path}/`, "");
}

Deno.test("loadConfig() is content without any file", () => {
  using ws = workspace({ "ws/a": "" });
  const loaded = load(ws);
  assertEquals([loaded.config, loaded.policies, loaded.warnings, loaded.userFile], [{}, {}, [], null]);
  assertEquals(choosePolicy(undefined, loaded), {
    base: "coder",
    commands: { name: "coder", level: "free", allow: [], deny: [] },
    ...{ without: [], shareNet: false, programs: {} },
  });
  assertEquals(applyToolConfig(BASH, loaded), BASH);
  assertEquals(permissionsOf(BASH, loaded), ["allow"]);
});

Deno.test("loadConfig() finds the user's file in its order of places", () => {
  using ws = workspace({
    "ws/a": "",
    [USER]: json({ policy: "read-only" }),
    "xdg/bulkhead/config.json": "\uFEFF" + json({ policy: "read-only-no-net" }),
    "other.json": json({ policy: "coder", $schema: "x" }),
  });
  const policy = (options: Parameters<typeof load>[1]) => load(ws, options).policy.base;
  assertEquals(policy({}), "read-only");
  assertEquals(policy({ env: { XDG_CONFIG_HOME: ws.at("xdg") } }), "read-only-no-net");
  assertEquals(policy({ env: { XDG_CONFIG_HOME: "xdg" } }), "read-only");
  assertEquals(policy({ env: { BULKHEAD_CONFIG: "other.json" } }), "coder");
  const named = { file: "xdg/bulkhead/config.json", env: { BULKHEAD_CONFIG: "other.json" } };
  assertEquals(policy(named), "read-only-no-net");
});

/** Wrong files, and what is said of them behind the name of the file. */
const BROKEN: readonly (readonly [content: unknown, ...faults: string[]])[] = [
  ["[]", "it must be a JSON object"],
  [" ".repeat(300_000) + "{}", "it has more than 262144 bytes"],
  [{ polices: {} }, 'unknown field polices, did you mean "policies"?'],
  [{ programs: { memory: 5 } }, 'unknown field programs.memory, did you mean "memory_mb"?'],
  [{ policy: 5 }, "field 'policy' must be of type string"],
  [{ policy: "codr" }, 'policy "codr" is not one of coder, read-only, read-only-no-net'],
  [
    { policies: { a: { base: "open" } } },
    `field 'policies.a.base' must be one of "coder", "read-only", "read-only-no-net"`,
  ],
  [{ policies: { a: {} } }, "missing field policies.a.base"],
  [
    { policies: { coder: { base: "coder" } } },
    "policies.coder has the name of a built-in policy, choose another",
  ],
  [
    { policies: { "a b": { base: "coder" } } },
    'policies.a b must be named by letters, digits, ".", "_" or "-"',
  ],
  [{ policies: { a: { base: "coder", deny: [" "] } } }, 'policies.a.deny: the rule " " must name a program'],
  [
    { policies: { a: { base: "coder", allow: ["rm -r -f"] } } },
    'policies.a.allow: the rule "rm -r -f" names several options: write an object with "program", ' +
    '"words" and "options", of which one must be there',
  ],
  [{ tools: { "par/bsh": {} } }, 'tools.par/bsh is not the full name of a tool, did you mean "par/bash"?'],
  [
    { tools: { "par/bash": { permission: "sometimes" } } },
    `field 'tools.par/bash.permission' must be one of "allow", "confirm", "deny"`,
  ],
  [{ tools: { "*": { timeout_seconds: 0 } } }, "field 'tools.*.timeout_seconds' must be greater than 0"],
  [
    { hooks: { before: [["./check"], []] } },
    "hooks.before[0] must begin with an absolute path, or with a name to be found on PATH",
    "hooks.before[1] must begin with an absolute path, or with a name to be found on PATH",
  ],
  [
    { tools: { "*": { timeout_seconds: 1e9 } }, programs: { processes: 1.5, tmp_mb: 1e12 } },
    "tools.*.timeout_seconds must be at most 86400",
    "programs.processes must be a whole number, at most 1000000000",
    "programs.tmp_mb must be a whole number, at most 1000000000",
  ],
  [
    { models: { m: { api_key_env: "sk-secret", headers: { "x-a": "ok", "x b": "secret" } } } },
    "models.m.headers.x b is not a valid header",
    "models.m.api_key_env must be the name of a variable, not the key itself",
  ],
  [
    { policies: { a: { base: "read-only", write: true, programs: { tmp_mb: 0.5 } } } },
    'policies.a.write: the base "read-only" grants no writing, choose "coder"',
    "policies.a.programs.tmp_mb must be a whole number, at most 1000000000",
  ],
  [{ permissions: { allow: { read: [""] } } }, "permissions.allow.read has an empty text, name something"],
  [
    { permissions: { allow: { net: ["a.org:443", "https://a.org"] }, private_net: ["127.1"] } },
    'permissions.allow.net: Cannot use "https://a.org" as a host: write only the host of the URL, ' +
    "and its port if you like",
    'permissions.private_net: Cannot use "127.1" as a host: write the address as 127.0.0.1',
  ],
  [
    { models: { m: { output_tokens: 200_000, base_url: "localhost:1" } } },
    "models.m.base_url must begin with http:// or https://",
    "models.m.output_tokens must be smaller than its context_tokens, 131072",
  ],
];

Deno.test("loadConfig() says what is wrong with a file", () => {
  for (const [content, ...faults] of BROKEN) {
    const message = fault({ [USER]: typeof content === "string" ? content : json(content) });
    assertEquals(message, `Cannot use configuration "${USER}": ${faults.join("; ")}`);
  }
  assertEquals(fault({ [USER]: "" }), `No JSON in configuration "${USER}": it is empty`);
  assertEquals(
    fault({ [USER]: "{" }),
    `Broken JSON in configuration "${USER}", line 1 column 2: expected a name in double quotes or "}"\n  {\n   ^`,
  );
});

Deno.test("loadConfig() refuses files that are missing or lead out of the workspace", () => {
  assertEquals(fault({}, { file: "none.json" }), 'Cannot use configuration "none.json": no such file');
  const told = 'Cannot use configuration "none.json": no such file';
  assertEquals(fault({}, { env: { BULKHEAD_CONFIG: "none.json" } }), told);
  assertEquals(fault({}, { file: "ws" }), 'Cannot use configuration "ws": it is a folder');
  const links: readonly (readonly [target: string, message: string])[] = [
    ["../outside.json", 'it leads out of the workspace, to "outside.json"'],
    ["none.json", "it is a link that leads nowhere"],
    ["a", ""],
  ];
  for (const [target, message] of links) {
    using ws = workspace({ "ws/a": "{}", "outside.json": "{}" });
    Deno.symlinkSync(target, ws.at(PROJECT));
    if (message === "") {
      assertEquals(load(ws).projectFile, ws.at("ws/a"));
      continue;
    }
    const error = assertThrows(() => load(ws), ToolError);
    const wanted = `Cannot use configuration "ws/bulkhead.json": ${message}`;
    assertEquals(error.message.replaceAll(`${ws.path}/`, ""), wanted);
  }
  using ws = workspace({ "ws/a": "" });
  new Deno.Command("mkfifo", { args: [ws.at(PROJECT)] }).outputSync();
  assertEquals(assertThrows(() => load(ws), ToolError).message.endsWith("it is not a regular file"), true);
});

Deno.test("choosePolicy() makes the user's policies of rules", () => {
  using ws = workspace({
    "ws/a": "",
    [USER]: json({
      policy: "ci",
      policies: {
        ci: { base: "read-only", allow: ["git log", { program: "ls" }, "npm"], deny: ["git push --force"] },
      },
    }),
  });
  const loaded = load(ws);
  assertEquals(choosePolicy(undefined, loaded), {
    base: "read-only",
    commands: {
      name: "ci",
      level: "no-write",
      allow: [{ program: "git", words: ["log"] }, { program: "ls" }, { program: "npm" }],
      deny: [{ program: "git", words: ["push"], options: ["--force"] }],
    },
    ...{ without: [], shareNet: false, programs: {} },
  });
  assertEquals(choosePolicy("read-only-no-net", loaded).commands.level, "listed");
  const messages: readonly (readonly [string, string])[] = [
    ["cl", 'Unknown policy "cl", did you mean "ci"? There are coder, read-only, read-only-no-net, ci'],
    ["paranoid", 'Unknown policy "paranoid": there are coder, read-only, read-only-no-net, ci'],
    ["__proto__", 'Unknown policy "__proto__": there are coder, read-only, read-only-no-net, ci'],
  ];
  for (const [name, message] of messages) {
    const error = assertThrows(() => choosePolicy(name, loaded), ToolError);
    assertEquals([error.code, error.message], ["invalid_input", message]);
  }
});

Deno.test("mostExact() prefers the full name, then the longest pattern, field by field", () => {
  const entries: Record<string, { a?: number; b?: number }> = {
    ...{ "*": { a: 1, b: 1 }, "par/*": { a: 2 }, "*bash": { a: 3 } },
    ...{ "par/ba*": { b: 4 }, "par/read": { a: 5 } },
  };
  const values = (name: string) => (["a", "b"] as const).map((field) => mostExact(entries, name, field));
  assertEquals(["par/read", "par/bash", "sgr/x"].map(values), [[[5], [1]], [[2, 3], [4]], [[1], [1]]]);
});

Deno.test("applyToolConfig() takes the user's word for the tool's own", () => {
  using ws = workspace({
    "ws/a": "",
    [USER]: json({
      tools: {
        "par/*": { permission: "confirm", timeout_seconds: 90 },
        "par/bash": { permission: "allow" },
        "pat/*": {},
      },
    }),
  });
  const loaded = load(ws);
  const strict = { ...BASH, permission: "deny" as const };
  const applied = applyToolConfig(strict, loaded);
  assertEquals([applied.permission, applied.limits.timeout_ms], ["allow", 90_000]);
  assertEquals(permissionsOf(strict, loaded), ["allow"]);
  assertEquals(permissionsOf(TOOLS[3]!, loaded), ["confirm"]);
  assertEquals(permissionsOf(TOOLS[0]!, loaded), ["allow"]);
  assertEquals(loaded.warnings, [`configuration ${ws.at(USER)}: tools.pat/* matches no tool`]);
});

Deno.test("loadConfig() lets a project's file make the run stricter", () => {
  const condition = { when: { command: "git *" } };
  using ws = workspace({
    [USER]: json({
      tools: { "par/*": { permission: "confirm", timeout_seconds: 20 } },
      programs: { memory_mb: 1000 },
    }),
    [PROJECT]: json({
      sandbox: { toolchains: "off" },
      policy: "tests",
      policies: { tests: { base: "read-only", allow: ["npm test"] } },
      tools: { "par/bash": { permission: condition, timeout_seconds: 5 }, "*": { timeout_seconds: 60 } },
      programs: { memory_mb: 500, free_disk_mb: 5000 },
    }),
  });
  const loaded = load(ws);
  assertEquals(loaded.warnings, []);
  assertEquals(loaded.policy.base, "read-only");
  assertEquals(loaded.policy.commands.allow, [{ program: "npm", words: ["test"] }]);
  assertEquals(permissionsOf(BASH, loaded), ["confirm", condition]);
  assertEquals(applyToolConfig(BASH, loaded).limits.timeout_ms, 5_000);
  assertEquals(applyToolConfig(TOOLS[3]!, loaded).limits.timeout_ms, 20_000);
  assertEquals(loaded.config.programs, { memory_mb: 500, free_disk_mb: 5000 });
  assertEquals(loaded.config.sandbox?.toolchains, "off");
  assertEquals(choosePolicy("coder", loaded).base, "coder");
});

Deno.test("loadConfig() ignores what a project's file may not say, and tells so", () => {
  using ws = workspace({
    [USER]: json({
      policy: "mine",
      policies: {
        mine: { base: "read-only", allow: ["git"], deny: ["git push"] },
        taken: { base: "read-only" },
      },
      tools: { "par/bash": { permission: "deny" } },
      hooks: { before: [["true"]] },
      audit: "/var/audit",
      sandbox: { toolchains: "off" },
    }),
    [PROJECT]: json({
      policy: "open",
      policies: { open: { base: "coder" }, taken: { base: "read-only-no-net" } },
      tools: { "par/bash": { permission: "allow" } },
      hooks: { before: [["/bin/sh", "-c", "evil"]] },
      audit: "/tmp/x",
      mcpServers: { evil: { command: "sh" } },
      script_tools: [{ name: "evil", path: "/bin/sh", description: "Evil." }],
      sandbox: { toolchains: "on" },
      programs: { processes: 100_000, free_disk_mb: 1, tmp_mb: 10 },
    }),
  });
  const loaded = load(ws);
  const prefix = `project configuration ${ws.at(PROJECT)}: `;
  assertEquals(loaded.warnings.map((warning) => warning.replace(prefix, "")), [
    "hooks ignored: not trusted",
    "audit ignored: not trusted",
    "mcpServers ignored: name its servers in .mcp.json, which bulkhead trust shows to the user",
    "script_tools ignored: only the user's own configuration can name scripts",
    'policies.open ignored: its base "coder" is wider than "read-only"',
    "policies.taken ignored: the user has a policy of this name",
    'policy ignored: "open" is not stricter than "mine"',
    'tools.par/bash.permission "allow" ignored: not trusted',
    "programs.processes ignored: 100000 is looser than 512",
    "programs.free_disk_mb ignored: 1 is looser than 1024",
    'sandbox.toolchains ignored: "on" is looser than "off"',
  ]);
  assertEquals(permissionsOf(BASH, loaded), ["deny"]);
  assertEquals(loaded.config.hooks, { before: [["true"]] });
  assertEquals(loaded.config.audit, "/var/audit");
  assertEquals(loaded.config.programs, { tmp_mb: 10 });
  assertEquals(loaded.policy.commands.name, "mine");
  assertEquals(loaded.policies.taken?.base, "read-only");
  assertEquals(Object.hasOwn(loaded.policies, "open"), false);
});

Deno.test("loadConfig() reads the first of a project's files, and names the others", () => {
  using ws = workspace({
    "ws/.bulkhead/config.json": json({ policy: "read-only" }),
    [PROJECT]: json({ policy: "read-only-no-net" }),
  });
  const { policy, projectFile, warnings } = load(ws);
  assertEquals([policy.base, projectFile], ["read-only", ws.at("ws/.bulkhead/config.json")]);
  const [first, second] = [projectFile, ws.at(PROJECT)];
  assertEquals(warnings, [
    `project configuration ${second}: not read, because there is "${first}" as well; keep one of them`,
  ]);
});

Deno.test("loadConfig() reads comments, and files that end in .jsonc", () => {
  using ws = workspace({
    "home/.config/bulkhead/config.jsonc": '{ /* mine */ "policy": "read-only", // always\n}',
    "ws/.bulkhead/config.jsonc": '// ours\n{ "tools": { "par/bash": { "concurrency": 1 } } }',
  });
  const loaded = load(ws);
  assertEquals(loaded.policy.base, "read-only");
  assertEquals(applyToolConfig(BASH, loaded).limits.concurrency, 1);
  const told = `Cannot use configuration "${USER}": there is "${USER}c" as well, keep one of them`;
  assertEquals(fault({ [USER]: "{}", "home/.config/bulkhead/config.jsonc": "{}" }), told);
});

Deno.test("applyToolConfig() takes given limits before the user's, and never loosens a project's", () => {
  using ws = workspace({
    [USER]: json({ tools: { "par/*": { timeout_seconds: 90, concurrency: 8 } } }),
    [PROJECT]: json({ tools: { "par/bash": { timeout_seconds: 30 } } }),
  });
  const loaded = load(ws);
  const limits = (given: Parameters<typeof applyToolConfig>[2]) => {
    const { timeout_ms, concurrency } = applyToolConfig(BASH, loaded, given).limits;
    return [timeout_ms, concurrency];
  };
  assertEquals(limits({}), [30_000, 8]);
  assertEquals(limits({ "*/bash": { timeout_seconds: 5, concurrency: 20 } }), [5_000, 20]);
  assertEquals(limits({ "*": { timeout_seconds: 50 } }), [30_000, 8]);
});

Deno.test("loadConfig() lets a project's file deny, and require the sandbox, and no more", () => {
  using ws = workspace({
    [USER]: json({
      permissions: { allow: { read: ["/data"] }, deny: { write: ["a"] } },
      sandbox: { share_net: true, show: ["/opt"], toolchains: "on" },
      policies: { wide: { base: "coder", net: true, programs: { memory_mb: 9000 } } },
      policy: "wide",
    }),
    [PROJECT]: json({
      permissions: {
        allow: { write: true },
        deny: { write: ["b"], run: true },
        secrets: [".env"],
        env: ["X"],
      },
      sandbox: { mode: "require", share_net: false, show: ["/root"], toolchains: "off" },
      policies: {
        p: { base: "coder", write: false, net: true, programs: { memory_mb: 500, processes: 9000 } },
      },
      policy: "p",
    }),
  });
  const loaded = load(ws);
  const { permissions, sandbox } = loaded.config;
  assertEquals(permissions, { allow: { read: ["/data"] }, deny: { write: ["a", "b"], run: true } });
  assertEquals(sandbox, { share_net: false, show: ["/opt"], toolchains: "off", mode: "require" });
  const { without, shareNet, programs, commands } = loaded.policy;
  assertEquals([commands.name, without, shareNet, programs], ["p", ["write"], true, { memory_mb: 500 }]);
  const prefix = `project configuration ${ws.at(PROJECT)}: `;
  assertEquals(loaded.warnings.map((warning) => warning.replace(prefix, "")), [
    "policies.p.net ignored: not trusted",
    "policies.p.programs.processes ignored: 9000 is looser than 512",
    "permissions.allow ignored: not trusted",
    "permissions.secrets ignored: not trusted",
    "permissions.env ignored: not trusted",
    "sandbox.show ignored: not trusted",
  ]);
});

Deno.test("loadConfig() lets a project's file choose a stricter mode of the sandbox alone", () => {
  const modes = ["off", "auto", "require"] as const;
  for (const mine of [undefined, ...modes]) {
    for (const asked of modes) {
      using ws = workspace({
        [USER]: json(mine === undefined ? {} : { sandbox: { mode: mine } }),
        [PROJECT]: json({ sandbox: { mode: asked } }),
      });
      const { config, warnings } = load(ws);
      const looser = modes.indexOf(asked) < modes.indexOf(mine ?? "auto");
      assertEquals(config.sandbox?.mode, looser ? mine : asked, `${mine} ${asked}`);
      assertEquals(warnings.length, looser ? 1 : 0, `${mine} ${asked}`);
    }
  }
});

Deno.test("loadConfig() lets a project's file choose another policy of the user, with no looser bounds", () => {
  using ws = workspace({
    [USER]: json({
      policy: "tight",
      policies: {
        tight: { base: "coder", programs: { memory_mb: 100 } },
        wide: {
          base: "coder",
          net: true,
          programs: { memory_mb: 9000, processes: 9000, tmp_mb: 50, cpu_seconds: 9 },
        },
      },
      programs: { processes: 20 },
    }),
    [PROJECT]: json({ policy: "wide" }),
  });
  const { commands, shareNet, programs } = load(ws).policy;
  assertEquals([commands.name, shareNet], ["wide", false]);
  assertEquals(programs, { memory_mb: 100, tmp_mb: 50, cpu_seconds: 9 });
});

Deno.test("loadConfig() keeps the user's rules under a project's stricter policy", () => {
  const user = { policy: "mine", policies: { mine: { base: "coder", deny: ["git push"] } } };
  const table: readonly (readonly [project: unknown, name: string, deny: string[]])[] = [
    [{ policy: "read-only" }, "read-only", ["git"]],
    [{ policy: "coder" }, "mine", ["git"]],
    [{ policy: "p", policies: { p: { base: "coder", deny: ["rm"] } } }, "p", ["git", "rm"]],
  ];
  for (const [project, name, deny] of table) {
    using ws = workspace({ [USER]: json(user), [PROJECT]: json(project) });
    const { commands } = load(ws).policy;
    assertEquals([commands.name, commands.deny.map(({ program }) => program)], [name, deny]);
  }
  using ws = workspace({
    [USER]: json({ policy: "mine", policies: { mine: { base: "coder", allow: ["git"] } } }),
    [PROJECT]: json({ policy: "p", policies: { p: { base: "coder", allow: ["rm"] } } }),
  });
  assertEquals(load(ws).policy.commands.name, "mine");
  assertEquals(load(ws).warnings.length, 1);
});

Deno.test("loadConfig() trusts a file of the workspace that the user names", () => {
  using ws = workspace({ [PROJECT]: json({ audit: "/tmp/x" }) });
  const loaded = load(ws, { file: "ws/bulkhead.json" });
  assertEquals([loaded.config.audit, loaded.projectFile, loaded.warnings], ["/tmp/x", null, []]);
});

Deno.test("loadConfig() takes what holds for agents from the user, and lower bounds from the project", () => {
  using ws = workspace({
    [USER]: json({
      agent: { model: "m", max_rounds: 50, max_cost: 2 },
      models: { m: { context_tokens: 8000, output_tokens: 1000, base_url: "http://localhost:1/v1" } },
    }),
    [PROJECT]: json({
      agent: { model: "other", max_rounds: 80, max_calls: 10, max_cost: 1, max_seconds: 1e9, max_tokens: 5 },
      models: { m: { base_url: "http://evil.example" } },
    }),
  });
  const { config, warnings } = load(ws);
  assertEquals(config.agent, { model: "m", max_rounds: 50, max_cost: 1, max_calls: 10, max_tokens: 5 });
  assertEquals(config.models?.m?.base_url, "http://localhost:1/v1");
  const ignored = warnings.map((warning) => /: (\S+) ignored/.exec(warning)?.[1]);
  assertEquals(ignored, ["models", "agent.model", "agent.max_rounds", "agent.max_seconds"]);
});

Deno.test("keepPolicy() keeps what a session's policy took away, its network and its bounds", () => {
  const kept = {
    ...{ name: "mine", base: "coder" as const, allow: [], deny: [], named: true },
    ...{ without: ["write" as const], share_net: true, programs: { memory_mb: 300 } },
  };
  const now = namedPolicy("other", { base: "coder", net: false, programs: { memory_mb: 100, processes: 5 } });
  const named = keepPolicy(kept, now);
  assertEquals([named.without, named.shareNet, named.programs], [["write"], true, { memory_mb: 300 }]);
  const chosen = keepPolicy({ ...kept, named: false }, now);
  assertEquals([chosen.without, chosen.shareNet], [["write", "net"], false]);
  assertEquals(chosen.programs, { memory_mb: 100, processes: 5 });
});

Deno.test("loadConfig() takes what a project adds to the tools apart, and none of it from elsewhere", () => {
  const text = json({ tool_files: ["tools", "./a/../b.ts", "../out", "/abs", "~/home"] });
  using ws = workspace({ [PROJECT]: text });
  const { config, projectAdds, warnings } = load(ws);
  assertEquals(config.tool_files, undefined);
  const toolFiles = [ws.at("ws/tools"), ws.at("ws/b.ts")];
  const part = { folder: ws.at("ws"), name: "bulkhead.json", kind: "settings" as const };
  assertEquals(projectAdds, [{ ...part, text, toolFiles, adds: "tools of tools, b.ts" }]);
  assertEquals(warnings.map((warning) => /tool_files\[(\d)\] ignored/.exec(warning)?.[1]), ["2", "3", "4"]);
});

Deno.test("loadConfig() finds the servers that a project names, and is content with a file that it cannot read", () => {
  const servers = {
    files: { command: "npx", args: ["-y", "files", "${HOME}"] },
    far: { url: "https://e.org/mcp" },
  };
  const found = (text: string) => {
    using ws = workspace({ "ws/.mcp.json": text });
    const { projectAdds, warnings } = load(ws);
    return [projectAdds.map(({ name, kind, adds }) => [name, kind, adds]), warnings.length];
  };
  const adds = "servers files, far";
  assertEquals(found(json({ mcpServers: servers })), [[[".mcp.json", "servers", adds]], 0]);
  const list = [{ id: "files", command: "npx" }, { name: "far", url: "https://e.org/mcp" }];
  assertEquals(found(json({ mcpServers: list })), [[[".mcp.json", "servers", adds]], 0]);
  assertEquals(found(json({ mcpServers: [...list, { command: "npx" }] })), [[], 1]);
  assertEquals(found(json({ mcpServers: {} })), [[], 0]);
  assertEquals(found("{"), [[], 1]);
  using ws = workspace({ "ws/a": "", "out.json": json({ mcpServers: servers }) });
  Deno.symlinkSync(ws.at("out.json"), ws.at("ws/.mcp.json"));
  assertEquals(load(ws).projectAdds, []);
});

Deno.test("loadConfig() lets a project's file choose no wider policy, and share no network", () => {
  using ws = workspace({
    [USER]: json({ policy: "read-only", policies: { mine: { base: "coder" } } }),
    [PROJECT]: json({ sandbox: { share_net: true } }),
  });
  assertEquals(load(ws).config.sandbox?.share_net, undefined);
  for (const policy of ["coder", "mine", "read-only", "read-only-no-net"]) {
    Deno.writeTextFileSync(ws.at(PROJECT), json({ policy }));
    assertEquals(load(ws).policy.base, policy === "read-only-no-net" ? policy : "read-only", policy);
  }
});
