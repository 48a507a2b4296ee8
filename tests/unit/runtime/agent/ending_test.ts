import { assertEquals } from "@std/assert";

import { countLines } from "../../../../runtime/agent/ending/count_lines.ts";
import { RunRecord } from "../../../../runtime/agent/ending/run_record.ts";
import { type GrantFlags, makeGrants } from "../../../../runtime/walls/grants/make_grants.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { workspace } from "../../../support/run_tool.ts";

function scene(files: Record<string, string>, flags: GrantFlags = {}) {
  const ws = workspace(files);
  const write = (name: string, text: string) => Deno.writeTextFileSync(ws.at(name), text);
  const place = { workspace: ws.path, cwd: ws.path, realPath: Deno.realPathSync };
  return {
    ws,
    write,
    record: new RunRecord(makeGrants(flags, place)),
    [Symbol.dispose]: () => ws[Symbol.dispose](),
  };
}

Deno.test("RunRecord compares files with what they were before the first change", () => {
  using made = scene({ "a.txt": "1\n2\n", "gone.txt": "x\n", "same.txt": "s\n", "big.txt": "b\n" });
  const { record, ws, write } = made;
  const change = (name: string, before: string | null | false) =>
    record.addChange({ path: ws.at(name), before });
  change("a.txt", "1\n2\n");
  write("a.txt", "1\n3\n");
  change("a.txt", "1\n3\n");
  write("a.txt", "1\n3\n4\n");
  change("new.txt", null);
  write("new.txt", "n\n");
  change("gone.txt", "x\n");
  Deno.removeSync(ws.at("gone.txt"));
  for (const [name, before] of [["same.txt", "s\n"], ["never.txt", null], ["big.txt", false]] as const) {
    change(name, before);
  }
  // A room that lies about a file outside finds nothing out.
  record.addChange({ path: "/etc/hostname", before: null });
  assertEquals(record.end("go on"), {
    changed: [
      { path: "a.txt", status: "modified", added: 2, removed: 1 },
      { path: "big.txt", status: "modified", added: null, removed: null },
      { path: "gone.txt", status: "deleted", added: 0, removed: 1 },
      { path: "new.txt", status: "added", added: 1, removed: 0 },
    ],
    refused: [],
    resume: "go on",
  });
});

Deno.test("RunRecord sees what programs changed, if it looked before the first one", () => {
  using made = scene({ "a.txt": "1\n", "b.txt": "2\n", "c.txt": "3\n" });
  const { record, ws, write } = made;
  record.beforeProgram();
  Deno.mkdirSync(ws.at("node_modules"));
  Deno.mkdirSync(ws.at("sub"));
  write("node_modules/x", "x");
  write("sub/new.txt", "n\nn\n");
  write("a.txt", "1\n1\n");
  record.addChange({ path: ws.at("b.txt"), before: "2\n" });
  write("b.txt", "2\n2\n");
  Deno.removeSync(ws.at("c.txt"));
  record.beforeProgram();
  assertEquals(record.end(null).changed, [
    { path: "a.txt", status: "modified", added: null, removed: null },
    { path: "b.txt", status: "modified", added: 1, removed: 0 },
    { path: "c.txt", status: "deleted", added: null, removed: null },
    { path: "sub/new.txt", status: "added", added: 2, removed: 0 },
  ]);
  using other = scene({ "a.txt": "1\n" });
  other.write("a.txt", "1\n1\n");
  assertEquals(other.record.end(null).changed, []);
});

Deno.test("RunRecord keeps each refusal once, with all its flags", { permissions: "none" }, () => {
  const grants = makeGrants({}, { workspace: "/ws", cwd: "/ws", realPath: (path) => path });
  const record = new RunRecord(grants);
  const flags = ["--allow-read=/x", "--allow-secrets=/x"];
  const refused = new ToolError("permission_denied", "no", { details: { flags } }).toInfo();
  const rule = new ToolError("denied_by_policy", "never", { details: { rule: "rm-root" } }).toInfo();
  record.addRefusal("h/Read", refused);
  record.addRefusal("h/Read", refused);
  record.addRefusal("h/Bash", rule);
  record.addRefusal("h/Read", new ToolError("not_found", "no such file").toInfo());
  record.addRefusal("h/Read", null);
  assertEquals(record.end(null).refused, [
    { tool: "h/Read", flags, message: "no" },
    { tool: "h/Bash", flags: [], message: "never" },
  ]);
});

Deno.test("countLines() counts as a diff does", { permissions: "none" }, () => {
  const cases: [before: string, after: string, added: number, removed: number][] = [
    ["", "a\nb\n", 2, 0],
    ["a\nb\n", "", 0, 2],
    ["a\nb\nc\n", "a\nx\nc\n", 1, 1],
    ["a\nb\n", "b\na\n", 1, 1],
    ["a\n", "a", 0, 0],
    ["a\na\na\n", "a\na\n", 0, 1],
    ["x\ny\nz\n", "0\nx\n1\nz\n2\n", 3, 1],
  ];
  for (const [before, after, added, removed] of cases) {
    assertEquals(countLines(before, after), { added, removed }, JSON.stringify([before, after]));
  }
});

Deno.test("countLines() stays quick for long texts", { permissions: "none" }, () => {
  const lines = (from: number) => Array.from({ length: 20_000 }, (_, n) => `${from + n}\n`).join("");
  assertEquals(countLines(lines(0), `first\n${lines(10)}`), { added: 11, removed: 10 });
});
