import { showCall } from "../show/show_call.ts";
import { type BatchAnswer, verdictOf } from "./batch_call.ts";

/** A report for the readers of JUnit's XML. */
export interface JunitSuite {
  /** The batch's file. */
  name: string;
  started: Date;
  durationMs: number;
}

/** Most characters of a call's text that are kept. */
const MAX_TEXT = 20_000;

/**
 * Returns the XML of a batch: a test case for each call. What is not as expected is a failure, what could not be done is
 * an error, and what was stopped is skipped.
 */
export function renderJunit(
  calls: readonly BatchAnswer[],
  { name, started, durationMs }: JunitSuite,
): string {
  const kinds = calls.map(kindOf);
  const count = (kind: string) => kinds.filter((one) => one === kind).length;
  const sums = attributes({
    tests: calls.length,
    failures: count("failure"),
    errors: count("error"),
    skipped: count("skipped"),
    time: seconds(durationMs),
  });
  const suite = attributes({ name, timestamp: started.toISOString().slice(0, 19) });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="bulkhead"${sums}>`,
    `  <testsuite${suite}${sums}>`,
    ...calls.map((call) => testCase(call, name)),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function kindOf(call: BatchAnswer): "passed" | "failure" | "error" | "skipped" {
  const verdict = verdictOf(call);
  if (verdict === "ok") return "passed";
  if (verdict === "stopped") return "skipped";
  return call.result.error?.code === "conflict" ? "failure" : "error";
}

function testCase(call: BatchAnswer, file: string): string {
  const { id, line, toolName, input, result } = call;
  const head = attributes({
    name: `${id} ${showCall(toolName, input)}`.trim(),
    classname: toolName.replaceAll("/", ".") || call.kind || "batch",
    file,
    line,
    time: seconds(result.metadata.duration_ms),
  });
  const kind = kindOf(call);
  if (kind === "passed") return `    <testcase${head}/>`;
  const { code = "internal", message = "" } = result.error ?? {};
  const facts = attributes(kind === "skipped" ? { message } : { message, type: code });
  const told = [result.text.slice(0, MAX_TEXT), ...result.warnings.map((one) => `warning: ${one}`)];
  const text = kind === "skipped" ? "" : escape(told.join("\n"));
  return `    <testcase${head}>\n      <${kind}${facts}>${text}</${kind}>\n    </testcase>`;
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values).map(([name, value]) => ` ${name}="${escape(String(value), true)}"`).join("");
}

function seconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(3);
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** XML 1.0 has no way to write most control characters. An attribute would lose its line ends. */
function escape(text: string, isAttribute = false): string {
  const escaped = text.toWellFormed()
    // deno-lint-ignore no-control-regex
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, "\ufffd")
    .replace(/[&<>"]/g, (char) => ENTITIES[char]!)
    .replaceAll("\r", "&#13;");
  return isAttribute ? escaped.replaceAll("\n", "&#10;").replaceAll("\t", "&#9;") : escaped;
}
