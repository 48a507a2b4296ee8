import { assertEquals, assertMatch } from "@std/assert";

import { COMMANDS } from "../../runtime/cli/args/command_table.ts";
import { makeScene } from "../support/cli/scene.ts";

/** One start of a command: its words, what stdout and stderr together begin with, and how it ends. */
type Start = readonly [words: string, says: RegExp, code?: number];

const DEMO = new URL("../../scripts/demo/", import.meta.url);
const REPLAY = "run --model replay:agent.jsonl --replay-tools --no-session --quiet";

/** What commands do is tested in `tests/cases`; here each starts once as a process. */
const STARTS: Readonly<Record<keyof typeof COMMANDS, Start>> = {
  run: [REPLAY, /^Fixed: `total` in src\/cart\.ts never goes below zero now\./],
  agents: ["agents", /^AGENT .*\ndefault +bulkhead +tools/],
  chat: ["chat", /A chat needs a terminal/, 2],
  models: ["models", /^PROVIDER .*\nopenai\/ /],
  sources: ["sources", /No session of ".*" has sources/, 2],
  sessions: ["sessions", /^(?:SESSION |no sessions)/],
  trust: ["trust", /./],
  undo: ["undo", /No (?:session|run) /, 2],
  diff: ["diff", /No overlay of ".*" waits/, 2],
  apply: ["apply", /No overlay of ".*" waits/, 2],
  call: ["call Read notes.md", /^path: .*\/notes\.md\nsource_type: text\n/],
  // Without a sandbox a program is named.
  exec: ["exec --allow-run=cat -- cat orders.csv", /./],
  batch: [
    "batch calls.jsonl --policy read-only-no-net",
    /^\{"id":"files","tool_name":"harness\/Glob","ok":true/,
    3,
  ],
  tools: ["tools", /^TOOL .*\nharness\/Glob /],
  schema: ["schema Read", /^\[\n {2}\{\n {4}"\$schema": /],
  explain: ["explain Read notes.md", /^tool {5}harness\/Read\n/],
  audit: ["audit none.jsonl", /Cannot read "none\.jsonl"/, 2],
  config: ["config check", /^no configuration file/],
  serve: ["serve --port=x", /Option --port/, 2],
  ui: ["ui --port=x", /Option --port/, 2],
  worker: ["worker", /Name the queue: --queue nats:/, 2],
  queue: ["queue status", /Write: bulkhead queue status URL/, 2],
  mcp: ["mcp audit", /Write: bulkhead mcp audit/, 2],
  doctor: ["doctor", /^ok +version +bulkhead /],
  demo: ["demo --help", /demo/],
  completions: ["completions bash", /^# bash completion for bulkhead\n/],
  upgrade: ["upgrade --check", /It is not known where releases are/, 2],
  version: ["version", /^bulkhead \d+\.\d+\.\d+\n$/],
  help: ["help exit-codes", /^Exit codes\n-+\n/],
};

for (const [name, [words, says, code = 0]] of Object.entries(STARTS)) {
  Deno.test(`${name} starts, answers and ends with ${code}`, async () => {
    using scene = makeScene();
    for (const file of ["agent.jsonl", "calls.jsonl", "notes.md", "orders.csv"]) {
      Deno.copyFileSync(new URL(file, DEMO), `${scene.ws}/${file}`);
    }
    for (const file of Deno.readDirSync(new URL("src", DEMO))) {
      scene.write(`ws/src/${file.name}`, Deno.readFileSync(new URL(`src/${file.name}`, DEMO)));
    }
    scene.write("ws/.env", "KEY=x\n");
    const { code: ended, stdout, stderr } = await scene.run(words.split(" "));
    assertMatch(stdout + stderr, says);
    assertEquals(ended, code, stderr);
  });
}

Deno.test("every command has a start", () => {
  assertEquals(Object.keys(STARTS).toSorted(), Object.keys(COMMANDS).toSorted());
});
