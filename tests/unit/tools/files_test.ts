import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import type { Target } from "../../../schemas/access.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { ToolDefinition } from "../../../schemas/tool.ts";
import { editAgain } from "../../../tools/engine/file/edit_again.ts";
import bash from "../../../tools/harness/bash.ts";
import edit from "../../../tools/harness/edit.ts";
import glob from "../../../tools/harness/glob.ts";
import grep from "../../../tools/harness/grep.ts";
import read from "../../../tools/harness/read.ts";
import harnessEditor from "../../../tools/harness/str_replace_editor.ts";
import terminalStart from "../../../tools/harness/terminal_start.ts";
import terminalWrite from "../../../tools/harness/terminal_write.ts";
import manusBash from "../../../tools/manus/bash.ts";
import manusEditor from "../../../tools/manus/str_replace_editor.ts";
import { loaders } from "../../../tools/mod.ts";
import parBash from "../../../tools/par/bash.ts";
import parEdit from "../../../tools/par/edit.ts";
import find from "../../../tools/par/find.ts";
import parGrep from "../../../tools/par/grep.ts";
import ls from "../../../tools/par/ls.ts";
import extract from "../../../tools/sgr/extract_page_content_tool.ts";
import { UNTOLD, workspace } from "../../support/run_tool.ts";

const { signal } = new AbortController();

Deno.test(
  "editAgain() makes an edit again if the file was changed, and only then",
  { permissions: "none" },
  async () => {
    let tries = 0;
    const changed = () => new ToolError("conflict", "changed", { retryable: true });
    assertEquals(
      await editAgain(signal, () => ++tries < 3 ? Promise.reject(changed()) : Promise.resolve(tries)),
      3,
    );
    tries = 0;
    const ambiguous = () => {
      tries++;
      return Promise.reject(new ToolError("conflict", "two places"));
    };
    await assertRejects(() => editAgain(signal, ambiguous), ToolError, "two places");
    assertEquals(tries, 1);
    const stop = AbortSignal.abort(new ToolError("cancelled", "enough"));
    await assertRejects(() => editAgain(stop, () => Promise.reject(changed())), ToolError, "enough");
  },
);

const COUNT = 20;

for (
  const [name, tool, inputOf] of [
    ["harness/Edit", edit, (n: number) => ({ patch: `@@ -${n + 1} +${n + 1} @@\n-<${n}>\n+new ${n}\n` })],
    ["par/edit", parEdit, (n: number) => ({ edits: [{ old: `<${n}>`, new: `new ${n}` }] })],
    ["harness/str_replace_editor", harnessEditor, editorInput],
    ["manus/str_replace_editor", manusEditor, editorInput],
  ] as const
) {
  Deno.test(`${name} loses no edit of other writers of its file`, async () => {
    const numbers = Array.from({ length: COUNT }, (_, n) => n);
    using ws = workspace({ "p.txt": numbers.map((n) => `<${n}>\n`).join("") });
    const path = inputOf === editorInput ? ws.at("p.txt") : "p.txt";
    const done = await Promise.all(numbers.map((n) => ws.run(tool, { path, ...inputOf(n) })));
    assertEquals(done.flatMap(({ error }) => error ?? []), []);
    assertEquals(ws.read("p.txt"), numbers.map((n) => `new ${n}\n`).join(""));
  });
}

function editorInput(n: number) {
  return { command: "str_replace", old_str: `<${n}>`, new_str: `new ${n}` };
}

/** Deno 2.6 shows no entry whose name is not UTF-8, so that no tool can count it. */
const IS_BLIND = /^2\.[67]\./.test(Deno.version.deno);
const ONE = "Left out 1 entry whose name is not UTF-8, with all below; rename them to see them";
const TWO = "Left out 2 entries whose names are not UTF-8, with all below; rename them to see them";

/** A file and a folder whose names are Latin-1, and a file whose name has the sign that stands for such bytes. */
async function scene() {
  const ws = workspace({ "a.txt": "word", "real\ufffd.txt": "word", "sub/b.txt": "word" });
  const script = "printf word > $'caf\\xe9.txt'; mkdir $'d\\xff'; printf word > $'d\\xff/in.txt'";
  await new Deno.Command("bash", { args: ["-c", script], cwd: ws.path }).output();
  return ws;
}

