import { assertEquals, assertThrows } from "@std/assert";

import { parseArgv } from "../../../../runtime/cli/args/parse_argv.ts";
import { programFlags } from "../../../../runtime/node/program_flags.ts";

Deno.test("programFlags() says in flags what a runner is told in options", () => {
  const { called, described } = programFlags({
    workspace: "/shop",
    ...{ policy: "read-only", role: "chief", audit: "/a.jsonl", toolFiles: ["tools", "b.ts"] },
    allow: { net: true, read: ["/x y", "z"], write: [] },
    deny: { run: ["git"] },
    ...{ sandbox: "require", shareNet: true, maxCallMs: 2500, maxParallel: 2, allowPrivateNet: true },
    ...{ allowSecrets: [".env.test"], allowEnv: ["CI"], sandboxShow: ["/opt"], toolchains: "off" },
    config: { file: "/c.json" },
  });
  const { options } = parseArgv(["batch", "-", ...called]);
  assertEquals(options as Record<string, unknown>, {
    ...{ workspace: "/shop", config: "/c.json", tools: ["tools", "b.ts"], policy: "read-only" },
    ...{ allowNet: true, allowRead: ["/x y", "z"], denyRun: ["git"], allowSecrets: [".env.test"] },
    ...{ allowPrivateNet: true, allowEnv: ["CI"], sandbox: "require", shareNet: true },
    ...{ sandboxShow: ["/opt"], toolchains: "off", role: "chief", timeout: 2.5, maxParallel: 2 },
    audit: "/a.jsonl",
  });
  assertEquals(parseArgv(["tools", ...described]).options.tools, ["tools", "b.ts"]);
});

Deno.test("programFlags() says what no flag can carry", () => {
  assertThrows(() => programFlags({ workspace: "shop" }), TypeError, "absolute");
  assertThrows(() => programFlags({ workspace: "/s", allow: { read: ["a,b"] } }), TypeError, "comma");
  assertThrows(() => programFlags({ workspace: "/s", allowEnv: [""] }), TypeError, "--allow-env");
});
