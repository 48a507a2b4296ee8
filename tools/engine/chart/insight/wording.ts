import { type Language, measured, shortText } from "../series/words.ts";

/** Longer names would hide what is said about them. */
const LONGEST_PLACE = 40;

/** The facts of an insight, by its kind. */
export type Finding =
  | { kind: "trend"; series: string; only: boolean; up: boolean; change: number | null }
  | { kind: "extremes"; series: string; max: Named; min: Named }
  | { kind: "outlier"; series: string; points: Named[]; more: number }
  | { kind: "turning_point"; series: string; point: Named; peak: boolean }
  | { kind: "correlation"; pair: [string, string]; pearson: number; spearman: number }
  | { kind: "majority"; name: string; share: number; of: string }
  | { kind: "average"; series: string; value: number; unit: string | null; per: string | null }
  | { kind: "volatility"; series: string; share: number };

/** A value and where it stands. */
export interface Named {
  place: string;
  value: number;
  unit: string | null;
}

/** Says a finding in a sentence. */
export function sayFinding(finding: Finding, language: Language): string {
  return language === "zh" ? chinese(finding) : english(finding);
}

function english(finding: Finding): string {
  switch (finding.kind) {
    case "trend": {
      const { up, change, only, series } = finding;
      const how = change === null
        ? ""
        : `, with an overall ${up ? "increase" : "decrease"} of ${percent(Math.abs(change))}`;
      const subject = only ? "The overall data" : series;
      return `${subject} shows ${up ? "an increasing" : "a decreasing"} trend${how}.`;
    }
    case "extremes":
      return `${finding.series} is highest at ${at(finding.max)} and lowest at ${at(finding.min)}.`;
    case "outlier": {
      const more = finding.more > 0 ? `, and ${finding.more} more` : "";
      const [verb, noun] = finding.points.length + finding.more === 1
        ? ["is", "an outlier"]
        : ["are", "outliers"];
      return `${finding.points.map(at).join(", ")}${more} ${verb} ${noun} of ${finding.series}.`;
    }
    case "turning_point": {
      const turn = finding.peak ? "rises before it and falls after it" : "falls before it and rises after it";
      const { place, value, unit } = finding.point;
      return `Turning point of ${finding.series} at ${place}, with a value of ${
        measured(value, unit)
      }: it ${turn}.`;
    }
    case "correlation": {
      const [one, other] = finding.pair;
      const strength = Math.abs(finding.pearson) >= 0.8 ? "strong" : "clear";
      return `${one} and ${other} have a ${strength} ${
        finding.pearson > 0 ? "positive" : "negative"
      } correlation: ` +
        `Pearson ${finding.pearson.toFixed(2)}, Spearman ${finding.spearman.toFixed(2)}.`;
    }
    case "majority":
      return `${finding.name} makes up ${percent(finding.share)} of ${finding.of}.`;
    case "average": {
      const { series, value, unit, per } = finding;
      return `The average of ${series}${per === null ? "" : ` per ${per}`} is ${measured(value, unit)}.`;
    }
    case "volatility":
      return `${finding.series} varies strongly: from one point to the next it changes by ${
        percent(finding.share)
      } of its average.`;
  }
}

function chinese(finding: Finding): string {
  switch (finding.kind) {
    case "trend": {
      const { up, change, only, series } = finding;
      const how = change === null ? "" : `，整体${up ? "增长" : "下降"} ${percent(Math.abs(change))}`;
      return `${only ? "整体数据" : `“${series}”`}呈${up ? "上升" : "下降"}趋势${how}。`;
    }
    case "extremes":
      return `“${finding.series}”的最大值为 ${zhAt(finding.max)}，最小值为 ${zhAt(finding.min)}。`;
    case "outlier": {
      const more = finding.more > 0 ? `等 ${finding.points.length + finding.more} 个点` : "";
      return `“${finding.series}”存在异常值：${finding.points.map(zhAt).join("、")}${more}。`;
    }
    case "turning_point": {
      const { place, value, unit } = finding.point;
      const turn = finding.peak ? "上升，此后下降" : "下降，此后上升";
      return `“${finding.series}”在 ${place} 出现转折点，值为 ${measured(value, unit, "zh")}：此前${turn}。`;
    }
    case "correlation": {
      const [one, other] = finding.pair;
      const strength = Math.abs(finding.pearson) >= 0.8 ? "强" : "明显的";
      return `“${one}”与“${other}”存在${strength}${finding.pearson > 0 ? "正" : "负"}相关：` +
        `Pearson ${finding.pearson.toFixed(2)}，Spearman ${finding.spearman.toFixed(2)}。`;
    }
    case "majority":
      return `“${finding.name}”占“${finding.of}”的 ${percent(finding.share)}。`;
    case "average":
      return `${finding.per === null ? "" : `按“${finding.per}”汇总，`}“${finding.series}”的平均值为 ${
        measured(finding.value, finding.unit, "zh")
      }。`;
    case "volatility":
      return `“${finding.series}”波动较大：相邻两点平均变化为均值的 ${percent(finding.share)}。`;
  }
}

function at({ place, value, unit }: Named): string {
  return `${shortText(place, LONGEST_PLACE)} (${measured(value, unit)})`;
}

function zhAt({ place, value, unit }: Named): string {
  return `${shortText(place, LONGEST_PLACE)}（${measured(value, unit, "zh")}）`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`;
}
