import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";

import { readAgentsFile } from "../../../../runtime/agent/definitions/read_agents_file.ts";
import {
  COMMAND_NAMES,
  commandOf,
  isCommand,
  optionsOf,
} from "../../../../runtime/cli/args/command_table.ts";
import { FOREIGN_OPTIONS } from "../../../../runtime/cli/args/foreign_words.ts";
import { flagOf, OPTION_NAMES } from "../../../../runtime/cli/args/options/option_table.ts";
import { parseArgv } from "../../../../runtime/cli/args/parse_argv.ts";
import { withOwnOption } from "../../../../runtime/cli/coming/same_options.ts";
import {
  FOREIGN_KINDS,
  type ForeignKind,
  type ForeignWord,
} from "../../../../runtime/coming/foreign_word.ts";
import { explainUnknown } from "../../../../runtime/cli/help/explain_unknown.ts";
import { foreignWords, nameOf, type SystemName, SYSTEMS } from "../../../../runtime/coming/systems.ts";
import { chooseModel } from "../../../../runtime/model/choose_model.ts";
import { OPERATIONS } from "../../../../runtime/server/api/operations.ts";
import { SERVER_OPERATIONS } from "../../../../runtime/server/api/server_operations.ts";
import { readMcpConfig } from "../../../../runtime/sources/mcp/config/read_mcp_config.ts";
import { readScript } from "../../../../runtime/sources/script/describe_script.ts";
import { isSpelledLike } from "../../../../runtime/text/spelled_like.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { Manifest } from "../../../../schemas/manifest.ts";
import { KNOWN_WORDS } from "../../../../schemas/json/other_words.ts";
import manifestJson from "../../../../tools/manifest.json" with { type: "json" };

const manifest = manifestJson as unknown as Manifest;
const KINDS = Object.keys(FOREIGN_KINDS) as ForeignKind[];
const ALL = KINDS.flatMap((kind) => foreignWords(kind).map((word) => ({ kind, ...word })));

/** The arguments of an option as a page writes it. */
const VALUES: Readonly<Record<string, string>> = { N: "3", PORT: "8010", FILE: "x", DIR: "x", ID: "" };

Deno.test("what works as it stands there is tried, each row of every system", async () => {
  const tried = new Set<string>();
  for (const row of ALL.filter(({ works }) => works)) {
    await TRIES[row.kind](row, row.system);
    tried.add(row.kind);
  }
  assertEquals(tried, new Set(["flag", "variable", "file", "tool", "event"]));
});

const TRIES: Record<ForeignKind, (row: ForeignWord, system: SystemName) => void | Promise<void>> = {
  flag({ theirs, here }) {
    const written = (words: string) =>
      words.split(" ").map((word) => VALUES[word] ?? word).filter((word) => word !== "");
    const own = flagOf(OPTION_NAMES.find((name) => flagOf(name) === nameOf(here!))!);
    const command = COMMAND_NAMES.find((name) => optionsOf(name).some((one) => flagOf(one) === own))!;
    const ours = [command, ...written(here!), ...commandOf(command).words[0] > 0 ? ["x"] : []];
    const given = [command, ...written(theirs), ...ours.slice(1 + written(here!).length)];
    const meant = nameOf(theirs) === own ? given : withOwnOption(given, nameOf(theirs));
    assertEquals(parseArgv(meant!).options, parseArgv(ours).options, theirs);
  },
  variable({ theirs }) {
    const trio = ["API_BASE", "API_KEY", "MODEL_NAME"];
    if (trio.includes(theirs)) {
      const env = { API_BASE: "https://a.example/v1", API_KEY: "k", MODEL_NAME: "m" } as Record<
        string,
        string
      >;
      const { name, baseUrl, apiKey } = chooseModel({ env: (name) => env[name], agent: {}, models: {} });
      assertEquals([name, baseUrl, apiKey], ["m", env.API_BASE, env.API_KEY]);
    } else if (!theirs.startsWith("SGR__") && theirs !== "GEMINI_API_KEY") {
      const known = manifest.tools.flatMap((
        { settings, secrets },
      ) => [...settings, ...secrets.map(({ name }) => name)]);
      assert(known.includes(theirs), theirs);
    }
  },
  async file(row, system) {
    const found = FILES.find(([of, start]) => of === system && row.theirs.startsWith(start));
    assert(found !== undefined, `nothing tries ${row.theirs} of ${system}`);
    await found[2](row.theirs);
  },
  tool({ theirs, here }) {
    const [toolset = "", name = ""] = here!.split(/[/_]/, 2);
    const tool = theirs === "script::NAME" ? { toolset, name } : { toolset: "mcp", name: here! };
    assert(isSpelledLike(theirs, tool), theirs);
    assertEquals(isSpelledLike(theirs.replace("::", "::X"), tool), false);
  },
  event({ theirs }) {
    const path = theirs.replace("ID", "{id}");
    const there = [...OPERATIONS, ...SERVER_OPERATIONS].map((one) => `${one.method} ${one.path}`);
    assert(there.includes(path), theirs);
  },
  api({ theirs }) {
    throw new Error(`nothing tries ${theirs}`);
  },
};

