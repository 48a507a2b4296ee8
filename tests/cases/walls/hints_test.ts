import { assert, assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

/** A call that is refused with a hint. Following the hint makes it succeed. */
interface Hinted {
  name: string;
  tool: string;
  input: (scene: Scene) => unknown;
  flags?: (scene: Scene) => string[];
  /** The hint, with the scene's root as `ROOT`. */
  hint: string;
  /** The error after the hint was followed, for a call that fails for another reason. @default it succeeds */
  then?: string;
  /** Only in a sandbox. */
  boxed?: true;
}

const HINTS: readonly Hinted[] = [
  {
    name: "a file to read",
    tool: "Read",
    input: () => ({ path: "../other/a.txt" }),
    hint: "--allow-read=ROOT/other/a.txt",
  },
  {
    name: "a file to read with odd characters",
    tool: "Read",
    input: () => ({ path: "../other/it's a, b $c.txt" }),
    hint: `'--allow-read=ROOT/other/it'\\''s a,, b $c.txt'`,
  },
  {
    name: "a file that is not there",
    tool: "Read",
    input: () => ({ path: "../other/none.txt" }),
    hint: "--allow-read=ROOT/other/none.txt",
    then: "not_found",
  },
  {
    name: "a file to write beside another granted folder",
    tool: "Write",
    input: () => ({ path: "../new/a.txt", content: "x" }),
    flags: () => ["--allow-write=../other"],
    hint: "--allow-write=ROOT/new/a.txt",
  },
  {
    name: "a file to write in folders that are not there",
    tool: "Write",
    input: () => ({ path: "../new/deep/er/a.txt", content: "x" }),
    hint: "--allow-write=ROOT/new/deep/er/a.txt",
  },
  {
    name: "the same without a sandbox",
    tool: "par/write",
    input: () => ({ path: "../new/deep/er/a.txt", content: "x", create_dirs: true }),
    flags: () => ["--sandbox=off"],
    hint: "--allow-write=ROOT/new/deep/er/a.txt",
  },
  {
    name: "a file to change",
    tool: "Edit",
    input: () => ({ path: "../other/a.txt", patch: "@@ -1 +1 @@\n-a\n+b\n" }),
    hint: "--allow-read=ROOT/other/a.txt --allow-write=ROOT/other/a.txt",
  },
  {
    name: "a secret",
    tool: "Read",
    input: () => ({ path: ".env" }),
    hint: "--allow-secrets=ROOT/ws/.env",
  },
  {
    name: "a secret outside",
    tool: "par/read",
    input: () => ({ path: "../other/.env" }),
    hint: "--allow-read=ROOT/other/.env --allow-secrets=ROOT/other/.env",
  },
  {
    name: "a protected file",
    tool: "Write",
    input: () => ({ path: ".git/hooks/pre-push", content: "x" }),
    hint: "--allow-write=ROOT/ws/.git/hooks/pre-push",
  },
  {
    name: "a protected file that is a secret",
    tool: "Write",
    input: () => ({ path: ".envrc", content: "x" }),
    hint: "--allow-write=ROOT/ws/.envrc --allow-secrets=ROOT/ws/.envrc",
  },
  {
    name: "any writing under a read-only policy",
    tool: "Write",
    input: () => ({ path: "new.txt", content: "x" }),
    flags: () => ["--policy=read-only"],
    hint: "--allow-write=ROOT/ws",
  },
  {
    name: "a shell without a sandbox",
    tool: "Bash",
    input: () => ({ command: "true" }),
    flags: () => ["--sandbox=off"],
    hint: "--allow-run=bash",
  },
  {
    name: "a program without a sandbox under a read-only policy",
    tool: "par/bash",
    input: () => ({ argv: ["ls"] }),
    flags: () => ["--sandbox=off", "--policy=read-only"],
    hint: "--policy=coder --allow-run=ls",
  },
  {
    name: "a program of the workspace without a sandbox",
    tool: "par/bash",
    input: () => ({ argv: ["./say hi"] }),
    flags: () => ["--sandbox=off"],
    hint: "'--allow-run=ROOT/ws/say hi'",
  },
  {
    name: "a folder for a command",
    tool: "Bash",
    input: (scene) => ({ command: "pwd", workdir: scene.at("other") }),
    flags: () => ["--sandbox=off", "--allow-run=bash"],
    hint: "--allow-read=ROOT/other",
  },
  {
    name: "a command that writes under a read-only policy",
    tool: "Bash",
    input: () => ({ command: "touch made" }),
    flags: () => ["--policy=read-only"],
    hint: "--policy=coder",
    boxed: true,
  },
  {
    name: "a program outside the sandbox",
    tool: "par/bash",
    input: (scene) => ({ argv: [scene.at("other tools/bin/say")] }),
    hint: "'--sandbox-show=ROOT/other tools'",
    boxed: true,
  },
  {
    name: "a role",
    tool: "Glob",
    input: () => ({ pattern: "*" }),
    hint: "--role=finder",
  },
];

/** The flags between "pass" and what they are for, as a person copies them. */
function hintOf(text: string): string {
  return /\bpass (-.*?|'-.*?') (?:to|if) /.exec(text)?.[1] ?? `no hint in: ${text}`;
}

/** What a shell makes of a text. */
function wordsOf(text: string): string[] {
  const { stdout } = new Deno.Command("bash", { args: ["-c", `printf '%s\\0' ${text}`] }).outputSync();
  return new TextDecoder().decode(stdout).split("\0").slice(0, -1);
}

function scene(): Scene {
  const made = makeScene({
    "ws/.env": "A=1\n",
    "ws/say hi": "#!/bin/sh\necho hi\n",
    "other/a.txt": "a\n",
    "other/it's a, b $c.txt": "odd\n",
    "other/.env": "B=2\n",
    "other tools/bin/say": "#!/bin/sh\necho said\n",
    "home/.config/bulkhead/config.json": '{"tools":{"harness/Glob":{"permission":{"roles":["finder"]}}}}',
  });
  for (const name of ["ws/say hi", "other tools/bin/say"]) Deno.chmodSync(made.at(name), 0o755);
  Deno.mkdirSync(made.at("new"));
  return made;
}

for (const { name, tool, input, flags = () => [], hint, then = null, boxed } of HINTS) {
  (boxed ? boxTest : Deno.test)(`a hint, followed, works: ${name}`, async () => {
    using place = scene();
    const refused = await place.call(tool, input(place), flags(place));
    const told = refused.error?.message ?? "";
    assertEquals([refused.ok, hintOf(told)], [false, hint.replaceAll("ROOT", place.root)]);
    // What the model sees has the same hint.
    assert(refused.text.includes(hintOf(told)), refused.text);
    const words = wordsOf(hintOf(told));
    // An option that takes one value is changed, not given twice.
    const kept = flags(place).filter((flag) =>
      !flag.startsWith("--policy") || !words.join().includes("--policy")
    );
    const followed = await place.call(tool, input(place), [...kept, ...words]);
    assertEquals(followed.error?.code ?? null, then, `${followed.text}`);
  });
}

boxTest("a hint, followed, works: what was moved aside stays", async () => {
  using place = makeScene({});
  const input = { command: "mkdir -p .vscode && echo x > .vscode/tasks.json" };
  const { warnings } = await place.call("Bash", input);
  const hint = hintOf(warnings.join("\n"));
  assertEquals([hint, place.exists("ws/.vscode")], [`--allow-write=${place.ws}/.vscode`, false]);
  const followed = await place.call("Bash", input, wordsOf(hint));
  assertEquals([followed.warnings, place.exists("ws/.vscode/tasks.json")], [[], true]);
});

Deno.test("what the configuration refuses is allowed where the message says", async () => {
  const config = (permission: unknown) => JSON.stringify({ tools: { "harness/Glob": { permission } } });
  const user = "home/.config/bulkhead/config.json";
  for (const permission of ["deny", "confirm"]) {
    using place = makeScene({ [user]: config(permission) });
    const { code, text } = await place.call("Glob", { pattern: "*" });
    assertEquals(code, 3);
    assert(text.includes('under "tools" in the configuration'), text);
    place.write(user, config("allow"));
    assertEquals((await place.call("Glob", { pattern: "*" })).code, 0, permission);
  }
});
