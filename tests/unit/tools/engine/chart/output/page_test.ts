import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { drawChartOf } from "../../../../../../tools/engine/chart/draw.ts";

function draw(
  csv: string,
  { title = "T", language = "en" }: { title?: string; language?: "en" | "zh" } = {},
) {
  const request = { task: "draw", title, language, output: "html", wish: {} } as const;
  return drawChartOf(new TextEncoder().encode(csv), request);
}

Deno.test("pageOf() makes a page that needs no network, whatever the texts hold", async () => {
  const evil = '</script><script src="https://evil.example/x.js">';
  const { picture } = await draw(`"${evil.replaceAll('"', '""')}",v\na,1\n<img src=x onerror=alert(1)>,2`, {
    title: evil,
  });
  assertStringIncludes(picture, "default-src 'none'");
  const [head, , chart = ""] = picture.split("<script>");
  for (const part of [head, chart]) assert(!/<(?:script|link|img|iframe)/i.test(part!), part);
  assertEquals(picture.match(/<\/script>/g)?.length, 2);
  assertEquals(
    picture.match(/https?:\/\/[\w.-]+/g)?.filter((url) => !/w3\.org|apache\.org|github\.com/.test(url)),
    [
      ...["https://evil.example", "https://evil.example"],
    ],
  );
});

Deno.test("pageOf() makes a page whose scripts run as they stand", async () => {
  const { picture, spec } = await draw("k,v\na,1\nb,2\n", { title: "A & B", language: "zh" });
  const [library, chart] = [...picture.matchAll(/<script>(.*?)<\/script>/gs)].map(([, code]) => code!);
  const page = globalThis as { echarts?: { version: string } };
  new Function(library!)();
  assertEquals(page.echarts?.version, "6.1.0");
  delete page.echarts;
  const drawn: unknown[] = [];
  const echarts = {
    init: (...given: unknown[]) => ({ setOption: (option: unknown) => drawn.push(given[2], option) }),
  };
  new Function("echarts", "document", chart!)(echarts, { getElementById: () => ({}) });
  assertEquals(drawn, [{ locale: "ZH" }, JSON.parse(spec).option]);
  assertStringIncludes(picture, "<title>A &amp; B</title>");
});

Deno.test("pageOf() makes a page that runs no script but its own two, whatever its file holds", async () => {
  const { picture, spec } = await draw("k,v\na,1\nb,2\n");
  const [, policy = ""] = picture.match(/Content-Security-Policy" content="([^"]*)"/) ?? [];
  assert(!/script-src[^;]*unsafe/.test(policy), policy);
  for (const [, script] of picture.matchAll(/<script>(.*?)<\/script>/gs)) {
    // As a browser reads it.
    const text = script!.replaceAll("\r\n", "\n");
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    assertStringIncludes(policy, `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`);
  }
  const hostile = JSON.parse(spec);
  hostile.option.tooltip = { formatter: "<img src=x onerror=alert(1)>", renderMode: "html" };
  const bytes = new TextEncoder().encode(JSON.stringify(hostile));
  const marked = (await drawChartOf(bytes, { task: "mark", insights: [], output: "html" })).picture;
  const own = marked.slice(marked.lastIndexOf("<script>"));
  assert(!own.includes('"renderMode":"html"') && !own.includes("<img"), own);
});
