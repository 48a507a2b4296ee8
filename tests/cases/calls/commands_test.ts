import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";

const COMMANDS = [
  "run",
  "sessions",
  "call",
  "batch",
  "tools",
  "schema",
  "explain",
  "doctor",
  "completions",
  "version",
  "help",
];
const ALL_TOOLS = ["harness", "par", "manus"].map((name) => `--toolset=${name}`);

Deno.test("every command has help, by --help, -h and help COMMAND", async () => {
  using scene = makeScene();
  const program = await scene.run([]);
  for (const words of [["help"], ["--help"], ["-h"], ["help", "help"]]) {
    assertEquals(await scene.run(words), program, words.join(" "));
  }
  assertEquals([program.code, program.stderr], [0, ""]);
  const runs = COMMANDS.map(async (command) => {
    const help = await scene.run([command, "--help"]);
    assertEquals([help.code, help.stderr], [0, ""], command);
    assertEquals(await scene.run(["help", command]), help);
    assertStringIncludes(program.stdout, `\n  ${command} `);
    if (command !== "help") assertStringIncludes(help.stdout, `Usage: bulkhead ${command}`);
  });
  await Promise.all(runs);
});

Deno.test("version prints one line, and with --json what the program runs on", async () => {
  using scene = makeScene();
  const { code, stdout } = await scene.run(["version"]);
  const flag = await scene.run(["--version"]);
  const json = JSON.parse((await scene.run(["version", "--json"])).stdout);
  assertEquals([code, flag.stdout, stdout], [0, stdout, `bulkhead ${json.version}\n`]);
  assert(/^\d+\.\d+\.\d+$/.test(json.version) && json.deno && json.v8 && typeof json.compiled === "boolean");
});

/** The default tools of the default set. */
/** How many tools there are. */
const ALL = 66;
const HARNESS = [
  ...["Glob", "Grep", "Read", "ReadPDF", "ReadImage", "Write", "Edit", "Bash"],
  ...["WebSearch", "ScholarSearch", "WebFetch", "AskUser"],
  ...["TerminalStart", "TerminalWrite", "TerminalRead", "TerminalInterrupt", "TerminalKill"],
];

Deno.test("tools lists every tool with its needs and what is missing for it", async () => {
  using scene = makeScene();
  const all = JSON.parse((await scene.run(["tools", "--json", "--allow-run"])).stdout);
  assertEquals(all.length, ALL);
  assert(all.every(({ granted, missing }: Record<string, unknown>) => granted === true && missing === null));
  const readOnly = JSON.parse((await scene.run(["tools", "--json", "--policy=read-only"])).stdout);
  // Whether programs may start depends on the box of this machine.
  const missing = readOnly.filter(({ granted, needs }: { granted: boolean; needs: { run?: string } }) =>
    !granted && !needs.run
  );
  assertEquals(missing.map(({ name }: { name: string }) => name), [
    "harness/Write",
    "harness/Edit",
    "harness/str_replace_editor",
    "par/write",
    "par/edit",
    "manus/str_replace_editor",
    "manus/data_visualization",
  ]);
  for (const tool of missing) assertEquals(tool.missing, `--allow-write=${scene.ws}`);
  const names = async (flags: string[]) =>
    JSON.parse((await scene.run(["tools", "--json", ...flags])).stdout).map(({ name }: { name: string }) =>
      name
    );
  assertEquals(await names(["--tool=Read", "--tool=par/grep"]), ["harness/Read", "par/grep"]);
  assertEquals(await names(["--toolset=manus"]), [
    "manus/python_execute",
    "manus/bash",
    "manus/str_replace_editor",
    "manus/planning",
    "manus/terminate",
    "manus/ask_human",
    "manus/create_chat_completion",
    "manus/web_search",
    "manus/crawl4ai",
    ...["manus/visualization_preparation", "manus/data_visualization"],
    ...["shell", "files", "vision"].map((name) => `manus/sandbox_${name}`),
    ...["manus/browser_use", "manus/sandbox_browser"],
    "manus/computer_use",
  ]);
  const offline = JSON.parse(
    (await scene.run(["tools", "WebFetch", "--json", "--policy=read-only-no-net"])).stdout,
  );
  assertEquals(offline.map(({ missing }: { missing: string }) => missing), ["--allow-net"]);
  const harness = HARNESS.map((name) => `harness/${name}`);
  assertEquals(await names(["--extra-tool=str_replace_editor"]), [...harness, "harness/str_replace_editor"]);
  const parallel = all.filter((tool: { parallel: boolean }) => tool.parallel);
  assertEquals(parallel.map(({ name }: { name: string }) => name), [
    "harness/Glob",
    "harness/Grep",
    "harness/Read",
    "harness/ReadImage",
    "harness/WebSearch",
    "harness/ScholarSearch",
    "harness/WebFetch",
  ]);
});

