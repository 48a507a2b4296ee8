import { assert, assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

/** A call that is refused with a hint, which makes it succeed when it is followed. `ROOT` stands for the scene's root. */
type Hinted = readonly [
  name: string,
  tool: string,
  input: Record<string, unknown>,
  hint: string,
  flags?: readonly string[],
];

const HINTS: readonly Hinted[] = [
  [
    "a file to read with odd characters",
    "Read",
    { path: "../other/it's a, b $c.txt" },
    `'--allow-read=ROOT/other/it'\\''s a,, b $c.txt'`,
  ],
  [
    "a file to write in folders that are not there",
    "Write",
    { path: "../new/a/b.txt", content: "x" },
    "--allow-write=ROOT/new/a/b.txt",
  ],
  ["a file to change", "Edit", {
    path: "../other/a.txt",
    patch: "@@ -1 +1 @@\n-a\n+b\n",
  }, "--allow-read=ROOT/other/a.txt --allow-write=ROOT/other/a.txt"],
  ["a secret", "Read", { path: ".env" }, "--allow-secrets=ROOT/ws/.env"],
  [
    "a protected file that is a secret",
    "Write",
    { path: ".envrc", content: "x" },
    "--allow-write=ROOT/ws/.envrc --allow-secrets=ROOT/ws/.envrc",
  ],
  [
    "any writing under a read-only policy",
    "Write",
    { path: "new.txt", content: "x" },
    "--allow-write=ROOT/ws",
    ["--policy=read-only"],
  ],
  ["a shell without a sandbox", "Bash", { command: "true" }, "--allow-run=bash", ["--sandbox=off"]],
  [
    "a program without a sandbox under a read-only policy",
    "par/bash",
    { argv: ["ls"] },
    "--policy=coder --allow-run=ls",
    ["--sandbox=off", "--policy=read-only"],
  ],
  [
    "a program of the workspace without a sandbox",
    "par/bash",
    { argv: ["./say hi"] },
    "'--allow-run=ROOT/ws/say hi'",
    ["--sandbox=off"],
  ],
  ["a role", "Glob", { pattern: "*" }, "--role=finder"],
];
/** Those of programs in a sandbox. */
const BOXED: readonly Hinted[] = [
  ["a command that writes under a read-only policy", "Bash", { command: "touch made" }, "--policy=coder", [
    "--policy=read-only",
  ]],
  ["a program outside the sandbox", "par/bash", {
    argv: ["ROOT/other tools/bin/say"],
  }, "'--sandbox-show=ROOT/other tools'"],
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

for (const given of [...HINTS, ...BOXED]) {
  (BOXED.includes(given) ? boxTest : Deno.test)(`a hint, followed, works: ${given[0]}`, async () => {
    using place = scene();
    const [, tool, input, hint, flags = []] = JSON.parse(
      JSON.stringify(given).replaceAll("ROOT", place.root),
    ) as Hinted;
    const refused = await place.call(tool, input, flags);
    const told = refused.error?.message ?? "";
    assertEquals([refused.ok, hintOf(told)], [false, hint]);
    // What the model sees has the same hint.
    assert(refused.text.includes(hint), refused.text);
    const words = wordsOf(hint);
    // An option that takes one value is changed, not given twice.
    const kept = flags.filter((flag) => !flag.startsWith("--policy") || !words.join().includes("--policy"));
    const followed = await place.call(tool, input, [...kept, ...words]);
    assertEquals(followed.error, null, followed.text);
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

/** A command of which a part is kept from something; what it prints once the hint was followed. `PORT` is a server here. */
const PARTS: readonly (readonly [name: string, script: string, prints: string])[] = [
  ["a secret", "cat .env; true", "A=1"],
  ["a protected file", "git init -q .; git config a.b set; git config a.b | cat", "set"],
  ["a file outside", "cat ROOT/other/a.txt | tail -1", "a"],
  ["a program of the home", "mytool 2>&1 | tail -1", "mine"],
  ["a server of this machine, by its address", "curl -sS http://127.0.0.1:PORT/ 2>&1 | tail -1", "served"],
  [
    "a server of this machine, by its name",
    "curl -s http://localhost:PORT/ || echo curl: Connection refused",
    "served",
  ],
];

/** What is said of a command that was kept from something: flags behind "pass" in warnings. */
function flagsIn(warnings: string): string[] {
  const found = [...warnings.matchAll(/\bpass ((?:-|'-).*?)(?= to |; |\n|$)/g)].map(([, flags]) => flags!);
  return found.flatMap(wordsOf);
}

for (const face of ["call", "batch", "exec"] as const) {
  boxTest(`hints of commands that end with 0 lead to success: ${face}`, async () => {
    using place = scene();
    Deno.mkdirSync(place.at("home/.x/bin"), { recursive: true });
    Deno.writeTextFileSync(place.at("home/.x/bin/mytool"), "#!/bin/sh\necho mine\n", { mode: 0o755 });
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () => new Response("served\n"),
    );
    const env = { PATH: `${place.at("home/.x/bin")}:${Deno.env.get("PATH")}` };
    for (const [name, given, prints] of PARTS) {
      const script = given.replaceAll("ROOT", place.root).replaceAll("PORT", `${server.addr.port}`);
      const run = async (flags: readonly string[]) => {
        if (face === "exec") return await place.run(["exec", ...flags, "--", "sh", "-c", script], { env });
        const call = ["call", "Bash", `command=${script}`, ...flags];
        if (face === "call") return await place.run(call, { env });
        const line = JSON.stringify({ tool: "Bash", arguments: { command: script } });
        return await place.run(["batch", "-", ...flags], { env, stdin: `${line}\n` });
      };
      const first = await run([]);
      const flags = flagsIn(face === "batch" ? JSON.parse(first.stdout).warnings.join("\n") : first.stderr);
      // The output of exec goes to the person alone: bulkhead does not see it.
      if (face === "exec" && flags.length === 0) continue;
      assert(flags.length > 0, `${name}: ${first.stderr}${first.stdout}`);
      const followed = await run(flags);
      const isPrinted = face === "exec" || followed.stdout.includes(prints);
      assertEquals([isPrinted, flagsIn(followed.stderr)], [true, []], `${name} ${flags}: ${followed.stdout}`);
    }
    await server.shutdown();
  });
}
