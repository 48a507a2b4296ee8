import { assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";

import { requestFolders } from "../../../../../runtime/server/requests/request_folders.ts";
import { chatScene } from "../../../../support/server/chat_scene.ts";
import { PlayedRuns, spoken } from "../../../../support/server/played_runs.ts";

Deno.test("each request gets a folder with a workspace of its own, and a trace", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const runs = new PlayedRuns({ events: spoken("Four.") }, { events: spoken("Five.") });
    const warnings: string[] = [];
    const now = () => new Date("2026-11-23T10:00:00.500Z");
    const trace = requestFolders({ folder, runs, now, warn: (message) => warnings.push(message) });
    await using scene = await chatScene(runs, { trace });
    const messages = [{ role: "user", content: "Count." }] as const;
    const ask = (more: object) =>
      scene.client.chat.completions.create({ model: "default", messages: [...messages], ...more });
    await ask({});
    const [first = ""] = names(folder);
    assertMatch(first, /^run_20261123_100000_[0-9a-f]{8}$/);
    const workspace = join(folder, first, "agent_workspace");
    assertEquals([runs.requests[0]?.workspace, names(workspace)], [workspace, []]);
    const rows = await rowsOf(join(folder, first));
    assertEquals(rows.map(({ event }) => event), ["workspace_selection", "model_selection", "agent_result"]);
    assertEquals([rows[0]!.timestamp, rows[0]!.payload.reason], [1795428000.5, "not_provided"]);
    const { result_text, termination } = rows[2]!.payload;
    assertEquals([result_text, termination], ["Four.", "completed"]);

    await ask({ "workspace-root": "/work/one" });
    const second = names(folder).find((name) => name !== first)!;
    assertEquals([runs.requests[1]?.workspace, names(join(folder, second))], ["/work/one", ["agent_trace"]]);
    assertEquals((await rowsOf(join(folder, second))).length, 3);
    assertEquals(warnings, []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

function names(folder: string): string[] {
  return Array.from(Deno.readDirSync(folder), ({ name }) => name).toSorted();
}

async function rowsOf(place: string) {
  const text = await Deno.readTextFile(join(place, "agent_trace", "api_trace.jsonl"));
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}