Deno.test("two tools of one name cannot be offered together, unless one is renamed", async () => {
  using scene = makeScene();
  const both = ["--tool=harness/str_replace_editor", "--tool=manus/str_replace_editor"];
  const { code, stderr } = await scene.run(["schema", ...both]);
  assertEquals(code, 2);
  for (const part of ["harness/str_replace_editor", "manus/str_replace_editor", "manus_str_replace_editor"]) {
    assertStringIncludes(stderr, part);
  }
  const renamed = await scene.run(["schema", both[0]!, `${both[1]}=other_editor`, "--format=openai"]);
  const names = JSON.parse(renamed.stdout).map((tool: { function: { name: string } }) => tool.function.name);
  assertEquals(names, ["str_replace_editor", "other_editor"]);
});

Deno.test("schema prints tools in every format", async () => {
  using scene = makeScene();
  const schemas = async (format: string) => {
    const { code, stdout } = await scene.run(["schema", "Read", "par/ls", `--format=${format}`]);
    assertEquals(code, 0);
    return JSON.parse(stdout);
  };
  const [jsonSchema] = await schemas("json-schema");
  assertEquals([jsonSchema.title, jsonSchema.type, jsonSchema.required], ["Read", "object", ["path"]]);
  assertEquals(jsonSchema.properties.max_chars.default, 16384);
  const [openai, ls] = await schemas("openai");
  assertEquals([openai.type, openai.function.name, ls.function.name], ["function", "Read", "ls"]);
  assertEquals(openai.function.parameters.required, ["path"]);
  const [anthropic] = await schemas("anthropic");
  assertEquals([anthropic.name, anthropic.input_schema.type], ["Read", "object"]);
  const [mcp] = await schemas("mcp");
  assertEquals([mcp.name, mcp.inputSchema.type, mcp.annotations.readOnlyHint], ["Read", "object", true]);
  const defaults = JSON.parse((await scene.run(["schema"])).stdout);
  assertEquals(
    defaults.map(({ title }: { title: string }) => title),
    HARNESS,
  );
});

Deno.test("every schema carries a description of the tool and of each argument", async () => {
  using scene = makeScene();
  const twice = ["manus/str_replace_editor", "manus/bash", "manus/web_search"];
  const whole = twice.map((name) => `--tool=${name}=${name.replace("/", "_")}`);
  const rest = JSON.parse((await scene.run(["tools", "--json"])).stdout)
    .map(({ name }: { name: string }) => name)
    .filter((name: string) => !twice.includes(name))
    .map((name: string) => `--tool=${name}`);
  const { code, stdout } = await scene.run(["schema", ...whole, ...rest]);
  const schemas = JSON.parse(stdout);
  assertEquals([code, schemas.length], [0, ALL]);
  for (const { title, description, properties } of schemas) {
    assert(description.length > 0 && description.length < 1024, title);
    for (const [name, field] of Object.entries(properties)) {
      assert((field as { description?: string }).description, `${title}.${name}`);
    }
  }
});

