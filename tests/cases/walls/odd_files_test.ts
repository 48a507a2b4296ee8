import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { boxTest, SANDBOXES } from "../../support/box.ts";
import { type Call, makeScene, parseLines, type Scene } from "../../support/cli/scene.ts";

/** Every tool that takes a path, as it is used on one file. */
function everyUse(scene: Scene, path: string): Call[] {
  const absolute = `${scene.ws}/${path}`;
  return [
    { tool: "Read", arguments: { path } },
    { tool: "par/read", arguments: { path } },
    { tool: "Grep", arguments: { path, pattern: "line" } },
    { tool: "par/grep", arguments: { path, pattern: "line" } },
    { tool: "Edit", arguments: { path, patch: "@@ -1 +1 @@\n-line\n+line\n" } },
    { tool: "par/edit", arguments: { path, edits: [{ old: "line", new: "line" }] } },
    { tool: "harness/str_replace_editor", arguments: { command: "view", path: absolute } },
    { tool: "manus/str_replace_editor", arguments: { command: "view", path: absolute } },
  ];
}

for (const box of SANDBOXES) {
  const flags = [`--sandbox=${box}`];

  Deno.test(`pipes, devices and folders are refused at once by whatever wants a file, --sandbox=${box}`, async () => {
    using scene = makeScene({ "ws/folder/a.txt": "line\n" });
    assert(new Deno.Command("mkfifo", { args: [scene.at("ws/pipe")] }).outputSync().success);
    scene.link("pipe", "ws/to-pipe");
    const socket = Deno.listen({ transport: "unix", path: scene.at("ws/socket") });
    for (const path of ["pipe", "to-pipe", "socket", "folder"]) {
      const calls: Call[] = [
        // A folder is searched and viewed.
        ...everyUse(scene, path).filter(({ tool }) => path !== "folder" || !/grep|editor/i.test(tool)),
        { tool: "Write", arguments: { path, content: "x", overwrite: true } },
        { tool: "par/write", arguments: { path, content: "x" } },
      ];
      const { answers } = await scene.batch(calls, [...flags, "--timeout=20"]);
      for (const [at, { error }] of answers.entries()) {
        assertEquals(error?.code, "invalid_input", JSON.stringify([calls[at], error]));
      }
    }
    assertEquals(Deno.lstatSync(scene.at("ws/pipe")).isFifo, true);
    assertEquals(Deno.lstatSync(scene.at("ws/socket")).isSocket, true);
    socket.close();
    const { answers } = await scene.batch([
      { tool: "Grep", arguments: { pattern: "line" } },
      { tool: "par/grep", arguments: { pattern: "line" } },
      { tool: "Glob", arguments: { pattern: "**/*" } },
    ], [...flags, "--timeout=20"]);
    const [grep, parGrep, glob] = answers.map(({ result }) => result as Record<string, unknown>);
    assertEquals(grep!.match_count, 1);
    assertEquals(parGrep as unknown, ["folder/a.txt:1:line"]);
    assertEquals(glob!.results, [`${scene.ws}/folder/a.txt`]);
  });
}

Deno.test("files come whole whatever their ends", async () => {
  const table: [name: string, content: string, lines: number, read: string][] = [
    ["empty.txt", "", 0, ""],
    ["open.txt", "line\nlast", 2, "line\nlast"],
    ["closed.txt", "line\nlast\n", 2, "line\nlast"],
    ["crlf.txt", "line\r\nlast\r\n", 2, "line\nlast"],
    ["bom.txt", "\ufeffline\nlast\n", 2, "line\nlast"],
    ["blank.txt", "\n\n", 2, "\n"],
    ["unicode.txt", "line é \u{1f600} \u2028 x\n", 1, "line é \u{1f600} \u2028 x"],
  ];
  using scene = makeScene(Object.fromEntries(table.map(([name, content]) => [`ws/${name}`, content])));
  const { answers } = await scene.batch(
    table.map(([path]) => ({ tool: "Read", arguments: { path } })),
  );
  for (const [at, { result }] of answers.entries()) {
    const { total_lines, content } = result as Record<string, unknown>;
    const [name, , lines, read] = table[at]!;
    assertEquals([total_lines, content], [lines, read], name);
  }
  // An edit that changes the text leaves line ends and marks as they are.
  const edits = ["open.txt", "closed.txt", "crlf.txt", "bom.txt"].flatMap((path): Call[] => [
    { tool: "Edit", arguments: { path, patch: "@@ -1,2 +1,2 @@\n-line\n+LINE\n last\n" } },
    { tool: "par/edit", arguments: { path, edits: [{ old: "last", new: "LAST" }] } },
  ]);
  const edited = await scene.batch(edits);
  assertEquals(edited.answers.map(({ error }) => error), edits.map(() => null));
  for (const [name, content] of table.slice(1, 5)) {
    const bytes = Deno.readFileSync(scene.at(`ws/${name}`));
    const expected = new TextEncoder().encode(content.replace("line", "LINE").replace("last", "LAST"));
    assertEquals(bytes, expected, name);
  }
});

