import { assertEquals } from "@std/assert";

import { healthHandlers } from "../../../../../runtime/server/requests/health_handlers.ts";
import { OFFER } from "../../../../support/server/chat_scene.ts";
import { serveHandlers } from "../../../../support/server/serve_handlers.ts";

Deno.test("the health is told in the words of ResearchHarness", async () => {
  const offer = () => Promise.resolve(OFFER);
  await using server = await serveHandlers(healthHandlers({ offer, apiRunsDir: "/runs" }));
  const response = await server.fetch("/v1/health");
  assertEquals(await response.json(), {
    ...{ status: "ok", api_runs_dir: "/runs", input_wrapper: false, output_wrapper: false },
    ...{ max_concurrent_runs: 4, extra_tools: [], tool_names: ["Look"] },
  });
});
