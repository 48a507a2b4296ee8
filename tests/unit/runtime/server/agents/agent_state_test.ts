import { assertEquals } from "@std/assert";

import manifest from "../../../../../tools/manifest.json" with { type: "json" };
import type { Manifest } from "../../../../../schemas/manifest.ts";
import { StepCounter, stepTools } from "../../../../../runtime/server/agents/agent_state.ts";
import { ended, turn } from "../../../../support/server/played_runs.ts";

Deno.test("the tools that search and reason are those that the manifest marks", () => {
  const { search, reason } = stepTools(manifest as unknown as Manifest);
  assertEquals([search.size, reason.size], [1, 1]);
});

Deno.test("answers to questions are counted, at once and by a run that goes on", () => {
  const counter = new StepCounter({ search: new Set(), reason: new Set() });
  const start = {
    ...{ type: "run.start", run_id: "1", command: "serve", workspace: "/work" },
    grants: { policy: "coder", allow: {}, deny: {} },
  } as unknown as Parameters<StepCounter["hear"]>[0];
  for (
    const event of [
      start,
      turn(1),
      ended("Which?", "waiting_for_clarification"),
      start,
      turn(2),
      ended("4"),
      start,
    ]
  ) {
    counter.hear(event);
  }
  assertEquals([counter.counts.iteration, counter.counts.clarifications_used], [2, 1]);
  counter.hear({ type: "question.end", id: "1", answer: null });
  counter.hear({ type: "question.end", id: "2", answer: "May." });
  assertEquals(counter.counts.clarifications_used, 2);
});
