import { assertEquals } from "@std/assert";

import { applyConfig } from "../../../../runtime/host/apply_config.ts";
import type { LoadedConfig } from "../../../../runtime/host/config/loaded_config.ts";
import type { GrantSettings, HostSettings } from "../../../../runtime/host/host_settings.ts";
import { namedPolicy } from "../../../../runtime/walls/grants/policies.ts";
import type { Config, PolicyConfig, ProgramLimits } from "../../../../schemas/config.ts";

/** Applies a configuration, with the workspace `/ws` and the home `/home/you`. */
function apply(
  config: Config,
  given: {
    grants?: GrantSettings;
    policy?: PolicyConfig;
    limits?: Partial<ProgramLimits>;
    projectLimits?: Partial<ProgramLimits>;
    sandbox?: "auto" | "require" | "off";
  } = {},
): HostSettings {
  const policy = namedPolicy("mine", given.policy ?? { base: "coder" });
  const loaded: LoadedConfig = {
    ...{
      config,
      policies: {},
      policy,
      projectTools: {},
      projectLimits: given.projectLimits ?? {},
      projectAgents: {},
    },
    ...{ userFile: null, projectFile: null, projectAdds: [], warnings: [] },
  };
  const settings: HostSettings = {
    grants: given.grants ?? {},
    programs: { limits: given.limits, allowEnv: ["A"] },
    places: { workspace: ".", cwd: "/elsewhere", mainUrl: "file:///main.ts", sandbox: given.sandbox },
    limits: {},
    control: {},
    env: {},
    config: {},
    warn: () => {},
  };
  return applyConfig(settings, { loaded, policy }, { workspace: "/ws", home: "/home/you" });
}

Deno.test("applyConfig() adds the configuration's lists to those of the flags", () => {
  const { grants, programs, places } = apply({
    permissions: {
      allow: { read: ["~/notes", "/data", "../beside"], net: ["a.example"], run: true },
      deny: { write: ["generated"], net: ["b.example"] },
      secrets: [".env"],
      private_net: ["localhost"],
      env: ["B"],
    },
    sandbox: { mode: "require", show: ["~/.tools"], share_net: true },
  }, { grants: { allow: { read: ["x"], run: ["git"] }, deny: { net: true }, allowPrivateNet: ["db"] } });
  assertEquals(grants.allow, {
    read: ["x", "/home/you/notes", "/data", "/beside"],
    write: undefined,
    net: ["a.example"],
    run: true,
  });
  assertEquals(grants.deny, { read: undefined, write: ["/ws/generated"], net: true, run: undefined });
  assertEquals(
    [grants.allowSecrets, grants.allowPrivateNet, grants.shareNet, grants.sandboxShow],
    [["/ws/.env"], ["db", "localhost"], true, ["/home/you/.tools"]],
  );
  assertEquals([programs.allowEnv, places.sandbox], [["A", "B"], "require"]);
});

Deno.test("applyConfig() lets a single value of the flags win", () => {
  const { grants, places } = apply({ sandbox: { mode: "require", share_net: true } }, {
    grants: { shareNet: false },
    sandbox: "off",
  });
  assertEquals([grants.shareNet, places.sandbox], [false, "off"]);
});

Deno.test("applyConfig() takes away what the policy takes away, whatever is allowed", () => {
  const grants: GrantSettings = { allow: { write: true, net: true }, shareNet: true };
  const applied = apply({ sandbox: { share_net: true }, permissions: { allow: { net: true } } }, {
    grants,
    policy: { base: "coder", write: false, net: false },
  }).grants;
  assertEquals([applied.deny?.write, applied.deny?.net, applied.shareNet], [true, true, false]);
  assertEquals(apply({}, { policy: { base: "coder", net: true } }).grants.shareNet, true);
});

Deno.test("applyConfig() takes bounds from the caller, then the policy, then the file; a project only lowers", () => {
  const bounds = { memory_mb: 100, processes: 10, free_disk_mb: 50 };
  const policy: PolicyConfig = { base: "coder", programs: { memory_mb: 900, cpu_seconds: 5 } };
  assertEquals(apply({ programs: bounds }, { policy }).programs.limits, {
    ...bounds,
    memory_mb: 900,
    cpu_seconds: 5,
  });
  const projectLimits = { memory_mb: 300, processes: 20, free_disk_mb: 70 };
  assertEquals(
    apply({ programs: bounds }, { policy, projectLimits, limits: { cpu_seconds: 9 } }).programs.limits,
    { memory_mb: 300, processes: 10, free_disk_mb: 70, cpu_seconds: 9 },
  );
});