Deno.test("binary files are told, not shown as text nor edited", async () => {
  const bytes = new Uint8Array([0x6c, 0x69, 0x6e, 0x65, 0, 0xff, 0xfe, 0x0a]);
  const latin = new Uint8Array([0x6c, 0x69, 0x6e, 0x65, 0xe9, 0x0a]);
  using scene = makeScene({ "ws/nul.bin": bytes, "ws/latin.txt": latin });
  const nul = await scene.batch(everyUse(scene, "nul.bin"));
  const bad = "invalid_input";
  const codes = (answers: typeof nul.answers) => answers.map(({ error }) => error?.code ?? null);
  assertEquals(codes(nul.answers), [bad, null, null, null, bad, bad, bad, bad]);
  assertEquals(nul.answers[1]!.result, btoa(String.fromCharCode(...bytes)));
  assertEquals([nul.answers[2]!.warnings.length, nul.answers[3]!.warnings.length], [1, 1]);
  const odd = await scene.batch(everyUse(scene, "latin.txt"));
  assertEquals(codes(odd.answers), [null, null, null, null, bad, bad, bad, bad]);
  assertEquals((odd.answers[0]!.result as { content: string }).content, "line\ufffd");
  assertEquals(odd.answers[0]!.warnings.length, 1);
  assertEquals(Deno.readFileSync(scene.at("ws/nul.bin")), bytes);
  assertEquals(Deno.readFileSync(scene.at("ws/latin.txt")), latin);
});

Deno.test("one huge line is read in part, searched whole, and clipped", async () => {
  using scene = makeScene({ "ws/huge.txt": `${"x".repeat(5_000_000)}line${"y".repeat(1_000)}` });
  const { answers } = await scene.batch(everyUse(scene, "huge.txt").slice(0, 4));
  assertEquals(answers.map(({ error }) => error), [null, null, null, null]);
  const [read, , grep, parGrep] = answers;
  assertEquals((read!.result as { truncated: boolean }).truncated, true);
  assert(read!.text.length < 20_000 && read!.text.endsWith("more characters in this line]"));
  assert(grep!.text.length < 2_000 && grep!.text.includes("xline"));
  const [match] = parGrep!.result as string[];
  assert(match!.length < 1_000 && match!.includes("xline"), match);
});

Deno.test("names with odd characters are found and used", async () => {
  const names = [
    "new\nline",
    "quote\"'",
    " blank ",
    "-rf",
    "é\u{1f600}",
    "a;b&c|d",
    "$(x)`y`",
    "100%",
    "a\\b",
    "#",
    "~",
  ];
  using scene = makeScene(Object.fromEntries(names.map((name) => [`ws/odd/${name}.txt`, "line\n"])));
  const { answers } = await scene.batch(
    names.flatMap((name) => everyUse(scene, `odd/${name}.txt`)),
  );
  assertEquals(answers.map(({ error }) => error), answers.map(() => null));
  const listed = await scene.batch([
    { tool: "Glob", arguments: { pattern: "odd/*.txt" } },
    { tool: "par/find", arguments: { pattern: "odd/*.txt" } },
    { tool: "Grep", arguments: { pattern: "line", path: "odd" } },
  ]);
  const [glob, find, grep] = listed.answers.map(({ result }) => result as Record<string, unknown>);
  const sorted = (paths: unknown) => [...paths as string[]].sort();
  const expected = names.map((name) => `odd/${name}.txt`);
  assertEquals(sorted(glob!.results), sorted(expected.map((name) => `${scene.ws}/${name}`)));
  assertEquals(sorted(find), sorted(expected));
  const paths = (grep!.results as { path: string }[]).map(({ path }) => path);
  assertEquals(sorted(paths), sorted(expected.map((name) => `${scene.ws}/${name}`)));
});

