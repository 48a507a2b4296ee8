import { assertEquals } from "@std/assert";

import { KnownRuns } from "../../../../../runtime/server/runs/known_runs.ts";
import type { KeptRequest } from "../../../../../runtime/server/runs/settings/kept_request.ts";
import { tracePath } from "../../../../../runtime/state/sessions/session_folder.ts";
import { openTrace } from "../../../../../runtime/state/sessions/trace_file.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { endLine, runLine, taskLine } from "../../../../support/trace_scene.ts";

const SESSIONS = 1_000;

Deno.test("a list of 1,000 sessions is searched and paged, and does not read again what has not changed", async () => {
  using ws = workspace({ "ws/a.txt": "" });
  const state = ws.at("state");
  for (let n = 0; n < SESSIONS; n++) {
    const folder = `${state}/sessions/s${String(n).padStart(4, "0")}`;
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const workspace = n % 2 === 0 ? ws.at("ws") : "/elsewhere";
    const run = {
      t: "run",
      v: 1,
      run_id: `r${n}`,
      session_id: "",
      time: "2026-01-01T00:00:00.000Z",
      version: "1",
    };
    const rest = { model: "m", workspace, policy: "coder", tools: [], resumed: false };
    const content = [{ type: "text", text: `task number ${n}` }];
    const message = { t: "message", message: { role: "user", kind: "task", content } };
    Deno.writeTextFileSync(
      `${folder}/trace.jsonl`,
      `${JSON.stringify({ ...run, ...rest })}\n${JSON.stringify(message)}\n`,
    );
  }
  const known = new KnownRuns(state, [ws.at("ws")]);
  const found: string[] = [];
  let before: string | undefined;
  let pages = 0;
  do {
    const query = { limit: 200, ...(before !== undefined && { before }) };
    const { runs, next } = await known.list(query, new Map());
    found.push(...runs.map(({ id }) => id));
    before = next ?? undefined;
    pages++;
  } while (before !== undefined);
  assertEquals([pages, found.length, new Set(found).size], [3, SESSIONS / 2, SESSIONS / 2]);
  const { runs } = await known.list({ search: "NUMBER 998" }, new Map());
  assertEquals(runs.map(({ id, state, task }) => [id, state, task]), [[
    "s0998",
    "interrupted",
    "task number 998",
  ]]);
  // Whoever reads this trace again finds no session in it.
  const path = `${state}/sessions/s0998/trace.jsonl`;
  const { size, mtime } = Deno.statSync(path);
  Deno.writeTextFileSync(path, "x".repeat(size));
  Deno.utimeSync(path, mtime!, mtime!);
  assertEquals((await known.list({ search: "number 998" }, new Map())).runs, runs);
  assertEquals(known.find("s0001"), null);
  const stands = async () => (await known.info(known.find("s0002")!, null)).state;
  assertEquals(await stands(), "interrupted");
  {
    // Whoever is at work on a session has its trace.
    using _held = await openTrace(tracePath(state, "s0002"), { redact: (text) => text });
    assertEquals(await stands(), "running");
  }
  // Deno 2.6 gets the lock, for which it waited meanwhile, some time later.
  for (let look = 0; look < 200 && await stands() === "running"; look++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assertEquals(await stands(), "interrupted");
});

Deno.test("a run that was interrupted before the model was asked says so, and no outcome of an earlier request", async () => {
  using ws = workspace({ "ws/a.txt": "" });
  const state = ws.at("state");
  const folder = `${state}/sessions/s1`;
  Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
  const request: KeptRequest = {
    ...{ v: 1, time: "2026-01-01T00:00:00.000Z", workspace: ws.at("ws"), task: "wait", client: "c" },
    ...{ choice: {}, said: { prompt: "wait", before: null, images: [] }, failure: null },
  };
  Deno.writeTextFileSync(`${folder}/served.json`, JSON.stringify(request));
  for (const [ended, told] of [["interrupted", "interrupted"], ["completed", null]] as const) {
    const lines = [
      runLine({ workspace: ws.at("ws") }),
      taskLine("wait"),
      endLine({ termination_reason: ended }),
    ];
    Deno.writeTextFileSync(tracePath(state, "s1"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const known = new KnownRuns(state, [ws.at("ws")]);
    const { state: stands, termination_reason } = await known.info(known.find("s1")!, null);
    assertEquals([stands, termination_reason], ["interrupted", told]);
  }
});
