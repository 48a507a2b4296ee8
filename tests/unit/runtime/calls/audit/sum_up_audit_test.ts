import { assert, assertEquals } from "@std/assert";

import { readBoundedLines } from "../../../../../runtime/text/lines.ts";
import { renderAudit } from "../../../../../runtime/cli/show/render_audit.ts";
import { type AuditSummary, AuditTally } from "../../../../../runtime/calls/audit/sum_up_audit.ts";
import type { Needs } from "../../../../../schemas/access.ts";
import type { AuditedConnection, AuditRecord } from "../../../../../schemas/audit.ts";

const NEEDS: Readonly<Record<string, Needs>> = {
  "h/Write": { write: "granted" },
  "h/Edit": { read: "granted", write: "granted" },
};

function record(changes: Partial<AuditRecord> = {}): AuditRecord {
  return {
    v: 1,
    time: "2025-01-01T00:00:00.000Z",
    run_id: "r",
    tool: "h/Read",
    arguments: {},
    workspace: "/ws",
    policy: "coder",
    base: "coder",
    decision: "allowed",
    rule: null,
    risk: null,
    touched: [],
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
    ...changes,
  };
}

const touches = (kind: "read" | "write" | "net" | "run", ...values: string[]): Partial<AuditRecord> => ({
  touched: values.map((value) => ({ kind, value })),
});

const lacks = (flag: string): Partial<AuditRecord> => ({
  decision: "refused",
  ok: false,
  error: "permission_denied",
  flag,
});

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

const FLAGS: readonly (readonly [name: string, Partial<AuditRecord>[], flags: string[]])[] = [
  ["reads inside the workspace need nothing", [touches("read", "/ws/a", "/ws")], []],
  ["reads outside are listed", [touches("read", "/b", "/a/x"), touches("read", "/b")], [
    "--allow-read=/a/x,/b",
  ]],
  ["writes are listed", [{ tool: "h/Write", ...touches("write", "/ws/a") }], ["--allow-write=/ws/a"]],
  [
    "four of one folder become the folder, three do not",
    [touches("read", "/a/1", "/a/2", "/a/3", "/a/4", "/b/1", "/b/2", "/b/3")],
    ["--allow-read=/a,/b/1,/b/2,/b/3"],
  ],
  ["the root is never named", [touches("read", "/a", "/b", "/c", "/d")], ["--allow-read=/a,/b,/c,/d"]],
  ["what lies in another one is left out", [touches("read", "/a", "/a/b/c", "/ab")], ["--allow-read=/a,/ab"]],
  ["commas are doubled", [touches("read", "/a,b")], ["--allow-read=/a,,b"]],
  ["secrets need their own flag", [touches("read", "/ws/.env")], ["--allow-secrets=/ws/.env"]],
  [
    "protected files are named one by one",
    [{ tool: "h/Write", ...touches("write", "/ws/.git/config", "/ws/a") }],
    ["--allow-write=/ws/a,/ws/.git/config"],
  ],
  [
    "a tool that needs writing and wrote nothing gets the workspace",
    [{ tool: "h/Edit", ...touches("read", "/ws/a") }],
    ["--allow-write=/ws"],
  ],
  ["hosts are listed", [touches("net", "b.org", "a.org")], ["--allow-net=a.org,b.org"]],
  ["declared private hosts need their own flag", [
    touches("net", "127.0.0.1:8080", "db.internal:5432", "https://a.org/path?key=1"),
  ], ["--allow-net=a.org:443", "--allow-private-net=127.0.0.1:8080,db.internal:5432"]],
  ["connections are listed with their ports", [
    { ...touches("net", "a.org:443"), connections: [reached("a.org"), reached("b.org", { port: 80 })] },
    { connections: [reached("c.org", { decision: "failed", address: null }), refusedAt("d.org")] },
  ], ["--allow-net=a.org:443,b.org:80,c.org:443,d.org:443"]],
  ["a name that leads to a private address needs the flag for those", [
    { ...touches("net", "db.corp.org:443"), connections: [reached("db.corp.org", { address: "10.1.2.3" })] },
    { connections: [reached("::1", { address: "::1" })] },
  ], ["--allow-private-net=[::1]:443,db.corp.org:443"]],
  ["a connection that no flag allows does not count", [
    { connections: [refusedAt("a.org", { flag: null, rule: "*.org" })] },
  ], []],
  ["what was refused counts", [lacks("--allow-read=/x"), lacks("--allow-private-net=10.0.0.1")], [
    "--allow-read=/x",
    "--allow-private-net=10.0.0.1",
  ]],
  ["flags without a value", [lacks("--share-net"), lacks("--allow-net"), touches("net", "a.org")], [
    "--allow-net",
    "--share-net",
  ]],
  ["what a deny or a rule refused does not count", [
    { ...lacks("--deny-read"), ...touches("read", "/x") },
    {
      ...touches("read", "/y"),
      decision: "refused",
      ok: false,
      error: "denied_by_policy",
      rule: "permission",
    },
  ], []],
  ["what failed for another reason was let", [{ ...touches("read", "/x"), ok: false, error: "not_found" }], [
    "--allow-read=/x",
  ]],
];

