import { assert, assertEquals } from "@std/assert";
import * as z from "zod";

import { COMMAND_NAMES, optionsOf, SHELLS } from "../../../../../runtime/cli/args/command_table.ts";
import { completedCall, renderCompletions } from "../../../../../runtime/cli/help/render_completions.ts";
import { flagOf } from "../../../../../runtime/cli/args/options/option_table.ts";
import { TOPIC_NAMES } from "../../../../../runtime/cli/args/topic_table.ts";

import type { Manifest } from "../../../../../schemas/manifest.ts";
import { schemaOf } from "../../../../support/manifest_entry.ts";
import { workspace } from "../../../../support/run_tool.ts";
import manifestJson from "../../../../../tools/manifest.json" with { type: "json" };

const manifest = manifestJson as Manifest;
const AGENTS = ["default", "research", "reviewer", "$(touch x)"];
const TOOLS = ["harness/Grep", "Grep", "harness/Glob", "Glob", "par/bash"];

Deno.test("renderCompletions() names every command, option and tool in every shell", () => {
  for (const shell of SHELLS) {
    const script = renderCompletions(shell, TOOLS, { agents: AGENTS });
    assert(!script.includes("touch x"), shell);
    const words = new Set(script.split(/[^A-Za-z0-9_/-]+/).flatMap((word) => [word, `--${word}`]));
    for (const name of COMMAND_NAMES) {
      assert(words.has(name), `${shell}: ${name}`);
      for (const option of optionsOf(name)) assert(words.has(flagOf(option)), `${shell}: ${flagOf(option)}`);
    }
    const others = ["harness", "par", "read-only-no-net", "openai", "sgr-tools", "bibtex", "reviewer"];
    for (const word of [...TOOLS, ...TOPIC_NAMES, ...others]) {
      assert(words.has(word), `${shell}: ${word}`);
    }
  }
});

Deno.test("renderCompletions() leaves out names that a shell would execute", () => {
  for (const shell of SHELLS) {
    const script = renderCompletions(shell, ["$(touch x)", "a;b", "a b", "a'b", "`id`", "a/b/c", "ok"]);
    assertEquals(script, renderCompletions(shell, ["ok"]));
  }
});

