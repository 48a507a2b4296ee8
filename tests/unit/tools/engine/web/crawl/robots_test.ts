import { assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../../../schemas/error.ts";
import { fetchRobotRules } from "../../../../../../tools/engine/web/crawl/robots.ts";
import { type FakeAnswer, fakeWeb } from "../../../../../support/web/fake_web.ts";

const signal = new AbortController().signal;
const rulesOf = (answer: FakeAnswer) =>
  fetchRobotRules("https://a.example", { web: fakeWeb(() => answer), signal });

Deno.test("robots.txt: the longest rule for bulkhead wins, else those for all", async () => {
  const body =
    "User-agent: *\nDisallow: /\nCrawl-delay: 9\n\nUser-agent: Bulkhead\nDisallow: /private\nAllow: /private/open$\nCrawl-delay: 2\n";
  const { mayCrawl, delaySeconds } = await rulesOf({ body });
  const pages = ["/", "/private/x", "/private/open", "/private/open/x", "/robots.txt"];
  assertEquals(pages.map((page) => mayCrawl(`https://a.example${page}`)), [true, false, true, false, true]);
  assertEquals(delaySeconds, 2);
});

Deno.test("robots.txt: none allows everything, a failing one nothing", async () => {
  const may = async (answer: FakeAnswer) => (await rulesOf(answer)).mayCrawl("https://a.example/x");
  assertEquals(await may({ status: 404 }), true);
  assertEquals(await may({ status: 403 }), true);
  assertEquals(await may({ status: 503 }), false);
  assertEquals(await may({ status: 429 }), false);
  assertEquals(await may({ body: "<html>not robots</html>" }), true);
  assertEquals((await rulesOf({ status: 503 })).failure, "it answers HTTP 503");
  assertEquals((await rulesOf({ status: 404 })).failure, null);
  const gone = fakeWeb(() => {
    throw new ToolError("external_failure", "no connection");
  });
  assertEquals(
    (await fetchRobotRules("https://a.example", { web: gone, signal })).mayCrawl("https://a.example/x"),
    false,
  );
  const refused = fakeWeb(() => {
    throw new ToolError("permission_denied", "not granted");
  });
  await assertRejects(
    () => fetchRobotRules("https://a.example", { web: refused, signal }),
    ToolError,
    "not granted",
  );
});
