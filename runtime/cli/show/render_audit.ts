import { quoteWord } from "../../text/shell_quote.ts";
import { plural } from "../../text/plural.ts";
import { onOneLine } from "../../text/strip_controls.ts";
import type { AuditSummary, Counted } from "../../calls/audit/sum_up_audit.ts";

/** How many entries of each list are shown. */
const SHOWN = 30;

/** Returns the summary of an audit for a person. */
export function renderAudit(summary: AuditSummary): string {
  const { calls, runs, refused, confirmed, failed, skipped } = summary;
  const parts = [
    `${calls - refused - failed} ok`,
    `${refused} refused`,
    `${failed} failed`,
    ...(confirmed > 0 ? [`${confirmed} confirmed by a person`] : []),
  ];
  const lines = [`${plural(calls, "call")} in ${plural(runs, "run")}: ${parts.join(", ")}`];
  if (skipped.broken > 0) lines.push(`skipped ${plural(skipped.broken, "broken line")}`);
  if (skipped.other_versions > 0) {
    lines.push(
      `skipped ${plural(skipped.other_versions, "line")} of a version that this program does not know`,
    );
  }
  lines.push(...section("tools", summary.tools.map(toolLine)));
  lines.push(...section("read", summary.touched.read.map(countedLine)));
  lines.push(...section("written", summary.touched.write.map(countedLine)));
  const { connections, net } = summary.touched;
  const reached = new Set(connections.map(({ host }) => host));
  const named = net.filter(({ value }) => !reached.has(value));
  lines.push(...section("hosts", named.map(countedLine)));
  lines.push(...section("connections", connections.map(connectionLine)));
  lines.push(...section("programs", summary.programs.map(programLine)));
  lines.push(...section("rules that refused", summary.rules.map(countedLine)));
  lines.push(...section("refused", summary.refusals.map(refusalLine)));
  if (summary.flags.length > 0) {
    lines.push(
      "",
      "flags that allow all of it, except what rules refused",
      ...summary.flags.map(({ workspace, flags }) =>
        `  ${[`-C`, workspace, ...flags].map(quoteWord).join(" ")}`
      ),
    );
  }
  return `${lines.join("\n")}\n`;
}

function section(title: string, entries: readonly string[]): string[] {
  if (entries.length === 0) return [];
  const more = entries.length - SHOWN;
  const shown = entries.slice(0, SHOWN).map((entry) => `  ${onOneLine(entry)}`);
  return ["", title, ...shown, ...(more > 0 ? [`  … and ${more} more, see --json`] : [])];
}

function countedLine({ value, count }: Counted): string {
  return count > 1 ? `${value} (${count})` : value;
}

function toolLine({ tool, calls, refused, failed }: AuditSummary["tools"][number]): string {
  const bad = [...(refused > 0 ? [`${refused} refused`] : []), ...(failed > 0 ? [`${failed} failed`] : [])];
  return `${tool} ${plural(calls, "call")}${bad.length > 0 ? `, ${bad.join(", ")}` : ""}`;
}

function programLine({ program, count, unboxed, risk }: AuditSummary["programs"][number]): string {
  const box = unboxed === 0
    ? "in the sandbox"
    : unboxed === count
    ? "without a sandbox"
    : `${unboxed} without a sandbox`;
  return `${program} ${plural(count, "call")}, ${box}${risk === null ? "" : `, risk ${risk}`}`;
}

function connectionLine(connection: AuditSummary["touched"]["connections"][number]): string {
  const { who, host, count, refused, failed, sent_bytes, received_bytes } = connection;
  const parts = [
    `${plural(count, "connection")} of ${who}`,
    ...(refused > 0 ? [`${refused} refused`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(sent_bytes + received_bytes > 0 ? [`${sent_bytes} bytes out, ${received_bytes} in`] : []),
  ];
  return `${host} ${parts.join(", ")}`;
}

function refusalLine({ tool, error, rule, flag, count }: AuditSummary["refusals"][number]): string {
  const why = rule !== null ? `rule ${rule}` : flag ?? error ?? "unknown";
  return `${tool} ${why}${count > 1 ? ` (${count})` : ""}`;
}
