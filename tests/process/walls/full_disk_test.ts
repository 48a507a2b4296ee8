import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { boxTest, SANDBOXES } from "../../support/box.ts";
import { programTest } from "../../support/needed_programs.ts";
import { type Answer, type Call, makeScene, type Scene } from "../../support/cli/scene.ts";

const SMALL_BYTES = 300_000;
const LARGE = "x".repeat(2 * SMALL_BYTES);

/** Words that start a program with a folder that is a disk of its own, empty and small. */
function onSmallDisk(folder: string, cwd: string): string[] {
  const disk = ["--size", String(SMALL_BYTES), "--tmpfs", folder];
  return ["/usr/bin/env", "bwrap", "--dev-bind", "/", "/", ...disk, "--chdir", cwd, "--"];
}

/** Words that start a program whose files cannot grow beyond a bound, as on a disk with quotas. */
const BOUNDED = ["/bin/sh", "-c", `trap "" XFSZ; exec prlimit --fsize=${SMALL_BYTES} "$@"`, "sh"];

function write(path: string, content: string): Call {
  return { tool: "Write", arguments: { path, content, overwrite: true } };
}

/** Every way to write too much over `keep.txt`, or into a new file. */
function tooLarge(scene: Scene): Call[] {
  const path = `${scene.ws}/keep.txt`;
  const patch = `@@ -1 +1 @@\n-old\n+${LARGE}\n`;
  return [
    write("keep.txt", LARGE),
    write("new.txt", LARGE),
    { tool: "Edit", arguments: { path: "keep.txt", patch } },
    { tool: "par/write", arguments: { path: "keep.txt", content: LARGE } },
    { tool: "par/edit", arguments: { path: "keep.txt", edits: [{ old: "old", new: LARGE }] } },
    ...["harness/str_replace_editor", "manus/str_replace_editor"].flatMap((tool) => [
      { tool, arguments: { command: "str_replace", path, old_str: "old", new_str: LARGE } },
      { tool, arguments: { command: "create", path: `${scene.ws}/new.txt`, file_text: LARGE } },
    ]),
  ];
}

const LOOK: readonly Call[] = [
  { tool: "par/read", arguments: { path: "keep.txt" } },
  { tool: "par/ls", arguments: { path: "." } },
  write("more.txt", "still works"),
];

/** What the calls after the failures show: the old file, alone, and a disk that can be written again. */
function expectUnharmed([read, ls, more]: Answer[]): void {
  assertEquals(read!.result, "   1\told");
  const { entries } = ls!.result as { entries: { name: string }[] };
  assertEquals(entries.map(({ name }) => name), ["keep.txt"]);
  assertEquals(more!.error, null);
}

for (const box of SANDBOXES) {
  boxTest(
    `a full disk fails the write, and keeps the old file and nothing else, --sandbox=${box}`,
    async () => {
      using scene = makeScene();
      const calls = [write("keep.txt", "old\n"), ...tooLarge(scene), ...LOOK];
      const { code, answers, stderr } = await scene.batch(calls, [`--sandbox=${box}`], {
        before: onSmallDisk(scene.ws, scene.ws),
      });
      assertEquals([code, stderr, answers.length], [1, "", calls.length]);
      for (const { error, text } of answers.slice(1, -LOOK.length)) {
        assertEquals(error?.code, "unavailable", text);
        assertStringIncludes(text, "no space left on the device");
      }
      expectUnharmed(answers.slice(-LOOK.length));
    },
  );
}

programTest(
  "a bound on file sizes fails the write in the same way",
  ["prlimit"],
  async () => {
    using scene = makeScene();
    const calls = [write("keep.txt", "old\n"), ...tooLarge(scene), ...LOOK];
    const { code, answers, stderr } = await scene.batch(calls, [], { before: BOUNDED });
    assertEquals([code, stderr, answers.length], [7, "", calls.length]);
    for (const { error, text } of answers.slice(1, -LOOK.length)) {
      assertEquals(error?.code, "limit_exceeded", text);
      assertStringIncludes(text, "larger than the system allows");
    }
    expectUnharmed(answers.slice(-LOOK.length));
  },
);

