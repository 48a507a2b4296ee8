import { assertEquals, assertMatch } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";

/** What a first tool does without naming what it needs, and what it gives once each advice was followed. */
const BODIES: readonly (readonly [body: string, result: string])[] = [
  ['Deno.readTextFileSync("a.txt").length', "4"],
  ['Deno.writeTextFileSync("new.txt", "x")', "null"],
  ['Deno.readTextFileSync("../other/b.txt").length', "6"],
  ['(await import("node:fs")).readFileSync("a.txt").length', "4"],
];

/** Puts the advised line into the file, and returns the advised flags. */
function follow(source: string, message: string): { source: string; flags: string[] } {
  const [, added] = /add (\w+: .*?) to defineTool in t\.ts/.exec(message) ?? [];
  const [, changed] = /; write (needs: \{.*?\})/.exec(message) ?? [];
  const next = changed
    ? source.replace(/needs: \{.*?\}/, changed)
    : added
    ? source.replace("run:", `${added}, run:`)
    : source;
  return { source: next, flags: [...message.matchAll(/pass (--\S+)/g)].map(([, flag]) => flag!) };
}

Deno.test("a tool that names no needs is told what to add in its file and which flag, and then works", async () => {
  using scene = makeScene({ "ws/a.txt": "tea\n", "other/b.txt": "milk!\n" });
  for (const [body, result] of BODIES) {
    let source = 'import { defineTool } from "bulkhead";\n' +
      `export default defineTool({ name: "t", description: "x", run: async () => ${body} });\n`;
    const flags: string[] = [];
    for (let tries = 0;; tries++) {
      Deno.writeTextFileSync(scene.at("t.ts"), source);
      const { code, stdout, stderr } = await scene.run([
        "call",
        "own/t",
        "--tools",
        scene.at("t.ts"),
        ...flags,
      ]);
      if (code === 0) {
        assertEquals(stdout, `${result}\n`, body);
        break;
      }
      assertMatch(stderr, /^t may not (?:read|write) \S+: /, body);
      const followed = follow(source, stderr);
      assertEquals(tries < 2, true, stderr);
      source = followed.source;
      flags.push(...followed.flags);
    }
  }
});

Deno.test("a tool that reaches for the network, a program or a variable is told the way of the context", async () => {
  const rows: [body: string, message: string][] = [
    [
      '(await fetch("https://a.example/")).status',
      't may not connect to a.example:443: add needs: { net: ["a.example"] } to defineTool in t.ts and ask by context.web',
    ],
    [
      '(await new Deno.Command("ls").output()).code',
      't may not start ls: add needs: { run: "granted" } to defineTool in t.ts and start it by context.programs.run(',
    ],
    [
      'Deno.env.get("HOME")',
      't may not read the variable HOME: add settings: ["HOME"] to defineTool in t.ts, read context.settings.HOME, ' +
      "and pass --allow-env=HOME\n",
    ],
  ];
  using scene = makeScene();
  for (const [body, message] of rows) {
    const source = 'import { defineTool } from "bulkhead";\n' +
      `export default defineTool({ name: "t", description: "x", run: async () => ${body} });\n`;
    Deno.writeTextFileSync(scene.at("t.ts"), source);
    const { code, stderr } = await scene.run(["call", "own/t", "--tools", scene.at("t.ts")]);
    assertEquals([code, stderr.startsWith(message)], [3, true], stderr);
  }
});
