import { assert, assertEquals } from "@std/assert";

import type { ErrorCode } from "../../../schemas/error.ts";
import { type Call, makeScene, type Scene } from "../support/scene.ts";
import { snapshot } from "../support/snapshot.ts";

const BOXES = ["auto", "off"] as const;
/** Stands in every file that no tool may read, and must never be in an answer. */
const SECRET = "hunter2-do-not-show";

/** A workspace full of ways out, beside folders that hold the secret. */
function makeTraps(): Scene {
  const scene = makeScene({
    "ws/inside.txt": "inside\n",
    "ws/sub/deep/inside.txt": "inside\n",
    "outside/secret.txt": `${SECRET}\n`,
    "outside/sub/secret.txt": `${SECRET}\n`,
    "ws-other/secret.txt": `${SECRET}\n`,
    "wsx": `${SECRET}\n`,
    "home/secret.txt": `${SECRET}\n`,
    "inside.txt": `${SECRET}\n`,
  });
  const links = {
    "file-link": "../outside/secret.txt",
    "absolute-link": scene.at("outside/secret.txt"),
    "folder-link": "../outside",
    "chain-1": "chain-2",
    "chain-2": "sub/chain-3",
    "sub/chain-3": "../folder-link",
    "up": "..",
    "dangling": "../outside/made.txt",
    "dangling-folder": "../outside/made",
    "proc-link": `/proc/self/root${scene.at("outside/secret.txt")}`,
    "cwd-link": "/proc/self/cwd",
    "fd-link": "/proc/self/fd/0",
    "loop": "loop",
  };
  for (const [name, target] of Object.entries(links)) scene.link(target, `ws/${name}`);
  return scene;
}

/** Ways to name a file outside; none is normalised before the program sees it. */
const WAYS_OUT = [
  "../outside/secret.txt",
  "sub/../../outside/secret.txt",
  "sub/deep/../../../outside/secret.txt",
  "./..//outside/./secret.txt",
  "..",
  "../",
  "<root>/outside/secret.txt",
  "<root>/ws/../outside/secret.txt",
  "<root>/outside/made.txt",
  "<root>/outside/made/made.txt",
  "../ws-other/secret.txt",
  "<root>/ws-other/secret.txt",
  "<root>/wsx",
  "file-link",
  "absolute-link",
  "folder-link",
  "folder-link/secret.txt",
  "folder-link/sub/secret.txt",
  "folder-link/made.txt",
  "folder-link/made/made.txt",
  "folder-link/../inside.txt",
  "sub/../folder-link/secret.txt",
  "chain-1/secret.txt",
  "chain-1/made.txt",
  "up/outside/secret.txt",
  "up/outside/made.txt",
  "dangling",
  "dangling-folder/made.txt",
  "proc-link",
  "cwd-link/outside/secret.txt",
  "fd-link",
  "/proc/self/root<root>/outside/secret.txt",
  "/proc/self/cwd/../outside/secret.txt",
  "/proc/self/fd/0",
  "/proc/self/environ",
  "/proc/1/environ",
  "/dev/stdin",
  "/dev/fd/0",
  "/etc/passwd",
  "/",
];

const EDITORS = ["harness/str_replace_editor", "manus/str_replace_editor"];

/** Everything that can be done with a path, by every tool that takes one. */
function everyUse(path: string, absolute: string): Call[] {
  const patch = `@@ -1 +1 @@\n-${SECRET}\n+changed\n`;
  return [
    { tool: "Read", arguments: { path } },
    { tool: "Grep", arguments: { path, pattern: "hunter" } },
    { tool: "Glob", arguments: { path, pattern: "**/*" } },
    { tool: "Write", arguments: { path, content: "changed", overwrite: true } },
    { tool: "Edit", arguments: { path, patch } },
    { tool: "par/read", arguments: { path } },
    { tool: "par/ls", arguments: { path } },
    { tool: "par/find", arguments: { path, pattern: "**" } },
    { tool: "par/grep", arguments: { path, pattern: "hunter", context_lines: 1 } },
    { tool: "par/write", arguments: { path, content: "changed", create_dirs: true } },
    { tool: "par/edit", arguments: { path, edits: [{ old: SECRET, new: "changed" }] } },
    ...EDITORS.flatMap((tool) => [
      { tool, arguments: { command: "view", path: absolute } },
      { tool, arguments: { command: "create", path: absolute, file_text: "changed" } },
      { tool, arguments: { command: "str_replace", path: absolute, old_str: SECRET, new_str: "changed" } },
      { tool, arguments: { command: "insert", path: absolute, insert_line: 0, new_str: "changed" } },
      { tool, arguments: { command: "undo_edit", path: absolute } },
    ]),
  ];
}

/** Runs the calls and says which did not end with the code, showed the secret, or changed anything. */
async function expectRefused(
  scene: Scene,
  calls: readonly Call[],
  expected: { code: ErrorCode; flags: string[] },
): Promise<void> {
  const before = snapshot(scene.root);
  const { answers, stderr } = await scene.batch(calls, expected.flags);
  assertEquals([answers.length, stderr], [calls.length, ""]);
  for (const [at, answer] of answers.entries()) {
    const said = `${JSON.stringify(calls[at])} => ${JSON.stringify(answer)}`;
    assertEquals(answer.error?.code, expected.code, said);
    assert(!said.replaceAll(JSON.stringify(calls[at]), "").includes(SECRET), said);
  }
  assertEquals(snapshot(scene.root), before);
}

