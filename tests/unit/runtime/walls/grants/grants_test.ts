import { assertEquals, assertThrows } from "@std/assert";

import { profileOf, workerPermissions } from "../../../../../runtime/rooms/profile.ts";
import {
  flagWord,
  mergeFlags,
  readFlagWord,
  showFlags,
} from "../../../../../runtime/walls/grants/flag_word.ts";
import { type GrantFlags, makeGrants } from "../../../../../runtime/walls/grants/make_grants.ts";
import { narrowGrants } from "../../../../../runtime/walls/grants/narrow_grants.ts";
import {
  commandPolicy,
  isWiderPolicy,
  policyScopes,
  ruleProblem,
  stricterPolicy,
} from "../../../../../runtime/walls/grants/policies.ts";
import { POLICY_NAMES } from "../../../../../schemas/grants.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { entryOf } from "../../../../support/manifest_entry.ts";

const PURE = { permissions: "none" } as const;

const LINKS: Record<string, string> = { "/link": "/real", "/link/sub": "/real/sub" };
const KNOWN = new Set(["/ws", "/data", "/real", "/real/sub", "/", "/link", "/link/sub"]);
const realPath = (path: string) => {
  if (!KNOWN.has(path)) throw new Deno.errors.NotFound(path);
  return LINKS[path] ?? path;
};
const NOTHING_LEFT = { home: "", artifacts: { readable: null } };
const grants = (flags: GrantFlags = {}, workspace = "/ws") =>
  makeGrants(flags, { workspace, cwd: "/ws", realPath });

