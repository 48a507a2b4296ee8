import { assertEquals, assertRejects } from "@std/assert";

import { MissedFiles } from "../../../../runtime/mcp/wrap/missed_files.ts";
import { ServerPins } from "../../../../runtime/mcp/wrap/server_pins.ts";
import { wrapServer } from "../../../../runtime/mcp/wrap/wrap_server.ts";
import { makeGrants } from "../../../../runtime/walls/grants/make_grants.ts";
import type { AuditRecord } from "../../../../schemas/audit.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { memory } from "../../../support/mcp/relay_scene.ts";
import { workspace } from "../../../support/run_tool.ts";
import { OPEN_CONTROL } from "../../../support/test_machine.ts";

const PURE = { permissions: "none" } as const;

Deno.test("a server that may not start is in the audit, with its words", PURE, async () => {
  const records: AuditRecord[] = [];
  const grants = makeGrants({}, { workspace: "/ws", cwd: "/ws", realPath: (path) => path });
  const refused = new ToolError("denied_by_policy", "No.", { details: { rule: "rm-rf-root" } });
  const host = {
    grants,
    control: { ...OPEN_CONTROL, audit: (record: AuditRecord) => void records.push(record) },
    programs: { narrowed: () => ({ pipe: () => Promise.reject(refused) }) },
  };
  const wrapped = wrapServer({
    // Of the host, only this much is asked for.
    host: host as unknown as Parameters<typeof wrapServer>[0]["host"],
    server: {
      name: "notes",
      own: { argv: ["notes-server", "--all"], show: [], packages: [], advice: null },
      needs: {},
    },
    pins: new ServerPins(memory()),
    client: { input: (async function* () {})(), write: () => Promise.resolve() },
    onStderr: () => Promise.resolve(),
    signal: new AbortController().signal,
    warn() {},
  });
  await assertRejects(() => wrapped, ToolError, "No.");
  const [{ tool, arguments: input, decision, error, rule } = {}, ...more] = records;
  assertEquals([tool, input, more], ["mcp/wrap", { argv: ["notes-server", "--all"] }, []]);
  assertEquals([decision, error, rule], ["refused", "denied_by_policy", "rm-rf-root"]);
});

Deno.test("MissedFiles names what a wrapped server does not see or may not write, and the flag, once", () => {
  using ws = workspace({ "docs/a.txt": "", "own/mem.txt": "", "own/package.json": "", "free/f.txt": "" });
  const own = {
    argv: [
      "/usr/bin/node",
      "own/server.js",
      "docs",
      "./docs",
      `--root=${ws.at("docs")}`,
      "--depth=3",
      "/usr/bin",
      ".",
    ],
    show: [ws.at("own")],
    ...{ packages: [], advice: null },
  };
  const missedBy = (needs: { read?: string[] | true; write?: string[] } = {}) =>
    new MissedFiles({ own, needs: { read: [ws.at("free")], write: [], ...needs }, cwd: ws.path });
  const missed = missedBy();
  const given = (path: string) =>
    `it is given ${path}, which it does not see: pass --allow-read=${path} to grant it`;
  assertEquals(missed.inWords(), [given(ws.at("docs")), given(ws.path)]);
  const write = (
    path: string,
    flag = path,
  ) => [`it may not write ${path}: pass --allow-write=${flag} to grant it`];
  const rows: [string, string[]][] = [
    [`Error: EROFS: read-only file system, open '${ws.at("own/mem.txt")}'`, write(ws.at("own/mem.txt"))],
    [`Error: EROFS: read-only file system, open '${ws.at("own/mem.txt")}'`, []],
    [
      `OSError: [Errno 30] Read-only file system: '${ws.at("own/new.db")}'`,
      write(ws.at("own/new.db"), ws.at("own")),
    ],
    [`fine\nENOENT: no such file or directory, open "${ws.at("docs/a.txt")}"`, [
      `it does not see ${ws.at("docs/a.txt")}: pass --allow-read=${ws.at("docs/a.txt")} to grant it`,
    ]],
    [`Cannot access directory ${ws.at("docs")}.`, [
      `it does not see ${ws.at("docs")}: pass --allow-read=${ws.at("docs")} to grant it`,
    ]],
    [`ENOENT: '${ws.at("docs/new.txt")}'`, write(ws.at("docs/new.txt"), ws.at("docs"))],
    [`ENOENT: '${ws.at("free/nothing.txt")}', '${ws.at("no/such.txt")}', '/proc/1/maps'`, []],
    [`read ${ws.at("docs/b.txt")} well`, []],
  ];
  for (const [text, expected] of rows) assertEquals(missed.inText(text), expected, text);
  assertEquals(missedBy({ read: true }).inWords(), []);
  assertEquals(missedBy({ write: [ws.at("own")] }).inText(`EROFS '${ws.at("own/mem.txt")}'`), []);
});