for (const box of BOXES) {
  Deno.test(`no path leads out of the workspace, --sandbox=${box}`, async () => {
    using scene = makeTraps();
    const calls = WAYS_OUT.map((way) => way.replace("<root>", scene.root)).flatMap((path) =>
      everyUse(path, path.startsWith("/") ? path : `${scene.ws}/${path}`)
    );
    await expectRefused(scene, calls, { code: "permission_denied", flags: [`--sandbox=${box}`] });
  });

  Deno.test(`the home folder is outside, by ~ as well, --sandbox=${box}`, async () => {
    using scene = makeTraps();
    const calls = everyUse("~/secret.txt", "~/secret.txt").filter(({ tool }) =>
      ["Read", "Grep", "Glob", "Write", "Edit", "harness/str_replace_editor"].includes(tool)
    );
    await expectRefused(scene, calls, { code: "permission_denied", flags: [`--sandbox=${box}`] });
  });

  Deno.test(`a path with NUL is invalid input, --sandbox=${box}`, async () => {
    using scene = makeTraps();
    const paths = [
      "inside.txt\0",
      "\0",
      "inside.txt\0/../../outside/secret.txt",
      "folder-link/secret.txt\0.txt",
    ];
    const calls = paths.flatMap((path) => everyUse(path, `${scene.ws}/${path}`));
    await expectRefused(scene, calls, { code: "invalid_input", flags: [`--sandbox=${box}`] });
  });

  Deno.test(`par refuses colons and absolute paths as invalid input, --sandbox=${box}`, async () => {
    using scene = makeTraps();
    const paths = [
      `${scene.ws}/inside.txt`,
      `${scene.ws}/made.txt`,
      "C:inside.txt",
      "a:b",
      `${scene.ws}`,
      "sub:x/y",
    ];
    const calls = paths.flatMap((path) => everyUse(path, path).filter(({ tool }) => tool.startsWith("par/")));
    await expectRefused(scene, calls, { code: "invalid_input", flags: [`--sandbox=${box}`] });
  });

  Deno.test(`a search from the workspace does not follow links out of it, --sandbox=${box}`, async () => {
    using scene = makeTraps();
    const flags = [`--sandbox=${box}`];
    const searches: Call[] = [
      { tool: "Grep", arguments: { pattern: "hunter" } },
      { tool: "Grep", arguments: { pattern: "hunter", glob: "folder-link/**" } },
      { tool: "Grep", arguments: { pattern: "hunter", glob: "file-link" } },
      { tool: "Grep", arguments: { pattern: "hunter", path: "sub" } },
      { tool: "par/grep", arguments: { pattern: "hunter" } },
      { tool: "par/grep", arguments: { pattern: "hunter", glob: "folder-link/**" } },
      { tool: "Glob", arguments: { pattern: "**/secret.txt" } },
      { tool: "Glob", arguments: { pattern: "folder-link/*", include_dirs: true } },
      { tool: "Glob", arguments: { pattern: "up/outside/*" } },
      { tool: "par/find", arguments: { pattern: "secret.txt" } },
      { tool: "par/find", arguments: { pattern: "folder-link/*" } },
    ];
    const { answers } = await scene.batch(searches, flags);
    for (const [at, { ok, result, text }] of answers.entries()) {
      const found = (result as { results?: unknown[] }).results ?? result;
      assertEquals([ok, found, text.includes(SECRET)], [true, [], false], JSON.stringify(searches[at]));
    }
    const climbing = ["../**/*", "../outside/*", `${scene.root}/outside/*`, "sub/../../outside/*"];
    const tried = await scene.batch(
      climbing.map((pattern) => ({ tool: "Glob", arguments: { pattern } })),
      flags,
    );
    for (const { ok, result } of tried.answers) {
      assertEquals(ok ? (result as { results: unknown[] }).results : [], []);
    }
  });

  Deno.test(`links that stay inside are followed, --sandbox=${box}`, async () => {
    using scene = makeScene({ "ws/real/a.txt": "inside\n" });
    scene.link("real", "ws/folder");
    scene.link(scene.at("ws/real/a.txt"), "ws/file");
    scene.link("real/new.txt", "ws/dangling");
    const { answers } = await scene.batch([
      { tool: "par/read", arguments: { path: "folder/a.txt" } },
      { tool: "par/read", arguments: { path: "file" } },
      { tool: "par/write", arguments: { path: "dangling", content: "new" } },
      { tool: "par/write", arguments: { path: "file", content: "changed\n" } },
    ], [`--sandbox=${box}`]);
    assertEquals(answers.map(({ error }) => error), [null, null, null, null]);
    assertEquals([scene.read("ws/real/new.txt"), scene.read("ws/real/a.txt")], ["new", "changed\n"]);
    assert(
      Deno.lstatSync(scene.at("ws/file")).isSymlink && Deno.lstatSync(scene.at("ws/dangling")).isSymlink,
    );
  });

  Deno.test(`a link that leads in a circle is an error, not a hang, --sandbox=${box}`, async () => {
    using scene = makeTraps();
    scene.link("b", "ws/a");
    scene.link("a", "ws/b");
    const calls = ["loop", "a", "a/x", "loop/x"].flatMap((path) => everyUse(path, `${scene.ws}/${path}`));
    await expectRefused(scene, calls, { code: "invalid_input", flags: [`--sandbox=${box}`] });
  });
}