Deno.test("makeGrants() lets a flag add to the policy, and a deny take away", PURE, () => {
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

Deno.test("makeGrants() takes the root for everything", PURE, () => {
  const { allow, deny } = grants({ allow: { write: ["/"] }, deny: { read: ["/data", "/"] } });
  assertEquals([allow.read, allow.write, deny.read, deny.write], [["/ws"], true, true, []]);
  assertEquals(grants({}, "/").allow.write, true);
});

Deno.test("makeGrants() denies to write what the run keeps for itself", PURE, () => {
  const kept = grants({ allowAll: true, deny: { write: ["/data"] }, frozen: ["/ws/audit.jsonl"] });
  assertEquals([kept.deny.write, kept.frozen], [["/data", "/ws/audit.jsonl"], ["/ws/audit.jsonl"]]);
});

Deno.test("makeGrants() lets the missing folders of a named file be made", PURE, () => {
  const makes = (...write: string[]) => grants({ allow: { write } }).makes;
  assertEquals(makes("/data/new/deep/a", "/data/new/b", "/data/c", "/data"), ["/data/new"]);
  assertEquals(grants({ allow: { write: true } }).makes, []);
});

Deno.test("makeGrants() resolves links and remembers how they were spelled", PURE, () => {
  const linked = grants({ allow: { read: ["/link/sub"] } }, "/link");
  assertEquals(linked.workspace, "/real");
  assertEquals(linked.allow.read, ["/real", "/real/sub"]);
  assertEquals(linked.aliases, [["/link/sub", "/real/sub"], ["/link", "/real"]]);
  assertEquals(grants({ allow: { write: ["/link/new/file"] } }).allow.write, ["/ws", "/real/new/file"]);
});

Deno.test("makeGrants() refuses a workspace that does not exist", PURE, () => {
  const error = assertThrows(() => grants({}, "/nowhere"), ToolError, 'Cannot use "/nowhere"');
  assertEquals(error.code, "configuration");
});

Deno.test("profileOf() gives a room what is needed and granted, no more", PURE, () => {
  const reader = entryOf("a/r", { needs: { read: "granted" } });
  const profile = profileOf(reader, grants({ allow: { read: ["/data"] } }), NOTHING_LEFT);
  assertEquals([profile.read, profile.write, profile.net], [["/ws", "/data"], [], null]);
  const nothing = { write: false, net: false, run: false, env: false, sys: false, ffi: false, import: false };
  assertEquals(workerPermissions(profile), { read: ["/ws", "/data"], ...nothing });
  const none = profileOf(entryOf("a/r", { needs: {} }), grants({ allowAll: true }), NOTHING_LEFT);
  assertEquals(workerPermissions(none), { read: false, ...nothing });
  const local = entryOf("a/r", { needs: { read: "workspace" } });
  assertEquals(profileOf(local, grants({ allow: { read: ["/data"] } }), NOTHING_LEFT).read, ["/ws"]);
  assertEquals(profileOf(local, grants({ allowAll: true }), NOTHING_LEFT).read, ["/ws"]);
});

Deno.test("profileOf() refuses a tool for which nothing is granted, naming the flag", PURE, () => {
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
});

const place = { workspace: "/ws", cwd: "/ws", realPath: (path: string) => path };
const coder = makeGrants(
  { allow: { read: ["/data"], net: ["example.com"] }, allowSecrets: ["/ws/a/.env"] },
  place,
);

Deno.test("narrowGrants() leaves what lies in both, and never more", () => {
  const cases: [
    within: string[],
    workspace: string | null,
    read: readonly string[],
    write: readonly string[],
  ][] = [
    [["/ws"], "/ws", ["/ws"], ["/ws"]],
    [["/ws/a"], "/ws/a", ["/ws/a"], ["/ws/a"]],
    [["/ws/a", "/ws/b"], "/ws/a", ["/ws/a", "/ws/b"], ["/ws/a", "/ws/b"]],
    [["/data/x"], "/data/x", ["/data/x"], []],
    [["/"], "/ws", ["/ws", "/data"], ["/ws"]],
    [["/ws/a", "/etc"], "/ws/a", ["/ws/a"], ["/ws/a"]],
    [["/wsx", "/etc", "/data2"], null, [], []],
    [[], null, [], []],
  ];
  for (const [within, workspace, read, write] of cases) {
    const narrowed = narrowGrants(coder, within);
    assertEquals(narrowed?.workspace ?? null, workspace, within.join());
    if (narrowed) assertEquals([narrowed.allow.read, narrowed.allow.write], [read, write], within.join());
  }
});

Deno.test("narrowGrants() narrows everything of all, and secrets, but no hosts and no programs", () => {
  const all = makeGrants({ allowAll: true }, place);
  const narrowed = narrowGrants(all, ["/etc"]);
  assertEquals([narrowed?.allow.read, narrowed?.workspace], [["/etc"], "/etc"]);
  assertEquals(narrowed?.allow.net, true);
  assertEquals(narrowGrants(coder, ["/ws/b"])?.secrets, []);
  assertEquals(narrowGrants(coder, ["/ws/a"])?.secrets, ["/ws/a/.env"]);
  const writer = makeGrants({ allow: { write: ["/ws/a/.bashrc"] } }, place);
  const named = (within: string) => narrowGrants(writer, [within])?.writeNamed;
  assertEquals([named("/ws/b"), named("/ws/a")], [[], ["/ws/a/.bashrc"]]);
});

Deno.test("ruleProblem() says what keeps a text from being a rule", PURE, () => {
  assertEquals(ruleProblem(" "), "must name a program");
  assertEquals(ruleProblem("git push --force -f")?.startsWith("names several options"), true);
  assertEquals(ruleProblem("git push -f"), null);
  assertEquals(ruleProblem({ program: "git", options: ["-f", "-n"] }), null);
});

Deno.test("flagWord() writes what readFlagWord() reads back", PURE, () => {
  for (const values of [["/a"], ["/a,b", "c,,d", "/e"], ["two words"]]) {
    assertEquals(readFlagWord(flagWord("--allow-read", values)), { flag: "--allow-read", values });
  }
  for (const hosts of [["a.org:80,443", "b.org", "[::1]:1,2"], ["a.org:80", "10.0.0.0/8:1,2"]]) {
    const word = flagWord("--allow-net", hosts);
    assertEquals([word.includes(",,"), readFlagWord(word).values], [false, hosts]);
  }
  assertEquals(readFlagWord("--allow-net"), { flag: "--allow-net", values: true });
});

Deno.test("mergeFlags() joins words of the same flag", PURE, () => {
  assertEquals(mergeFlags(["--allow-read=/a", "--allow-write=/a,,b", "--allow-read=/c", "--allow-read=/a"]), [
    "--allow-read=/a,/c",
    "--allow-write=/a,,b",
  ]);
  assertEquals(mergeFlags(["--allow-run=git", "--allow-run"]), ["--allow-run"]);
});

Deno.test("showFlags() quotes what a shell would take apart", PURE, () => {
  assertEquals(
    showFlags(["--policy=coder", "--allow-write=/my files/a"]),
    "--policy=coder '--allow-write=/my files/a'",
  );
});

Deno.test("makeGrants() closes bulkhead's own paths, where they lead and where they stand", PURE, () => {
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

Deno.test("makeGrants() grants nothing outside of what bounds it", PURE, () => {
  const bounded = (...within: string[]) =>
    makeGrants({ allow: { read: ["/data"] } }, { workspace: "/ws", cwd: "/ws", realPath, within }).allow.read;
  assertEquals([bounded("/data"), bounded("/"), bounded("/ws/a", "/link")], [["/data"], ["/ws", "/data"], [
    "/ws/a",
  ]]);
  const error = assertThrows(() => bounded("/real"), ToolError, 'nothing lies in "/real"');
  assertEquals(error.code, "permission_denied");
});

Deno.test("each policy allows less than the one before it", PURE, () => {
  assertEquals(POLICY_NAMES.map((name) => [name, commandPolicy(name).level, policyScopes(name, "/ws")]), [
    ["coder", "free", { read: ["/ws"], write: ["/ws"], net: ["public"], run: ["boxed"] }],
    ["read-only", "no-write", { read: ["/ws"], write: [], net: ["public"], run: ["boxed"] }],
    ["read-only-no-net", "listed", { read: ["/ws"], write: [], net: [], run: ["boxed"] }],
  ]);
  for (const [at, name] of POLICY_NAMES.entries()) {
    const wider = POLICY_NAMES.filter((other) => isWiderPolicy(other, name));
    assertEquals(wider, POLICY_NAMES.slice(0, at), name);
    for (const other of wider) assertEquals(stricterPolicy(name, other), stricterPolicy(other, name), name);
  }
  assertEquals(stricterPolicy("coder", "read-only-no-net"), "read-only-no-net");
});
