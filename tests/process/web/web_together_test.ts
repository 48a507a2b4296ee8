import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";
import { searchServices, SERVICE_KEYS } from "../../support/servers/search_services.ts";

const REASON = { reasoning: "to know" };

/** A server that answers only when so many requests wait: it tells how many it had at once, and in how many steps. */
function stepServer(perStep: number, all: number) {
  const seen = { most: 0, steps: 0, requests: 0 };
  let waiting: (() => void)[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async () => {
    seen.requests++;
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    seen.most = Math.max(seen.most, waiting.length);
    if (waiting.length === perStep || seen.requests === all) {
      seen.steps++;
      const step = waiting;
      // Whoever else would come at the same time comes now.
      setTimeout(() => {
        waiting = waiting.filter((one) => !step.includes(one));
        for (const answer of step) answer();
      }, 50);
    }
    await promise;
    return Response.json({ organic: [{ title: "T", link: "https://t.example/", snippet: "S" }] });
  });
  return {
    seen,
    port: server.addr.port,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("20 searches of one batch go three at a time, in seven steps", async () => {
  await using server = stepServer(3, 20);
  using scene = makeScene();
  const env = { SERPER_KEY: "key-of-serper-0001", SERPER_BASE_URL: `http://127.0.0.1:${server.port}` };
  const calls = Array.from(
    { length: 20 },
    (_, at) => ({ tool: "WebSearch", arguments: { query: `tea ${at}` } }),
  );
  const { answers } = await scene.batch(calls, [`--allow-private-net=127.0.0.1:${server.port}`], { env });
  assertEquals(answers.map(({ ok }) => ok), calls.map(() => true));
  assertEquals(server.seen, { most: 3, steps: 7, requests: 20 });
});

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

Deno.test("questions and explanations name the hosts that a search would reach", async () => {
  using scene = makeScene();
  const explain = async (args: string[], env: Record<string, string>) =>
    (await scene.run(["explain", ...args], { env })).stdout;
  const one = await explain(["WebSearch", "query=tea"], { SERPER_KEY: "key-of-serper-0001" });
  assertStringIncludes(one, "touches  net https://google.serper.dev\n");
  assertStringIncludes(one, "verdict  would run");
  const chain = await explain(["manus/web_search", "query=tea"], {});
  for (const host of ["www.google.com", "html.duckduckgo.com", "www.baidu.com", "www.bing.com"]) {
    assertStringIncludes(chain, `touches  net https://${host} (if needed)\n`);
  }
  const none = await explain(["WebSearch", "query=tea"], {});
  assertStringIncludes(none, "verdict  would be refused (unauthenticated): SERPER_KEY is not set");
  const closed = await explain(["WebSearch", "query=tea", "--deny-net=google.serper.dev"], {
    SERPER_KEY: "key-of-serper-0001",
  });
  assertStringIncludes(closed, "verdict  would be refused (permission_denied)");
  const own = await explain(["WebSearch", "query=tea"], { SEARXNG_BASE_URL: "http://127.0.0.1:9" });
  assertStringIncludes(own, "touches  net http://127.0.0.1:9\n");
  assertStringIncludes(own, "--allow-private-net=127.0.0.1:9");
  assert(!one.includes("key-of-serper"));
});
