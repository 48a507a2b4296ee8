import { assertEquals } from "@std/assert";

import { applyConfig } from "../../../../runtime/host/apply_config.ts";
import { noBoxNotice } from "../../../../runtime/host/no_box_notice.ts";
import { keepSessionFlags, sessionFlags } from "../../../../runtime/host/session_flags.ts";
import { namedPolicy } from "../../../../runtime/walls/grants/policies.ts";
import { launchScene } from "../../../support/launch_scene.ts";
import { listed } from "../../../support/listed.ts";
import type { GivenUp, GivingUp } from "../../../fixtures/give_up_worker.ts";
import type { LoadedConfig } from "../../../../runtime/host/config/loaded_config.ts";
import type { GrantSettings, HostSettings } from "../../../../runtime/host/host_settings.ts";
import type { GrantFlags } from "../../../../runtime/walls/grants/make_grants.ts";
import type { Needs } from "../../../../schemas/access.ts";
import type { Config, PolicyConfig, ProgramLimits } from "../../../../schemas/config.ts";

const PURE = { permissions: "none" } as const;

/** Applies a configuration, with the workspace `/ws` and the home `/home/you`. */
interface Given {
  grants?: GrantSettings;
  policy?: PolicyConfig;
  limits?: Partial<ProgramLimits>;
  projectLimits?: Partial<ProgramLimits>;
  sandbox?: "auto" | "require" | "off";
}

function apply(config: Config, given: Given = {}): HostSettings {
  const policy = namedPolicy("mine", given.policy ?? { base: "coder" });
  const { projectLimits = {} } = given;
  const loaded: LoadedConfig = {
    ...{ config, policies: {}, policy, projectTools: {}, projectLimits, projectAgents: {} },
    ...{ userFile: null, projectFile: null, projectAdds: [], warnings: [] },
  };
  const settings = settingsOf({
    grants: given.grants ?? {},
    programs: { limits: given.limits, allowEnv: ["A"] },
    places: { workspace: ".", cwd: "/elsewhere", mainUrl: "file:///main.ts", sandbox: given.sandbox },
  });
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
  const told = [["/ws/.env"], ["db", "localhost"], true, ["/home/you/.tools"]];
  assertEquals([grants.allowSecrets, grants.allowPrivateNet, grants.shareNet, grants.sandboxShow], told);
  assertEquals([programs.allowEnv, places.sandbox], [["A", "B"], "require"]);
});

Deno.test("applyConfig() lets a single value of the flags win", () => {
  const given = { grants: { shareNet: false }, sandbox: "off" } as const;
  const { grants, places } = apply({ sandbox: { mode: "require", share_net: true } }, given);
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
  const { limits } = apply({ programs: bounds }, { policy }).programs;
  assertEquals(limits, { ...bounds, memory_mb: 900, cpu_seconds: 5 });
  const projectLimits = { memory_mb: 300, processes: 20, free_disk_mb: 70 };
  assertEquals(
    apply({ programs: bounds }, { policy, projectLimits, limits: { cpu_seconds: 9 } }).programs.limits,
    { memory_mb: 300, processes: 10, free_disk_mb: 70, cpu_seconds: 9 },
  );
});

function settingsOf(changes: Partial<HostSettings> = {}): HostSettings {
  const places = { workspace: "/ws", cwd: "/ws", mainUrl: "file:///main.ts" };
  return {
    ...{ grants: {}, programs: {}, places, limits: {}, control: {}, env: {}, config: {}, warn() {} },
    ...changes,
  };
}

const ALL: Partial<HostSettings> = {
  grants: {
    allow: { read: ["a,b", "/c"], write: true, net: ["a.org"], run: ["git"] },
    deny: { read: ["secret"], run: true },
    allowSecrets: [".env"],
    allowPrivateNet: true,
    sandboxShow: ["/tools"],
    shareNet: true,
  },
  programs: { allowEnv: ["CI"] },
  places: { workspace: "/ws", cwd: "/ws", mainUrl: "file:///main.ts", sandbox: "require" },
  control: { role: "ops" },
  tools: { sources: { files: [{ path: "/t/a.ts", isRequired: false }], mcp: [{ file: "/t/mcp.json" }] } },
};

const WORDS = listed(
  "--allow-read=/ws/a,,b,/c, --allow-write, --allow-net=a.org, --allow-run=git, --deny-read=/ws/secret",
  "--deny-run, --allow-private-net, --allow-secrets=/ws/.env, --allow-env=CI, --sandbox-show=/tools",
  "--share-net, --sandbox=require, --role=ops, --tools=/t/a.ts, --mcp=/t/mcp.json",
);

Deno.test("sessionFlags() tells all that was allowed and denied, and it can be kept", PURE, () => {
  assertEquals(sessionFlags(settingsOf(ALL)), WORDS);
  const kept = keepSessionFlags(settingsOf(), WORDS);
  assertEquals(sessionFlags(kept.settings), WORDS);
  assertEquals(kept.widened, []);
  assertEquals(keepSessionFlags(settingsOf(), []).settings.grants.allowAll, false);
});