/** What tries the rows of files that begin so. */
const FILES: readonly (readonly [SystemName, string, (theirs: string) => Promise<void>])[] = [
  ["sgr", "", triesSgr],
  [
    "manus",
    "config/mcp.json",
    () =>
      triesServers("/x/config/mcp.json", { mcpServers: { one: { type: "sse", url: "https://a.example" } } }),
  ],
  ["manus", "", triesManus],
  ["dra", "MCPServerConfig", triesServerList],
  ["dra", "", triesScript],
  ["claude", ".mcp.json", () => triesServers("/x/.mcp.json", { mcpServers: { one: { command: "x" } } })],
  [
    "codex",
    ".codex/config.toml",
    () => triesServers("/x/.codex/config.toml", '[mcp_servers.one]\ncommand = "x"\n'),
  ],
  [
    "gemini",
    ".gemini/settings.json",
    () => triesServers("/x/.gemini/settings.json", { mcpServers: { one: { httpUrl: "https://a.example" } } }),
  ],
];

const MANUS = {
  "[llm] model": 'model = "m-of-file"',
  "[llm] base_url": 'base_url = "http://127.0.0.1:9/of-file"',
  "[llm] api_key": 'api_key = "key-of-file-000"',
  "[llm] max_tokens": "max_tokens = 4321",
  "[llm] temperature": "temperature = 0.77",
  "[search] engine": 'engine = "Baidu"',
  "[search] fallback_engines": 'fallback_engines = ["DuckDuckGo"]',
};

