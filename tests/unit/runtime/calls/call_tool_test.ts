import { testMachine } from "../../../support/test_machine.ts";
import { assert, assertEquals } from "@std/assert";

import type { CallControl } from "../../../../runtime/calls/control.ts";
import { callTool, explainPermission } from "../../../../runtime/calls/call_tool.ts";
import { makeRedactor } from "../../../../runtime/text/secrets/redact.ts";
import { ToolError } from "../../../../schemas/error.ts";
import type { ToolResult } from "../../../../schemas/result.ts";
import { AUDIT_RECORD } from "../../../support/trace_scene.ts";
import type { AuditRecord } from "../../../../schemas/audit.ts";
import type { Confirm, Consent, Permission, PermissionPredicate } from "../../../../schemas/permission.ts";
import { entryOf, schemaOf } from "../../../support/manifest_entry.ts";
import { countedLinks, probeLink } from "../../../support/probe_rooms.ts";
import { workspace } from "../../../support/run_tool.ts";
import * as z from "zod";

const PROBE = entryOf("test/probe", {
  error_lead: "[probe] ",
  needs: { read: "granted" },
  limits: { timeout_ms: 20_000, concurrency: null },
  input_schema: schemaOf(z.object({ attempt: z.string(), value: z.string().default("") })),
});
/** A call that any room answers. */
const ASK_ENV = { attempt: "env", value: "HOME" };

interface Changes extends Partial<Omit<CallControl, "audit" | "permissions">> {
  permissions?: readonly (Permission | PermissionPredicate)[];
}

/** A machine whose rooms are workers that hold the probe, and the audit of its calls. */
function machine(changes: Changes = {}) {
  const ws = workspace();
  const { openLink, opened, ended } = countedLinks(probeLink("worker"));
  const audit: AuditRecord[] = [];
  const { permissions, ...rest } = changes;
  const control: Partial<CallControl> = {
    redact: makeRedactor(["canary-secret"]),
    ...rest,
    ...(permissions && { permissions: () => permissions }),
    audit: (record) => audit.push(record),
  };
  const { machine, rooms, entryOf } = testMachine(ws.path, openLink, { control });
  return {
    machine,
    audit,
    opened,
    probe: entryOf(PROBE),
    entryOf,
    async [Symbol.asyncDispose]() {
      rooms.close();
      await ended();
      ws[Symbol.dispose]();
    },
  };
}

Deno.test("callTool() refuses by permission before a room is opened", async () => {
  const change = 'the user can change it under "tools" in the configuration';
  const table: readonly (readonly [Permission | PermissionPredicate, reason: string, role?: string])[] = [
    ["deny", `is refused: its permission is "deny"; ${change}`],
    [
      { roles: ["ops"] },
      'is refused: it is for the roles ops, and the role is "guest"; pass --role=ops if you call in that role',
      "guest",
    ],
    [
      { when: { attempt: "list" } },
      `is refused: its permission depends on the arguments ("attempt"); ${change}`,
    ],
    [() => Promise.reject(new Error("gone")), `is refused: its permission failed: gone; ${change}`],
    [
      "confirm",
      'needs a person\'s consent (its permission is "confirm"), and no person can be asked: ' +
      'the user can set "permission": "allow" for it under "tools" in the configuration',
    ],
  ];
  for (const [permission, reason, role = null] of table) {
    const message = `test/probe ${reason}`;
    await using shared = machine({ permissions: [permission], role });
    const result = await callTool(shared.probe, ASK_ENV, shared);
    assertEquals([result.error?.code, result.error?.message], ["denied_by_policy", message]);
    assertEquals([result.text, result.metadata.place, shared.opened()], [`[probe] ${message}`, "none", 0]);
    assertEquals(result.error?.details.rule, "permission");
    const [{ decision, rule, error, ok } = {}] = shared.audit;
    assertEquals([decision, rule, error, ok], ["refused", "permission", "denied_by_policy", false]);
    assertEquals((await explainPermission(shared.entryOf(PROBE), ASK_ENV, shared.machine))?.message, message);
  }
});

