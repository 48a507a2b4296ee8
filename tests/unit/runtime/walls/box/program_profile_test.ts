import { assertEquals } from "@std/assert";

import { MAC_PROGRAM_FOLDERS, SERVICES, WEB_SERVICES } from "../../../../../runtime/walls/box/mac_system.ts";
import { type ProgramProfile, programProfile } from "../../../../../runtime/walls/box/program_profile.ts";
import { readProfile } from "../../../../support/walls/seatbelt_profile.ts";

const SCRATCH = "/private/tmp/bulkhead-1";
const NOTHING: ProgramProfile = {
  ...{ read: [], write: [], links: [], scratch: SCRATCH, only: null, network: "none" },
  closed: { hidden: [], frozen: [], opened: [], thawed: [], pinned: [] },
};
const shop = "/Users/me/shop";
const SHOP: ProgramProfile = {
  ...NOTHING,
  read: [shop, "/Users/me/books"],
  write: [shop],
  links: ["/Users/me/.nvm/current"],
  closed: {
    hidden: [`${shop}/.env`, `${shop}/.ssh`, `${shop}/agent.sock`, "/usr/bin/curl"],
    frozen: [`${shop}/.git/hooks`, `${shop}/.git/config`],
    opened: [`${shop}/.ssh/config`],
    thawed: [`${shop}/.git/hooks/pre-commit`],
    pinned: [`${shop}/.git`, `${shop}/lib`],
  },
};

type Question = [operation: string, about: string, answer: "allow" | "deny"];

function answers(profile: ProgramProfile, questions: readonly Question[]): void {
  const { decide } = readProfile(programProfile(profile));
  for (const [operation, about, answer] of questions) {
    assertEquals(decide(operation, about), answer, `${operation} ${about}`);
  }
}

Deno.test("programProfile() denies what it does not name", () => {
  const { rules } = readProfile(programProfile(NOTHING));
  assertEquals(rules[0], { verb: "deny", operations: ["default"], filters: [] });
  answers(NOTHING, [
    ["file-read-data", "/Users/me/notes.md", "deny"],
    ["file-read-metadata", "/Users/me/notes.md", "deny"],
    ["file-test-existence", "/Users/me/notes.md", "deny"],
    ["file-read-data", "/Users", "deny"],
    ["file-read-data", "/Users/me/Library/Keychains/login.keychain-db", "deny"],
    ["file-read-data", "/private/etc/master.passwd", "deny"],
    ["file-read-data", "/private/var/db/dslocal/nodes/Default/users/me.plist", "deny"],
    ["file-read-data", "/private/tmp/of-others", "deny"],
    ["file-read-data", "/private/var/folders/x/T/secret", "deny"],
    ["file-read-data", "/System/Volumes/Data/Users/me/notes.md", "deny"],
    ["file-read-data", "/opt/homebrew/etc/my.cnf", "deny"],
    ["file-read-data", "/opt/homebrew/var/postgres/base", "deny"],
    ["file-read-data", "/usr/local/etc/my.cnf", "deny"],
    ["process-exec", "/Users/me/bin/tool", "deny"],
    ["process-exec", "/private/tmp/tool", "deny"],
    ["file-write-create", "/private/tmp/x", "deny"],
    ["file-write-data", "/usr/bin/git", "deny"],
    ["file-write-data", "/dev/disk0", "deny"],
    ["file-read-data", "/dev/disk0", "deny"],
    ["sysctl-read", "kern.procargs2", "deny"],
    ["signal", "others", "deny"],
    ["process-info-pidinfo", "others", "deny"],
    ["mach-lookup", "com.apple.securityd", "deny"],
    ["mach-lookup", "com.apple.SecurityServer", "deny"],
    ["mach-lookup", "com.apple.pasteboard.1", "deny"],
    ["mach-lookup", "com.apple.coreservices.launchservicesd", "deny"],
    ["mach-lookup", "com.apple.cfprefsd.agent", "deny"],
    ["mach-lookup", "com.apple.trustd.agent", "deny"],
    ["ipc-posix-shm-write-data", "apple.shm.notification_center", "deny"],
    ["ipc-posix-shm-read-data", "/another", "deny"],
    // What is no part of reading or writing is not allowed with it.
    ["file-link", `${SCRATCH}/x`, "deny"],
    ["file-clone", `${SCRATCH}/x`, "deny"],
    ["file-mknod", `${SCRATCH}/x`, "deny"],
  ]);
});

