import { assert, assertEquals, assertMatch } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";

const FILES = {
  "ws/README.md": "# Project\n",
  "ws/src/a.ts": "one\nTODO two\nthree\n",
  "ws/src/main.ts": "let x = 1\nfoo\n",
};

/** A documented call: `<ws>` stands for the workspace in words, text, and result. */
interface Golden {
  tool: string;
  words: readonly string[];
  text: string | RegExp;
  /** Absent where it is not known before. */
  result?: unknown;
  /** Files after the call. */
  after?: Readonly<Record<string, string>>;
}

const CALLS: readonly Golden[] = [
  {
    tool: "Glob",
    words: ["pattern=**/*.ts"],
    text:
      "root: <ws>\npattern: **/*.ts\ninclude_dirs: false\nmatch_count: 2\ntruncated: false\nresults:\n<ws>/src/a.ts\n<ws>/src/main.ts",
    result: {
      root: "<ws>",
      pattern: "**/*.ts",
      include_dirs: false,
      match_count: 2,
      truncated: false,
      ignored_paths: 0,
      results: ["<ws>/src/a.ts", "<ws>/src/main.ts"],
    },
  },
  {
    tool: "Grep",
    words: ["pattern=todo", "glob=**/*.ts"],
    text:
      "root: <ws>\npattern: todo\nglob: **/*.ts\ncase_sensitive: false\nfiles_scanned: 2\nmatch_count: 1\ntruncated: false\nresults:\n<ws>/src/a.ts:2: TODO two",
    result: {
      root: "<ws>",
      pattern: "todo",
      glob: "**/*.ts",
      case_sensitive: false,
      files_scanned: 2,
      match_count: 1,
      truncated: false,
      files_skipped: 0,
      ignored_paths: 0,
      results: [{ path: "<ws>/src/a.ts", line: 2, text: "TODO two" }],
    },
  },
  {
    tool: "Read",
    words: ["path=src/a.ts", "start_line=2"],
    text:
      "path: <ws>/src/a.ts\nsource_type: text\nstart_line: 2\nend_line: 3\ntotal_lines: 3\ntruncated: false\ncontent:\nTODO two\nthree",
    result: {
      path: "<ws>/src/a.ts",
      source_type: "text",
      start_line: 2,
      end_line: 3,
      total_lines: 3,
      truncated: false,
      content: "TODO two\nthree",
    },
  },
  {
    tool: "Write",
    words: ["path=new/deep/a.txt", "content=12"],
    text: "[Write] Wrote file: <ws>/new/deep/a.txt",
    result: { path: "<ws>/new/deep/a.txt", bytes: 2 },
    after: { "new/deep/a.txt": "12" },
  },
  {
    tool: "Edit",
    words: ["path=src/main.ts", "patch=@@ -1,2 +1,2 @@\n-let x = 1\n+let x = 2\n foo\n"],
    text:
      "[Edit] Updated file: <ws>/src/main.ts; applied_hunks: 1\n@@ -1,2 +1,2 @@\n-let x = 1\n+let x = 2\n foo",
    result: {
      path: "<ws>/src/main.ts",
      applied_hunks: 1,
      changed: true,
      diff: "@@ -1,2 +1,2 @@\n-let x = 1\n+let x = 2\n foo",
    },
    after: { "src/main.ts": "let x = 2\nfoo\n" },
  },
  {
    tool: "harness/str_replace_editor",
    words: ["command=view", "path=<ws>/src/main.ts"],
    text:
      '{"path": "<ws>/src/main.ts", "start_line": 1, "end_line": 2, "total_lines": 2}\n     1\tlet x = 1\n     2\tfoo',
    result: {
      kind: "file",
      path: "<ws>/src/main.ts",
      start_line: 1,
      end_line: 2,
      total_lines: 2,
      content: "let x = 1\nfoo",
      truncated: false,
    },
  },
  { tool: "calculator", words: ["expression=2 + 3 * 4"], text: "14", result: 14 },
  { tool: "get_time", words: [], text: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/ },
  { tool: "echo", words: ["text=hello"], text: "hello", result: "hello" },
  {
    tool: "generate_uuid",
    words: [],
    text: /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
  },
  {
    tool: "hash_text",
    words: ["text=hello", "algorithm=sha1"],
    text: '{"hash":"aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d","algorithm":"sha1"}',
    result: { hash: "aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d", algorithm: "sha1" },
  },
  {
    tool: "generate_password",
    words: ["length=24", "include_symbols=false"],
    text: /^(?=.*[a-z])(?=.*[A-Z])(?=.*\d)[A-Za-z\d]{24}$/,
  },
  {
    tool: "string_stats",
    words: ["text=hello world\nfoo bar"],
    text: '{"characters":19,"words":4,"lines":2}',
    result: { characters: 19, words: 4, lines: 2 },
  },
  {
    tool: "json_format",
    words: ['json={"a":1,"b":2}'],
    text: '{\n  "a": 1,\n  "b": 2\n}',
    result: '{\n  "a": 1,\n  "b": 2\n}',
  },
  {
    tool: "convert_temperature",
    words: ["value=100", "from=C", "to=F"],
    text: '{"value":212,"unit":"F","original_value":100,"original_unit":"C"}',
    result: { value: 212, unit: "F", original_value: 100, original_unit: "C" },
  },
  { tool: "url_encode", words: ["text=hello world"], text: "hello%20world", result: "hello%20world" },
  {
    tool: "par/read",
    words: ["path=src/a.ts", "limit=2"],
    text: "   1\tone\n   2\tTODO two\n[… 1 more line; call read with offset=2 for the rest]",
    result: "   1\tone\n   2\tTODO two\n[… 1 more line; call read with offset=2 for the rest]",
  },
  {
    tool: "ls",
    words: ["path=."],
    text:
      /^\{"path":"\.","entries":\[\{"name":"README\.md","type":"file","size":10,"modified":\d{10}\},\{"name":"src","type":"dir","size":null,"modified":\d{10}\}\]\}$/,
  },
  {
    tool: "find",
    words: ["pattern=**/*.ts"],
    text: '["src/a.ts","src/main.ts"]',
    result: ["src/a.ts", "src/main.ts"],
  },
  {
    tool: "par/grep",
    words: ["pattern=TODO", "path=src", "glob=*.ts", "context_lines=1"],
    text: '["src/a.ts-1-one","src/a.ts:2:TODO two","src/a.ts-3-three"]',
    result: ["src/a.ts-1-one", "src/a.ts:2:TODO two", "src/a.ts-3-three"],
  },
  {
    tool: "par/write",
    words: ["path=out/result.txt", "content=hello", "create_dirs=true"],
    text: "Wrote 5 bytes to out/result.txt",
    result: "Wrote 5 bytes to out/result.txt",
    after: { "out/result.txt": "hello" },
  },
  {
    tool: "par/edit",
    words: ["path=src/main.ts", 'edits=[{"old":"let x = 1","new":"let x = 2"},{"old":"foo","new":"bar"}]'],
    text: "Applied 2 edit(s) to src/main.ts",
    result: "Applied 2 edit(s) to src/main.ts",
    after: { "src/main.ts": "let x = 2\nbar\n" },
  },
  {
    tool: "manus/str_replace_editor",
    words: ["command=str_replace", "path=<ws>/src/main.ts", "old_str=foo", "new_str=bar"],
    text:
      "The file <ws>/src/main.ts has been edited. Here's the result of running `cat -n` on a snippet of <ws>/src/main.ts:\n     1\tlet x = 1\n     2\tbar\n     3\t\nReview the changes and make sure they are as expected. Edit the file again if necessary.",
    result: {
      kind: "replaced",
      path: "<ws>/src/main.ts",
      content: "let x = 1\nbar\n",
      first_line: 1,
      truncated: false,
    },
    after: { "src/main.ts": "let x = 1\nbar\n" },
  },
  {
    tool: "terminate",
    words: ["status=failure"],
    text: "The interaction has been completed with status: failure",
    result: "The interaction has been completed with status: failure",
  },
  {
    tool: "create_chat_completion",
    words: ["response=It is done."],
    text: "It is done.",
    result: "It is done.",
  },
];

