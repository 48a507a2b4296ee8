import { assertEquals, assertThrows } from "@std/assert";

import { type GrantFlags, makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { profileOf, workerPermissions } from "../../../../../runtime/rooms/profile.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { entryOf } from "../../../../support/manifest_entry.ts";

const LINKS: Record<string, string> = { "/link": "/real", "/link/sub": "/real/sub" };
const KNOWN = new Set(["/ws", "/data", "/real", "/real/sub", "/", "/link", "/link/sub"]);
const realPath = (path: string) => {
  if (!KNOWN.has(path)) throw new Deno.errors.NotFound(path);
  return LINKS[path] ?? path;
};
const NOTHING_LEFT = { home: "", artifacts: { readable: null } };
const grants = (flags: GrantFlags = {}, workspace = "/ws") =>
  makeGrants(flags, { workspace, cwd: "/ws", realPath });

Deno.test("makeGrants() starts from the policy", { permissions: "none" }, () => {
  const coder = grants().allow;
  assertEquals(coder.read, ["/ws"]);
  assertEquals(coder.write, ["/ws"]);
  assertEquals(coder.net, ["public"]);
  assertEquals(grants({ policy: "read-only" }).allow.write, []);
  assertEquals(grants({ policy: "read-only" }).allow.net, ["public"]);
  assertEquals(grants({ policy: "read-only-no-net" }).allow.net, []);
});

Deno.test("makeGrants() lets a flag add to the policy, and a deny take away", { permissions: "none" }, () => {
  const some = grants({ policy: "read-only", allow: { read: ["/data"], write: ["out"] } });
  assertEquals(some.allow.read, ["/ws", "/data"]);
  assertEquals(some.allow.write, ["/ws/out"]);
  const coder = grants({ allow: { write: ["/data", "."], net: ["a.org"], run: ["git"] } });
  assertEquals(coder.allow.write, ["/ws", "/data"]);
  assertEquals(coder.writeNamed, ["/data", "/ws"]);
  assertEquals([coder.allow.net, coder.allow.run], [["public", "a.org"], ["boxed", "git"]]);
  const closed = grants({ policy: "read-only-no-net", allow: { net: ["a.org"] } });
  assertEquals([closed.allow.net, closed.allow.write, closed.allow.run], [["a.org"], [], ["boxed"]]);
  assertEquals(grants({ allow: { write: [], run: [] } }).allow, grants().allow);
  assertEquals(grants({ allow: { write: ["/data"] }, deny: { write: ["."] } }).deny.write, ["/ws"]);
  assertEquals(grants({ allow: { read: true } }).allow.read, true);
  const all = grants({ allowAll: true, deny: { write: ["/data"], net: true } });
  assertEquals(all.allow, { read: true, write: true, net: true, run: true });
  assertEquals(all.deny.write, ["/data"]);
  assertEquals(all.deny.net, true);
});

Deno.test("makeGrants() takes the root for everything", { permissions: "none" }, () => {
  const { allow, deny } = grants({ allow: { write: ["/"] }, deny: { read: ["/data", "/"] } });
  assertEquals([allow.read, allow.write, deny.read, deny.write], [["/ws"], true, true, []]);
  assertEquals(grants({}, "/").allow.write, true);
});

Deno.test("makeGrants() denies to write what the run keeps for itself", { permissions: "none" }, () => {
  const kept = grants({ allowAll: true, deny: { write: ["/data"] }, frozen: ["/ws/audit.jsonl"] });
  assertEquals([kept.deny.write, kept.frozen], [["/data", "/ws/audit.jsonl"], ["/ws/audit.jsonl"]]);
});

Deno.test("makeGrants() lets the missing folders of a named file be made", { permissions: "none" }, () => {
  const makes = (...write: string[]) => grants({ allow: { write } }).makes;
  assertEquals(makes("/data/new/deep/a", "/data/new/b", "/data/c", "/data"), ["/data/new"]);
  assertEquals(grants({ allow: { write: true } }).makes, []);
});

Deno.test("makeGrants() resolves links and remembers how they were spelled", { permissions: "none" }, () => {
  const linked = grants({ allow: { read: ["/link/sub"] } }, "/link");
  assertEquals(linked.workspace, "/real");
  assertEquals(linked.allow.read, ["/real", "/real/sub"]);
  assertEquals(linked.aliases, [["/link/sub", "/real/sub"], ["/link", "/real"]]);
  assertEquals(grants({ allow: { write: ["/link/new/file"] } }).allow.write, ["/ws", "/real/new/file"]);
});

Deno.test("makeGrants() closes bulkhead's own paths, where they lead and where they stand", {
  permissions: "none",
}, () => {
  const own = ["/data/state", "/link/sub", "/link/new"];
  const { own: closed } = makeGrants({}, { workspace: "/ws", cwd: "/ws", realPath, own });
  assertEquals(closed.toSorted(), ["/data/state", "/real/new", "/real/sub"]);
  const { own: beside } = makeGrants({}, {
    workspace: "/ws",
    cwd: "/ws",
    realPath: (path) => path === "/ws/s" ? "/data" : path,
    own: ["/ws/s"],
  });
  assertEquals(beside, ["/data", "/ws/s"]);
});

Deno.test("makeGrants() grants nothing outside of what bounds it", { permissions: "none" }, () => {
  const bounded = (...within: string[]) =>
    makeGrants({ allow: { read: ["/data"] } }, { workspace: "/ws", cwd: "/ws", realPath, within }).allow.read;
  assertEquals([bounded("/data"), bounded("/"), bounded("/ws/a", "/link")], [["/data"], ["/ws", "/data"], [
    "/ws/a",
  ]]);
  const error = assertThrows(() => bounded("/real"), ToolError, 'nothing lies in "/real"');
  assertEquals(error.code, "permission_denied");
});

Deno.test("makeGrants() refuses a workspace that does not exist", { permissions: "none" }, () => {
  const error = assertThrows(() => grants({}, "/nowhere"), ToolError, 'Cannot use "/nowhere"');
  assertEquals(error.code, "configuration");
});

Deno.test("profileOf() gives a room what is needed and granted, no more", { permissions: "none" }, () => {
  const reader = entryOf("a/r", { needs: { read: "granted" } });
  const profile = profileOf(reader, grants({ allow: { read: ["/data"] } }), NOTHING_LEFT);
  assertEquals([profile.read, profile.write, profile.net], [["/ws", "/data"], [], null]);
  assertEquals(workerPermissions(profile), {
    read: ["/ws", "/data"],
    write: false,
    net: false,
    run: false,
    env: false,
    sys: false,
    ffi: false,
    import: false,
  });
  const none = workerPermissions(
    profileOf(entryOf("a/r", { needs: {} }), grants({ allowAll: true }), NOTHING_LEFT),
  );
  assertEquals(Object.values(none).every((held) => held === false), true);
  const local = entryOf("a/r", { needs: { read: "workspace" } });
  assertEquals(profileOf(local, grants({ allow: { read: ["/data"] } }), NOTHING_LEFT).read, ["/ws"]);
  assertEquals(profileOf(local, grants({ allowAll: true }), NOTHING_LEFT).read, ["/ws"]);
});

Deno.test(
  "profileOf() refuses a tool for which nothing is granted, naming the flag",
  { permissions: "none" },
  () => {
    const writer = entryOf("a/w", { needs: { write: "granted" } });
    const missing = assertThrows(
      () => profileOf(writer, grants({ policy: "read-only" }), NOTHING_LEFT),
      ToolError,
    );
    assertEquals(missing.code, "permission_denied");
    assertEquals(missing.details.flag, "--allow-write=/ws");
    const far = entryOf("a/f", { needs: { read: ["/data", "/opt"] } });
    const lacking = assertThrows(() => profileOf(far, grants(), NOTHING_LEFT), ToolError);
    assertEquals(lacking.details.flag, "--allow-read=/data,/opt");
    assertEquals(profileOf(far, grants({ allow: { read: ["/data"] } }), NOTHING_LEFT).read, ["/data"]);
    const denied = assertThrows(
      () => profileOf(writer, grants({ deny: { write: true } }), NOTHING_LEFT),
      ToolError,
    );
    assertEquals(denied.details.reason, "denied");
  },
);