Deno.test("callTool() shows permissions and hooks the arguments that the tool will get", async () => {
  const seen: unknown[] = [];
  await using shared = machine({
    permissions: [{ when: { value: "5" } }, ({ input }) => {
      seen.push(input);
      return true;
    }],
    hooks: [{ before: ({ input, tool, workspace }) => void seen.push([tool, input, workspace]) }],
  });
  const result = await callTool(shared.probe, '{"attempt":"env","value":"5","odd":1}', shared);
  assertEquals(result.ok, true);
  assertEquals(seen, [
    { attempt: "env", value: "5" },
    ["test/probe", { attempt: "env", value: "5" }, shared.machine.grants.workspace],
  ]);
  assertEquals(result.warnings, [
    "The arguments were a JSON string and were read as an object",
    "Unknown parameter 'odd' was left out",
  ]);
  await using bare = machine({ permissions: [{ when: { value: "" } }] });
  assertEquals((await callTool(bare.probe, { attempt: "env" }, bare)).ok, true);
});

Deno.test("callTool() asks a person, and takes no answer for a no", async () => {
  const asked: unknown[] = [];
  const answers: readonly (readonly [Confirm, ok: boolean])[] = [
    [({ preview: _, ...question }) => Promise.resolve(asked.push(question) > 0), true],
    [() => Promise.resolve("once"), true],
    [() => Promise.resolve({ no: "not now" }), false],
    [() => Promise.resolve(false), false],
    [() => Promise.resolve("yes" as unknown as boolean), false],
    [() => Promise.reject(new Error("terminal gone")), false],
  ];
  for (const [confirm, isYes] of answers) {
    await using shared = machine({ permissions: ["confirm"], confirm });
    const heard: string[] = [];
    const onConfirm = (state: string) => void heard.push(state);
    const { ok } = await callTool(shared.probe, ASK_ENV, { ...shared, onConfirm });
    assertEquals([ok, heard], [isYes, ["asked", isYes ? "confirmed" : "declined"]]);
    assertEquals(shared.audit.map(({ decision }) => decision), [isYes ? "confirmed" : "refused"]);
    assertEquals(await explainPermission(shared.entryOf(PROBE), ASK_ENV, shared.machine), null);
  }
  const question = 'test/probe needs your consent: its permission is "confirm"';
  assertEquals(asked, [{ tool: "test/probe", input: ASK_ENV, question }]);
});

Deno.test("callTool() asks no more for what a person agreed to until the run ends, and passes a reason on", async () => {
  let asked = 0;
  const answers = ["run", false];
  await using shared = machine({
    permissions: ["confirm"],
    confirm: async ({ preview }) => {
      assertEquals((await preview()).always, "test/probe");
      return answers[asked++] as Consent;
    },
  });
  for (let n = 0; n < 3; n++) assertEquals((await callTool(shared.probe, ASK_ENV, shared)).ok, true);
  assertEquals(asked, 1);
  assertEquals(shared.audit.map(({ decision }) => decision), ["confirmed", "confirmed", "confirmed"]);
  const confirm = () => Promise.resolve({ no: " the tests run " });
  await using refusing = machine({ permissions: ["confirm"], confirm });
  const { error } = await callTool(refusing.probe, ASK_ENV, refusing);
  assertEquals(error?.message.endsWith("the user did not give it: the tests run"), true, error?.message);
});

Deno.test("callTool() stops asking when the call is cancelled", async () => {
  const cancel = new AbortController();
  const confirm = () => new Promise<boolean>(() => cancel.abort());
  await using shared = machine({ permissions: ["confirm"], confirm });
  const result = await callTool(shared.probe, ASK_ENV, { ...shared, signal: cancel.signal });
  assertEquals([result.error?.code, shared.opened()], ["cancelled", 1]);
});

Deno.test("callTool() lets hooks change a call, within the permission", async () => {
  const change = (value: string) => ({ before: () => ({ input: { attempt: "env", value } }) });
  await using shared = machine({ permissions: [{ when: { value: "H*" } }], hooks: [change("HOST")] });
  assertEquals((await callTool(shared.probe, ASK_ENV, shared)).ok, true);
  assertEquals(shared.audit[0]?.arguments, { attempt: "env", value: "HOST" });
  await using strict = machine({ permissions: [{ when: { value: "H*" } }], hooks: [change("PATH")] });
  assertEquals((await callTool(strict.probe, ASK_ENV, strict)).error?.code, "denied_by_policy");
  let asked = 0;
  const confirm = () => Promise.resolve(++asked > 0);
  await using once = machine({ permissions: ["confirm"], confirm, hooks: [change("HOST")] });
  assertEquals([(await callTool(once.probe, ASK_ENV, once)).ok, asked], [true, 1]);
});