/** What starts programs, reads documents, draws charts, plans, asks people, or is a part of an agent's step has tests of its own. */
const isTestedElsewhere = ({ name, needs }: { name: string; needs: { run?: string; net?: string } }) =>
  needs.run !== undefined || needs.net !== undefined ||
  /\/(Read[A-Z]|data_visualization$|planning$|ask_human$|AskUser$)|^sgr\//.test(name);

Deno.test("call covers every tool of the program", async () => {
  using scene = makeScene();
  const { stdout } = await scene.run(["tools", "--json"]);
  const tools: { name: string; needs: { run?: string; net?: string } }[] = JSON.parse(stdout);
  const names = tools.filter((tool) => !isTestedElsewhere(tool)).map(({ name }) => name);
  const tested = CALLS.map(({ tool }) => tool.split("/").at(-1));
  assertEquals(names.map((name) => name.split("/")[1]).sort(), tested.sort());
});

for (const golden of CALLS) {
  Deno.test(`call ${golden.tool} gives the documented text and result`, async () => {
    using scene = makeScene(FILES);
    const words = golden.words.map((word) => word.replace("<ws>", scene.ws));
    const { code, stdout, stderr } = await scene.run(["call", golden.tool, "--json", ...words]);
    assertEquals([code, stderr], [0, ""]);
    const { tool_name, text, result, ...rest } = JSON.parse(stdout.replaceAll(scene.ws, "<ws>"));
    if (typeof golden.text === "string") assertEquals([text, result], [golden.text, golden.result]);
    else assertMatch(text, golden.text);
    assert(tool_name.endsWith(`/${golden.tool.split("/").at(-1)}`));
    delete rest.metadata;
    assertEquals(rest, { ok: true, images: [], artifacts: [], warnings: [], error: null });
    for (const [name, content] of Object.entries(golden.after ?? {})) {
      assertEquals(scene.read(`ws/${name}`), content);
    }
  });
}

Deno.test("call prints the text of a result, and with --json the whole as one line", async () => {
  using scene = makeScene(FILES);
  const [shown, whole] = [
    await scene.run(["call", "Read", "src/a.ts"]),
    await scene.run(["call", "Read", "src/a.ts", "--json"]),
  ];
  assertEquals(shown, { code: 0, stdout: `${JSON.parse(whole.stdout).text}\n`, stderr: "" });
  assertEquals(whole.stdout.indexOf("\n"), whole.stdout.length - 1);
});
