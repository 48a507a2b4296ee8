import type { Metric, Sample } from "./metrics.ts";

/** Media type of the text. */
export const OPEN_METRICS = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** Writes metrics in the form of OpenMetrics 1.0, which Prometheus and others read. */
export function openMetricsText(metrics: readonly Metric[]): string {
  return metrics.map(textOf).join("") + "# EOF\n";
}

function textOf(metric: Metric): string {
  const { name, type, help, unit } = metric;
  return [
    `# TYPE ${name} ${type}`,
    ...unit === undefined ? [] : [`# UNIT ${name} ${unit}`],
    `# HELP ${name} ${escape(help)}`,
    ...metric.samples().map((sample) => lineOf(name, sample)),
  ].map((line) => `${line}\n`).join("");
}

function lineOf(name: string, { suffix, labels, value }: Sample): string {
  const shown = labels.map(([label, text]) => `${label}="${escape(text)}"`).join(",");
  return `${name}${suffix}${shown === "" ? "" : `{${shown}}`} ${value}`;
}

/** As the form wants it; what is no text in UTF-8 stands as a replacement. */
function escape(text: string): string {
  return text.toWellFormed().replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
