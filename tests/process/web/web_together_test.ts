import { assertEquals } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";
import { searchServices, SERVICE_KEYS } from "../../support/servers/search_services.ts";

const REASON = { reasoning: "to know" };

Deno.test("processes of one session fetch a page once, number sources once, and lose nothing", async () => {
  await using services = searchServices();
  const { port, addresses } = services;
  using scene = makeScene();
  const env = { ...addresses, TAVILY_API_KEY: SERVICE_KEYS.TAVILY_API_KEY };
  const flags = [`--allow-private-net=127.0.0.1:${port}`, "--session", "together"];
  const url = `http://127.0.0.1:${port}/pages/kettle`;
  const calls = [
    ...[1, 2, 3].map(() => ({ tool: "WebFetch", arguments: { url } })),
    ...[1, 2, 3].map((at) => ({ tool: "sgr/web_search_tool", arguments: { ...REASON, query: `tea ${at}` } })),
    { tool: "sgr/extract_page_content_tool", arguments: { ...REASON, urls: [`${url}?unread`, url] } },
  ];
  const all = await Promise.all([1, 2, 3].map(() => scene.batch(calls, flags, { env })));
  for (const { answers } of all) assertEquals(answers.map(({ ok }) => ok), calls.map(() => true));
  const fetched = services.calls.filter(({ service, path }) => service === "pages" && path === "/kettle");
  assertEquals(fetched.length, 1);
  assertEquals(services.calls.filter(({ path }) => path === "/kettle?unread").length, 1);
  // Every process saw the same numbers in every call.
  const numbers = new Map<string, Set<number>>();
  for (const { answers } of all) {
    for (const { result } of answers) {
      const { citations = [], pages = [] } = result as Record<string, { url: string; number: number }[]>;
      for (const { url, number } of [...citations, ...pages]) {
        numbers.set(url, (numbers.get(url) ?? new Set()).add(number));
      }
    }
  }
  assertEquals(numbers.size, 3);
  assertEquals([...numbers.values()].map((given) => given.size), [1, 1, 1]);
  assertEquals(new Set([...numbers.values()].flatMap((given) => [...given])).size, 3);
});
