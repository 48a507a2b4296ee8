import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { ToolError } from "../../../../../schemas/error.ts";
import { CHART_TYPES, type ChartWish } from "../../../../../tools/engine/chart/choose/chart_wish.ts";
import { drawChartOf } from "../../../../../tools/engine/chart/draw.ts";
import { SIZED } from "../../../../../tools/engine/chart/option/frame.ts";
import { renderChart } from "../../../../../tools/engine/chart/output/library.ts";
import { sizedLabelsScript, withSizedLabels } from "../../../../../tools/engine/chart/output/sized_labels.ts";
import type { ChartRequest } from "../../../../../tools/engine/chart/reading.ts";

type Draw = Partial<Extract<ChartRequest, { task: "draw" }>>;

function draw(csv: string, { title = "T", language = "en", output = "html", wish = {} }: Draw = {}) {
  const request = { task: "draw", title, language, output, wish } as const;
  return drawChartOf(new TextEncoder().encode(csv), request);
}

async function optionOf(csv: string, wish: ChartWish = {}, title = "T") {
  return JSON.parse((await draw(csv, { title, wish })).spec).option;
}

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
  const pictures = await Promise.all(["销售额", "增长率", "データ", "Ωжé", "ｶﾀ", "ﾅﾃ"].map(picture));
  // Letters without a glyph are equal boxes, or nothing at all.
  assertEquals(new Set(pictures).size, pictures.length);
});

Deno.test("drawChartOf() draws names with letters that XML cannot hold, and refuses options that make no picture", async () => {
  const { picture, spec } = await draw("k,v\na\x01\ud800,1\n]]>&amp;,2\n", { output: "png" });
  assertEquals(sizeOf(picture), [1000, 600]);
  const broken = JSON.parse(spec);
  broken.option.graphic = [{ type: "image", style: { image: 'x"><b c>' } }];
  const bytes = new TextEncoder().encode(JSON.stringify(broken));
  await assertRejects(
    () => drawChartOf(bytes, { task: "mark", insights: [], output: "png" }),
    ToolError,
    "make no picture",
  );
});

Deno.test("drawChartOf() says which letters a PNG cannot show", async () => {
  const notes = async (title: string, output: "png" | "html") =>
    (await draw("k,v\na,1", { output, title })).notes.length;
  assertEquals(await notes("한국어", "png"), 1);
  assertEquals(await notes("한국어", "html"), 0);
  assertEquals(await notes("中文 ©1", "png"), 0);
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
  assertEquals(pie.series[0].data, [
    { name: "b", value: 3, label: { formatter: "{b}: 3 ({d}%)" } },
    { name: "a", value: 1, label: { formatter: "{b}: 1 ({d}%)" } },
  ]);
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
    label: { formatter: "{b}: 190 ({d}%)" },
  }]);
  assertEquals(pie.notes, ["19 small slices are added up as one"]);
  const bars = await draw(`k,v\n${rows(90)}`, { wish: { type: "bar" } });
  assertEquals(JSON.parse(bars.spec).option.yAxis.data.length, 60);
  assertEquals(bars.notes.length, 1);
});

Deno.test("drawChartOf() says insights of all rows, also of those that are not drawn", async () => {
  const rows = Array.from({ length: 90 }, (_, at) => `n${at + 1},${at + 1}\nn${at + 1},0`).join("\n");
  const { spec, insights } = await draw(`city,v\n${rows}`, { wish: { type: "bar" } });
  assertEquals(insights, [
    "v is highest at n90 (90) and lowest at n1 (1).",
    "The average of v per city is 45.5.",
  ]);
  const { option, insights: [extremes] } = JSON.parse(spec);
  assertEquals([option.yAxis.data.length, option.yAxis.data[0]], [60, "n90"]);
  assertEquals(extremes.marks.map(({ text }: { text: string }) => text), ["90"]);
  const dots = Array.from({ length: 9000 }, (_, at) => `${at},${at === 4321 ? 7777 : at % 5}`).join("\n");
  const scatter = JSON.parse((await draw(`a,b\n${dots}`, { wish: { type: "scatter" } })).spec);
  assert(scatter.option.series[0].data.some(([, up]: number[]) => up === 7777), "the outlier is not drawn");
});

