import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { drawChartOf } from "../../../../tools/engine/chart/draw.ts";
import { CHART_TYPES, type ChartWish } from "../../../../tools/engine/chart/choose/chart_wish.ts";
import type { ChartRequest } from "../../../../tools/engine/chart/reading.ts";

type Draw = Partial<Extract<ChartRequest, { task: "draw" }>>;

function draw(csv: string, { title = "T", language = "en", output = "html", wish = {} }: Draw = {}) {
  const request = { task: "draw", title, language, output, wish } as const;
  return drawChartOf(new TextEncoder().encode(csv), request);
}

async function optionOf(csv: string, wish: ChartWish = {}, title = "T") {
  return JSON.parse((await draw(csv, { title, wish })).spec).option;
}

/** Width and height that a PNG names. */
function sizeOf(base64: string): number[] {
  const view = new DataView(Uint8Array.from(atob(base64), (char) => char.charCodeAt(0)).buffer);
  assertEquals(view.getUint32(0), 0x89504e47);
  return [view.getUint32(16), view.getUint32(20)];
}

const TABLE = "city,kind,low,high\nOslo,a,1,4\nRome,b,2,9\nCairo,a,3,7\nLima,b,4,8\n";

Deno.test("drawChartOf() draws each kind as a PNG of 1000 × 600", async () => {
  for (const type of CHART_TYPES) {
    const { picture, type: drawn } = await draw(TABLE, { output: "png", wish: { type } });
    assertEquals([drawn, ...sizeOf(picture)], [type, 1000, 600]);
    assert(picture.length > 6000, `${type} looks empty`);
  }
});

Deno.test("drawChartOf() draws letters of East Asia, of which each looks different", async () => {
  const picture = async (word: string) =>
    (await draw(`k,v\n${word},1`, { output: "png", title: word })).picture;
  const pictures = await Promise.all(["销售额", "增长率", "データ", "Ωжé"].map(picture));
  // Letters without a glyph are equal boxes, or nothing at all.
  assertEquals(new Set(pictures).size, pictures.length);
});

Deno.test("drawChartOf() says which letters a PNG cannot show", async () => {
  const notes = async (title: string, output: "png" | "html") =>
    (await draw("k,v\na,1", { output, title })).notes.length;
  assertEquals(await notes("한국어", "png"), 1);
  assertEquals(await notes("한국어", "html"), 0);
  assertEquals(await notes("中文 ©1", "png"), 0);
});

