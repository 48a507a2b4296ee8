import { assertEquals } from "@std/assert";

import type { LoadedConfig } from "../../../../runtime/host/config/loaded_config.ts";
import type { HostSettings } from "../../../../runtime/host/host_settings.ts";
import { makeControl } from "../../../../runtime/host/make_control.ts";
import type { AuditRecord } from "../../../../schemas/audit.ts";
import type { Config } from "../../../../schemas/config.ts";
import { entryOf } from "../../../support/manifest_entry.ts";

const PURE = { permissions: "none" } as const;

/** The control of a run with this configuration; the parts of the settings that it looks at. */
function control(
  { control = {}, env = {}, config = {}, log = null }: {
    control?: Partial<HostSettings["control"]>;
    env?: Record<string, string>;
    config?: Config;
    log?: { write(record: AuditRecord): void } | null;
  },
) {
  const settings = { control, env, limits: {} } as unknown as HostSettings;
  const loaded = { config, projectTools: {} } as unknown as LoadedConfig;
  return makeControl(settings, { loaded, workspace: null, callsWrite: () => [], log });
}

Deno.test("makeControl() masks what the environment, the models and the caller hold", PURE, () => {
  const models = {
    m: { api_key_env: "MINE", headers: { "x-org": "Bearer org-geheim-1", accept: "text/plain" } },
  };
  const { redact } = control({
    env: { MINE: " model-geheim-1 ", GITHUB_TOKEN: "variable-geheim-1", PLAIN: "shown-1" },
    config: { models },
    control: { secrets: ["caller-geheim-1"] },
  });
  for (const secret of ["model-geheim-1", "org-geheim-1", "variable-geheim-1", "caller-geheim-1"]) {
    assertEquals(redact(`a ${secret} b`), "a [redacted] b", secret);
  }
  assertEquals(redact("shown-1 text/plain"), "shown-1 text/plain");
});

Deno.test("makeControl() lets the caller's permission take the place of the tool's own, and no other's", {
  permissions: "none",
}, () => {
  const tool = entryOf("a/x", { permission: "confirm" });
  const config: Config = { tools: { "a/*": { permission: "deny" } } };
  assertEquals(control({}).permissions(tool), ["confirm"]);
  assertEquals(control({ control: { permissions: { "a/x": "allow" } } }).permissions(tool), ["allow"]);
  assertEquals(control({ control: { permissions: { "a/x": "allow" } }, config }).permissions(tool), [
    "allow",
    "deny",
  ]);
  assertEquals(control({ control: { permissions: { "b/x": "allow" } } }).permissions(tool), ["confirm"]);
});

Deno.test("makeControl() keeps its audit, whatever the one who gets it does", PURE, () => {
  const kept: AuditRecord[] = [];
  const record = { tool: "a/x" } as AuditRecord;
  control({ log: { write: (record) => void kept.push(record) } }).audit?.(record);
  const failing = () => {
    throw new Error("no disk");
  };
  control({ control: { audit: failing } }).audit?.(record);
  assertEquals([kept, control({}).audit, control({}).role, control({}).confirm], [
    [record],
    null,
    null,
    null,
  ]);
});
