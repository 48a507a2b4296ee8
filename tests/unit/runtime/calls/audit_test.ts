import { assert, assertEquals, assertThrows } from "@std/assert";

import { auditLine, MAX_LINE_BYTES, openAuditLog } from "../../../../runtime/calls/audit/audit_log.ts";
import { type AuditSummary, AuditTally } from "../../../../runtime/calls/audit/sum_up_audit.ts";
import { renderAudit } from "../../../../runtime/cli/show/render_audit.ts";
import type { Needs } from "../../../../schemas/access.ts";
import type { AuditedConnection, AuditRecord } from "../../../../schemas/audit.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { workspace } from "../../../support/run_tool.ts";
import { AUDIT_RECORD, placed } from "../../../support/trace_scene.ts";

const NEEDS: Readonly<Record<string, Needs>> = {
  "h/Write": { write: "granted" },
  "h/Edit": { read: "granted", write: "granted" },
};

function record(changes: Partial<AuditRecord> = {}): AuditRecord {
  return { ...AUDIT_RECORD, touched: [], ...changes };
}

const touches = (kind: "read" | "write" | "net" | "run", ...values: string[]): Partial<AuditRecord> => ({
  touched: values.map((value) => ({ kind, value })),
});

const lacks = (flag: string): Partial<AuditRecord> => (
  { decision: "refused", ok: false, error: "permission_denied", flag }
);

const reached = (host: string, changes: Partial<AuditedConnection> = {}): AuditedConnection => ({
  ...{ who: "h/Read", host, port: 443, address: "8.8.8.8", decision: "allowed", rule: "public", flag: null },
  ...{ sent_bytes: 100, received_bytes: 2000 },
  ...changes,
});

const refusedAt = (host: string, changes: Partial<AuditedConnection> = {}) =>
  reached(host, {
    ...{ address: null, decision: "refused", rule: "it is not granted", flag: `--allow-net=${host}:443` },
    ...{ sent_bytes: 0, received_bytes: 0 },
    ...changes,
  });

const ran = (boxed: boolean, ...argv: string[]): Partial<AuditRecord> => ({
  tool: "h/Bash",
  risk: "low",
  programs: [{ argv, cwd: "/ws", boxed, exit_code: 0, duration_ms: 1, bytes: 0 }],
});

function sum(records: readonly AuditRecord[]): AuditSummary {
  const tally = new AuditTally((tool) => NEEDS[tool] ?? {});
  for (const one of records) tally.addLine(JSON.stringify(one));
  return tally.sum();
}

