import { assertEquals } from "@std/assert";

import { type SeatbeltPlan, seatbeltProfile } from "../../../../../runtime/walls/box/room_profile.ts";
import { readProfile } from "../../../../support/walls/seatbelt_profile.ts";

const NOTHING: SeatbeltPlan = {
  ...{ read: [], write: [], execute: ["/opt/bulkhead"], reopened: [], sockets: [] },
  closed: { hidden: [], frozen: [] },
};
const ROOM: SeatbeltPlan = {
  ...NOTHING,
  read: ["/Users/me/shop", "/Users/me/books"],
  write: ["/Users/me/shop"],
  closed: {
    hidden: ["/Users/me/shop/.env", "/Users/me/shop/.ssh"],
    frozen: ["/Users/me/shop/.git/hooks"],
  },
  reopened: ["/Users/me/shop/.ssh/config"],
  sockets: ["/private/tmp/gate/1"],
};

type Question = [operation: string, path: string, answer: "allow" | "deny"];

Deno.test("seatbeltProfile() denies what it does not name", () => {
  const { rules, decide } = readProfile(seatbeltProfile(NOTHING));
  assertEquals(rules[0], { verb: "deny", operations: ["default"], filters: [] });
  const questions: Question[] = [
    ["file-read-data", "/Users/me/notes.md", "deny"],
    ["file-read-data", "/private/etc/passwd", "deny"],
    ["file-write-data", "/private/tmp/x", "deny"],
    ["network-outbound", "/private/var/run/x", "deny"],
    // The homes have a second name there.
    ["file-read-data", "/System/Library/Frameworks/a", "allow"],
    ["file-read-data", "/System/Volumes/Data/Users/me/notes.md", "deny"],
    ["network-bind", "", "deny"],
    ["process-fork", "", "deny"],
    ["process-exec", "/bin/sh", "deny"],
    ["mach-lookup", "com.apple.securityd", "deny"],
    ["process-exec", "/opt/bulkhead", "allow"],
    ["file-read-data", "/opt/bulkhead", "allow"],
    ["file-read-data", "/usr/lib/libSystem.B.dylib", "allow"],
    ["file-read-data", "/private/var/db/timezone/zoneinfo/Europe/Paris", "allow"],
    ["system-socket", "AF_UNIX", "allow"],
    ["system-socket", "AF_ROUTE", "deny"],
    ["system-socket", "AF_INET", "deny"],
    ["file-write-data", "/usr/lib/libSystem.B.dylib", "deny"],
    ["file-write-data", "/dev/null", "allow"],
  ];
  for (const [operation, path, answer] of questions) {
    assertEquals(decide(operation, path), answer, `${operation} ${path}`);
  }
  // Only what a process does to itself is allowed without a path.
  const open = rules.filter(({ verb, filters }) => verb === "allow" && filters.length === 0);
  assertEquals(open.map(({ operations }) => operations), [["sysctl-read"], ["dynamic-code-generation"]]);
});

Deno.test("seatbeltProfile() opens what a room holds, and closes secrets and protected files in it", () => {
  const { decide } = readProfile(seatbeltProfile(ROOM));
  const shop = "/Users/me/shop";
  const questions: Question[] = [
    ["file-read-data", `${shop}/src/cart.ts`, "allow"],
    ["file-write-create", `${shop}/new.ts`, "allow"],
    ["file-read-data", "/Users/me/books/a.txt", "allow"],
    ["file-write-data", "/Users/me/books/a.txt", "deny"],
    ["file-read-data", "/Users/me/shopping/a.txt", "deny"],
    ["file-read-metadata", "/Users/me", "allow"],
    ["file-read-data", "/Users/me", "deny"],
    ["file-read-data", `${shop}/.env`, "deny"],
    ["file-write-data", `${shop}/.env`, "deny"],
    ["file-write-unlink", `${shop}/.env`, "deny"],
    ["file-read-metadata", `${shop}/.env`, "allow"],
    ["file-read-data", `${shop}/.ssh/id_ed25519`, "deny"],
    ["file-read-data", `${shop}/.ssh/config`, "allow"],
    ["file-write-data", `${shop}/.ssh/config`, "deny"],
    ["file-read-data", `${shop}/.git/hooks/pre-commit`, "allow"],
    ["file-write-create", `${shop}/.git/hooks/pre-commit`, "deny"],
    // What lies in these is closed by its path: they stay where they are.
    ["file-write-unlink", `${shop}/.git`, "deny"],
    ["file-write-unlink", shop, "deny"],
    ["file-write-unlink", `${shop}/src`, "allow"],
    ["network-outbound", "/private/tmp/gate/1", "allow"],
    ["network-outbound", "/private/tmp/gate/2", "deny"],
  ];
  for (const [operation, path, answer] of questions) {
    assertEquals(decide(operation, path), answer, `${operation} ${path}`);
  }
  const all = readProfile(seatbeltProfile({ ...ROOM, read: true, write: true }));
  assertEquals(all.decide("file-read-data", "/private/etc/passwd"), "allow");
  assertEquals(all.decide("file-read-data", `${shop}/.env`), "deny");
  assertEquals(all.decide("file-write-create", `${shop}/.git/hooks/x`), "deny");
});

Deno.test("seatbeltProfile() takes each path as a text, whatever signs it has", () => {
  for (
    const name of [
      'a") (allow default) ("',
      "b\\",
      'c\\")(allow default)(x "',
      "d\n(allow default)",
      "e\u0001;",
      "ü 😀",
    ]
  ) {
    const path = `/ws/${name}`;
    const { rules, decide } = readProfile(
      seatbeltProfile({ ...NOTHING, read: [path], closed: { hidden: [path], frozen: [] } }),
    );
    assertEquals(rules.filter(({ operations }) => operations.includes("default")).length, 1, name);
    assertEquals(decide("file-read-data", path), "deny", name);
    assertEquals(decide("file-read-metadata", path), "allow", name);
    assertEquals(decide("file-read-data", "/ws/other"), "deny", name);
  }
});