async function triesManus(theirs: string): Promise<void> {
  if (theirs === "config/config.toml") return;
  const line = MANUS[theirs as keyof typeof MANUS];
  const { agents, usual, warnings } = await readFile("config.toml", `${theirs.split(" ")[0]}\n${line}\n`);
  const value = line.split(" = ")[1]!.replace(/["[\]]/g, "");
  const told = JSON.stringify(
    [...agents.values()].map(({ definition, extras }) => [definition.model, extras]),
  );
  assertStringIncludes(told.toLowerCase(), value.toLowerCase(), theirs);
  assertEquals([[...agents.keys()], usual, warnings], [[...manifest.manus_agents], "manus", []]);
}

const SGR: Readonly<Record<string, string>> = {
  llm: "llm: { model: m }",
  search: "search: { engine: brave, max_results: 3 }",
  prompts: "prompts: { system_prompt_str: 'You {{think}}.' }",
  tools: "tools: { web_search_tool: { max_results: 3 } }",
  "mcp.mcpServers": "mcp: { mcpServers: { wiki: { url: https://wiki.example } } }",
  "execution.max_iterations": "execution: { max_iterations: 5 }",
  "execution.max_clarifications": "execution: { max_clarifications: 1 }",
  "execution.mcp_context_limit": "execution: { mcp_context_limit: 500 }",
  "execution.reports_dir": "execution: { reports_dir: out }",
};

async function triesSgr(theirs: string): Promise<void> {
  const agents = "agents: { one: { base_class: SGRAgent, tools: [web_search_tool] } }";
  if (theirs.endsWith(".yaml")) return assertEquals((await readFile(theirs, agents)).agents.size, 1);
  const read = async (text: string) => JSON.stringify((await readFile("team.yaml", text)).agents.get("one"));
  assert(await read(`${SGR[theirs]}\n${agents}`) !== await read(agents), theirs);
}

async function triesServers(path: string, document: unknown): Promise<void> {
  const text = typeof document === "string" ? document : JSON.stringify(document);
  const { servers, failures, warnings } = await readMcpConfig(text, {
    path,
    env: {},
    workspace: "/w",
    home: "/h",
  });
  assertEquals([servers.map(({ name }) => name), failures, warnings], [["one"], [], []], path);
}

async function triesServerList(): Promise<void> {
  const entry = { id: "one", type: "stdio", command: ["python3", "s.py"], timeout_s: 20 };
  const env_allowlist = ["PATH", "HOME", "PYTHONPATH", "VIRTUAL_ENV"];
  const text = JSON.stringify({ mcpServers: [{ ...entry, env_allowlist, env: { A: "1" } }] });
  const options = {
    path: "servers.json",
    env: { PATH: "/p", PYTHONPATH: "/lib" },
    workspace: "/w",
    home: "/h",
  };
  const { servers: [server], failures, warnings } = await readMcpConfig(text, options);
  const transport = {
    kind: "stdio",
    command: "python3",
    args: ["s.py"],
    env: { PYTHONPATH: "/lib", A: "1" },
    cwd: null,
  };
  assertEquals([failures, warnings, server?.name], [[], [], "one"]);
  assertEquals([server?.transport, server?.timeouts.callMs], [transport, 20_000]);
}

function triesScript(theirs: string): Promise<void> {
  const script = { name: "s", path: "s.py", description: "Do.", [theirs]: true };
  assert("script" in readScript(script, "script_tools[0]"), theirs);
  return Promise.resolve();
}

async function readFile(name: string, text: string) {
  const folder = await Deno.makeTempDir({ prefix: "bulkhead-coming-" });
  try {
    await Deno.writeTextFile(join(folder, name), text);
    const { warnings, ...read } = await readAgentsFile(name, { cwd: folder, env: {}, manifest });
    return { ...read, warnings: warnings.filter((warning) => !warning.includes("lies beside it")) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("what stands here for a word is there: commands, options and tools", () => {
  const flags = OPTION_NAMES.map(flagOf) as string[];
  for (const { theirs, here, system } of ALL) {
    const at = `${system}: ${theirs}`;
    for (const flag of (here ?? "").replace(/'[^']*'/g, "").match(/(?<![\w-])--[a-z-]+/g) ?? []) {
      assert(flags.includes(flag), `${at}: ${flag}`);
    }
    const tool = / [a-z_]+:?=/.test(here ?? "") ? here!.split(" ")[0]! : null;
    if (tool === null || isCommand(tool)) continue;
    const found = manifest.tools.find(({ name, full_name }) => [name, full_name].includes(tool));
    assert(found !== undefined, `${at}: ${tool}`);
    for (const [, name] of here!.matchAll(/ ([a-z_]+):?=/g)) {
      assert(Object.hasOwn(found.input_schema.properties as object, name!), `${at}: ${name}`);
    }
  }
});

Deno.test("each flag, command and tool of theirs that is typed leads to what it is here", () => {
  const flags = OPTION_NAMES.map(flagOf) as string[];
  for (const kind of ["flag", "tool"] as const) {
    for (const { theirs, here, works } of foreignWords(kind)) {
      const name = nameOf(theirs);
      const known = flags.includes(name) || isCommand(name) ||
        manifest.tools.some((tool) => [tool.name, tool.full_name].includes(name));
      // Of several that begin so, the first one is meant.
      const isFirst = foreignWords(kind).find((one) =>
        nameOf(one.theirs) === nameOf(theirs)
      )?.theirs === theirs;
      if (works || known || !isFirst || /^-[^-]|…$|^bash$|\{/.test(name)) continue;
      const details = kind === "tool"
        ? { unknown_tool: name }
        : name.startsWith("-")
        ? { unknown_option: name }
        : { unknown_command: name };
      const { message } = explainUnknown(new ToolError("invalid_input", "Unknown", { details }), manifest);
      const [first] = (here ?? "").match(/--[a-z-]+/) ?? [nameOf(here ?? "nothing here")];
      assertStringIncludes(`${message} --workspace`, first!, theirs);
    }
  }
});

Deno.test("command lines of the pages are understood", () => {
  const leads = Object.values(SYSTEMS).flatMap(({ lead }) => lead);
  const lines = [
    ...leads.filter((line) => line.startsWith("bulkhead ")).map((line) => line.replace(/ {2,}#.*$/, "")),
    ...leads.flatMap((line) => [...line.matchAll(/`(bulkhead [a-z][^`]*)`/g)].map(([, said]) => said!)),
    ...ALL.flatMap(({ here }) => isCommand(nameOf(here ?? "")) ? [`bulkhead ${here}`] : []),
  ];
  assert(lines.length > 40);
  for (const line of lines) {
    const words = [...line.matchAll(/'([^']*)'|(\S*'[^']*'|\S+)/g)].map(([, quoted, plain]) =>
      quoted ?? plain!
    );
    const redirected = words.indexOf("<");
    parseArgv(redirected < 0 ? words.slice(1) : words.slice(1, redirected));
  }
});

Deno.test("a word stands once, and two tables that know it agree", () => {
  for (const kind of KINDS) {
    for (const system of new Set(ALL.map((one) => one.system))) {
      const words = ALL.filter((one) => one.kind === kind && one.system === system).map(({ theirs }) =>
        theirs
      );
      assertEquals(words.length, new Set(words).size, `${system}: ${kind}`);
    }
  }
  for (const { theirs, here } of foreignWords("flag")) {
    const other = FOREIGN_OPTIONS.find(({ words }) => words.includes(nameOf(theirs)));
    const [flag] = (here ?? "").match(/--[a-z-]+/) ?? [];
    if (
      other === undefined || flag === undefined ||
      OPTION_NAMES.some((name) => flagOf(name) === nameOf(theirs))
    ) continue;
    assertStringIncludes(`${other.use} ${other.which} -C --workspace`, flag, theirs);
  }
  const fields = foreignWords("file").map(({ theirs }) => theirs.split(/[ {(.]/)).flat();
  const others = [
    "args_schema",
    "inputSchema",
    "outputSchema",
    "execute",
    "expression",
    "parameters",
    "allowed_roles",
  ];
  assertEquals(KNOWN_WORDS.filter((word) => !fields.includes(word) && !others.includes(word)), []);
});