Deno.test("programProfile() lets programs of the system start, and have what every program needs", () => {
  answers(NOTHING, [
    ["process-exec", "/bin/sh", "allow"],
    ["process-exec", "/usr/bin/git", "allow"],
    ["process-exec", "/Library/Developer/CommandLineTools/usr/bin/git", "allow"],
    ["process-exec", "/opt/homebrew/Cellar/ripgrep/14.1.0/bin/rg", "allow"],
    ["file-read-data", "/opt/homebrew/lib/libz.dylib", "allow"],
    ["file-map-executable", "/opt/homebrew/lib/libz.dylib", "allow"],
    ["file-read-data", "/opt/homebrew/etc/openssl@3/cert.pem", "allow"],
    ["file-read-metadata", "/opt", "allow"],
    ["file-read-metadata", "/tmp", "allow"],
    ["file-read-data", "/private/etc/passwd", "allow"],
    ["process-fork", "", "allow"],
    ["signal", "same-sandbox", "allow"],
    ["process-info-pidinfo", "same-sandbox", "allow"],
    ["sysctl-read", "hw.ncpu", "allow"],
    ["sysctl-read", "kern.osrelease", "allow"],
    ["mach-lookup", "com.apple.system.opendirectoryd.libinfo", "allow"],
    ["ipc-posix-sem", "/any", "allow"],
    ["ipc-posix-shm-read-data", "apple.shm.notification_center", "allow"],
    ["ipc-posix-shm-write-create", "/psm_1a", "allow"],
    ["file-write-data", "/dev/null", "allow"],
    ["file-read-data", "/dev/fd/0", "allow"],
  ]);
});

Deno.test("programProfile() gives a program its own folder, whatever is closed around it", () => {
  const around = { ...NOTHING.closed, hidden: ["/private/tmp"], frozen: ["/private/tmp"] };
  for (const profile of [NOTHING, { ...NOTHING, closed: around }]) {
    answers(profile, [
      ["file-write-create", `${SCRATCH}/tmp/x`, "allow"],
      ["file-read-data", `${SCRATCH}/home/.gitconfig`, "allow"],
      ["process-exec", `${SCRATCH}/tmp/built`, "allow"],
      ["network-bind", `${SCRATCH}/tmp/socket`, "allow"],
      ["network-outbound", `${SCRATCH}/tmp/socket`, "allow"],
      ["file-read-metadata", "/private/tmp", "allow"],
      ["file-write-create", `${SCRATCH}0/x`, "deny"],
      ["file-write-setugid", `${SCRATCH}/tmp/x`, "deny"],
    ]);
  }
});