boxTest("a session that cannot be kept costs the undo, not the edit", async () => {
  using scene = makeScene({ "ws/a.txt": "old\n" });
  Deno.mkdirSync(scene.at("state"));
  const path = scene.at("ws/a.txt");
  const fill = `dd if=/dev/zero of=${scene.at("state")}/full bs=1000 count=2000 2>/dev/null; exec "$@"`;
  const before = [...onSmallDisk(scene.at("state"), scene.ws), "/bin/sh", "-c", fill, "sh"];
  const { code, answers, stderr } = await scene.batch(
    [
      {
        tool: "str_replace_editor",
        arguments: { command: "str_replace", path, old_str: "old", new_str: "new" },
      },
      { tool: "str_replace_editor", arguments: { command: "view", path } },
      { tool: "str_replace_editor", arguments: { command: "undo_edit", path } },
    ],
    ["--session=s"],
    { before },
  );
  assertEquals([code, stderr], [1, ""]);
  const [edit, view, undo] = answers;
  assertEquals([edit!.ok, edit!.warnings.length, view!.ok, undo!.error?.code], [true, 1, true, "not_found"]);
  assertStringIncludes(edit!.warnings[0]!, "undo_edit will not take this edit back: ");
  assertStringIncludes(edit!.warnings[0]!, "no space left on the device");
  assertEquals(scene.read("ws/a.txt"), "new\n");
});

Deno.test("a full disk under stdout is an error with a message, not a trace", async () => {
  using scene = makeScene({ "ws/a.txt": "a\n" });
  const toFull = ["/bin/sh", "-c", 'exec "$@" > /dev/full', "sh"];
  const stdin = '{"tool":"Read","arguments":{"path":"a.txt"}}\n'.repeat(50);
  const commands: [args: string[], code: number][] = [
    [["call", "Read", "path=a.txt", "--events"], 1],
    [["batch", "-"], 1],
    [["tools"], 1],
    [["call", "Raed", "--json"], 2],
  ];
  for (const [args, code] of commands) {
    const ended = await scene.run(args, { before: toFull, stdin });
    assertEquals([ended.code, ended.stdout], [code, ""], args.join(" "));
    assert(
      ended.stderr.startsWith("bulkhead: ") && ended.stderr.trim().split("\n").length === 1,
      ended.stderr,
    );
    if (code === 1) assertStringIncludes(ended.stderr, 'Cannot write "stdout": no space left on the device');
  }
});

boxTest("a full disk under -o is an error with a message, not a trace", async () => {
  using scene = makeScene({ "ws/a.txt": `${"x".repeat(8_000)}\n` });
  Deno.mkdirSync(scene.at("small"));
  const calls = Array.from({ length: 100 }, (): Call => ({ tool: "Read", arguments: { path: "a.txt" } }));
  const before = onSmallDisk(scene.at("small"), scene.ws);
  const { code, answers, stderr } = await scene.batch(calls, ["-o", "../small/out.jsonl"], { before });
  assertEquals([code, answers], [1, []]);
  assertEquals(stderr, 'bulkhead: Cannot write "../small/out.jsonl": no space left on the device\n');
});

boxTest("no program of a workspace is started in place of bubblewrap and its like", async () => {
  using scene = makeScene();
  for (const name of ["bwrap", "prlimit", "setpriv", "bash", "sh", "env", "grep"]) {
    scene.write(`ws/bin/${name}`, `#!/bin/sh\necho ${name} >> ${scene.at("started")}\nexit 1\n`);
    Deno.chmodSync(scene.at(`ws/bin/${name}`), 0o755);
  }
  const env = { PATH: `${scene.at("ws/bin")}:${Deno.env.get("PATH")}` };
  const args = ["call", "par/bash", `argv:=["true"]`, "--json"];
  const { code, stdout } = await scene.run(args, { env });
  assertEquals([code, JSON.parse(stdout).metadata.place, scene.exists("started")], [0, "sandbox", false]);
  const hidden = await scene.run([...args, "--sandbox", "off", "--allow-run=true"], { env });
  assertEquals([hidden.code, scene.exists("started")], [0, false]);
  const named = ["call", "par/bash", `argv:=["grep","x"]`, "--json", "--sandbox", "off", "--allow-run=grep"];
  await scene.run(named, { env });
  assertEquals(scene.exists("started"), false);
});
