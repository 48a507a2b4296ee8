import { assertEquals } from "@std/assert";

import { findSelf, OUTER_PERMISSIONS, V8_FLAGS } from "../../../../runtime/self/find_self.ts";

const START = [
  ...OUTER_PERMISSIONS,
  ...["--no-prompt", "--cached-only", "--no-check", "--unstable-worker-options", `--v8-flags=${V8_FLAGS}`],
];
const program = Deno.realPathSync(Deno.execPath());
const env = (name: string) => ({ DENO_DIR: "/cache", HOME: "/home/me", TOKEN: "t" })[name];

Deno.test("findSelf() starts rooms with each permission named, none for foreign functions, and linear patterns", () => {
  assertEquals(OUTER_PERMISSIONS.map((word) => word.replace("--allow-", "")), [
    ...["read", "write", "net", "run", "env", "sys"],
  ]);
  assertEquals(V8_FLAGS.split(",").slice(0, 2), [
    "--enable-experimental-regexp-engine-on-excessive-backtracks",
    "--regexp-backtracks-before-fallback=50000",
  ]);
  const source = findSelf("file:///src/main.ts", env);
  assertEquals(source.argv, [program, "run", ...START, "--unstable-raw-imports", "/src/main.ts", "__room"]);
  assertEquals(source.env, { DENO_DIR: "/cache", DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" });
  const bundle = findSelf("file:///pkg/main.js", env);
  assertEquals(bundle.argv, [
    ...[
      program,
      "run",
      ...START,
      "--no-config",
      "--no-lock",
      "--no-remote",
      "--no-npm",
      "/pkg/main.js",
      "__room",
    ],
  ]);
  assertEquals(bundle.files, [program, "/pkg"]);
});