Deno.test("programProfile() opens what is granted, and closes secrets and protected files in it", () => {
  answers(SHOP, [
    ["file-read-data", `${shop}/src/cart.ts`, "allow"],
    ["file-write-create", `${shop}/new.ts`, "allow"],
    ["process-exec", `${shop}/build.sh`, "allow"],
    ["file-map-executable", `${shop}/node_modules/x.node`, "allow"],
    ["file-write-setugid", `${shop}/new.ts`, "deny"],
    ["network-bind", `${shop}/own.sock`, "allow"],
    ["file-read-data", "/Users/me/books/a.txt", "allow"],
    ["file-write-data", "/Users/me/books/a.txt", "deny"],
    ["network-outbound", "/Users/me/books/a.sock", "deny"],
    ["file-read-data", "/Users/me/shopping/a.txt", "deny"],
    ["file-read-metadata", "/Users/me", "allow"],
    ["file-read-data", "/Users/me", "deny"],
    ["file-read-metadata", "/Users/me/.nvm/current", "allow"],
    ["file-read-metadata", "/Users/me/.nvm", "allow"],
    ["file-read-data", "/Users/me/.nvm/other", "deny"],
    // Secrets.
    ["file-read-data", `${shop}/.env`, "deny"],
    ["file-write-data", `${shop}/.env`, "deny"],
    ["file-write-unlink", `${shop}/.env`, "deny"],
    ["file-read-xattr", `${shop}/.env`, "deny"],
    ["file-map-executable", `${shop}/.env`, "deny"],
    ["file-read-data", `${shop}/.ssh/id_ed25519`, "deny"],
    ["file-read-data", `${shop}/.ssh/config`, "allow"],
    ["file-write-data", `${shop}/.ssh/config`, "allow"],
    ["network-outbound", `${shop}/agent.sock`, "deny"],
    // Their being there stays to be seen.
    ["file-read-metadata", `${shop}/.env`, "allow"],
    // A program that is denied by name.
    ["process-exec", "/usr/bin/curl", "deny"],
    ["file-read-data", "/usr/bin/curl", "deny"],
    // Protected files.
    ["file-read-data", `${shop}/.git/hooks/pre-push`, "allow"],
    ["file-write-create", `${shop}/.git/hooks/pre-push`, "deny"],
    ["file-write-data", `${shop}/.git/config`, "deny"],
    ["file-write-data", `${shop}/.git/hooks/pre-commit`, "allow"],
    ["file-write-create", `${shop}/.git/index.lock`, "allow"],
    // What lies in these is closed by its path: they stay where they are.
    ["file-write-unlink", `${shop}/.git`, "deny"],
    ["file-write-unlink", `${shop}/lib`, "deny"],
    ["file-write-unlink", shop, "deny"],
    ["file-write-unlink", `${shop}/src`, "allow"],
  ]);
});

Deno.test("programProfile() leaves the terminals of the user out of reach", () => {
  const { decide } = readProfile(programProfile(SHOP));
  const pty = ["com.apple.sandbox.pty"];
  for (const operation of ["file-read-data", "file-write-data"]) {
    assertEquals(decide(operation, "/dev/ttys001"), "deny", operation);
    assertEquals(decide(operation, "/dev/ttys001", pty), "allow", operation);
    assertEquals(decide(operation, "/dev/ttys001/x", pty), "deny", operation);
    assertEquals(decide(operation, "/dev/tty"), "allow", operation);
    assertEquals(decide(operation, "/dev/ptmx"), "allow", operation);
  }
  assertEquals(decide("file-ioctl", "/dev/ttys001"), "allow");
  assertEquals(decide("file-ioctl", "/dev/disk0"), "deny");
});

Deno.test("programProfile() gives no network, a port that leads to the gate, or that of the machine", () => {
  const closed: Question[] = [
    ["network-outbound", "localhost:3128", "deny"],
    ["network-outbound", "1.2.3.4:443", "deny"],
    ["network-bind", "localhost:8080", "deny"],
    ["network-inbound", "localhost:8080", "deny"],
    ["network-outbound", "/private/var/run/mDNSResponder", "deny"],
    ["system-socket", "AF_ROUTE", "deny"],
    ["system-socket", "AF_SYSTEM", "deny"],
    ["system-socket", "AF_UNIX", "allow"],
    ["network-outbound", "/private/var/run/docker.sock", "deny"],
  ];
  answers(NOTHING, closed);
  answers({ ...NOTHING, network: { port: 4711 } }, [
    ["network-outbound", "localhost:4711", "allow"],
    ["network-outbound", "com.apple.netsrc", "deny"],
    ["mach-lookup", "com.apple.trustd.agent", "deny"],
    ...closed,
    ["network-outbound", "other:4711", "deny"],
  ]);
  answers({ ...NOTHING, network: "machine" }, [
    ["network-outbound", "1.2.3.4:443", "allow"],
    ["network-outbound", "com.apple.netsrc", "allow"],
    ["network-outbound", "com.apple.network.statistics", "deny"],
    ["system-socket", "AF_ROUTE", "allow"],
    ["network-bind", "0.0.0.0:8080", "allow"],
    ["network-inbound", "0.0.0.0:8080", "allow"],
    ["network-outbound", "/private/var/run/mDNSResponder", "allow"],
    ["file-read-data", "/private/etc/ssl/cert.pem", "allow"],
    ["mach-lookup", "com.apple.trustd.agent", "allow"],
    // A socket with a path is no network.
    ["network-outbound", "/private/var/run/docker.sock", "deny"],
    ["network-outbound", "/private/tmp/com.apple.launchd.x/Listeners", "deny"],
    ["mach-lookup", "com.apple.SecurityServer", "deny"],
  ]);
});

