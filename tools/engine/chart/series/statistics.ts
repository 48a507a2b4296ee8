/** Numbers in order, without what is missing. */
export function sorted(values: readonly (number | null)[]): number[] {
  return Array.from(Float64Array.from(values.filter((value) => value !== null)).sort());
}

/** The value below which a part of ordered numbers lies, between neighbours in proportion. */
export function quantile(ordered: readonly number[], part: number): number {
  const at = (ordered.length - 1) * part;
  const low = ordered[Math.floor(at)] ?? NaN;
  const high = ordered[Math.ceil(at)] ?? NaN;
  return low + (high - low) * (at - Math.floor(at));
}

/** What a box of a box plot shows: whisker, quartile, median, quartile, whisker, and the values beyond. */
export function fiveNumbers(ordered: readonly number[]): { box: number[]; beyond: number[] } {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((part) => quantile(ordered, part)) as [
    number,
    number,
    number,
  ];
  const reach = 1.5 * (high - low);
  const inside = ordered.filter((value) => value >= low - reach && value <= high + reach);
  return {
    box: [Math.min(low, inside[0]!), low, middle, high, Math.max(high, inside.at(-1)!)],
    beyond: ordered.filter((value) => value < low - reach || value > high + reach),
  };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** A straight line through points. */
export interface Line {
  slope: number;
  start: number;
  /** Part of the spread that the line explains, 0 to 1. */
  fit: number;
  /** Sum of the squares of what is left. */
  rest: number;
}

/** The line with the least squares. */
export function fitLine(points: readonly (readonly [number, number])[]): Line {
  const [midX, midY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  let [xx, xy, yy] = [0, 0, 0];
  for (const [x, y] of points) {
    xx += (x - midX) ** 2;
    xy += (x - midX) * (y - midY);
    yy += (y - midY) ** 2;
  }
  const slope = xx === 0 ? 0 : xy / xx;
  const rest = Math.max(0, yy - slope * xy);
  return { slope, start: midY - slope * midX, fit: yy === 0 ? 0 : 1 - rest / yy, rest };
}

/** Pearson's correlation; `NaN` if one of both never changes. */
export function pearson(pairs: readonly (readonly [number, number])[]): number {
  const { slope, fit } = fitLine(pairs);
  const flat = pairs.every(([x]) => x === pairs[0]![0]) || pairs.every(([, y]) => y === pairs[0]![1]);
  return flat ? NaN : Math.sign(slope) * Math.sqrt(Math.max(0, fit));
}

/** Spearman's correlation: that of the ranks. */
export function spearman(pairs: readonly (readonly [number, number])[]): number {
  const left = ranks(pairs.map(([x]) => x));
  const right = ranks(pairs.map(([, y]) => y));
  return pearson(left.map((rank, at) => [rank, right[at]!] as const));
}

/** Equal values share the mean of their ranks. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, at) => at).sort((one, other) => values[one]! - values[other]!);
  const found: number[] = Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1]!] === values[order[from]!]) to++;
    for (let at = from; at <= to; at++) found[order[at]!] = (from + to) / 2;
    from = to + 1;
  }
  return found;
}

/** How far each value lies from the median, in spreads that outliers do not widen. */
export function robustScores(values: readonly number[]): number[] {
  const middle = quantile(sorted(values), 0.5);
  const spread = 1.4826 * quantile(sorted(values.map((value) => Math.abs(value - middle))), 0.5);
  // More than half of the values are equal.
  const scale = spread > 0 ? spread : 1.2533 * mean(values.map((value) => Math.abs(value - middle)));
  return values.map((value) => scale === 0 ? 0 : (value - middle) / scale);
}

/** Points that are tried as turning points. */
const MOST_TRIED = 200;

/**
 * The place where two lines fit much better than one and the direction changes; `null` without one. Both parts have at
 * least three points. Of many points, about 200 are tried.
 */
export function turningPoint(points: readonly (readonly [number, number])[]): number | null {
  const step = Math.ceil(points.length / MOST_TRIED);
  const tried = points.filter((_, at) => at % step === 0);
  if (tried.length < 7) return null;
  const whole = fitLine(tried).rest;
  let best = { at: -1, rest: Infinity, turns: false };
  for (let at = 3; at <= tried.length - 4; at++) {
    const [before, after] = [fitLine(tried.slice(0, at + 1)), fitLine(tried.slice(at))];
    const rest = before.rest + after.rest;
    if (rest < best.rest) best = { at, rest, turns: Math.sign(before.slope) !== Math.sign(after.slope) };
  }
  return best.turns && best.rest < 0.35 * whole ? best.at * step : null;
}
