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

Deno.test("what steers a terminal does not reach plain output", async () => {
  const evil = "a\x1b[31mred\x1b]0;title\x07\x1bPq\x1b\\\x9b1mb\x08\x7f\u0085c\n";
  using scene = makeScene({ "ws/\x1b[2Jname\x07.txt": evil, "ws/plain.txt": "line\n" });
  const path = "\x1b[2Jname\x07.txt";
  // deno-lint-ignore no-control-regex
  const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;
  const plain: [words: string[], stdin: string][] = [
    ...["Read", "par/read"].map((tool): [string[], string] => [[tool, "-"], JSON.stringify({ path })]),
    [["Grep", "-"], JSON.stringify({ pattern: "red", path })],
    [["Glob", "pattern=*"], ""],
    [["ls", "path=."], ""],
    [["Read", "-"], JSON.stringify({ path: "\x1b[31mnone" })],
    [["Write", "-"], JSON.stringify({ path, content: "x" })],
    [["str_replace_editor", "-"], JSON.stringify({ command: "view", path: `${scene.ws}/${path}` })],
    [["Grep", "-"], JSON.stringify({ pattern: "\x1b[31m(" })],
    [["Read", "-"], JSON.stringify({ "\x1b[31m": 1, path: "plain.txt" })],
    [["\x1b[31mRead"], ""],
  ];
  const ends = await Promise.all(plain.map(([words, stdin]) => scene.run(["call", ...words], { stdin })));
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