Deno.test("what steers a terminal does not reach plain output", async () => {
  const evil = "a\x1b[31mred\x1b]0;title\x07\x1bPq\x1b\\\x9b1mb\x08\x7f\u0085c\n";
  using scene = makeScene({ "ws/\x1b[2Jname\x07.txt": evil, "ws/plain.txt": "line\n" });
  const path = "\x1b[2Jname\x07.txt";
  // deno-lint-ignore no-control-regex
  const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;
  const plain: [words: string[], stdin: string][] = [
    ...["Read", "par/read"].map((tool): [string[], string] => [[tool, "-"], JSON.stringify({ path })]),
    [["Grep", "pattern=red"], ""],
    [["Grep", "-"], JSON.stringify({ pattern: "red", path })],
    [["Glob", "pattern=*"], ""],
    [["par/grep", "pattern=red"], ""],
    [["ls", "path=."], ""],
    [["find", "pattern=*"], ""],
    [["Read", "-"], JSON.stringify({ path: "\x1b[31mnone" })],
    [["Write", "-"], JSON.stringify({ path, content: "x" })],
    [["Edit", "-"], JSON.stringify({ path, patch: "@@ -1 +1 @@\n-a\n+b\n" })],
    [["str_replace_editor", "-"], JSON.stringify({ command: "view", path: `${scene.ws}/${path}` })],
    [["Grep", "-"], JSON.stringify({ pattern: "\x1b[31m(" })],
    [["Read", "-"], JSON.stringify({ "\x1b[31m": 1, path: "plain.txt" })],
    [["Read", "path=plain.txt", "\x1b[31mx=1"], ""],
    [["\x1b[31mRead"], ""],
  ];
  const ends = await Promise.all(
    plain.map(([words, stdin]) => scene.run(["call", ...words], { stdin })),
  );
  for (const [at, { stdout, stderr }] of ends.entries()) {
    assert(!controls.test(stdout.replaceAll("\n", "")), `${plain[at]}: ${JSON.stringify(stdout)}`);
    assert(!controls.test(stderr.replaceAll("\n", "")), `${plain[at]}: ${JSON.stringify(stderr)}`);
  }
  // The result itself is exact, JSON escapes what it must.
  const { stdout } = await scene.run(["call", "find", "pattern=*", "--json"]);
  assertEquals((parseLines(stdout)[0] as { result: unknown }).result, [path, "plain.txt"]);
});

boxTest("in the box, files that their mode keeps closed stay closed", async () => {
  using scene = makeScene({
    "ws/closed.txt": "line\n",
    "ws/folder/a.txt": "line\n",
    "ws/plain.txt": "line\n",
  });
  Deno.chmodSync(scene.at("ws/closed.txt"), 0);
  Deno.chmodSync(scene.at("ws/folder"), 0);
  const denied = "permission_denied";
  const { answers } = await scene.batch([
    { tool: "Read", arguments: { path: "closed.txt" } },
    { tool: "par/read", arguments: { path: "closed.txt" } },
    { tool: "par/edit", arguments: { path: "closed.txt", edits: [{ old: "line", new: "x" }] } },
    { tool: "Read", arguments: { path: "folder/a.txt" } },
    { tool: "Write", arguments: { path: "folder/b.txt", content: "x" } },
    { tool: "Grep", arguments: { pattern: "line" } },
    { tool: "Glob", arguments: { pattern: "**/*" } },
  ], ["--sandbox=require"]);
  Deno.chmodSync(scene.at("ws/folder"), 0o700);
  assertEquals(answers.map(({ error }) => error?.code ?? null), [
    denied,
    denied,
    denied,
    denied,
    denied,
    null,
    null,
  ]);
  assertStringIncludes(answers[0]!.text, "check owner and mode");
  assertEquals((answers[5]!.result as { results: { path: string }[] }).results.map(({ path }) => path), [
    `${scene.ws}/plain.txt`,
  ]);
  assertEquals(scene.exists("ws/folder/b.txt"), false);
});

Deno.test("an overwritten file keeps its mode", async () => {
  using scene = makeScene({ "ws/run.sh": "line\n" });
  for (const mode of [0o755, 0o640, 0o600]) {
    Deno.chmodSync(scene.at("ws/run.sh"), mode);
    const { code } = await scene.batch([
      { tool: "Write", arguments: { path: "run.sh", content: "line\n", overwrite: true } },
      { tool: "Edit", arguments: { path: "run.sh", patch: "@@ -1 +1 @@\n-line\n+other\n" } },
      { tool: "par/edit", arguments: { path: "run.sh", edits: [{ old: "other", new: "line" }] } },
    ]);
    assertEquals([code, (Deno.statSync(scene.at("ws/run.sh")).mode ?? 0) & 0o777], [0, mode]);
  }
});

// The ways out are cases of tests/attacks/held/paths_test.ts.
Deno.test("links that stay inside are followed", async () => {
  using scene = makeScene({ "ws/real/a.txt": "inside\n" });
  scene.link("real", "ws/folder");
  scene.link(scene.at("ws/real/a.txt"), "ws/file");
  scene.link("real/new.txt", "ws/dangling");
  const { answers } = await scene.batch([
    { tool: "par/read", arguments: { path: "folder/a.txt" } },
    { tool: "par/read", arguments: { path: "file" } },
    { tool: "par/write", arguments: { path: "dangling", content: "new" } },
    { tool: "par/write", arguments: { path: "file", content: "changed\n" } },
  ]);
  assertEquals(answers.map(({ error }) => error), [null, null, null, null]);
  assertEquals([scene.read("ws/real/new.txt"), scene.read("ws/real/a.txt")], ["new", "changed\n"]);
  assert(
    Deno.lstatSync(scene.at("ws/file")).isSymlink && Deno.lstatSync(scene.at("ws/dangling")).isSymlink,
  );
});