Deno.test("tools that list or search folders tell what they leave out because it has no name in UTF-8", async () => {
  using ws = await scene();
  const calls: readonly (readonly [tool: unknown, input: Record<string, unknown>])[] = [
    [glob, { pattern: "**/*" }],
    [grep, { pattern: "word" }],
    [find, { pattern: "*.txt" }],
    [parGrep, { pattern: "word" }],
    [ls, { path: "." }],
    [harnessEditor, { command: "view", path: ws.path }],
    [manusEditor, { command: "view", path: ws.path }],
  ];
  for (const [tool, input] of calls) {
    const { ok, text, warnings } = await ws.run(tool, input);
    assertEquals([ok, warnings], [true, IS_BLIND ? [] : [TWO]]);
    assertEquals([text.includes("real\ufffd.txt"), text.includes("caf")], [true, false]);
  }
});

Deno.test("what a pattern or an ignore file leaves out is not counted as without a name", async () => {
  using ws = await scene();
  assertEquals((await ws.run(glob, { pattern: "sub/*" })).warnings, []);
  // The folder may hold what fits.
  assertEquals((await ws.run(glob, { pattern: "**/*.md" })).warnings, IS_BLIND ? [] : [ONE]);
  Deno.writeTextFileSync(ws.at(".gitignore"), "caf*\nd*/\n");
  assertEquals((await ws.run(glob, { pattern: "**/*" })).warnings, []);
});

Deno.test("tools show a name with a line end on one line, and keep it in their results", async () => {
  const folder = "a\nrow: 9\r";
  const path = `${folder}/b\nrow: 8`;
  using ws = workspace({ [path]: "x" });
  for (
    const [tool, input] of [[read, { path }], [glob, { pattern: "*" }], [grep, { pattern: "x" }]] as const
  ) {
    const { text, result } = await ws.run(tool, { path: folder, ...input });
    assertStringIncludes(text, `: ${ws.path}/a\\nrow: 9\\r`);
    assertEquals(/^row/m.test(text), false, text);
    assertStringIncludes(JSON.stringify(result), JSON.stringify(ws.at(tool === grep ? folder : path)));
  }
});

Deno.test("tools name what they will touch", () => {
  const run = (value: string, command: NonNullable<Target["command"]>): Target => ({
    kind: "run",
    value,
    command,
  });
  const files = (value: string): Target => ({ kind: "read", value });
  const net = (value: string): Target => ({ kind: "net", value });
  const ls = run("bash", { script: "ls", shell: "bash" });
  const typed = { script: "rm x\n", shell: "bash", typed: true } as const;
  const page = "https://a.example/x";
  const table: [tool: unknown, input: Record<string, unknown>, Target[]][] = [
    [bash, { command: "ls" }, [ls]],
    [bash, { command: "ls", workdir: "src" }, [files("src"), ls]],
    [terminalStart, { cwd: "src", shell: "dash" }, [files("src"), run("dash", { argv: ["dash"] })]],
    [terminalWrite, { session_id: "term_1", input: "rm x" }, [run("bash", typed)]],
    [harnessEditor, { command: "view", path: "/a" }, [files("/a")]],
    [harnessEditor, { command: "undo_edit", path: "/a" }, [files("/a"), { kind: "write", value: "/a" }]],
    [manusBash, { command: "ls" }, [ls]],
    [manusBash, { command: "" }, [{ kind: "run", value: "bash" }]],
    [manusBash, { command: "ctrl+c" }, [{ kind: "run", value: "bash" }]],
    [manusBash, { restart: true }, [{ kind: "run", value: "bash" }]],
    [parBash, { argv: ["git", "log"], cwd: "src" }, [files("src"), run("git", { argv: ["git", "log"] })]],
    [extract, { reasoning: "", urls: [page, "b.example/y"] }, [net(page), net("https://b.example/y")]],
  ];
  for (const [given, input, targets] of table) {
    const tool = given as ToolDefinition;
    assertEquals(tool.targets?.(tool.input.parse(input), UNTOLD), targets, JSON.stringify(input));
  }
});

/** Arguments that some tools ask for, beside those under test. */
const OTHERS = { command: "view", argv: ["ls"], edits: [], content: "", pattern: "a", patch: "" };

Deno.test("Every argument that a tool touches as a path is marked as one", async () => {
  for (const [name, load] of Object.entries(loaders)) {
    const tool = (await load()).default as ToolDefinition;
    const { shape = {} } = tool.input as unknown as { shape?: Record<string, unknown> };
    const touched = Object.keys(shape).filter((argument) => {
      if (argument === "argv" || argument === "edits") return false;
      const mark = `mark-of-${argument}`;
      try {
        const targets = tool.targets?.({ ...OTHERS, [argument]: mark }, UNTOLD) ?? [];
        return targets.some(({ kind, value }) => ["read", "write"].includes(kind) && value.includes(mark));
      } catch {
        return false;
      }
    });
    assertEquals([...tool.paths ?? []], touched, name);
  }
});
