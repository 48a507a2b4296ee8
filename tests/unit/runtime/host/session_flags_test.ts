import { assertEquals } from "@std/assert";

import type { HostSettings } from "../../../../runtime/host/host_settings.ts";
import { keepSessionFlags, sessionFlags } from "../../../../runtime/host/session_flags.ts";

function settings(changes: Partial<HostSettings> = {}): HostSettings {
  return {
    grants: {},
    programs: {},
    places: { workspace: "/ws", cwd: "/ws", mainUrl: "file:///main.ts" },
    limits: {},
    control: {},
    env: {},
    config: {},
    warn() {},
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
  tools: {
    sources: { files: [{ path: "/t/a.ts", isRequired: false }], mcp: [{ file: "/t/mcp.json" }] },
  },
};

const WORDS = [
  "--allow-read=/ws/a,,b,/c",
  "--allow-write",
  "--allow-net=a.org",
  "--allow-run=git",
  "--deny-read=/ws/secret",
  "--deny-run",
  "--allow-private-net",
  "--allow-secrets=/ws/.env",
  "--allow-env=CI",
  "--sandbox-show=/tools",
  "--share-net",
  "--sandbox=require",
  "--role=ops",
  "--tools=/t/a.ts",
  "--mcp=/t/mcp.json",
];

Deno.test("sessionFlags() tells all that was allowed and denied, and it can be kept", {
  permissions: "none",
}, () => {
  assertEquals(sessionFlags(settings(ALL)), WORDS);
  const kept = keepSessionFlags(settings(), WORDS);
  assertEquals(sessionFlags(kept.settings), WORDS);
  assertEquals(kept.widened, []);
  assertEquals(keepSessionFlags(settings(), []).settings.grants.allowAll, false);
});

Deno.test("keepSessionFlags() adds what is named now, and tells what of it allows more", {
  permissions: "none",
}, () => {
  const begun = ["--allow-write=/out", "--deny-read=/x", "--sandbox=require", "--role=ops"];
  const place = { workspace: "/ws", cwd: "/ws", mainUrl: "file:///main.ts" };
  const cases: [given: Partial<HostSettings>, flags: string[], widened: string[]][] = [
    [{ grants: { allow: { write: ["/out"] } } }, begun, []],
    [
      { grants: { allow: { write: ["/out", "/more"] } } },
      ["--allow-write=/out,/more", ...begun.slice(1)],
      ["--allow-write=/more"],
    ],
    [{ grants: { allow: { write: true } } }, ["--allow-write", ...begun.slice(1)], ["--allow-write"]],
    [
      { grants: { deny: { read: ["/y"] } } },
      ["--allow-write=/out", "--deny-read=/x,/y", ...begun.slice(2)],
      [],
    ],
    [
      { grants: { shareNet: true } },
      ["--allow-write=/out", "--deny-read=/x", "--share-net", ...begun.slice(2)],
      ["--share-net"],
    ],
    [
      { places: { ...place, sandbox: "off" }, control: { role: "guest" } },
      ["--allow-write=/out", "--deny-read=/x", "--sandbox=off", "--role=guest"],
      ["--sandbox=off", "--role=guest"],
    ],
  ];
  for (const [given, flags, widened] of cases) {
    const kept = keepSessionFlags(settings(given), begun);
    assertEquals([sessionFlags(kept.settings), kept.widened], [flags, widened]);
  }
  const stricter = settings({ places: { ...place, sandbox: "require" } });
  assertEquals(keepSessionFlags(stricter, ["--sandbox=off"]).widened, []);
  assertEquals(
    keepSessionFlags(settings({ grants: { allow: { write: ["/a"] } } }), ["--allow-all"]).widened,
    [],
  );
});
