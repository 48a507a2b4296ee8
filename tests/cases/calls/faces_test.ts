import { assertEquals, assertStringIncludes } from "@std/assert";

import { createRunner, type RunnerOptions } from "../../../runtime/mod.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { ToolResult } from "../../../schemas/result.ts";
import { boxTest } from "../../support/box.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

// What holds for the command line holds for a program that embeds it, and the other way round: both open one host.

const USER = "home/.config/bulkhead/config.json";
const json = (value: unknown) => JSON.stringify(value);

/** Runs one call. A run that cannot begin gives the error that ended it. */
type Face = (
  scene: Scene,
  tool: string,
  input: unknown,
  sandbox?: "auto",
) => Promise<Pick<ToolResult, "error" | "text">>;

const FACES: Readonly<Record<string, Face>> = {
  async "the command line"(scene, tool, input, sandbox) {
    const { stdout } = await scene.run(["call", tool, "-", "--json", `--sandbox=${sandbox ?? "off"}`], {
      stdin: json(input),
    });
    return JSON.parse(stdout);
  },
  "a program that embeds it": (scene, tool, input, sandbox) =>
    embedded(scene, tool, input, { sandbox: sandbox ?? "off" }),
};

async function embedded(
  scene: Scene,
  tool: string,
  input: unknown,
  options: Partial<RunnerOptions>,
): Promise<Pick<ToolResult, "error" | "text">> {
  const env = { ...Deno.env.toObject(), HOME: scene.at("home"), XDG_STATE_HOME: scene.at("state") };
  const cache = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`;
  try {
    await using runner = createRunner({
      workspace: scene.ws,
      env: { ...env, DENO_DIR: Deno.env.get("DENO_DIR") || `${cache}/deno` },
      sandbox: "off",
      ...options,
    });
    return await runner.call(tool, input);
  } catch (error) {
    if (error instanceof ToolError) return { error: error.toInfo(), text: "" };
    throw error;
  }
}

for (const [name, call] of Object.entries(FACES)) {
  Deno.test(`${name} obeys the user's file and the project's`, async () => {
    using scene = makeScene({
      "ws/a.txt": "a\n",
      [USER]: json({ tools: { "harness/Write": { permission: "deny" } } }),
      "ws/bulkhead.json": json({ tools: { "harness/Glob": { permission: "deny" } } }),
    });
    assertEquals((await call(scene, "Read", { path: "a.txt" })).error, null);
    for (
      const [tool, input] of [["Write", { path: "b", content: "" }], ["Glob", { pattern: "*" }]] as const
    ) {
      assertEquals((await call(scene, tool, input)).error?.code, "denied_by_policy", tool);
    }
  });

  Deno.test(`${name} takes the policy that the user's file names`, async () => {
    using scene = makeScene({
      [USER]: json({ policy: "careful", policies: { careful: { base: "read-only" } } }),
    });
    const { error } = await call(scene, "Write", { path: "b.txt", content: "b" });
    assertEquals([error?.code, scene.exists("ws/b.txt")], ["permission_denied", false]);
  });

  Deno.test(`${name} keeps the audit, and no tool writes it or the user's file`, async () => {
    using scene = makeScene({ [USER]: json({ audit: "~/../ws/audit.jsonl" }) });
    assertEquals((await call(scene, "calculator", { expression: "1 + 1" })).text, "2");
    const forged = await call(scene, "Write", { path: "audit.jsonl", content: "" });
    assertEquals(forged.error?.code, "permission_denied");
    const records = scene.read("ws/audit.jsonl").trimEnd().split("\n").map((line) => JSON.parse(line));
    assertEquals(records.map(({ tool, decision }) => [tool, decision]), [
      ["par/calculator", "allowed"],
      ["harness/Write", "refused"],
    ]);
  });

  Deno.test(`${name} runs the hooks of the user's file`, async () => {
    using scene = makeScene({ "refuse.sh": "#!/bin/sh\necho 'not today' >&2\nexit 1\n" });
    Deno.chmodSync(scene.at("refuse.sh"), 0o755);
    scene.write(USER, json({ hooks: { before: [[scene.at("refuse.sh")]] } }));
    const { error } = await call(scene, "calculator", { expression: "1 + 1" });
    assertEquals(error?.code, "denied_by_policy");
    assertStringIncludes(error?.message ?? "", "not today");
  });

  Deno.test(`${name} bounds tools as the user's file says`, async () => {
    using scene = makeScene({ [USER]: json({ tools: { "harness/Grep": { timeout_seconds: 0.2 } } }) });
    scene.write("ws/a.txt", `${"a".repeat(40)}b\n`);
    const { error } = await call(scene, "Grep", { pattern: "^(a+)+\\1$" });
    assertEquals(error?.code, "timeout");
    assertStringIncludes(error?.message ?? "", "it took longer than 200 ms");
  });

  Deno.test(`${name} follows a home that is a link`, async () => {
    using scene = makeScene({ "real/notes.txt": "mine\n" });
    scene.link("real", "home");
    const { error } = await call(scene, "Read", { path: "~/notes.txt" });
    assertEquals(error?.code, "permission_denied");
    assertStringIncludes(error?.message ?? "", scene.at("real/notes.txt"));
  });

  boxTest(`${name} hides its own state from programs`, async () => {
    using scene = makeScene({ "state/bulkhead/sessions/other/x.json": "secret\n" });
    scene.write(USER, json({}));
    const command = `cat ${scene.at("state/bulkhead/sessions/other/x.json")}; ls ${
      scene.at("state/bulkhead")
    }`;
    const { text } = await call(scene, "Bash", { command }, "auto");
    assertEquals(text.includes("secret"), false, text);
  });
}

Deno.test("a program that embeds it may read no configuration, and cannot open what the user closed", async () => {
  using scene = makeScene({
    "ws/a.txt": "a\n",
    [USER]: json({ tools: { "harness/Read": { permission: "deny" } } }),
  });
  const read = { path: "a.txt" };
  assertEquals((await embedded(scene, "Read", read, { config: false })).error, null);
  const allowed = await embedded(scene, "Read", read, { permissions: { "harness/Read": "allow" } });
  assertEquals(allowed.error?.code, "denied_by_policy");
  const named = await embedded(scene, "Read", read, { config: { file: scene.at("none.json") } });
  assertEquals(named.error?.code, "configuration");
});
