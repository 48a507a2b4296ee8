import { assertEquals, assertRejects } from "@std/assert";

import {
  type AgentOptions,
  createAgent,
  type Model,
  type OwnPolicy,
  type RunEvent,
  ToolError,
} from "../../../../runtime/mod.ts";

import { readTrace } from "../../../../runtime/state/sessions/trace_file.ts";
import { agentEnv, ownModel } from "../../../support/own_model.ts";
import { refusalOf } from "../../../support/refusal.ts";
import { type Workspace, workspace } from "../../../support/run_tool.ts";

/** A model that writes files each time it is asked. */
function writer(paths: readonly string[]): Model {
  return ownModel(({ messages }, n) => {
    if (messages.at(-1)?.role === "tool") return { content: "Done." };
    const input = (path: string) => JSON.stringify({ path, content: "x", overwrite: true });
    const write = (path: string, at: number) => (
      { id: `c${n}-${at}`, name: "Write", arguments: input(path) }
    );
    return { tool_calls: paths.map(write), finish: "tool_calls" };
  });
}

/** Runs an agent that writes below the workspace and below two other folders. */
async function attempt(
  ws: Workspace,
  { resume, ...options }: Partial<AgentOptions> & { resume?: string | true } = {},
) {
  const model = writer(["a.txt", ws.at("out/b.txt"), ws.at("more/c.txt")]);
  await using agent = createAgent({
    ...{ workspace: ws.at("ws"), env: agentEnv(ws), model, project: false, ...options },
    // Rooms in this process: those of a sandbox are processes, which end a moment after the run.
    grants: { sandbox: "off", ...options.grants },
  });
  const events: RunEvent[] = [];
  const run = agent.run("Write", resume === undefined ? { sessionId: "s1" } : { resume });
  for await (const event of run) events.push(event);
  await run;
  const start = events.find(({ type }) => type === "run.start");
  const ok = events.flatMap((event) => event.type === "tool.end" ? [event.result.ok] : []);
  const warnings = events.flatMap((event) =>
    event.type === "warning" && event.message.startsWith("Session ") ? [event.message] : []
  );
  const widened = start?.type === "run.start" ? start.widened ?? [] : null;
  const policy = start?.type === "run.start" ? start.grants.policy : null;
  return { ok, widened, policy, warnings };
}

const scene = () => workspace({ "ws/.keep": "", "out/.keep": "", "more/.keep": "" });

Deno.test("a resumed session keeps its policy and permissions, and widens only by what is named", async () => {
  using ws = scene();
  const path = ws.at("state/bulkhead/sessions/s1/trace.jsonl");
  const allow = { write: [ws.at("out")] };
  const allowSecrets = [ws.at("ws/.env")];
  const begun = await attempt(ws, { grants: { policy: "read-only", allow, allowSecrets } });
  assertEquals([begun.ok, begun.policy, begun.widened], [[false, true, false], "read-only", []]);
  const kept = await attempt(ws, { resume: "s1" });
  assertEquals([kept.ok, kept.policy], [[false, true, false], "read-only"]);
  assertEquals([kept.widened, kept.warnings], [[], []]);
  const more = await attempt(ws, { resume: true, grants: { allow: { write: [ws.at("more")] } } });
  assertEquals([more.ok, more.policy], [[false, true, true], "read-only"]);
  assertEquals(more.widened, [`--allow-write=${ws.at("more")}`]);
  const wider = await attempt(ws, { resume: true, grants: { policy: "coder" } });
  assertEquals([wider.ok, wider.policy, wider.widened], [[true, true, true], "coder", ["--policy=coder"]]);
  const narrow = await attempt(ws, { resume: true, grants: { policy: "read-only-no-net" } });
  assertEquals([narrow.ok, narrow.widened], [[false, true, true], []]);
  const runs = (await readTrace(path)).flatMap((line) => line.t === "run" ? [line] : []);
  const widened = [[], [], [`--allow-write=${ws.at("more")}`], ["--policy=coder"], []];
  assertEquals(runs.map(({ widened }) => widened ?? []), widened);
  assertEquals(runs[1]?.settings?.flags, [
    `--allow-write=${ws.at("out")}`,
    `--allow-secrets=${ws.at("ws/.env")}`,
    "--sandbox=off",
  ]);
});