const FLAGS: readonly (readonly [name: string, Partial<AuditRecord>[], flags: string])[] = [
  ["reads inside the workspace need nothing", [touches("read", "/ws/a", "/ws")], ""],
  [
    "reads outside are listed",
    [touches("read", "/b", "/a/x"), touches("read", "/b")],
    "--allow-read=/a/x,/b",
  ],
  ["writes are listed", [{ tool: "h/Write", ...touches("write", "/ws/a") }], "--allow-write=/ws/a"],
  ["four of one folder become the folder, three do not", [
    touches("read", "/a/1", "/a/2", "/a/3", "/a/4", "/b/1", "/b/2", "/b/3"),
  ], "--allow-read=/a,/b/1,/b/2,/b/3"],
  ["the root is never named", [touches("read", "/a", "/b", "/c", "/d")], "--allow-read=/a,/b,/c,/d"],
  ["what lies in another one is left out", [touches("read", "/a", "/a/b/c", "/ab")], "--allow-read=/a,/ab"],
  ["commas are doubled", [touches("read", "/a,b")], "--allow-read=/a,,b"],
  ["secrets need their own flag", [touches("read", "/ws/.env")], "--allow-secrets=/ws/.env"],
  ["protected files are named one by one", [
    { tool: "h/Write", ...touches("write", "/ws/.git/config", "/ws/a") },
  ], "--allow-write=/ws/a,/ws/.git/config"],
  ["a tool that needs writing and wrote nothing gets the workspace", [
    { tool: "h/Edit", ...touches("read", "/ws/a") },
  ], "--allow-write=/ws"],
  ["hosts are listed", [touches("net", "b.org", "a.org")], "--allow-net=a.org,b.org"],
  ["declared private hosts need their own flag", [
    touches("net", "127.0.0.1:8080", "db.internal:5432", "https://a.org/path?key=1"),
  ], "--allow-net=a.org:443 --allow-private-net=127.0.0.1:8080,db.internal:5432"],
  ["connections are listed with their ports", [
    { ...touches("net", "a.org:443"), connections: [reached("a.org"), reached("b.org", { port: 80 })] },
    { connections: [reached("c.org", { decision: "failed", address: null }), refusedAt("d.org")] },
  ], "--allow-net=a.org:443,b.org:80,c.org:443,d.org:443"],
  ["a name that leads to a private address needs the flag for those", [
    { ...touches("net", "db.corp.org:443"), connections: [reached("db.corp.org", { address: "10.1.2.3" })] },
    { connections: [reached("::1", { address: "::1" })] },
  ], "--allow-private-net=[::1]:443,db.corp.org:443"],
  ["a connection that no flag allows does not count", [
    { connections: [refusedAt("a.org", { flag: null, rule: "*.org" })] },
  ], ""],
  [
    "refusals count",
    [lacks("--allow-read=/x"), lacks("--allow-private-net=::1")],
    "--allow-read=/x --allow-private-net=::1",
  ],
  [
    "flags without a value",
    [lacks("--share-net"), lacks("--allow-net"), touches("net", "a.org")],
    "--allow-net --share-net",
  ],
  ["what a deny or a rule refused does not count", [
    { ...lacks("--deny-read"), ...touches("read", "/x") },
    { ...lacks(""), ...touches("read", "/y"), flag: null, error: "denied_by_policy", rule: "permission" },
  ], ""],
  [
    "what failed for another reason was let",
    [{ ...touches("read", "/x"), ok: false, error: "not_found" }],
    "--allow-read=/x",
  ],
];

Deno.test("AuditTally names the smallest grants", () => {
  for (const [name, changes, flags] of FLAGS) {
    const [needed] = sum(changes.map(record)).flags;
    const policy = "--policy=read-only-no-net";
    assertEquals(needed?.flags ?? [policy], [policy, ...flags === "" ? [] : flags.split(" ")], name);
  }
});

Deno.test("AuditTally names the policy that programs ran under", () => {
  const flags = (...changes: Partial<AuditRecord>[]) => sum(changes.map(record)).flags[0]?.flags;
  const boxed = ran(true, "/usr/bin/bash", "-c", "ls");
  assertEquals(flags(boxed), ["--policy=coder"]);
  assertEquals(flags({ ...boxed, policy: "read-only", base: "read-only" }), ["--policy=read-only"]);
  assertEquals(flags({ ...boxed, policy: "ci" }), ["--policy=ci"]);
  const reading = { ...boxed, policy: "read-only", base: "read-only" } as const;
  assertEquals(flags({ ...boxed, policy: "ci" }, reading), ["--policy=coder"]);
  assertEquals(flags(boxed, touches("write", "/ws/a"), touches("net", "a.org")), ["--policy=coder"]);
  assertEquals(flags(boxed, touches("write", "/x/a")), ["--policy=coder", "--allow-write=/x/a"]);
  const piped = ran(false, "/usr/bin/bash", "-c", "git status | wc");
  const unboxed = { ...piped, ...touches("run", "bash", "git", "wc") };
  assertEquals(flags(unboxed), ["--policy=coder", "--allow-run=bash,git,wc"]);
  assertEquals(flags(ran(false, "/usr/bin/git", "log")), ["--policy=coder", "--allow-run=git"]);
  const refused = { ...lacks("--allow-run=bash"), ...touches("run", "bash", "ls") };
  assertEquals(flags(refused), ["--policy=coder", "--allow-run=bash,ls"]);
  const unnamed = { ...lacks("--policy=coder"), policy: "read-only", base: "read-only" as const };
  assertEquals(flags(unnamed), ["--policy=coder"]);
  const unlisted = { ...unnamed, ...touches("run", "bash", "ls") };
  assertEquals(flags(unlisted), ["--policy=coder", "--allow-run=bash,ls"]);
  assertEquals(flags(lacks("--allow-read=/a,,b")), ["--policy=read-only-no-net", "--allow-read=/a,,b"]);
  // Of hosts those of programs, under every policy.
  const curl = { who: "curl" };
  const tool = reached("tool.org", { who: "h/Bash" });
  const connections = [tool, reached("a.org", curl), refusedAt("b.org", curl)];
  assertEquals(flags({ ...boxed, connections }), ["--policy=coder", "--allow-net=a.org:443,b.org:443"]);
});

