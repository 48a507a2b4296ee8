import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import type { RunEvent } from "../../../schemas/agent/events.ts";
import { programTest } from "../../support/needed_programs.ts";
import { atTerminal } from "../../support/cli/at_terminal.ts";
import { makeScene, parseLines, type Scene } from "../../support/cli/scene.ts";

const CONFIG = "home/.config/bulkhead/config.json";

/** A scene whose user has a configuration. */
function configured(config: unknown): Scene {
  return makeScene({ "ws/a.txt": "hello\n", "ws/b.md": "note\n", [CONFIG]: JSON.stringify(config) });
}

Deno.test("a tool that the user denies is refused, and explain says so before", async () => {
  using scene = configured({ tools: { "harness/Read": { permission: "deny" } } });
  const { code, error, text, metadata } = await scene.call("Read", { path: "a.txt" });
  const message =
    'harness/Read is refused: its permission is "deny"; the user can change it under "tools" in the configuration';
  assertEquals([code, error?.code, error?.message, text], [
    3,
    "denied_by_policy",
    message,
    `[Read] ${message}`,
  ]);
  assertEquals(metadata.place, "none");
  const explained = await scene.run(["explain", "Read", "path=a.txt"]);
  assertEquals(explained.code, 3);
  assert(explained.stdout.includes(message), explained.stdout);
  assertEquals((await scene.call("par/read", { path: "a.txt" })).code, 0);
});

Deno.test("roles and conditions decide by who calls and with what", async () => {
  using scene = configured({
    tools: {
      "harness/Glob": { permission: { roles: ["finder"] } },
      "harness/Read": { permission: { when: { path: ["*.md", "docs/*"], start_line: "1" } } },
    },
  });
  const calls: readonly (readonly [tool: string, input: unknown, flags: string[], code: number])[] = [
    ["Glob", { pattern: "*" }, ["--role=finder"], 0],
    ["Glob", { pattern: "*" }, ["--role=other"], 3],
    ["Glob", { pattern: "*" }, [], 3],
    ["Read", { path: "b.md", start_line: 1 }, [], 0],
    ["Read", { path: "a.txt", start_line: 1 }, [], 3],
    ["Read", { path: "b.md", start_line: 2 }, [], 3],
    // The condition sees what the tool would get: a number from a string, an argument by another spelling.
    ["Read", { path: "b.md", startLine: "1" }, [], 0],
    ["Read", { Path: "a.txt", startLine: "1" }, [], 3],
  ];
  for (const [tool, input, flags, code] of calls) {
    const result = await scene.call(tool, input, flags);
    assertEquals(
      [result.code, result.ok],
      [code, code === 0],
      `${JSON.stringify(input)} ${flags}: ${result.text}`,
    );
  }
});

Deno.test("without a terminal nobody is asked", async () => {
  using scene = configured({ tools: { "harness/Read": { permission: "confirm" } } });
  const { code, error } = await scene.call("Read", { path: "a.txt" });
  assertEquals([code, error?.code], [3, "denied_by_policy"]);
  assertEquals(
    error?.message,
    'harness/Read needs a person\'s consent (its permission is "confirm"), and no person can be asked: ' +
      'the user can set "permission": "allow" for it under "tools" in the configuration',
  );
  const { stdout } = await scene.run(["call", "Read", "path=a.txt", "--events"]);
  const [event] = (parseLines(stdout) as RunEvent[]).filter(({ type }) => type === "permission");
  assertEquals(event, { v: 1, type: "permission", id: 1, decision: "refused", rule: "permission" } as never);
});

programTest("a person at a terminal is asked, and only a yes lets the call run", ["script"], async () => {
  using scene = configured({ tools: { "harness/Read": { permission: "confirm" } } });
  const answers: readonly (readonly [typed: string, ci: string, code: number])[] = [
    ["y\n", "", 0],
    ["Yes\n", "", 0],
    ["n\n\n", "", 3],
    ["n, not now\n", "", 3],
    ["\n", "", 3],
    ["yellow\n", "", 3],
    ["y\n", "1", 3],
  ];
  for (const [typed, ci, code] of answers) {
    const ended = await atTerminal(scene, ["call", "Read", "path=a.txt"], { typed, ci });
    assertEquals(ended.code, code, `${JSON.stringify(typed)} ${ci}: ${ended.screen}`);
    const asked = ended.screen.includes(
      'harness/Read needs your consent: its permission is "confirm"\r\n  read  a.txt\r\n  with  {"path":"a.txt"}\r\n' +
        "Allow it? [y]es, [a]lways in this run (harness/Read), [n]o, [e]xplain: ",
    );
    assertEquals(asked, ci === "", ended.screen);
  }
  const ahead = { typed: "\n", ahead: "y\ny\ny", ci: "" };
  assertEquals((await atTerminal(scene, ["call", "Read", "path=a.txt"], ahead)).code, 3);
  const { screen } = await atTerminal(scene, ["call", "Read", "path=a.txt", "--events"], {
    typed: "y\n",
    ci: "",
  });
  assert(screen.includes('{"v":1,"type":"permission","id":1,"decision":"confirmed"}'), screen);
});

programTest("who types the input of a batch is not asked", ["script"], async () => {
  using scene = configured({ tools: { "harness/Read": { permission: "confirm" } } });
  const ahead = '{"tool":"Read","arguments":{"path":"a.txt"}}\ny\n\x04';
  const { code, screen } = await atTerminal(scene, ["batch", "-"], { typed: "", ahead, ci: "" });
  assertEquals(code, 3, screen);
  assert(screen.includes("no person can be asked"), screen);
});

Deno.test("explain says that tools use the screen of the user, where they are let", async () => {
  using scene = makeScene();
  const line = "display  your own screen";
  for (const words of [["explain"], ["explain", "manus/computer_use", "action=screenshot"]]) {
    assertStringIncludes((await scene.run([...words, "--display"])).stdout, line);
    assertEquals((await scene.run(words)).stdout.includes(line), false);
  }
  const json = await scene.run(["explain", "--display", "--json"]);
  assertEquals(JSON.parse(json.stdout).own_display, true);
});