Deno.test("drawChartOf() adds up all rows of a slice, also where further names part them", async () => {
  const csv = "region,product,v\nN,a,1\nN,b,2\nS,a,10\nS,b,20\n";
  const slices = async (wish: ChartWish) =>
    (await optionOf(csv, wish)).series[0].data.map((
      { name, value }: Record<string, unknown>,
    ) => [name, value]);
  assertEquals(await slices({ type: "pie" }), [["S", 30], ["N", 3]]);
  assertEquals(await slices({ type: "funnel" }), [["S", 30], ["N", 3]]);
  assertEquals(await slices({ type: "pie", color: "product" }), [["b", 22], ["a", 11]]);
  assertEquals((await optionOf(csv, { type: "linear_progress" })).series[0].data, [30, 3]);
});

Deno.test("drawChartOf() draws each row of a heat map, and words of sentences without spaces", async () => {
  const hours = Array.from({ length: 48 }, (_, at) => `${at < 24 ? "Mon" : "Tue"},${at % 24}:00,${at}`);
  const heat = await optionOf(`day,hour,v\n${hours.join("\n")}`, { type: "heat_map" });
  assertEquals([heat.yAxis.data.length, heat.series[0].data.length], [24, 48]);
  const words = await optionOf("评论\n质量很好，价格便宜\n质量好\n", { type: "word_cloud" });
  const texts = words.graphic.map(({ style }: { style: { text: string } }) => style.text);
  assert(texts.includes("价格") && !texts.some((text: string) => text.includes("，")), texts.join());
});

Deno.test("drawChartOf() leaves a row that sums the others up out of the whole", async () => {
  const { spec, notes } = await draw("k,v\na,1\nb,3\nTotal,4\n", { wish: { type: "pie" } });
  const [{ data }] = JSON.parse(spec).option.series;
  assertEquals(data.map(({ name }: { name: string }) => name), ["b", "a"]);
  assertEquals(notes, ['The row "Total" is the sum of the others, it is left out']);
  const own = await draw("k,v\na,1\nTotal,9\n", { wish: { type: "pie" } });
  assertEquals(JSON.parse(own.spec).option.series[0].data.length, 2);
});

Deno.test("drawChartOf() says which wishes do not fit the data", async () => {
  const refused: [string, string, string][] = [
    ["k,v\na,1\nb,2\n", "radar", "at least three"],
    ["k,v\na,0\nb,0\n", "treemap", "numbers above zero"],
    ["v\n3\n", "sunburst", "column of names"],
    ["k,v\na,1\n", "range_column", "two columns of numbers"],
  ];
  for (const [csv, type, reason] of refused) {
    await assertRejects(() => draw(csv, { wish: { type } }), ToolError, reason);
  }
  const months = "month,a,b\n2024-01,1,2\n2024-02,3,4\n";
  const tree = JSON.parse((await draw(months, { wish: { type: "treemap" } })).spec);
  assertEquals(tree.option.series[0].data.map(({ name }: { name: string }) => name), ["2024-01", "2024-02"]);
  const single = await draw(months, { wish: { type: "pie" }, title: "Shares of b" });
  assertEquals(single.notes, ['Only "b" is drawn: this kind of chart has one column of numbers']);
  const bars = await draw("k,v\na,1\nb,2\n", { wish: { type: "dual_axis" } });
  assertEquals([bars.type, bars.notes.length], ["bar", 1]);
});