Deno.test("AuditTally sums connections up by who and where", () => {
  const connections = [reached("a.org"), reached("a.org"), refusedAt("b.org", { who: "curl" })];
  const summary = sum([record({ connections })]);
  const [first, second] = summary.touched.connections;
  const { sent_bytes, received_bytes } = first!;
  assertEquals([first!.host, first!.count, sent_bytes, received_bytes], ["a.org:443", 2, 200, 4000]);
  assertEquals([second!.host, second!.who, second!.refused], ["b.org:443", "curl", 1]);
  const text = renderAudit(summary);
  assert(text.includes("\nconnections\n  a.org:443 2 connections of h/Read, 200 bytes out, 4000 in\n"), text);
  assert(text.includes("  b.org:443 1 connection of curl, 1 refused\n"), text);
});

Deno.test("AuditTally tells of each workspace apart", () => {
  const { flags } = sum([
    record(touches("read", "/a")),
    record({ workspace: "/other", ...touches("read", "/ws/b") }),
  ]);
  assertEquals(flags, [
    { workspace: "/ws", flags: ["--policy=read-only-no-net", "--allow-read=/a"] },
    { workspace: "/other", flags: ["--policy=read-only-no-net", "--allow-read=/ws/b"] },
  ]);
});

Deno.test("AuditTally skips what is no record", () => {
  const tally = new AuditTally(() => ({}));
  const lines = ["{", "[]", "null", '"text"', '{"v":1}', '{"v":2,"tool":5}', "", "  ", null];
  // There were no connections in earlier records.
  const { connections: _, ...old } = record();
  tally.addLine(JSON.stringify(old));
  for (const line of lines) tally.addLine(line);
  tally.addLine(JSON.stringify({ ...old, connections: [{ ...reached("a.org"), port: "443" }] }));
  tally.addLine(JSON.stringify({ ...record(), touched: [{ kind: "steal", value: "/x" }] }));
  tally.addLine(JSON.stringify({ ...record(), programs: [{ argv: [1], boxed: true }] }));
  const { calls, skipped } = tally.sum();
  assertEquals([calls, skipped], [1, { broken: 9, other_versions: 1 }]);
});

Deno.test("renderAudit() shows everything for a person", () => {
  const boxed = ran(true, "/usr/bin/bash", "-c", "git log");
  const unboxed = ran(false, "/usr/bin/bash");
  const summary = sum([
    record(touches("read", "/ws/a")),
    record(touches("read", "/ws/a", "/ws/odd\nname\x1b[31m")),
    record({ ...boxed, ...touches("run", "bash", "git"), risk: "medium" }),
    record({ ...unboxed, ...touches("run", "bash"), decision: "confirmed", run_id: "r2" }),
    record({ tool: "h/Write", ok: false, error: "conflict", ...touches("write", "/ws/b") }),
    record({ tool: "h/Write", ...lacks("--allow-write=/etc/hosts"), ...touches("write", "/etc/hosts") }),
    record({ tool: "h/Bash", decision: "refused", ok: false, error: "denied_by_policy", rule: "rm-root" }),
  ]);
  assertEquals(
    renderAudit({ ...summary, skipped: { broken: 1, other_versions: 2 } }),
    `7 calls in 2 runs: 4 ok, 2 refused, 1 failed, 1 confirmed by a person
skipped 1 broken line
skipped 2 lines of a version that this program does not know

tools
  h/Bash 3 calls, 1 refused
  h/Read 2 calls
  h/Write 2 calls, 1 refused, 1 failed

read
  /ws/a (2)
  /ws/odd\\nname

written
  /ws/b

programs
  bash 2 calls, 1 without a sandbox, risk medium
  git 1 call, in the sandbox, risk medium

rules that refused
  rm-root

refused
  h/Bash rule rm-root
  h/Write --allow-write=/etc/hosts

flags that allow all of it, except what rules refused
  -C /ws --policy=coder --allow-write=/etc/hosts --allow-run=bash
`,
  );
  assertEquals(renderAudit(sum([])), "0 calls in 0 runs: 0 ok, 0 refused, 0 failed\n");
});

