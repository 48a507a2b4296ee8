import { assert, assertEquals } from "@std/assert";

import { createAgent, createRunner, type Model } from "../../../../../runtime/mod.ts";
import type { ModelReply } from "../../../../../schemas/agent/model.ts";
import { workspace } from "../../../../support/run_tool.ts";

/** A runner, or an agent, without the box, so that it works everywhere. */
const BASE = { sandbox: "off", config: false } as const;

/** What is kept lies in the test's own folder. */
const envOf = (ws: ReturnType<typeof workspace>) => ({
  ...Deno.env.toObject(),
  XDG_STATE_HOME: ws.at("state"),
});

const COUNTED = `
import { defineTool } from "bulkhead";

/** Counts the calls that run at once, until \`wanted\` do or the others had their turns. */
const run = (name: string, wanted: number) => async (_: unknown, { session }) => {
  const change = (by: number) => session.alone(name, async () => {
    const { now = 0, most = 0, done = 0 } = await session.get(name) ?? {};
    const next = { now: now + by, most: Math.max(most, now + by), done: done + (by < 0 ? 1 : 0) };
    await session.set(name, next);
    return next;
  });
  let seen = await change(1);
  while (seen.most < wanted) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    seen = await session.get(name);
  }
  await change(-1);
  return seen.most;
};
const base = { description: "Count.", needs: {}, parallel: true, timeout_seconds: 30 };
export default [
  defineTool({ ...base, name: "free", run: run("free", 2) }),
  defineTool({ ...base, name: "one", concurrency: 1, run: run("one", 1) }),
];
`;

Deno.test("concurrency bounds the calls of a tool of one's own, and without it they run at once", async () => {
  using ws = workspace({ "t.ts": COUNTED });
  await using runner = createRunner({ ...BASE, workspace: ws.path, env: envOf(ws), toolFiles: ["t.ts"] });
  const results = async (name: string) => {
    const calls = await Promise.all([1, 2, 3].map(() => runner.call(name, {})));
    return calls.map(({ result, error }) => error?.message ?? result);
  };
  assertEquals(await results("own/one"), [1, 1, 1]);
  assert((await results("own/free")).every((most) => Number(most) >= 2));
});

const GUARDED = `
import { defineTool } from "bulkhead";
import * as z from "zod";

const input = z.object({ path: z.string(), kind: z.string().default("plain") });
const needs = { read: "workspace" } as const;
const run = ({ path }: { path: string }) => path;
export default [
  defineTool({
    ...{ name: "peek", description: "Peek.", input, needs, run }, paths: ["path"],
    permission: { when: { path: ["src/*", "*.md"], kind: "plain" } },
  }),
];
`;

Deno.test("patterns of a tool of one's own look at what paths lead to, and all of them must match", async () => {
  using ws = workspace({ "t.ts": GUARDED, "src/a.ts": "", "notes.md": "", "secret.txt": "" });
  Deno.symlinkSync(ws.at("secret.txt"), ws.at("src/link.ts"));
  await using runner = createRunner({ ...BASE, workspace: ws.path, env: envOf(ws), toolFiles: ["t.ts"] });
  const ok = async (input: unknown) => (await runner.call("own/peek", input)).ok;
  assertEquals(
    await Promise.all([
      ...["src/a.ts", "notes.md", ws.at("src/a.ts"), "./src/../notes.md"].map((path) => ok({ path })),
      ...["secret.txt", "src/../secret.txt", "src/link.ts", "../src/x.ts"].map((path) => ok({ path })),
      ok({ path: "src/a.ts", kind: "other" }),
    ]),
    [true, true, true, true, false, false, false, false, false],
  );
});

Deno.test("a tool of one's own is told the name of the model that calls it", async () => {
  using ws = workspace({
    "t.ts": `import { defineTool } from "bulkhead";
export default defineTool({ name: "who", description: "Who.", run: (_, { modelName }) => modelName });`,
  });
  const call = { id: "1", name: "who", arguments: "{}" };
  const replies: Partial<ModelReply>[] = [{ tool_calls: [call], finish: "tool_calls" }, { content: "done" }];
  const model: Model = {
    name: "robot-1",
    complete: () =>
      Promise.resolve({ content: "", tool_calls: [], finish: "stop", usage: null, ...replies.shift() }),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
  await using agent = createAgent({
    ...{ workspace: ws.path, env: envOf(ws), config: false, toolFiles: ["t.ts"], tools: ["own/who"] },
    ...{ grants: { sandbox: "off" }, model },
  });
  const results: unknown[] = [];
  for await (const event of agent.run("Who is it?")) {
    if (event.type === "tool.end") results.push(event.result.result);
  }
  assertEquals(results, ["robot-1"]);
});
