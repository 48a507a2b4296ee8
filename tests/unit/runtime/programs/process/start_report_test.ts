import { assertEquals } from "@std/assert";

import { StartReportReader } from "../../../../../runtime/programs/process/start_report.ts";

const JSON_TEXT = '{\n    "child-pid": 4711,\n    "mnt-namespace": 4026532179\n}\n';

for (
  const { name, text, expects, report, rest } of [
    {
      name: "bubblewrap's JSON",
      text: `${JSON_TEXT}error\n`,
      expects: { terminal: false, box: true },
      report: { terminalPid: null, boxPid: 4711 },
      rest: "error\n",
    },
    {
      name: "a terminal's process",
      text: "12\nscript: oops\n",
      expects: { terminal: true, box: false },
      report: { terminalPid: 12, boxPid: null },
      rest: "script: oops\n",
    },
    {
      name: "both",
      text: `12\n${JSON_TEXT}`,
      expects: { terminal: true, box: true },
      report: { terminalPid: 12, boxPid: 4711 },
      rest: "",
    },
    {
      name: "nothing, where nothing is expected",
      text: JSON_TEXT,
      expects: { terminal: false, box: false },
      report: { terminalPid: null, boxPid: null },
      rest: JSON_TEXT,
    },
    {
      name: "a failure instead of a report",
      text: "bwrap: no\n",
      expects: { terminal: false, box: true },
      report: { terminalPid: null, boxPid: null },
      rest: "bwrap: no\n",
    },
    {
      name: "a failure instead of a terminal",
      text: "script: no\n",
      expects: { terminal: true, box: true },
      report: { terminalPid: null, boxPid: null },
      rest: "script: no\n",
    },
    {
      name: "an end in the middle of the report",
      text: '{ "child-pid": 47',
      expects: { terminal: false, box: true },
      report: { terminalPid: null, boxPid: null },
      rest: '{ "child-pid": 47',
    },
    {
      name: "no end of what looks like a report",
      text: `{${"x".repeat(5_000)}`,
      expects: { terminal: false, box: true },
      report: { terminalPid: null, boxPid: null },
      rest: `{${"x".repeat(5_000)}`,
    },
  ]
) {
  Deno.test(`StartReportReader takes from the front: ${name}`, async () => {
    for (const step of [1, 5, 10_000]) {
      const reader = new StartReportReader(expects);
      const bytes = new TextEncoder().encode(text);
      let passed = "";
      const pass = (part: Uint8Array) => passed += new TextDecoder().decode(part);
      for (let at = 0; at < bytes.length; at += step) pass(reader.push(bytes.slice(at, at + step)));
      pass(reader.end());
      assertEquals([await reader.report, passed], [report, rest]);
    }
  });
}
