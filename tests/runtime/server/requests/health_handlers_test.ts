import { assertEquals } from "@std/assert";

import { healthHandlers } from "../../../../runtime/server/requests/health_handlers.ts";
import { OFFER } from "../../../support/server/chat_scene.ts";
import { serveHandlers } from "../../../support/server/handler_server.ts";

Deno.test("the health is told in the words of ResearchHarness", async () => {
  const offer = () => Promise.resolve(OFFER);
  await using server = serveHandlers(healthHandlers({ offer, apiRunsDir: "/runs" }));
  const response = await fetch(`${server.url}/v1/health`, { headers: { authorization: "Bearer a-token" } });
  assertEquals(await response.json(), {
    ...{ status: "ok", api_runs_dir: "/runs", input_wrapper: false, output_wrapper: false },
    ...{ max_concurrent_runs: 4, extra_tools: [], tool_names: ["Look"] },
  });
});