Deno.test("callTool() lets hooks refuse a call and withhold its result", async () => {
  let ran = 0;
  const noAfter = { after: () => void ran++ };
  await using refusing = machine({ hooks: [{ before: () => ({ refuse: "not on Fridays" }) }, noAfter] });
  const refused = await callTool(refusing.probe, ASK_ENV, refusing);
  assertEquals(refused.text, "[probe] test/probe is refused: not on Fridays");
  const [{ decision, rule } = {}] = refusing.audit;
  assertEquals([decision, rule, refusing.opened(), ran], ["refused", "hook", 0, 0]);
  const after = (_: unknown, result: ToolResult) => {
    assert(result.text === "NotCapable");
    throw new Error("scanner down");
  };
  await using hiding = machine({ hooks: [{ after }] });
  const hidden = await callTool(hiding.probe, ASK_ENV, hiding);
  assertEquals([hidden.error?.code, hidden.result, hidden.text], [
    "internal",
    null,
    "[probe] The result of test/probe is withheld: a hook after it failed: scanner down",
  ]);
  assertEquals(hiding.audit[0]?.decision, "allowed");
});

Deno.test("callTool() keeps the tool's limit as configured", async () => {
  const limits = { timeout_ms: 1_200, concurrency: null };
  await using shared = machine({ configure: (entry) => ({ ...entry, limits }) });
  assertEquals((await callTool(shared.probe, { attempt: "wait" }, shared)).error?.code, "timeout");
});

Deno.test("callTool() writes an audit record with secrets masked", async () => {
  await using shared = machine();
  const result = await callTool(shared.probe, { attempt: "env", value: "a canary-secret b" }, shared);
  const [record] = shared.audit;
  assert(record && new Date(record.time).toISOString() === record.time);
  assertEquals(record, {
    ...AUDIT_RECORD,
    ...{ time: record.time, run_id: "run-1", tool: "test/probe", touched: [] },
    arguments: { attempt: "env", value: "a [redacted] b" },
    workspace: shared.machine.grants.workspace,
    duration_ms: result.metadata.duration_ms,
    bytes: result.text.length,
  });
});

Deno.test("callTool() asks nobody about a call that would be refused after the answer", async () => {
  let asked = 0;
  const confirm = () => Promise.resolve(++asked > 0);
  await using shared = machine({ permissions: ["confirm"], confirm });
  const error = new ToolError("permission_denied", "it is outside", { details: { flag: "--allow-write" } });
  const explained = { targets: [{ kind: "write" as const, value: "../x" }], analyses: [], warnings: [] };
  const refusing = {
    ...shared.probe.carrier,
    explain: () => Promise.resolve({ ...explained, preview: null, error: error.toInfo() }),
  };
  const result = await callTool({ ...shared.probe, carrier: refusing }, ASK_ENV, shared);
  assertEquals([result.error?.code, result.error?.message, asked], ["permission_denied", "it is outside", 0]);
  const [{ decision, touched, flag } = {}] = shared.audit;
  assertEquals([decision, touched?.[0]?.kind, flag], ["refused", "write", "--allow-write"]);
});

Deno.test("callTool() tells rooms and functions what the paths led to when they were judged", async () => {
  const told: unknown[] = [];
  await using shared = machine({
    permissions: [({ paths }) => {
      told.push(paths);
      return true;
    }],
  });
  const { workspace } = shared.machine.grants;
  await Deno.symlink("behind", `${workspace}/link`);
  const carrier = {
    ...shared.probe.carrier,
    call: (...[tool, input, options]: Parameters<typeof shared.probe.carrier.call>) => {
      told.push(options.judged);
      return shared.probe.carrier.call(tool, input, options);
    },
  };
  const tool = { ...shared.probe.tool, paths: ["value"] };
  await callTool({ tool, carrier }, { attempt: "env", value: "x/../link" }, shared);
  await callTool({ tool, carrier }, { attempt: "env" }, shared);
  const places = [`${workspace}/behind`, workspace];
  assertEquals(told, places.flatMap((path) => [{ value: path }, [path]]));
});
