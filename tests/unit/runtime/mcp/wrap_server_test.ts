import { assertEquals, assertRejects } from "@std/assert";

import { ServerPins } from "../../../../runtime/mcp/wrap/server_pins.ts";
import { wrapServer } from "../../../../runtime/mcp/wrap/wrap_server.ts";
import { makeGrants } from "../../../../runtime/walls/grants/make_grants.ts";
import type { AuditRecord } from "../../../../schemas/audit.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { memory } from "../../../support/mcp/relay_scene.ts";
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
    name: "notes",
    own: { argv: ["notes-server", "--all"], show: [], packages: [], advice: null },
    needs: {},
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