Deno.test("drawChartOf() makes a page that needs no network, whatever the texts hold", async () => {
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

Deno.test("drawChartOf() makes a page whose scripts run as they stand", async () => {
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

Deno.test("drawChartOf() draws the values of the file", async () => {
  const bars = await optionOf("p,r,v\nK,N,1\nK,S,2\nT,N,3\nT,N,4\n");
  assertEquals(bars.xAxis.data, ["K", "T"]);
  assertEquals(bars.series.map(({ name, data }: { name: string; data: unknown }) => [name, data]), [
    ["N", [1, 7]],
    ["S", [2, null]],
  ]);
  const line = await optionOf("date,v (kg)\n2024-01-02,5\n2024-01-01,\n2024-01-03,7\n");
  assertEquals(line.xAxis.type, "time");
  assertEquals(line.yAxis.name, "v (kg)");
  assertEquals(line.series[0].data, [[Date.UTC(2024, 0, 1), null], [Date.UTC(2024, 0, 2), 5], [
    Date.UTC(2024, 0, 3),
    7,
  ]]);
  const pie = await optionOf("k,v\na,1\nb,3\n", { type: "pie" });
  assertEquals(pie.series[0].data, [{ name: "b", value: 3 }, { name: "a", value: 1 }]);
});

Deno.test("drawChartOf() names bars in time, and draws the smallest of many lines not at all", async () => {
  const bars = await optionOf("year,v\n2021,1\n2022,2\n", { type: "bar" });
  assertEquals([bars.xAxis.type, bars.xAxis.data], ["category", ["2021", "2022"]]);
  const rows = [1, 2].flatMap((day) =>
    Array.from({ length: 15 }, (_, at) => `2024-01-0${day},s${at},${at + 1}`)
  );
  const lines = await draw(`day,s,v\n${rows.join("\n")}`);
  const { series } = JSON.parse(lines.spec).option;
  assertEquals(
    series.map(({ name }: { name: string }) => name),
    Array.from({ length: 11 }, (_, at) => `s${at + 4}`),
  );
  assertEquals(lines.notes, ['4 small series of "s" are not drawn']);
});

Deno.test("drawChartOf() averages rates, and adds up the rest", async () => {
  const csv = (name: string) => `k,${name}\na,10\na,20\nb,5\n`;
  assertEquals((await optionOf(csv("amount"))).series[0].data, [30, 5]);
  assertEquals((await optionOf(csv("unit price"))).series[0].data, [15, 5]);
});

Deno.test("drawChartOf() bounds slices, names and points, and says so", async () => {
  const rows = (count: number) => Array.from({ length: count }, (_, at) => `n${at},${at + 1}`).join("\n");
  const pie = await draw(`k,v\n${rows(30)}`, { wish: { type: "pie" } });
  const { option } = JSON.parse(pie.spec);
  assertEquals([option.series[0].data.length, option.series[0].data.at(-1)], [12, {
    name: "Other",
    value: 190,
  }]);
  assertEquals(pie.notes, ["19 small slices are added up as one"]);
  const bars = await draw(`k,v\n${rows(90)}`, { wish: { type: "bar" } });
  assertEquals(JSON.parse(bars.spec).option.yAxis.data.length, 60);
  assertEquals(bars.notes.length, 1);
});

Deno.test("drawChartOf() draws 100,000 rows and keeps their extremes", async () => {
  const start = Date.UTC(2024, 0, 1);
  const rows = Array.from({ length: 100_000 }, (_, at) => {
    const value = at === 77_777 ? 999 : at === 5 ? -999 : Math.sin(at / 5000);
    return `${new Date(start + at * 60_000).toISOString().slice(0, 19)},${value.toFixed(4)}`;
  });
  const { spec, insights, notes } = await draw(`time,v\n${rows.join("\n")}`);
  const data: [number, number][] = JSON.parse(spec).option.series[0].data;
  const values = data.map(([, value]) => value);
  assert(data.length <= 2000);
  assertEquals([Math.max(...values), Math.min(...values)], [999, -999]);
  assertStringIncludes(insights.join("\n"), "2024-02-24 00:17 (999)");
  assertStringIncludes(notes.join("\n"), "of 100000 points");
});

Deno.test("drawChartOf() says insights in both languages", async () => {
  const csv = `month,sales\n${
    [10, 12, 13, 15, 16, 60, 19, 21].map((v, at) => `2024-0${at + 1},${v}`).join("\n")
  }`;
  assertEquals((await draw(csv)).insights, [
    "2024-06 (60) is an outlier of sales.",
    "sales is highest at 2024-06 (60) and lowest at 2024-01 (10).",
    "sales varies strongly: from one point to the next it changes by 64.0% of its average.",
    "The average of sales is 20.75.",
  ]);
  const steady = csv.replace("60", "17");
  assertEquals(
    (await draw(steady)).insights[0],
    "The overall data shows an increasing trend, with an overall increase of 110.0%.",
  );
  assertEquals((await draw(steady, { language: "zh" })).insights.slice(0, 2), [
    "整体数据呈上升趋势，整体增长 110.0%。",
    "“sales”的最大值为 2024-08（21），最小值为 2024-01（10）。",
  ]);
});

Deno.test("drawChartOf() draws chosen insights onto a chart", async () => {
  const made = await draw("month,v\n2024-01,1\n2024-02,2\n2024-03,3\n2024-04,4\n", { output: "png" });
  const mark = (insights: number[], output: "png" | "html" = "html") =>
    drawChartOf(new TextEncoder().encode(made.spec), { task: "mark", insights, output });
  const { picture, insights } = await mark([1, 2]);
  assertEquals(insights, made.insights);
  assertStringIncludes(picture, `<li>${made.insights[0]}</li>`);
  assertStringIncludes(picture, "markLine");
  assertStringIncludes(picture, "markPoint");
  const [plain, marked] = [made.picture, (await mark([1], "png")).picture];
  assert(plain !== marked);
  await assertRejects(() => mark([9]), ToolError, "no insight 9: it has 1 to 3");
  const other = new TextEncoder().encode('{"a":1}');
  await assertRejects(
    () => drawChartOf(other, { task: "mark", insights: [1], output: "png" }),
    ToolError,
    "not written by",
  );
});
