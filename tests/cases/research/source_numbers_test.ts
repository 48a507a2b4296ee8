// A source keeps its number: within a reply, from run to run, and among processes that work on one session at once.
import { assertEquals } from "@std/assert";

import { researchWeb } from "../../support/servers/research_web.ts";
import { scriptedModel } from "../../support/scripted_model.ts";
import { tell } from "../../support/cli/agent_scene.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

const FINDS = {
  one: ["read-a", "b", "c"],
  two: ["c", "read-a#x", "d"],
  three: ["d/", "b?utm_medium=y", "e"],
  four: ["f", "e", "read-a?fbclid=1"],
  five: ["c#y", "g", "f"],
};

interface KeptSource {
  number: number;
  url: string;
  chars: number;
}

async function sourcesOf(scene: Scene, id: string): Promise<KeptSource[]> {
  return JSON.parse((await scene.run(["sources", id, "--json"])).stdout).sources;
}

Deno.test("searches of one reply, and those of a later run of the session, share its numbers", async () => {
  await using web = researchWeb(FINDS);
  using scene = makeScene();
  const search = (query: string) => ({ name: "web_search_tool", arguments: { reasoning: "", query } });
  const read = {
    name: "extract_page_content_tool",
    arguments: { reasoning: "", urls: [web.page("read-a#z")] },
  };
  await using model = scriptedModel([
    { tool_calls: [search("one"), search("two"), read, search("three")] },
    { text: "Found." },
    { tool_calls: [search("five"), search("one"), search("four")] },
    { text: "Found more." },
  ]);
  const words = ["--tool=sgr/web_search_tool", "--tool=sgr/extract_page_content_tool"];
  const { env } = web;
  const options = { env };
  const net = `--allow-private-net=127.0.0.1:${web.port}`;
  const first = await tell(scene, model, ["Find", "--session=n", net, ...words], options);
  assertEquals(first.code, 0, first.stderr);
  const before = await sourcesOf(scene, "n");
  assertEquals(before.map(({ url }) => url.split("/pages/")[1]), ["read-a", "b", "c", "d", "e"]);
  const later = await tell(scene, model, ["Find more", "--resume=n"], options);
  assertEquals(later.code, 0, later.stderr);
  const after = await sourcesOf(scene, "n");
  assertEquals(after.slice(0, before.length), before);
  assertEquals(after.map(({ url }) => url.split("/pages/")[1]), ["read-a", "b", "c", "d", "e", "g", "f"]);
  assertEquals(after.map(({ number }) => number), [1, 2, 3, 4, 5, 6, 7]);
});

Deno.test("an agent's bound of searches holds for each task of a session", async () => {
  await using web = researchWeb(FINDS);
  const searcher = { tools: ["WebSearchTool"], search: { engine: "tavily", max_searches: 1 } };
  using scene = makeScene({ "home/.config/bulkhead/config.json": JSON.stringify({ agents: { searcher } }) });
  const search = (query: string) => ({ name: "web_search_tool", arguments: { reasoning: "", query } });
  await using model = scriptedModel([
    { tool_calls: [search("one"), search("two")] },
    { text: "Found." },
    { tool_calls: [search("four")] },
    { text: "Found more." },
  ]);
  const { env } = web;
  const net = `--allow-private-net=127.0.0.1:${web.port}`;
  const first = await tell(scene, model, ["Find", "--session=n", "--agent=searcher", net], { env });
  assertEquals([first.code, first.run.usage.failed], [0, 1], first.stderr);
  const later = await tell(scene, model, ["Find more", "--resume=n"], { env });
  assertEquals([later.code, later.run.usage.failed], [0, 0], later.stderr);
  assertEquals(web.asked, ["search one", "search four"]);
  assertEquals((await sourcesOf(scene, "n")).map(({ number }) => number), [1, 2, 3, 4, 5]);
});
