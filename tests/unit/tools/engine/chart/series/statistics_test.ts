import { assert, assertEquals } from "@std/assert";

import {
  fitLine,
  fiveNumbers,
  pearson,
  quantile,
  robustScores,
  sorted,
  spearman,
  turningPoint,
} from "../../../../../../tools/engine/chart/series/statistics.ts";

const at = (values: number[]) => values.map((value, x) => [x, value] as const);
const about = (value: number, digits = 3) => Number(value.toFixed(digits));

Deno.test("quantile() and fiveNumbers() are those of common statistics", () => {
  const values = sorted([9, 1, null, 7, 3, 5]);
  assertEquals(values, [1, 3, 5, 7, 9]);
  assertEquals([0, 0.25, 0.5, 0.9].map((part) => about(quantile(values, part))), [1, 3, 5, 8.2]);
  // R: boxplot.stats(c(1:9, 30)) has 30 beyond the whiskers.
  assertEquals(fiveNumbers(sorted([1, 2, 3, 4, 5, 6, 7, 8, 9, 30])), {
    box: [1, 3.25, 5.5, 7.75, 9],
    beyond: [30],
  });
});

Deno.test("fitLine() finds the line of least squares", () => {
  const { slope, start, fit } = fitLine(at([1, 3, 2, 5, 4]));
  assertEquals([about(slope), about(start), about(fit)], [0.8, 1.4, 0.64]);
  assertEquals(fitLine(at([4, 4, 4])).slope, 0);
});

Deno.test("pearson() and spearman() agree with textbooks", () => {
  // Anscombe's first quartet.
  const x = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5];
  const y = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
  const pairs = x.map((left, index) => [left, y[index]!] as const);
  assertEquals([about(pearson(pairs)), about(spearman(pairs))], [0.816, 0.818]);
  assertEquals(about(spearman([[1, 1], [2, 4], [3, 9], [4, 16]])), 1);
  assertEquals(about(pearson([[1, 3], [2, 2], [3, 1]])), -1);
  assert(Number.isNaN(pearson([[1, 5], [2, 5]])));
});

Deno.test("robustScores() marks what lies far off, also where most are equal", () => {
  const scores = robustScores([10, 11, 9, 10, 12, 10, 50]);
  assertEquals(scores.map((score) => Math.abs(score) > 3.5), [
    false,
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
  assertEquals(robustScores([5, 5, 5]), [0, 0, 0]);
  assert(robustScores([5, 5, 5, 5, 5, 5, 9])[6]! > 3.5);
});

Deno.test("turningPoint() finds where the direction changes, and none on a line", () => {
  assertEquals(turningPoint(at([1, 2, 3, 4, 5, 4, 3, 2, 1])), 4);
  assertEquals(turningPoint(at([1, 2, 3, 4, 5, 6, 7, 8, 9])), null);
  assertEquals(turningPoint(at([1, 5, 2, 6, 1, 5, 2, 6, 1])), null);
  const many = Array.from({ length: 10_000 }, (_, x) => -Math.abs(x - 3000));
  assert(Math.abs(turningPoint(at(many))! - 3000) <= 50);
});
