// A source keeps its number: within a reply, from run to run, and among processes that work on one session at once.
import { assert, assertEquals } from "@std/assert";

import { researchWeb, textOf } from "../../support/servers/research_web.ts";
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

Deno.test("five processes at once on one session lose no source, and read a page once", async () => {
  await using web = researchWeb(FINDS);
  using scene = makeScene();
  const call = async (tool: string, input: object) => {
    const net = `--allow-private-net=127.0.0.1:${web.port}`;
    const words = [
      "call",
      tool,
      JSON.stringify({ reasoning: "", ...input }),
      "--json",
      "--session=five",
      net,
    ];
    const { code, stdout, stderr } = await scene.run(words, { env: web.env });
    assertEquals(code, 0, stderr);
    return JSON.parse(stdout).result;
  };
  const found = await Promise.all(Object.keys(FINDS).map((query) => call("websearchtool", { query })));
  const kept = await sourcesOf(scene, "five");
  assertEquals(kept.map(({ number }) => number), [1, 2, 3, 4, 5, 6, 7]);
  for (const { citations } of found) {
    for (const { number, url } of citations) assertEquals(kept[number - 1]?.url, url);
  }
  const urls = ["read-a", "read-a#1", "read-a/", "read-a?utm_source=z", "read-a"].map((
    name,
  ) => [web.page(name)]);
  const read = await Promise.all(urls.map((urls) => call("ExtractPageContentTool", { urls })));
  const { number } = kept.find(({ url }) => url.includes("read-a"))!;
  for (const { pages } of read) {
    assertEquals([pages[0].number, pages[0].total_chars], [number, textOf("read-a").length]);
  }
  assertEquals(web.asked.filter((asked) => asked.startsWith("extract")).length, 1);
  // Found again, it keeps what was read of it, to its end.
  await call("WebSearchTool", { query: "one" });
  const { pages: [rest] } = await call("extract_page_content_tool", { urls: urls[0], start: 3500 });
  assert(rest.content.endsWith("The end of read-a."));
  assertEquals(web.asked.filter((asked) => asked.startsWith("extract")).length, 1);
});

Deno.test("an agent's bound of searches holds for each task of a session", async () => {
  await using web = researchWeb(FINDS);
  const searcher = { tools: ["WebSearchTool"], search: { engine: "tavily", max_searches: 1 } };
  using scene = makeScene({
    "home/.config/bulkhead/config.json": JSON.stringify({ agents: { searcher } }),
  });
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