Deno.test("drawChartOf() draws 20,000 rows and keeps their extremes", async () => {
  const start = Date.UTC(2024, 0, 1);
  const rows = Array.from({ length: 20_000 }, (_, at) => {
    const value = at === 17_777 ? 999 : at === 5 ? -999 : Math.sin(at / 5000);
    return `${new Date(start + at * 60_000).toISOString().slice(0, 19)},${value.toFixed(4)}`;
  });
  const { spec, insights, notes } = await draw(`time,v\n${rows.join("\n")}`);
  const data: [number, number][] = JSON.parse(spec).option.series[0].data;
  const values = data.map(([, value]) => value);
  assert(data.length <= 2000);
  assertEquals([Math.max(...values), Math.min(...values)], [999, -999]);
  assertStringIncludes(insights.join("\n"), "2024-01-13 08:17 (999)");
  assertStringIncludes(notes.join("\n"), "of 20000 points");
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

Deno.test("drawChartOf() makes room for a trend that begins or ends beyond the values", async () => {
  const made = await draw("month,a\n2024-01,99.5\n2024-02,99\n2024-03,98\n2024-04,94\n2024-05,93\n");
  const [{ marks: [line] }] = JSON.parse(made.spec).insights;
  assert(line.from[1] > 99.5, "the line begins within the values");
  const bytes = new TextEncoder().encode(made.spec);
  const { picture } = await drawChartOf(bytes, { task: "mark", insights: [1], output: "html" });
  const [, gap] = picture.match(/"boundaryGap":\["[\d.]+%","([\d.]+)%"\]/) ?? [];
  assert(Number(gap) / 100 * 6.5 > line.from[1] - 99.5, `${gap}%`);
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

Deno.test("drawChartOf() writes all names of few bars", async () => {
  const option = await optionOf("k,v\nalpha,1\nbeta,2\ngamma,3\ndelta,4\n");
  const { interval, hideOverlap } = option.xAxis.axisLabel;
  assertEquals([interval, hideOverlap], [0, undefined]);
});

Deno.test("drawChartOf() draws dots with their names, and a third number as their size", async () => {
  const rows = Array.from({ length: 16 }, (_, at) => `b${at},${at},${at * at},${at * 100}`).join("\n");
  const { series: [dots], yAxis } = await optionOf(`brand,range,time,price\n${rows}\n`, { type: "scatter" });
  assertEquals(dots.data[15], { name: "b15", value: [15, 225], symbolSize: 40 });
  assertEquals(dots.label.show, true);
  assertEquals(yAxis.name, "time  ·  size: price");
});

Deno.test("pageOf() makes a page that needs no network, whatever the texts hold", async () => {
  const evil = '</script><script src="https://evil.example/x.js">';
  const { picture } = await draw(
    `"${evil.replaceAll('"', '""')}",v\na,1\n<img src=x onerror=alert(1)>,2`,
    { title: evil },
  );
  assertStringIncludes(picture, "default-src 'none'");
  const [head, , chart = ""] = picture.split("<script>");
  for (const part of [head, chart]) assert(!/<(?:script|link|img|iframe)/i.test(part!), part);
  assertEquals(picture.match(/<\/script>/g)?.length, 2);
  assertEquals(
    picture.match(/https?:\/\/[\w.-]+/g)?.filter((url) => !/w3\.org|apache\.org|github\.com/.test(url)),
    [...["https://evil.example", "https://evil.example"]],
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

const CSV = "year,GDP\n2021,17800000000000\n2022,18000000000000\n2023,500000000000\n";

Deno.test("withSizedLabels() writes large numbers of an axis with words for their size", async () => {
  const { spec, insights } = await draw(CSV);
  const { option } = JSON.parse(spec);
  const labels = (language: "en" | "zh") =>
    [...renderChart(option, language).matchAll(/>([\d.]+(?:[KMBT]|万亿|亿))</g)].map(([, label]) => label);
  assertEquals(labels("en").includes("15T"), true);
  assertEquals(labels("zh").includes("15万亿"), true);
  assertEquals(
    insights.some((text) => text.includes("2022 (18T)") && text.includes("2023 (500B)")),
    true,
  );
});

Deno.test("sizedLabelsScript() does the same in a page", () => {
  const option = { xAxis: undefined, yAxis: [{ axisLabel: { formatter: SIZED } }, {}], series: [] };
  new Function("option", sizedLabelsScript("zh"))(option);
  const write = option.yAxis[0]!.axisLabel!.formatter as unknown as (value: number) => string;
  const written = "126.06万亿 5亿 -20亿 0 1500000000000000000";
  assertEquals([126.06e12, 5e8, -2e9, 0, 1.5e18].map(write).join(" "), written);
  const plain = { series: [] };
  assertEquals(withSizedLabels(plain, "en"), plain);
});
