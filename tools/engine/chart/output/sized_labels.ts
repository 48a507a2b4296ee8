import { type Option, SIZED } from "../option/frame.ts";
import { type Language, sizedNumber } from "../series/words.ts";

type Axis = { axisLabel?: { formatter?: unknown } } | undefined;

/** Gives the axes of large numbers the function that writes them. */
export function withSizedLabels(option: Option, language: Language): Option {
  const write = (value: number) => sizedNumber(value, language);
  const sized = (axis: Axis) =>
    axis?.axisLabel?.formatter === SIZED
      ? { ...axis, axisLabel: { ...axis.axisLabel, formatter: write } }
      : axis;
  const both = (axes: unknown) => Array.isArray(axes) ? axes.map(sized) : sized(axes as Axis);
  const { xAxis, yAxis } = option;
  return xAxis === undefined ? option : { ...option, xAxis: both(xAxis), yAxis: both(yAxis) };
}

/** The same for a page, where the options stand as `option`. */
export function sizedLabelsScript(language: Language): string {
  return `for (const axis of [option.xAxis, option.yAxis].flat()) {
  if (axis?.axisLabel?.formatter !== ${JSON.stringify(SIZED)}) continue;
  axis.axisLabel.formatter = (value) => (${sizedNumber})(value, ${JSON.stringify(language)});
}`;
}
