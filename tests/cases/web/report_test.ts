import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { searchServices, SERVICE_KEYS } from "../../support/servers/search_services.ts";
import { makeScene } from "../../support/cli/scene.ts";

const REPORT = {
  reasoning: "all is found",
  title: "../../Kettles",
  user_request_language_reference: "What is a kettle?",
  content: "A kettle is a pot [2]. One holds 2 litres [9].",
  confidence: "high",
};

Deno.test("a session's sources go from the search into the report and the command, under any policy and spelling", async () => {
  await using services = searchServices();
  const { port, addresses } = services;
  using scene = makeScene();
  const env = { ...addresses, ...SERVICE_KEYS };
  const page = `http://127.0.0.1:${port}/pages/kettle`;
  const call = async (tool: string, input: unknown, ...flags: string[]) => {
    const net = `--allow-private-net=127.0.0.1:${port}`;
    const words = ["call", tool, JSON.stringify(input), "--json", "--session=tea", net, ...flags];
    const { stdout } = await scene.run(words, { env });
    return JSON.parse(stdout);
  };
  await call("WebSearchTool", { reasoning: "to know", query: "tea" });
  await call("extractpagecontenttool", { reasoning: "to know", urls: [page] });
  const report = await call("CreateReportTool", REPORT);
  assertEquals([report.ok, report.result.sources_count], [true, 1]);
  assertEquals(report.result.filepath, scene.at(`ws/reports/${report.result.filepath.split("/").at(-1)}`));
  const file = Deno.readTextFileSync(report.result.filepath);
  assertStringIncludes(file, `## Sources\n\n[2] Here - ${page}\n`);
  assertStringIncludes(report.warnings.join("\n"), "cites [9]");

  const kept = await call("sgr/create_report_tool", REPORT, "--policy=read-only");
  assert(kept.result.filepath.startsWith(scene.at("state")), kept.result.filepath);
  assertEquals(Deno.readTextFileSync(kept.result.filepath).split("\n")[0], "# ../../Kettles");
  assertEquals(kept.artifacts.map(({ path }: { path: string }) => path), [kept.result.filepath]);

  const { stdout } = await scene.run(["sources", "tea", "--as=csl-json"], { env });
  const items = JSON.parse(stdout);
  assertEquals(items.map(({ id, URL }: Record<string, string>) => [id, URL])[1], ["source2", page]);
  assertEquals(items[1].accessed["date-parts"][0].length, 3);
});