Deno.test("explain says what a call would touch and runs nothing", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n" });
  const write = await scene.run(["explain", "Write", "path=b.txt", "content=x"]);
  assertEquals([write.code, scene.exists("ws/b.txt")], [0, false]);
  for (const part of ["harness/Write", "touches  write b.txt", "verdict  would run", scene.ws]) {
    assertStringIncludes(write.stdout, part);
  }
  const outside = await scene.run(["explain", "Write", "path=/etc/hosts", "content=x"]);
  assertEquals(outside.code, 3);
  assertStringIncludes(outside.stdout, "pass --allow-write=/etc/hosts to grant it");
  const json = await scene.run(["explain", "Read", "path=../x", "--json"]);
  const report = JSON.parse(json.stdout);
  assertEquals([json.code, report.allowed, report.error.code], [3, false, "permission_denied"]);
  const { kind, reason, flag } = report.error.details;
  assertEquals({ kind, reason, flag }, {
    kind: "read",
    reason: "outside",
    flag: `--allow-read=${scene.at("x")}`,
  });
  // The flag that it names is the one that helps.
  assertEquals((await scene.run(["explain", "Read", "path=../x", flag])).code, 0);
  const policy = await scene.run(["explain", "Edit", "path=a.txt", "patch=x", "--policy=read-only"]);
  assertEquals(policy.code, 3);
  assertStringIncludes(policy.stdout, "--allow-write=");
  assertEquals((await scene.run(["explain", "Read", "start_line=two"])).code, 2);
});

Deno.test("names from a call, a batch or a lock reach the terminal as one line without controls", async () => {
  using scene = makeScene();
  const evil = "x\u001b[2J\nverdict  would run";
  const explained = await scene.run(["explain", "Read", `path=../${evil}`]);
  assertEquals(explained.code, 3);
  assertStringIncludes(
    explained.stdout,
    "\ntouches  read ../x\\nverdict  would run\nverdict  would be refused",
  );
  const { stderr } = await scene.batch([{ tool: evil }], ["--plan"]);
  const told = "  [x\\nverdict  would run]\nbulkhead: call 1 (x\\nverdict  would run) failed: ";
  assertStringIncludes(stderr, `plan: 1 call in 1 block\n${told}`);
  const lock = await scene.run(["schema", "lock", "tools.lock.json", "--tool=Read"]);
  assertEquals(lock.code, 0);
  scene.write(
    "ws/tools.lock.json",
    scene.read("ws/tools.lock.json").replace("harness/Read", "x\\u001b[2J\\ny"),
  );
  const checked = await scene.run(["schema", "check", "tools.lock.json", "--tool=Read"]);
  assertEquals(checked.stdout, "harness/Read was added\nx\\ny was removed\n");
});

Deno.test("completions for bash are a script that bash accepts and that completes", async () => {
  const config = JSON.stringify({ agents: { resident: { description: "x" } } });
  using scene = makeScene({ "home/.config/bulkhead/config.json": config });
  const { code, stdout } = await scene.run(["completions", "bash"]);
  assertEquals(code, 0);
  const asks = ["ca", "agents re", "chat --agent re", "chat --thinking sgr", "sources --as b"].map((line) =>
    `COMP_WORDS=(bulkhead ${line}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMP_LINE="bulkhead ${line}"\n` +
    `COMP_POINT=\${#COMP_LINE}\n` +
    `eval "$(complete -p bulkhead | sed -E 's/.*-F ([^ ]+).*/\\1/')"\necho "\${COMPREPLY[@]}"\n`
  );
  const child = new Deno.Command("/bin/bash", {
    args: ["--norc", "--noprofile"],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(`set -u\n${stdout}\n${asks.join("")}`));
  await writer.close();
  const { success, stdout: said, stderr } = await child.output();
  const text = new TextDecoder();
  const offered = ["call", "research resident", "research resident", "sgr sgr-tools", "bibtex"];
  assertEquals([success, text.decode(stderr), text.decode(said).trim().split("\n")], [true, "", offered]);
  for (const shell of ["zsh", "fish"]) {
    const script = await scene.run(["completions", shell]);
    assertEquals([script.code, script.stderr], [0, ""]);
    assertStringIncludes(script.stdout, "bulkhead");
  }
});

Deno.test("--quiet and --no-color go with every command, before and after it", async () => {
  using scene = makeScene();
  for (const command of [["version"], ["tools", ...ALL_TOOLS.slice(0, 2)], ["schema"], ["help"]]) {
    const plain = await scene.run(command);
    assertEquals(await scene.run([...command, "--quiet", "--no-color"]), plain);
    assertEquals(await scene.run(["--no-color", "-q", ...command]), plain);
    assert(!plain.stdout.includes("\x1b"));
  }
});
