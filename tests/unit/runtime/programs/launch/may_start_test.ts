import { assertEquals } from "@std/assert";

import { checkStart, deniedFiles } from "../../../../../runtime/programs/launch/may_start.ts";
import { type GrantFlags, makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { ToolError } from "../../../../../schemas/error.ts";

const REAL: Record<string, string> = {
  node: "/opt/n/node",
  "/usr/bin/node": "/opt/n/node",
  sh: "/bin/busybox",
  ls: "/bin/busybox",
};
const GIT = { asked: "git", path: "/usr/bin/git", real: "/usr/lib/git", onPath: true };

/** What the refusal of a program says of flags, `null` if it may start. */
function refusal(program: Partial<typeof GIT>, flags: GrantFlags, noBox: string | null = null) {
  const grants = makeGrants(flags, { workspace: "/ws", cwd: "/ws", realPath: (path) => path });
  const found = { ...GIT, ...program };
  try {
    checkStart(found, grants, { noBox, realOrNull: (name) => REAL[name] ?? null });
    return null;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    assertEquals(error.code, "permission_denied");
    return error.details.flags;
  }
}

Deno.test("checkStart() starts no program that is denied, by whatever name", { permissions: "none" }, () => {
  assertEquals([
    refusal({}, {}),
    refusal({}, { deny: { run: true } }),
    refusal({}, { deny: { run: ["ls"] } }),
  ], [null, [], null]);
  for (const name of ["git", "/usr/bin/git", "/usr/lib/git"]) {
    assertEquals(refusal({}, { deny: { run: [name] } }), [], name);
  }
  const tool = { asked: "t", path: "/ws/t", real: "/opt/n/node", onPath: false };
  assertEquals([
    refusal(tool, { deny: { run: ["node"] } }),
    refusal({ ...tool, real: "/ws/git" }, { deny: { run: ["git"] } }),
  ], [[], []]);
  assertEquals(
    refusal({ path: "/ws/x", real: "/ws/x", asked: "./x" }, { deny: { run: ["/usr/bin/git"] } }),
    null,
  );
  // One file that is many programs is not denied with one of its names.
  const list = { asked: "ls", path: "/bin/ls", real: "/bin/busybox" };
  assertEquals([refusal(list, { deny: { run: ["sh"] } }), refusal(list, { deny: { run: ["ls"] } })], [
    null,
    [],
  ]);
  assertEquals(refusal({}, { allow: { run: true }, deny: { run: ["git"] } }, "none"), []);
});

Deno.test("checkStart() starts without a box what the user named, under the widest policy alone", {
  permissions: "none",
}, () => {
  const without = (flags: GrantFlags, program: Partial<typeof GIT> = {}) =>
    refusal(program, flags, "no bubblewrap");
  assertEquals([without({}), without({ allow: { run: ["git"] } }), without({ allow: { run: true } })], [
    ["--allow-run=git"],
    null,
    null,
  ]);
  assertEquals(without({ allow: { run: ["/usr/bin/git"] } }), null);
  const other = { path: "/ws/git", real: "/ws/git", onPath: false, asked: "./git" };
  assertEquals(
    [without({ allow: { run: ["git"] } }, other), without({ allow: { run: ["/ws/git"] } }, other)],
    [["--allow-run=/ws/git"], null],
  );
  assertEquals(without({ policy: "read-only", allow: { run: true } }), ["--policy=coder"]);
  assertEquals(without({ policy: "read-only" }), ["--policy=coder", "--allow-run=git"]);
});

Deno.test("deniedFiles() finds a denied program in all folders, and takes none of the others away", {
  permissions: "none",
}, () => {
  const real = (path: string) =>
    ({ "/a/x": "/real/x", "/b/x": "/real/x", "/b/ls": "/bin/busybox" })[path] ?? null;
  assertEquals([deniedFiles("x", real, ["/a", "/b", "/c"]), deniedFiles("/b/x", real, [])], [["/real/x"], [
    "/real/x",
  ]]);
  assertEquals(deniedFiles("ls", real, ["/a", "/b"]), []);
});
