import { assertEquals } from "@std/assert";

import { findDotInsights, findInsights } from "../../../../../../tools/engine/chart/insight/find_insights.ts";
import type { Point, SeriesData } from "../../../../../../tools/engine/chart/series/series.ts";

function data(series: Record<string, (number | null)[]>, more: Partial<SeriesData> = {}): SeriesData {
  const [first = []] = Object.values(series);
  return {
    axis: "category",
    name: "k",
    ordered: true,
    joined: false,
    labels: first.map((_, at) => `p${at + 1}`),
    series: Object.entries(series).map(([name, values]) => ({
      name,
      unit: null,
      points: values.map((value, at): Point => [at, value]),
    })),
    ...more,
  };
}

const kinds = (found: { kind: string }[]) => found.map(({ kind }) => kind);

Deno.test("findInsights() finds where a series turns", () => {
  const [insight] = findInsights(data({ a: [1, 3, 5, 7, 9, 7, 5, 3, 1] }), "en");
  assertEquals(insight, {
    kind: "turning_point",
    text: "Turning point of a at p5, with a value of 9: it rises before it and falls after it.",
    marks: [{ form: "point", series: 0, at: [4, 9], text: "p5", lower: false }],
  });
  assertEquals(
    findInsights(data({ a: [9, 7, 5, 3, 1, 3, 5, 7, 9] }), "zh")[0]?.text,
    "“a”在 p5 出现转折点，值为 1：此前下降，此后上升。",
  );
});

Deno.test("findInsights() finds series that go together, and those that go apart", () => {
  const up = [1, 5, 2, 8, 3, 9];
  const found = findInsights(data({ a: up, b: up.map((value) => 20 - value), c: [4, 4, 5, 4, 4, 5] }), "en");
  assertEquals(found[0]?.text, "a and b have a strong negative correlation: Pearson -1.00, Spearman -1.00.");
  assertEquals(found.filter(({ kind }) => kind === "correlation").length, 1);
});

Deno.test("findInsights() finds what makes up most, where there is no order", () => {
  const found = findInsights(data({ a: [70, 20, 10] }, { ordered: false }), "en");
  assertEquals(kinds(found), ["majority", "extremes", "average"]);
  assertEquals(found[0]?.text, "p1 makes up 70.0% of a.");
});

Deno.test("findInsights() says no trend of noise, of few points, and of names", () => {
  assertEquals(kinds(findInsights(data({ a: [5, 1, 6, 2, 5, 1, 6, 2] }), "en")).includes("trend"), false);
  assertEquals(kinds(findInsights(data({ a: [1, 2, 3] }), "en")).includes("trend"), false);
  assertEquals(
    kinds(findInsights(data({ a: [1, 2, 3, 4, 5] }, { ordered: false }), "en")).includes("trend"),
    false,
  );
});

Deno.test("findInsights() says nothing of what is missing or all the same", () => {
  assertEquals(findInsights(data({ a: [null, null] }), "en"), []);
  assertEquals(findInsights(data({ a: [3] }), "en"), []);
  assertEquals(findInsights(data({ a: [3, 3, 3, null, 3] }), "en"), []);
});

Deno.test("findInsights() writes values with their units, and says of what an average is", () => {
  const values = data({ a: [70, 20, 11] }, { ordered: false, joined: true, name: "city" });
  const texts = (unit: string, language: "en" | "zh") =>
    findInsights({ ...values, series: values.series.map((one) => ({ ...one, unit })) }, language)
      .map(({ text }) => text);
  assertEquals(texts("$", "en"), [
    "p1 makes up 69.3% of a.",
    "a is highest at p1 ($70) and lowest at p3 ($11).",
    "The average of a per city is $33.67.",
  ]);
  // Parts of a hundred do not add up to a whole.
  assertEquals(texts("%", "zh"), [
    "“a”的最大值为 p1（70%），最小值为 p3（11%）。",
    "按“city”汇总，“a”的平均值为 33.67%。",
  ]);
  assertEquals(texts("kg", "zh")[1], "“a”的最大值为 p1（70 kg），最小值为 p3（11 kg）。");
});

Deno.test("findInsights() gives at most six", () => {
  const wild = [1, 9, 2, 40, 3, 8, 4, 9, 5, 12];
  assertEquals(findInsights(data({ a: wild, b: wild, c: wild }), "en").length, 6);
});

Deno.test("findDotInsights() finds how two numbers go together, and the dot that does not", () => {
  const points = Array.from(
    { length: 20 },
    (_, at): [number, number] => [at, at === 10 ? 90 : 2 * at + at % 3],
  );
  const found = findDotInsights({ names: ["x", "y"], unit: null, points }, "en");
  assertEquals(found[0]?.text, "x 10 (90) is an outlier of y.");
  const others = points.filter(([x]) => x !== 10);
  const sound = findDotInsights({ names: ["x", "y"], unit: "kg", points: others }, "zh");
  assertEquals(sound[0]?.text, "“x”与“y”存在强正相关：Pearson 1.00，Spearman 1.00。");
  assertEquals(sound[0]?.marks[0]?.form, "line");
});