Deno.test("AuditTally names the smallest grants", () => {
  for (const [name, changes, flags] of FLAGS) {
    const [needed] = sum(changes.map(record)).flags;
    assertEquals(
      needed?.flags ?? ["--policy=read-only-no-net"],
      ["--policy=read-only-no-net", ...flags],
      name,
    );
  }
});

Deno.test("AuditTally names the policy that programs ran under", () => {
  const flags = (...changes: Partial<AuditRecord>[]) => sum(changes.map(record)).flags[0]?.flags;
  const boxed = ran(true, "/usr/bin/bash", "-c", "ls");
  assertEquals(flags(boxed), ["--policy=coder"]);
  assertEquals(flags({ ...boxed, policy: "read-only", base: "read-only" }), ["--policy=read-only"]);
  assertEquals(flags({ ...boxed, policy: "read-only", base: "read-only" }, boxed), ["--policy=coder"]);
  assertEquals(flags({ ...boxed, policy: "ci" }), ["--policy=ci"]);
  assertEquals(flags({ ...boxed, policy: "ci" }, { ...boxed, policy: "read-only", base: "read-only" }), [
    "--policy=coder",
  ]);
  assertEquals(flags(boxed, touches("write", "/ws/a"), touches("net", "a.org")), ["--policy=coder"]);
  assertEquals(flags(boxed, touches("write", "/x/a")), ["--policy=coder", "--allow-write=/x/a"]);
  const unboxed = {
    ...ran(false, "/usr/bin/bash", "-c", "git status | wc"),
    ...touches("run", "bash", "git", "wc"),
  };
  assertEquals(flags(unboxed), ["--policy=coder", "--allow-run=bash,git,wc"]);
  assertEquals(flags(ran(false, "/usr/bin/git", "log")), ["--policy=coder", "--allow-run=git"]);
  const refused = { ...lacks("--allow-run=bash"), ...touches("run", "bash", "ls") };
  assertEquals(flags(refused), ["--policy=coder", "--allow-run=bash,ls"]);
  const unnamed = { ...lacks("--policy=coder"), policy: "read-only", base: "read-only" as const };
  assertEquals(flags(unnamed), ["--policy=coder"]);
  assertEquals(flags({ ...unnamed, ...touches("run", "bash", "ls") }), [
    "--policy=coder",
    "--allow-run=bash,ls",
  ]);
  assertEquals(flags(lacks("--allow-read=/a,,b")), ["--policy=read-only-no-net", "--allow-read=/a,,b"]);
});

Deno.test("AuditTally names the hosts of programs under every policy", () => {
  const curl = { who: "curl" };
  const connections = [
    reached("tool.org", { who: "h/Bash" }),
    reached("a.org", curl),
    refusedAt("b.org", curl),
  ];
  const [needed] = sum([record({ ...ran(true, "/usr/bin/curl"), connections })]).flags;
  assertEquals(needed?.flags, ["--policy=coder", "--allow-net=a.org:443,b.org:443"]);
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

Deno.test("AuditTally reads records of before there were connections, and refuses broken ones", () => {
  const { connections: _, ...old } = record();
  const tally = new AuditTally(() => ({}));
  tally.addLine(JSON.stringify(old));
  tally.addLine(JSON.stringify({ ...old, connections: [{ ...reached("a.org"), port: "443" }] }));
  assertEquals([tally.sum().calls, tally.sum().skipped.broken], [1, 1]);
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
  const lines = [
    "{",
    "[]",
    "null",
    '"text"',
    '{"v":1}',
    '{"v":2,"tool":5}',
    "",
    "  ",
    null,
    JSON.stringify(record()),
  ];
  for (const line of lines) tally.addLine(line);
  const touched = JSON.stringify({ ...record(), touched: [{ kind: "steal", value: "/x" }] });
  tally.addLine(touched);
  tally.addLine(JSON.stringify({ ...record(), programs: [{ argv: [1], boxed: true }] }));
  const { calls, skipped } = tally.sum();
  assertEquals([calls, skipped], [1, { broken: 8, other_versions: 1 }]);
});

Deno.test("renderAudit() shows everything for a person", () => {
  const summary = sum([
    record(touches("read", "/ws/a")),
    record(touches("read", "/ws/a", "/ws/odd\nname\x1b[31m")),
    record({
      ...ran(true, "/usr/bin/bash", "-c", "git log"),
      ...touches("run", "bash", "git"),
      risk: "medium",
    }),
    record({
      ...ran(false, "/usr/bin/bash"),
      ...touches("run", "bash"),
      decision: "confirmed",
      run_id: "r2",
    }),
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

Deno.test("readBoundedLines() gives lines however they are cut, and null for one that is too long", async () => {
  const text = `one\n\ntwo é\n${"x".repeat(30)}\nthree\n${"y".repeat(10)}`;
  const bytes = new TextEncoder().encode(text);
  for (const size of [1, 2, 3, 7, bytes.length]) {
    const chunks = async function* () {
      for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
    };
    const lines = await Array.fromAsync(readBoundedLines(chunks(), 12));
    assertEquals(lines, ["one", "", "two é", null, "three", "y".repeat(10)], `${size}`);
  }
  const none = async function* () {};
  assertEquals(await Array.fromAsync(readBoundedLines(none(), 12)), []);
});