Deno.test("a resumed session keeps its tools, its role and its configuration", async () => {
  using ws = scene();
  const config = ws.at("config.json");
  const roles = { "harness/Write": { permission: { roles: ["writer"] } } };
  Deno.writeTextFileSync(config, JSON.stringify({ tools: roles, policy: "read-only" }));
  const grants = { allow: { write: [ws.at("out")] } };
  const begun = await attempt(ws, { config: { file: config }, role: "writer", tools: ["Write"], grants });
  assertEquals(begun.ok, [false, true, false]);
  // The configuration was in force without being named by the policy of the run.
  const permissions = { allow: { write: [ws.at("more")] } };
  Deno.writeTextFileSync(config, JSON.stringify({ tools: roles, policy: "coder", permissions }));
  const kept = await attempt(ws, { resume: true });
  assertEquals([kept.ok, kept.policy, kept.widened], [[false, true, false], "read-only", []]);
  const other = await attempt(ws, { resume: true, role: "guest", extraTools: ["calculator"] });
  assertEquals(other.ok, [false, false, false]);
  assertEquals(other.widened, ["--role=guest", "--extra-tool=calculator"]);
  // What is named again was there before.
  for (const same of [{ extraTools: ["calculator"] }, { tools: ["Write", "calculator"] }]) {
    const again = await attempt(ws, { resume: true, role: "guest", config: { file: config }, ...same });
    assertEquals([again.ok, again.widened], [[false, false, false], []]);
  }
  const path = ws.at("state/bulkhead/sessions/s1/trace.jsonl");
  const runs = (await readTrace(path)).flatMap((line) => line.t === "run" ? [line] : []);
  const both = ["Write", "calculator"];
  assertEquals(runs.map(({ tools }) => tools), [["Write"], ["Write"], both, both, both]);
});

Deno.test("a session of an earlier version goes on without its flags, and says so", async () => {
  using ws = scene();
  const path = ws.at("state/bulkhead/sessions/s1/trace.jsonl");
  for (const [policy, expected] of [["coder", "coder"], ["mine", "read-only-no-net"]]) {
    await Deno.remove(ws.at("state"), { recursive: true }).catch(() => {});
    await attempt(ws, { grants: { policy: "read-only", allow: { write: [ws.at("out")] } } });
    const lines = Deno.readTextFileSync(path).split("\n").map((line) => {
      if (!line.includes('"t":"run"')) return line;
      const { settings: _, ...rest } = JSON.parse(line);
      return JSON.stringify({ ...rest, policy });
    });
    Deno.writeTextFileSync(path, lines.join("\n"));
    const kept = await attempt(ws, { resume: true });
    assertEquals([kept.policy, kept.ok], [expected, [expected === "coder", false, false]]);
    assertEquals(kept.warnings, [
      "Session s1 was begun by an earlier version, which did not keep its permissions: it goes on under policy " +
      `${expected} without further ones; name again what it needs`,
    ]);
  }
});

Deno.test("a session whose policy has a filter goes on only with a policy that is given", async () => {
  using ws = scene();
  const filtered: OwnPolicy = { name: "careful", base: "coder", filter: () => undefined };
  await attempt(ws, { grants: { policy: filtered } });
  const error = await refusalOf(() => attempt(ws, { resume: "s1" }));
  const told = 'Cannot go on with session s1: its policy "careful" has a filter, a function of the program ' +
    "that began it; give the policy again as grants.policy, or name another one (--policy=NAME)";
  assertEquals([error?.code, error?.message], ["configuration", told]);
  const again = await attempt(ws, { resume: "s1", grants: { policy: filtered } });
  assertEquals(again.widened, []);
  // It is kept as a need, however often the session goes on.
  await assertRejects(() => attempt(ws, { resume: true }), ToolError, "has a filter");
  const other = await attempt(ws, { resume: "s1", grants: { policy: "coder" } });
  assertEquals(other.widened, ["--policy=coder"]);
  assertEquals((await attempt(ws, { resume: "s1" })).widened, []);
});
