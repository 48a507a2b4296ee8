import { assert, assertEquals, assertThrows } from "@std/assert";

import { auditLine, MAX_LINE_BYTES, openAuditLog } from "../../../../../runtime/calls/audit/audit_log.ts";
import type { AuditRecord } from "../../../../../schemas/audit.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { workspace } from "../../../../support/run_tool.ts";
import { placed } from "../../../../support/trace_scene.ts";

const RECORD: AuditRecord = {
  v: 1,
  time: "2025-01-01T00:00:00.000Z",
  run_id: "r",
  tool: "test/x",
  arguments: { path: "a" },
  workspace: "/ws",
  policy: "coder",
  base: "coder",
  decision: "allowed",
  rule: null,
  risk: null,
  touched: [{ kind: "read", value: "/ws/a" }],
  programs: [],
  connections: [],
  argv: null,
  cwd: null,
  exit_code: null,
  ok: true,
  error: null,
  flag: null,
  place: "worker",
  duration_ms: 1,
  bytes: 2,
};

const neverWarn = (message: string) => {
  throw new Error(message);
};

Deno.test("openAuditLog() adds lines to what stands in the file, for the user alone", () => {
  using ws = workspace();
  const path = ws.at("audit.jsonl");
  for (const run_id of ["one", "two"]) {
    using log = openAuditLog(placed(path), { warn: neverWarn });
    log.write({ ...RECORD, run_id });
    log.write({ ...RECORD, run_id, arguments: { text: "a\nb\u2028c\x9b" } });
  }
  const lines = ws.read("audit.jsonl").split("\n");
  assertEquals(lines.pop(), "");
  assertEquals(lines.map((line) => JSON.parse(line).run_id), ["one", "one", "two", "two"]);
  assertEquals(JSON.parse(lines[0]!), { ...RECORD, run_id: "one" });
  assert(!/[\x7f-\x9f\u2028]/.test(lines[1]!));
  assertEquals(Deno.statSync(path).mode! & 0o777, 0o600);
});

Deno.test("openAuditLog() refuses what is no file, and does not wait for a pipe", () => {
  using ws = workspace({ "folder/a": "" });
  new Deno.Command("mkfifo", { args: [ws.at("pipe")] }).outputSync();
  const reasons: readonly (readonly [string, string])[] = [
    ["folder", "it is a folder"],
    ["pipe", "it is not a regular file"],
    ["/dev/null", "it is not a regular file"],
    ["none/audit", `Cannot open "${ws.at("none/audit")}": no such file or folder`],
  ];
  for (const [name, reason] of reasons) {
    const path = ws.at(name);
    const error = assertThrows(() => openAuditLog(placed(path), { warn: neverWarn }), ToolError);
    assertEquals([error.code, error.message], [
      "configuration",
      `Cannot use "${path}" for the audit: ${reason}`,
    ]);
  }
});

Deno.test("openAuditLog() warns once when lines cannot be written", () => {
  using ws = workspace();
  const path = ws.at("audit.jsonl");
  const warnings: string[] = [];
  const log = openAuditLog(placed(path), { warn: (message) => warnings.push(message) });
  log[Symbol.dispose]();
  log.write(RECORD);
  log.write(RECORD);
  assertEquals(warnings.length, 1);
  assertEquals(warnings[0]!.startsWith(`the audit "${path}" misses calls: Cannot write "${path}": `), true);
});

Deno.test("auditLine() cuts long texts and lists with a note", () => {
  const text = `${"x".repeat(999)}😀${"y".repeat(5_000)}`;
  const words = Array.from({ length: 600 }, (_, n) => `w${n}`);
  const program = { argv: words, cwd: "/ws", boxed: true, exit_code: 0, duration_ms: 1, bytes: 0 };
  const line = JSON.parse(
    auditLine({ ...RECORD, arguments: { content: text, list: words }, programs: [program], argv: words }),
  );
  assertEquals(line.arguments.content, `${"x".repeat(999)}… [6001 characters in all]`);
  assertEquals(line.arguments.list.length, 501);
  assertEquals(line.arguments.list[500], "[600 items in all]");
  assertEquals(line.programs[0].argv[500], "[600 words in all]");
  assertEquals(line.argv[500], "[600 words in all]");
});

Deno.test("auditLine() stays below its limit whatever a call is made of", () => {
  const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, "é".repeat(900)]));
  const many = JSON.parse(auditLine({ ...RECORD, arguments: fields }));
  assert(/^\[\d+ characters of JSON left out\]$/.test(many.arguments), many.arguments);
  assertEquals(many.touched, RECORD.touched);
  const argv = Array.from({ length: 500 }, () => "é".repeat(2_000));
  const program = { argv, cwd: "/ws", boxed: true, exit_code: 0, duration_ms: 1, bytes: 0 };
  const line = auditLine({ ...RECORD, programs: Array(50).fill(program), argv, flag: "x".repeat(1e6) });
  assert(new TextEncoder().encode(line).length < MAX_LINE_BYTES);
  assertEquals(JSON.parse(line).tool, "test/x");
});
