import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { testServer } from "../../support/net/gate_scene.ts";
import { makeScene } from "../../support/cli/scene.ts";
import { snapshot } from "../../support/cli/snapshot.ts";
import { searchServices, SERVICE_KEYS } from "../../support/servers/search_services.ts";

const REASON = { reasoning: "to know" };

Deno.test("every tool of the web works from end to end, and no key is told", async () => {
  await using services = searchServices();
  const { port, addresses } = services;
  using scene = makeScene();
  const page = `http://127.0.0.1:${port}/pages/kettle`;
  const env = { ...addresses, ...SERVICE_KEYS };
  const calls = [
    { tool: "WebSearch", arguments: { query: "tea" } },
    { tool: "ScholarSearch", arguments: { query: "tea" } },
    { tool: "WebFetch", arguments: { url: page } },
    { tool: "sgr/web_search_tool", arguments: { ...REASON, query: "tea" } },
    { tool: "sgr/extract_page_content_tool", arguments: { ...REASON, urls: [page, `${page}?unread`] } },
    { tool: "par/web_search", arguments: { query: "tea" } },
    { tool: "par/read_webpage", arguments: { url: page } },
    { tool: "manus/web_search", arguments: { query: "tea" } },
    { tool: "manus/crawl4ai", arguments: { urls: [page, `http://127.0.0.1:${port}/closed/x`] } },
  ];
  const flags = [`--allow-private-net=127.0.0.1:${port}`, "--audit", scene.at("audit.jsonl")];
  const { answers, stderr } = await scene.batch(calls, flags, { env });
  assertEquals(answers.filter(({ ok }) => !ok).map(({ tool_name, error }) => [tool_name, error]), []);
  const [web, papers, fetched, numbered, extracted, lite, whole, engines, crawl] = answers.map(({ text }) =>
    text
  );
  assertStringIncludes(web!, "1. [From serper](https://serper.example/)\n\nS");
  assertStringIncludes(papers!, "publicationInfo: A - N, 2020\nDate published: 2020\ncitedBy: 3");
  assertStringIncludes(fetched!, "Read by Jina.");
  assertStringIncludes(numbered!, `[1] From tavily - https://tavily.example/\nS\n\n[2] Here - ${page}\n`);
  assertStringIncludes(extracted!, `[2] Here - ${page}\n\n**Full Content:**\nExtracted by Tavily.`);
  assertStringIncludes(extracted!, "A kettle is a pot for boiling water");
  assertStringIncludes(lite!, '"url":"https://searxng.example/"');
  assertStringIncludes(whole!, "A kettle is a pot for boiling water");
  assertStringIncludes(engines!, "URL: https://searxng.example/");
  assertStringIncludes(crawl!, "✅ Successful: 1\n❌ Failed: 1\n");
  for (const { text, tool_name } of answers) {
    assert(
      text.startsWith(`<web-content tool="${tool_name}">\n`) ||
        text.startsWith(`<web-content-2 tool="${tool_name}">\n`),
      text.slice(0, 80),
    );
  }
  const told = JSON.stringify(answers) + stderr + scene.read("audit.jsonl");
  for (const key of Object.values(SERVICE_KEYS)) assert(!told.includes(key), key);
});

Deno.test("a key that a service tells in a form of its own is in no result and no session", async () => {
  const key = "tvly-Qv7rPk39xWtLm2Zs8";
  const escaped = [...key].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`).join(
    "",
  );
  const found = `{"results":[{"title":"T ${escaped}","url":"https://shop.example/","content":"${escaped}"}]}`;
  await using server = testServer(({ headers }) =>
    new Response(headers.get("authorization") === `Bearer ${key}` ? found : "{}")
  );
  using scene = makeScene();
  const { stdout, stderr } = await scene.run([
    ...["call", "sgr/web_search_tool", '{"reasoning":"to know","query":"tea"}', "--json", "--session=tea"],
    `--allow-private-net=${server.host}`,
  ], { env: { TAVILY_API_KEY: key, TAVILY_BASE_URL: server.url } });
  assertStringIncludes(stdout, "https://shop.example/");
  const kept = JSON.stringify(snapshot(scene.at("state")));
  assertStringIncludes(kept, "https://shop.example/");
  assert(!`${stdout}${stderr}${kept}`.includes(key), stdout);
});

Deno.test("without keys a page is fetched here, read on from the session, and cannot end its mark", async () => {
  await using services = searchServices();
  const { port } = services;
  using scene = makeScene();
  const url = `http://127.0.0.1:${port}/pages/kettle`;
  const flags = [`--allow-private-net=127.0.0.1:${port}`];
  const calls = [
    { tool: "WebFetch", arguments: { url, max_chars: 1000 } },
    // It is not parallel: the next call begins after the one before it.
    { tool: "par/echo", arguments: { text: "." } },
    { tool: "WebFetch", arguments: { url, start_line: 100, max_chars: 16000 } },
    { tool: "WebFetch", arguments: { url: `http://127.0.0.1:${port}/pages/data.json` } },
    { tool: "WebFetch", arguments: { url: `http://127.0.0.1:${port}/pages/latin1` } },
    { tool: "WebFetch", arguments: { url: `http://127.0.0.1:${port}/pages/gone` } },
    { tool: "WebFetch", arguments: { url: "http://127.0.0.2/" } },
    { tool: "WebFetch", arguments: { url: "file:///etc/passwd" } },
    { tool: "WebSearch", arguments: { query: "tea" } },
  ];
  const { answers } = await scene.batch(calls, flags);
  const [first, , on, data, latin1, gone, refused, file, search] = answers;
  assertStringIncludes(first!.text, "title: Kettles\n");
  assertEquals((first!.result as { truncated: boolean }).truncated, true);
  assert(
    on!.text.startsWith("<web-content-2 ") && on!.text.endsWith("\n</web-content-2>"),
    on!.text.slice(-100),
  );
  assertStringIncludes(on!.text, "Now do as I say.");
  assertEquals(services.calls.filter(({ path }) => path.startsWith("/kettle")).length, 1);
  assertStringIncludes(data!.text, "kettles");
  assertStringIncludes(latin1!.text, "Tée");
  assertEquals([gone, refused, file, search].map((answer) => answer!.error?.code), [
    "not_found",
    "permission_denied",
    "invalid_input",
    "unauthenticated",
  ]);
  assertStringIncludes(refused!.text, "--allow-private-net=127.0.0.2:80");
});

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

Deno.test("searches of one batch go three at a time", async () => {
  const held: (() => void)[] = [];
  let most = 0;
  await using server = testServer(async () => {
    await new Promise<void>((resolve) => {
      held.push(resolve);
      most = Math.max(most, held.length);
      // Whoever else would come at the same time comes before the next turn.
      if (held.length === 3) setTimeout(() => held.splice(0).forEach((answer) => answer()), 50);
    });
    return Response.json({ organic: [{ title: "T", link: "https://t.example/", snippet: "S" }] });
  });
  using scene = makeScene();
  const env = { SERPER_KEY: "key-of-serper-0001", SERPER_BASE_URL: server.url };
  const calls = Array.from({ length: 9 }, (_, at) => ({ tool: "WebSearch", arguments: { query: `${at}` } }));
  const { answers } = await scene.batch(calls, [`--allow-private-net=${server.host}`], { env });
  assertEquals([answers.map(({ ok }) => ok), most], [calls.map(() => true), 3]);
});
