export interface ReadMetric {
  type: string;
  unit: string | null;
  help: string;
  /** By the whole line before the value. */
  samples: Map<string, number>;
}

/** Suffixes of lines, by the type of their metric. */
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: ["_total", "_created"],
  gauge: [""],
  info: ["_info"],
  histogram: ["_bucket", "_count", "_sum", "_created"],
  unknown: [""],
};
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[n"\\])*)"/y;
/** A bound of a bucket has a point, or an exponent. */
const BOUND = /^(?:\d+\.\d+(?:e[+-]\d+)?|\+Inf)$/;
const NUMBER = /^(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|[-+]?[iI]nf|NaN)$/;

/**
 * Reads metrics in the form of OpenMetrics 1.0. Throws for all that the form does not allow: a line out of its place, a metric
 * or a line twice, a unit that does not end its name, a bound that is no float, buckets that do not grow, a text behind `# EOF`.
 */
export function readOpenMetrics(text: string): Map<string, ReadMetric> {
  if (!text.endsWith("# EOF\n")) throw new Error("no # EOF at its end");
  const metrics = new Map<string, ReadMetric>();
  let name = "";
  let metric: ReadMetric | undefined;
  for (const line of text.slice(0, -"# EOF\n".length).split("\n").slice(0, -1)) {
    const [, what, of = "", rest = ""] = /^# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.*)$/.exec(line) ??
      [];
    if (what === undefined) {
      if (!metric) throw new Error(`a line without a metric: ${line}`);
      readSample(line, name, metric);
      continue;
    }
    if (of !== name) {
      if (metrics.has(of)) throw new Error(`twice: ${of}`);
      name = of;
      metric = { type: "unknown", unit: null, help: "", samples: new Map() };
      metrics.set(of, metric);
    }
    if (metric!.samples.size > 0) throw new Error(`behind its lines: ${line}`);
    if (what === "TYPE") metric!.type = rest;
    else if (what === "HELP") metric!.help = rest;
    else if (name.endsWith(`_${rest}`)) metric!.unit = rest;
    else throw new Error(`the unit is no part of the name: ${line}`);
  }
  for (const [name, metric] of metrics) checkWhole(name, metric);
  return metrics;
}

function readSample(line: string, name: string, { type, samples }: ReadMetric): void {
  const [, own = "", labels = "", value = ""] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{.*\})? (\S+)$/.exec(line) ??
    [];
  const suffixes = SUFFIXES[type];
  if (!suffixes) throw new Error(`no type: ${type}`);
  if (!suffixes.some((suffix) => own === `${name}${suffix}`)) throw new Error(`not of ${name}: ${line}`);
  if (!NUMBER.test(value)) throw new Error(`no number: ${line}`);
  checkLabels(labels, line);
  const key = line.slice(0, line.lastIndexOf(" "));
  if (samples.has(key)) throw new Error(`twice: ${key}`);
  samples.set(key, Number(value));
}

function checkLabels(text: string, line: string): void {
  if (text === "") return;
  const names = new Set<string>();
  let at = 1;
  while (true) {
    LABEL.lastIndex = at;
    const found = LABEL.exec(text);
    if (!found) throw new Error(`no label: ${line}`);
    if (names.has(found[1]!)) throw new Error(`a label twice: ${line}`);
    names.add(found[1]!);
    if (found[1] === "le" && !BOUND.test(found[2]!)) throw new Error(`no bound: ${line}`);
    at = LABEL.lastIndex;
    if (text.slice(at) === "}") return;
    if (text[at++] !== ",") throw new Error(`no comma: ${line}`);
  }
}

/** Buckets grow, end with all, and agree with the count. */
function checkWhole(name: string, { type, samples }: ReadMetric): void {
  if (type !== "histogram") return;
  const groups = new Map<string, number[]>();
  for (const [key, value] of samples) {
    if (!key.startsWith(`${name}_bucket`)) continue;
    const group = key.replace(/,?le="[^"]*"/, "").replace("_bucket", "_count").replace("{}", "");
    const known = groups.get(group) ?? [];
    if (value < (known.at(-1) ?? 0)) throw new Error(`a bucket that shrinks: ${key}`);
    groups.set(group, [...known, value]);
  }
  for (const [group, values] of groups) {
    if (samples.get(group) !== values.at(-1)) throw new Error(`no count of all: ${group}`);
    if (!samples.has(group.replace("_count", "_sum"))) throw new Error(`no sum: ${group}`);
  }
}