/** Runs a shell without its start files, in a home of its own; `null` if the machine does not have it. */
async function runShell(shell: string, args: string[], script: string): Promise<string | null> {
  using home = workspace();
  const env = { HOME: home.path, LC_ALL: "C" };
  try {
    const child = new Deno.Command(shell, { args, stdin: "piped", stdout: "piped", stderr: "piped", env })
      .spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(script));
    await writer.close();
    const { success, stdout, stderr } = await child.output();
    const text = new TextDecoder();
    assertEquals([success, text.decode(stderr)], [true, ""], `${shell} ${args.join(" ")}`);
    return text.decode(stdout);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Quotes and braces that pair up: all that can be said of a script without its shell. */
function assertPaired(script: string): void {
  const bare = script.replace(/^#.*$/gm, "").replace(/\\['"]|'(?:[^'\\]|\\.)*'|"[^"]*"/g, "");
  assertEquals(bare.match(/['"]/g), null);
  assertEquals(bare.split("{").length, bare.split("}").length);
}

/** Words before the cursor as bash splits them, the last one unfinished, and what bash offers for it. */
const OFFERS: [words: string[], offered: string[]][] = [
  [["ca"], ["call"]],
  [[""], [...COMMAND_NAMES]],
  [["call", "G"], ["Grep", "Glob"]],
  [["call", "par/"], ["par/bash"]],
  [["explain", "-C", "dir", "G"], ["Grep", "Glob"]],
  [["call", "Grep", "G"], []],
  [["call", "Grep", "--allow-p"], ["--allow-private-net"]],
  [["version", "--"], ["--json", "--quiet", "--no-color", "--help", "--version"]],
  [["call", "Grep", "--policy", "read"], ["read-only", "read-only-no-net"]],
  [["call", "Grep", "--sandbox", "="], ["auto", "require", "namespaces", "landlock", "off"]],
  [["call", "Grep", "--sandbox", "=", "r"], ["require"]],
  [["--sandbox", "=", "off", "ca"], ["call"]],
  [["--allow-read", "=", "a", "call", "Gr"], ["Grep"]],
  [["call", "Grep", "pattern", "=", "--"], []],
  [["tools", "--toolset", "p"], ["par"]],
  [["schema", "--format", "m"], ["mcp"]],
  [["schema", "l"], ["lock"]],
  [["completions", ""], ["bash", "zsh", "fish"]],
  [["help", "do"], ["doctor", "documents"]],
  [["help", "p"], ["permissions", "programs", "providers", "par", "par/bash"]],
  [["models", "gr"], ["groq"]],
  [["mcp", "s"], ["serve"]],
  [["mcp", "install", "cu"], ["cursor"]],
  [["run", "--model", "an"], ["anthropic/"]],
  [["p"], []],
  [["agents", "re"], ["research", "reviewer"]],
  [["agents", "research", ""], []],
  [["run", "--agent", "re"], ["research", "reviewer"]],
  [["chat", "--agent", "=", "d"], ["default"]],
  [["chat", "--thinking", ""], ["tools", "sgr", "sgr-tools", "plan"]],
  [["run", "--thinking", "=", "sgr"], ["sgr", "sgr-tools"]],
  [["sources", "--as", "b"], ["bibtex"]],
  [["call", "Grep", "--sandbox-"], ["--sandbox-show"]],
  [["call", "Grep", "-o", "G"], []],
];

/** Words of bash that tell what is offered at a place. */
function tried([words]: [words: string[], offered: string[]]): string {
  const line = words.map((word) => `'${word}'`).join(" ");
  return `COMP_WORDS=(bulkhead ${line}); COMP_CWORD=${words.length}; _bulkhead; echo "\${COMPREPLY[*]}"`;
}

Deno.test("renderCompletions() makes bash offer what fits the place", async () => {
  const script = [renderCompletions("bash", TOOLS, { agents: AGENTS }), ...OFFERS.map(tried)].join("\n");
  const output = await runShell("bash", ["--norc", "--noprofile"], script);
  assert(output !== null, "this test needs bash");
  const lines = output.split("\n").slice(0, -1);
  assertEquals(lines, OFFERS.map(([, offered]) => offered.join(" ")));
});

const input_schema = schemaOf(z.object({
  pattern: z.string(),
  path: z.string().optional(),
  mode: z.enum(["fast", "slow"]).optional(),
  case_sensitive: z.boolean().default(false),
  "$(touch x)": z.string().optional(),
}));
const CALLS = [completedCall({ ...manifest.tools[0]!, input_schema }, ["Grep", "harness/Grep"])];

Deno.test("renderCompletions() makes bash offer arguments, their values, and sessions", async () => {
  const places: [words: string[], offered: string[]][] = [
    [["call", "Grep", ""], ["pattern=", "path=", "mode=", "case_sensitive="]],
    [["explain", "-q", "harness/Grep", "pa"], ["pattern=", "path="]],
    [["call", "Grep", "pattern", "=", "x", "m"], ["mode="]],
    [["call", "Grep", "mode", "="], ["fast", "slow"]],
    [["call", "Grep", "case_sensitive", "=", "t"], ["true"]],
    [["call", "Grep", "pattern", "=", ""], []],
    [["call", "Glob", ""], []],
    [["run", "--resume", "=", "2"], ["2026-a", "2026-b"]],
    [["run", "--resume", "2026-b"], ["2026-b"]],
    [["chat", "--resume", "=", "o"], ["other"]],
    [["sources", "2026-"], ["2026-a", "2026-b"]],
    [["undo", "--last", "o"], ["other"]],
    [["diff", "2026-a", ""], []],
    [["sessions", ""], ["show", "rm"]],
    [["sessions", "show", "2"], ["2026-a", "2026-b"]],
    [["sessions", "rm", "2026-a", "o"], ["other"]],
  ];
  const script = [
    ...["set -u", 'mkdir -p "$HOME/.local/state/bulkhead/sessions/20-no-run"'],
    'cd "$HOME/.local/state/bulkhead/sessions"',
    "for id in 2026-a 2026-b other; do mkdir $id; > $id/trace.jsonl; done",
    renderCompletions("bash", TOOLS, { calls: CALLS }),
    ...places.map(tried),
  ].join("\n");
  assert(!script.includes("touch x"));
  const output = await runShell("bash", ["--norc", "--noprofile"], script);
  assertEquals(output?.split("\n").slice(0, -1), places.map(([, offered]) => offered.join(" ")));
});

Deno.test("renderCompletions() writes scripts that their shells parse, with arguments and their values", async () => {
  for (const shell of SHELLS) {
    const script = renderCompletions(shell, TOOLS, { calls: CALLS });
    assertPaired(script);
    const output = await runShell(shell, shell === "fish" ? ["--no-config", "--no-execute"] : ["-n"], script);
    assertEquals(output ?? "", "");
    for (const part of ["pattern=", "fast", "true"]) assert(script.includes(part), `${shell}: ${part}`);
    assert(!script.includes("touch x"), shell);
  }
});

Deno.test("renderCompletions() makes fish offer what fits the place", async () => {
  const places: [line: string, offered: string][] = [
    ["bulkhead ca", "call"],
    ["bulkhead call G", "Glob Grep"],
    ["bulkhead call Grep --policy read-only-", "read-only-no-net"],
    ["bulkhead schema l", "lock"],
    ["bulkhead help perm", "permissions"],
    ["bulkhead help --j", ""],
    ["bulkhead agents re", "research reviewer"],
    ["bulkhead run --thinking sgr", "sgr sgr-tools"],
  ];
  const script = renderCompletions("fish", TOOLS, { agents: AGENTS });
  const tries = places.map(([line]) => `echo (complete -C '${line}' | string split -f1 \\t)`);
  const output = await runShell("fish", ["--no-config"], [script, ...tries].join("\n"));
  if (output === null) return assertPaired(script);
  assertEquals(output.split("\n").slice(0, -1), places.map(([, offered]) => offered));
});