Deno.test("renderAudit() shows the start of long lists", () => {
  const paths = Array.from({ length: 40 }, (_, n) => `/ws/${String(n).padStart(2, "0")}`);
  const text = renderAudit(sum([record(touches("read", ...paths))]));
  assert(text.includes("  /ws/29\n  … and 10 more, see --json\n"), text);
  assert(!text.includes("/ws/30"));
});

const neverWarn = (message: string) => {
  throw new Error(message);
};

Deno.test("openAuditLog() adds lines to what stands in the file, for the user alone", () => {
  using ws = workspace();
  const path = ws.at("audit.jsonl");
  for (const run_id of ["one", "two"]) {
    using log = openAuditLog(placed(path), { warn: neverWarn });
    log.write({ ...AUDIT_RECORD, run_id });
    log.write({ ...AUDIT_RECORD, run_id, arguments: { text: "a\nb\u2028c\x9b" } });
  }
  const lines = ws.read("audit.jsonl").split("\n");
  assertEquals(lines.pop(), "");
  assertEquals(lines.map((line) => JSON.parse(line).run_id), ["one", "one", "two", "two"]);
  assertEquals(JSON.parse(lines[0]!), { ...AUDIT_RECORD, run_id: "one" });
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
    const told = `Cannot use "${path}" for the audit: ${reason}`;
    assertEquals([error.code, error.message], ["configuration", told]);
  }
});

Deno.test("openAuditLog() warns once when lines cannot be written", () => {
  using ws = workspace();
  const path = ws.at("audit.jsonl");
  const warnings: string[] = [];
  const log = openAuditLog(placed(path), { warn: (message) => warnings.push(message) });
  log[Symbol.dispose]();
  log.write(AUDIT_RECORD);
  log.write(AUDIT_RECORD);
  assertEquals(warnings.length, 1);
  assertEquals(warnings[0]!.startsWith(`the audit "${path}" misses calls: Cannot write "${path}": `), true);
});

Deno.test("auditLine() cuts long texts and lists with a note", () => {
  const text = `${"x".repeat(999)}😀${"y".repeat(5_000)}`;
  const words = Array.from({ length: 600 }, (_, n) => `w${n}`);
  const program = { argv: words, cwd: "/ws", boxed: true, exit_code: 0, duration_ms: 1, bytes: 0 };
  const long = { arguments: { content: text, list: words }, programs: [program], argv: words };
  const line = JSON.parse(auditLine({ ...AUDIT_RECORD, ...long }));
  assertEquals(line.arguments.content, `${"x".repeat(999)}… [6001 characters in all]`);
  assertEquals(line.arguments.list.length, 501);
  assertEquals(line.arguments.list[500], "[600 items in all]");
  assertEquals(line.programs[0].argv[500], "[600 words in all]");
  assertEquals(line.argv[500], "[600 words in all]");
});

Deno.test("auditLine() stays below its limit whatever a call is made of", () => {
  const fields = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`k${n}`, "é".repeat(900)]));
  const many = JSON.parse(auditLine({ ...AUDIT_RECORD, arguments: fields }));
  assert(/^\[\d+ characters of JSON left out\]$/.test(many.arguments), many.arguments);
  assertEquals(many.touched, AUDIT_RECORD.touched);
  const argv = Array.from({ length: 500 }, () => "é".repeat(2_000));
  const program = { argv, cwd: "/ws", boxed: true, exit_code: 0, duration_ms: 1, bytes: 0 };
  const line = auditLine({ ...AUDIT_RECORD, programs: Array(50).fill(program), argv, flag: "x".repeat(1e6) });
  assert(new TextEncoder().encode(line).length < MAX_LINE_BYTES);
  assertEquals(JSON.parse(line).tool, AUDIT_RECORD.tool);
});