Deno.test("keepSessionFlags() adds what is named now, and tells what of it allows more", PURE, () => {
  const [write, read] = ["--allow-write=/out", "--deny-read=/x"] as const;
  const begun = [write, read, "--sandbox=require", "--role=ops"];
  const place = settingsOf().places;
  const cases: [given: Partial<HostSettings>, flags: string[], widened: string[]][] = [
    [{ grants: { allow: { write: ["/out"] } } }, begun, []],
    [
      { grants: { allow: { write: ["/out", "/more"] } } },
      ["--allow-write=/out,/more", ...begun.slice(1)],
      ["--allow-write=/more"],
    ],
    [{ grants: { allow: { write: true } } }, ["--allow-write", ...begun.slice(1)], ["--allow-write"]],
    [{ grants: { deny: { read: ["/y"] } } }, [write, "--deny-read=/x,/y", ...begun.slice(2)], []],
    [{ grants: { shareNet: true } }, [write, read, "--share-net", ...begun.slice(2)], ["--share-net"]],
    [
      { places: { ...place, sandbox: "off" }, control: { role: "guest" } },
      [write, read, "--sandbox=off", "--role=guest"],
      ["--sandbox=off", "--role=guest"],
    ],
  ];
  for (const [given, flags, widened] of cases) {
    const kept = keepSessionFlags(settingsOf(given), begun);
    assertEquals([sessionFlags(kept.settings), kept.widened], [flags, widened]);
  }
  const stricter = settingsOf({ places: { ...place, sandbox: "require" } });
  assertEquals(keepSessionFlags(stricter, ["--sandbox=off"]).widened, []);
  const writing = settingsOf({ grants: { allow: { write: ["/a"] } } });
  assertEquals(keepSessionFlags(writing, ["--allow-all"]).widened, []);
});

const REFUSED: readonly (readonly [flags: GrantFlags, notice: string])[] = [
  [{}, "programs are refused; --allow-run=bash lets every command run outside of one"],
  [
    { policy: "read-only" },
    "programs are refused; --policy=coder --allow-run=bash lets every command run outside of one",
  ],
  [
    { allow: { run: ["git"] } },
    "all programs but git are refused; --allow-run=bash lets every command run outside of one",
  ],
  [{ allow: { run: ["bash"] } }, "all programs but bash are refused"],
  [{ allowAll: true }, "programs run outside of one, with all that you may do"],
];

Deno.test("noBoxNotice() says what programs may do without a sandbox, and which flags let them run", async () => {
  const box = {
    isUsed: () => Promise.resolve(false),
    state: () => Promise.resolve({ works: false as const, reason: "none", advice: "" }),
  };
  for (const [flags, notice] of REFUSED) {
    using scene = launchScene({}, { flags });
    assertEquals(await noBoxNotice({ box, grants: scene.grants }), `no sandbox here (none): ${notice}`);
  }
  using scene = launchScene({});
  const used = { ...box, isUsed: () => Promise.resolve(true) };
  assertEquals(await noBoxNotice({ box: used, grants: scene.grants }), null);
});

const PROGRAM: Needs = { run: "granted" };
const WEB: Needs = { net: "granted" };

/** One that inherits them would give up those of this process. */
const PERMISSIONS: Deno.PermissionOptionsObject = {
  ...{ net: true, env: true, sys: true, read: true, write: true },
  ...{ run: false, ffi: false, import: false },
};

/** Asks a worker: permissions that are given up do not come back. */
async function givenUp(run: GivingUp): Promise<GivenUp> {
  const url = new URL("../../../fixtures/give_up_worker.ts", import.meta.url);
  const worker = new Worker(url, { type: "module", deno: { permissions: PERMISSIONS } });
  try {
    return await new Promise((resolve, reject) => {
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = (event) => reject(new Error(event.message));
      worker.postMessage(run);
    });
  } finally {
    worker.terminate();
  }
}

const KEPT = { boxed: true, keepsPermissions: true };
/** Runs, whether the gate was started, and whether the network was held before the first call and after it. */
const GIVING:
  readonly (readonly [what: string, GivingUp[], gate: boolean, before: boolean, after: boolean])[] = [
    ["leaves the network to the gate", [
      ...[[WEB], [WEB, PROGRAM], [PROGRAM, PROGRAM]].map((needs) => ({ needs, boxed: true })),
    ], ...[true, false, false] as const],
    ["lets a single program's gate start beside the room, and gives up the network then", [
      { needs: [PROGRAM], boxed: true },
    ], ...[false, true, false] as const],
    ["starts no gate where nothing would use it", [
      ...[[PROGRAM], [PROGRAM, PROGRAM], [{}]].map((needs) => ({ needs, boxed: false })),
    ], ...[false, false, false] as const],
    ["revokes nothing in a process that keeps its permissions", [
      { needs: [WEB], ...KEPT },
    ], ...[true, true, true] as const],
    ["revokes nothing of a single program there, either", [{ needs: [PROGRAM], ...KEPT }], false, true, true],
  ];

for (const [what, runs, startedGate, heldBefore, heldAfter] of GIVING) {
  Deno.test(`giveUp() ${what}`, async () => {
    for (const run of runs) assertEquals(await givenUp(run), { startedGate, heldBefore, heldAfter });
  });
}