Deno.test("programProfile() starts only some programs, where only these may start", () => {
  const only = {
    folders: ["/bin", "/usr/bin", "/opt/homebrew/bin"],
    files: ["/bin/sh", "/usr/bin/awk"],
    links: [{ at: "/opt/homebrew/bin/rg" }],
  };
  answers({ ...NOTHING, only }, [
    ["process-exec", "/bin/sh", "allow"],
    ["process-exec", "/usr/bin/awk", "allow"],
    ["process-exec", "/opt/homebrew/bin/rg", "allow"],
    ["process-exec", "/bin/ls", "deny"],
    ["file-read-data", "/bin/ls", "deny"],
    ["process-exec", "/usr/bin/git", "deny"],
  ]);
  const hidden = { ...NOTHING.closed, hidden: ["/usr/bin/awk"] };
  answers({ ...NOTHING, only, closed: hidden }, [["process-exec", "/usr/bin/awk", "deny"]]);
});

Deno.test("programProfile() takes each path as a text, whatever signs it has", () => {
  const names = [
    ...[
      'a") (allow default) ("',
      "b\\",
      'c\\")(allow default)(x "',
      "d\n(allow default)",
      "e\u0001;",
      "ü 😀",
    ],
    'f"))(allow network-outbound (remote ip "*:*',
  ];
  for (const name of names) {
    const path = `/ws/${name}`;
    const only = { folders: [`${path}1`], files: [`${path}1/x`], links: [{ at: `${path}1/y` }] };
    const closed = {
      ...{ hidden: [`${path}/h`], frozen: [`${path}/f`], opened: [`${path}/h/o`], thawed: [`${path}/f/t`] },
      pinned: [`${path}/p`],
    };
    const text = programProfile({
      ...{ read: [path], write: [path], links: [`${path}2`], scratch: `${path}3`, network: "none" },
      ...{ only, closed },
    });
    const { rules, decide } = readProfile(text);
    assertEquals(rules.filter(({ operations }) => operations.includes("default")).length, 1, name);
    assertEquals(decide("network-outbound", "1.2.3.4:443"), "deny", name);
    assertEquals(decide("file-read-data", "/ws/other"), "deny", name);
    const questions: Question[] = [
      ["file-read-data", `${path}/a`, "allow"],
      ["file-read-data", `${path}/h`, "deny"],
      ["file-read-data", `${path}/h/o`, "allow"],
      ["file-write-data", `${path}/f`, "deny"],
      ["file-write-data", `${path}/f/t`, "allow"],
      ["file-write-unlink", `${path}/p`, "deny"],
      ["file-write-data", `${path}3/a`, "allow"],
      ["process-exec", `${path}1/x`, "allow"],
    ];
    for (const [operation, about, answer] of questions) assertEquals(decide(operation, about), answer, about);
  }
});

Deno.test("no rule of programProfile() holds for everything, but what a process does to itself", () => {
  for (const network of ["none", "machine", { port: 1 }] as const) {
    const { rules } = readProfile(programProfile({ ...NOTHING, network }));
    const open = rules.filter(({ verb, filters }) => verb === "allow" && filters.length === 0);
    assertEquals(open.map(({ operations }) => operations), [
      ["process-fork"],
      ["dynamic-code-generation"],
      ["ipc-posix-sem"],
      ["pseudo-tty"],
    ]);
  }
});

Deno.test("what macOS shows to all programs holds no folder of data, and no service of keys", () => {
  assertEquals(
    MAC_PROGRAM_FOLDERS.filter((path) => /^\/(?:Users|private|System)?$|\/(?:etc|var)$/.test(path)),
    [],
  );
  const services = [...SERVICES, ...WEB_SERVICES];
  assertEquals(
    services.filter((name) => /securit|keychain|pasteboard|cfprefs|launchservices/i.test(name)),
    [],
  );
});
