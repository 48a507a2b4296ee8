import { assertEquals, assertStringIncludes } from "@std/assert";

import {
  covers,
  isInCopy,
  refusalError,
  refusePath,
} from "../../../../../runtime/walls/grants/path_access.ts";
import type { FileGrants } from "../../../../../schemas/grants.ts";

const PLAIN: FileGrants = {
  ...{ workspace: "/ws", home: "/home/me", read: ["/ws", "/data"], write: ["/ws"] },
  ...{ denyRead: [], denyWrite: [], secrets: [], writeNamed: [], aliases: [] },
};
const reasonOf = (kind: "read" | "write", path: string, more: Partial<FileGrants> = {}) =>
  refusePath(kind, path, { ...PLAIN, ...more })?.reason ?? null;

Deno.test(
  "refusePath() asks for a grant of the kind, by whole names of folders",
  { permissions: "none" },
  () => {
    assertEquals([reasonOf("read", "/ws"), reasonOf("read", "/data/a"), reasonOf("write", "/ws/a")], [
      null,
      null,
      null,
    ]);
    for (const path of ["/", "/wsx/a", "/ws-a", "/etc/passwd"]) {
      assertEquals(reasonOf("read", path), "outside", path);
    }
    assertEquals(reasonOf("write", "/data/a"), "outside");
    assertEquals([covers(true, "/a"), covers([], "/a"), covers(["/"], "/a")], [true, false, true]);
  },
);

Deno.test("refusePath() keeps what is bulkhead's own, whatever is granted", { permissions: "none" }, () => {
  const own = { own: ["/ws/state"], artifacts: "/ws/state/artifacts", read: true, write: true } as const;
  const paths = ["/ws/state", "/ws/state/a", "/ws/state/artifacts/a"];
  assertEquals(paths.map((path) => reasonOf("read", path, own)), ["own", "own", null]);
  assertEquals(paths.map((path) => reasonOf("write", path, own)), ["own", "own", "own"]);
  assertEquals(reasonOf("write", "/ws/states", own), null);
});

Deno.test("refusePath() lets a deny win, for its own kind", { permissions: "none" }, () => {
  const denied = { denyRead: ["/ws/a"], denyWrite: ["/ws/b"], secrets: ["/ws"], writeNamed: ["/ws/b"] };
  assertEquals([reasonOf("read", "/ws/a/x", denied), reasonOf("write", "/ws/a/x", denied)], ["denied", null]);
  assertEquals([reasonOf("read", "/ws/b", denied), reasonOf("write", "/ws/b", denied)], [null, "denied"]);
  assertEquals(refusePath("read", "/ws/a/.env", { ...PLAIN, denyRead: true })?.flags, []);
});

Deno.test("refusePath() holds secrets for both kinds, and names all flags that are missing", {
  permissions: "none",
}, () => {
  assertEquals([reasonOf("read", "/ws/.env"), reasonOf("write", "/ws/.env")], ["secret", "secret"]);
  assertEquals(reasonOf("read", "/ws/.ssh/id", { secrets: ["/ws/.ssh"] }), null);
  assertEquals(refusePath("read", "/etc/.env", PLAIN)?.flags, [
    "--allow-read=/etc/.env",
    "--allow-secrets=/etc/.env",
  ]);
  assertEquals(refusePath("write", "/ws/.env", PLAIN)?.flags, ["--allow-secrets=/ws/.env"]);
});

Deno.test(
  "refusePath() lets what others execute be written by its name alone",
  { permissions: "none" },
  () => {
    const hook = "/ws/.git/hooks/x";
    assertEquals([reasonOf("read", hook), reasonOf("write", hook)], [null, "protected"]);
    const named = (...writeNamed: string[]) => reasonOf("write", hook, { writeNamed });
    assertEquals([named("/ws"), named("/"), named("/ws/.git/hooks"), named(hook)], [
      "protected",
      "protected",
      null,
      null,
    ]);
    const executed = {
      executed: ["/ws/tools", "/ws/a.sh"],
      whyExecuted: { "/ws/tools": "a filter runs it" },
    };
    const tool = "/ws/tools/run";
    assertEquals([reasonOf("read", tool, executed), reasonOf("write", "/ws/b", executed)], [null, null]);
    const refusal = refusePath("write", tool, { ...PLAIN, ...executed });
    assertEquals([refusal?.reason, refusal?.why, refusal?.flags], [
      "protected",
      "a filter runs it",
      ["--allow-write=/ws/tools/run"],
    ]);
    const given = (...writeNamed: string[]) => reasonOf("write", tool, { ...executed, writeNamed });
    assertEquals([given("/ws"), given("/ws/a.sh"), given("/ws/tools"), given(tool)], [
      "protected",
      "protected",
      null,
      null,
    ]);
  },
);

Deno.test("refusePath() protects nothing in a copy of the workspace, and all beside it", {
  permissions: "none",
}, () => {
  const copy = { isCopy: true, write: ["/ws", "/data"], executed: ["/ws/run", "/data/run"] } as const;
  assertEquals([reasonOf("write", "/ws/.bashrc", copy), reasonOf("write", "/ws/run", copy)], [null, null]);
  assertEquals([reasonOf("write", "/data/.bashrc", copy), reasonOf("write", "/data/run", copy)], [
    "protected",
    "protected",
  ]);
  assertEquals([reasonOf("write", "/ws/.env", copy), isInCopy("/ws/a", PLAIN)], ["secret", false]);
});

Deno.test("refusalError() advises a flag only where one helps", { permissions: "none" }, () => {
  const messageOf = (kind: "read" | "write", path: string, more: Partial<FileGrants> = {}) => {
    const grants = { ...PLAIN, ...more };
    const { message, details } = refusalError(refusePath(kind, path, grants)!, path, grants);
    return { message, flag: details.flag };
  };
  assertEquals(messageOf("read", "/etc/a"), {
    message:
      'Cannot read "/etc/a": it is outside the granted folders (/ws, /data), pass --allow-read=/etc/a to grant it',
    flag: "--allow-read=/etc/a",
  });
  assertEquals(messageOf("write", "/ws/a", { denyWrite: ["/ws/a"] }).flag, "--deny-write");
  const frozen = messageOf("write", "/ws/a", { denyWrite: ["/ws/a"], frozen: ["/ws/a"] });
  assertEquals(frozen, {
    message: 'Cannot write "/ws/a": this run of bulkhead keeps the file for itself',
    flag: undefined,
  });
  const own = messageOf("read", "/ws/s", { own: ["/ws/s"] });
  assertStringIncludes(own.message, "no flag opens it");
  assertEquals(own.flag, undefined);
});
