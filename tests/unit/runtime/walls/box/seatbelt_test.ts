import { assertEquals } from "@std/assert";

import { MAC_PROGRAM_FOLDERS, SERVICES, WEB_SERVICES } from "../../../../../runtime/walls/box/mac_system.ts";
import { type ProgramProfile, programProfile } from "../../../../../runtime/walls/box/program_profile.ts";
import { type SeatbeltPlan, seatbeltProfile } from "../../../../../runtime/walls/box/room_profile.ts";
import {
  libraryRules,
  literalFilter,
  pathsAbove,
  profileText,
  seatbeltRule,
  subpathFilter,
  textFilter,
} from "../../../../../runtime/walls/box/seatbelt_rules.ts";
import { thisMac, tryProgramProfile, tryRoomProfile } from "../../../../../runtime/walls/box/try_seatbelt.ts";
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
const EMPTY_ROOM: SeatbeltPlan = {
  ...{ read: [], write: [], execute: ["/opt/bulkhead"], reopened: [], sockets: [] },
  closed: { hidden: [], frozen: [] },
};
const ROOM: SeatbeltPlan = {
  ...EMPTY_ROOM,
  read: [shop, "/Users/me/books"],
  write: [shop],
  closed: { hidden: [`${shop}/.env`, `${shop}/.ssh`], frozen: [`${shop}/.git/hooks`] },
  reopened: [`${shop}/.ssh/config`],
  sockets: ["/private/tmp/gate/1"],
};

/**
 * Compares what a profile decides. Each line has an answer, an operation, and what it is about: one thing or several, `~` being
 * the folder of the shop.
 */
function answers(profile: string, lines: string): void {
  const { decide } = readProfile(profile);
  for (const line of lines.trim().split("\n")) {
    const [answer = "", operation = "", ...all] = line.trim().replaceAll("~", shop).split(" ");
    for (const about of all.length > 0 ? all : [""]) {
      assertEquals(decide(operation, about), answer, `${operation} ${about}`);
    }
  }
}

const program = (changes: Partial<ProgramProfile> = {}) => programProfile({ ...NOTHING, ...changes });

Deno.test("programProfile() denies what it does not name, and has what every program needs", () => {
  const { rules } = readProfile(program());
  assertEquals(rules[0], { verb: "deny", operations: ["default"], filters: [] });
  answers(
    program(),
    `deny file-read-metadata /Users/me/notes.md
    deny file-test-existence /Users/me/notes.md
    deny file-read-data /Users/me/notes.md /Users /Users/me/Library/Keychains/login.keychain-db
    deny file-read-data /private/etc/master.passwd /private/var/db/dslocal/nodes/Default/users/me.plist
    deny file-read-data /private/tmp/of-others /private/var/folders/x/T/secret /dev/disk0
    deny file-read-data /System/Volumes/Data/Users/me/notes.md /opt/homebrew/etc/my.cnf
    deny file-read-data /opt/homebrew/var/postgres/base /usr/local/etc/my.cnf
    deny process-exec /Users/me/bin/tool /private/tmp/tool
    deny file-write-create /private/tmp/x
    deny file-write-data /usr/bin/git /dev/disk0
    deny sysctl-read kern.procargs2
    deny signal others
    deny process-info-pidinfo others
    deny mach-lookup com.apple.securityd com.apple.SecurityServer com.apple.pasteboard.1
    deny mach-lookup com.apple.coreservices.launchservicesd com.apple.cfprefsd.agent com.apple.trustd.agent
    deny ipc-posix-shm-write-data apple.shm.notification_center
    deny ipc-posix-shm-read-data /another`,
  );
  // What is no part of reading or writing is not allowed with it.
  const others = ["file-link", "file-clone", "file-mknod"];
  for (const operation of others) answers(program(), `deny ${operation} ${SCRATCH}/x`);
  answers(
    program(),
    `allow process-exec /bin/sh /usr/bin/git /Library/Developer/CommandLineTools/usr/bin/git
    allow process-exec /opt/homebrew/Cellar/ripgrep/14.1.0/bin/rg
    allow file-read-data /opt/homebrew/lib/libz.dylib /opt/homebrew/etc/openssl@3/cert.pem /private/etc/passwd
    allow file-map-executable /opt/homebrew/lib/libz.dylib
    allow file-read-metadata /opt /tmp
    allow process-fork
    allow signal same-sandbox
    allow process-info-pidinfo same-sandbox
    allow sysctl-read hw.ncpu kern.osrelease
    allow mach-lookup com.apple.system.opendirectoryd.libinfo
    allow ipc-posix-sem /any
    allow ipc-posix-shm-read-data apple.shm.notification_center
    allow ipc-posix-shm-write-create /psm_1a
    allow file-write-data /dev/null
    allow file-read-data /dev/fd/0`,
  );
});

Deno.test("programProfile() gives a program its own folder, whatever is closed around it", () => {
  const around = { ...NOTHING.closed, hidden: ["/private/tmp"], frozen: ["/private/tmp"] };
  for (const profile of [program(), program({ closed: around })]) {
    answers(
      profile,
      `allow file-write-create ${SCRATCH}/tmp/x
      allow file-read-data ${SCRATCH}/home/.gitconfig
      allow process-exec ${SCRATCH}/tmp/built
      allow network-bind ${SCRATCH}/tmp/socket
      allow network-outbound ${SCRATCH}/tmp/socket
      allow file-read-metadata /private/tmp
      deny file-write-create ${SCRATCH}0/x
      deny file-write-setugid ${SCRATCH}/tmp/x`,
    );
  }
});

Deno.test("programProfile() and seatbeltProfile() open what is granted, and close secrets and protected files in it", () => {
  const all = `allow file-read-data ~/src/cart.ts /Users/me/books/a.txt ~/.ssh/config
    allow file-write-create ~/new.ts
    deny file-write-data /Users/me/books/a.txt ~/.env
    deny file-read-data /Users/me/shopping/a.txt /Users/me ~/.env ~/.ssh/id_ed25519
    deny file-write-unlink ~/.env
    deny file-write-create ~/.git/hooks/pre-push`;
  // Their being there stays to be seen.
  const seen = "allow file-read-metadata /Users/me ~/.env";
  // What lies in these is closed by its path: they stay where they are.
  const pinned = "deny file-write-unlink ~/.git /Users/me/shop\n allow file-write-unlink ~/src";
  answers(
    programProfile(SHOP),
    `${all}\n${seen}\n${pinned}
    allow process-exec ~/build.sh
    deny process-exec /usr/bin/curl
    deny file-read-data /usr/bin/curl /Users/me/.nvm/other
    allow file-map-executable ~/node_modules/x.node
    deny file-map-executable ~/.env
    deny file-read-xattr ~/.env
    deny file-write-setugid ~/new.ts
    allow network-bind ~/own.sock
    deny network-outbound /Users/me/books/a.sock ~/agent.sock
    allow file-read-metadata /Users/me/.nvm/current /Users/me/.nvm
    allow file-write-data ~/.ssh/config ~/.git/hooks/pre-commit
    allow file-read-data ~/.git/hooks/pre-push
    deny file-write-data ~/.git/config
    allow file-write-create ~/.git/index.lock
    deny file-write-unlink ~/lib`,
  );
  answers(
    seatbeltProfile(ROOM),
    `${all}\n${seen}\n${pinned}
    deny file-write-data ~/.ssh/config
    allow file-read-data ~/.git/hooks/pre-commit
    deny file-write-create ~/.git/hooks/pre-commit
    allow network-outbound /private/tmp/gate/1
    deny network-outbound /private/tmp/gate/2`,
  );
  answers(
    seatbeltProfile({ ...ROOM, read: true, write: true }),
    `allow file-read-data /private/etc/passwd
    deny file-read-data ~/.env
    deny file-write-create ~/.git/hooks/x`,
  );
});

Deno.test("programProfile() leaves the terminals of the user out of reach", () => {
  const { decide } = readProfile(programProfile(SHOP));
  const pty = ["com.apple.sandbox.pty"];
  for (const operation of ["file-read-data", "file-write-data"]) {
    answers(programProfile(SHOP), `deny ${operation} /dev/ttys001\n allow ${operation} /dev/tty /dev/ptmx`);
    assertEquals(decide(operation, "/dev/ttys001", pty), "allow", operation);
    assertEquals(decide(operation, "/dev/ttys001/x", pty), "deny", operation);
  }
  answers(programProfile(SHOP), "allow file-ioctl /dev/ttys001\n deny file-ioctl /dev/disk0");
});

Deno.test("programProfile() gives no network, a port that leads to the gate, or that of the machine", () => {
  const closed = `deny network-outbound localhost:3128 1.2.3.4:443 /private/var/run/mDNSResponder
    deny network-bind localhost:8080
    deny network-inbound localhost:8080
    deny system-socket AF_ROUTE AF_SYSTEM
    allow system-socket AF_UNIX
    deny network-outbound /private/var/run/docker.sock`;
  answers(program(), closed);
  answers(
    program({ network: { port: 4711 } }),
    `${closed}
    allow network-outbound localhost:4711
    deny network-outbound com.apple.netsrc other:4711
    deny mach-lookup com.apple.trustd.agent`,
  );
  // A socket with a path is no network.
  answers(
    program({ network: "machine" }),
    `allow network-outbound 1.2.3.4:443 com.apple.netsrc /private/var/run/mDNSResponder
    deny network-outbound com.apple.network.statistics /private/var/run/docker.sock
    deny network-outbound /private/tmp/com.apple.launchd.x/Listeners
    allow system-socket AF_ROUTE
    allow network-bind 0.0.0.0:8080
    allow network-inbound 0.0.0.0:8080
    allow file-read-data /private/etc/ssl/cert.pem
    allow mach-lookup com.apple.trustd.agent
    deny mach-lookup com.apple.SecurityServer`,
  );
});

Deno.test("programProfile() starts only some programs, where only these may start", () => {
  const only = {
    folders: ["/bin", "/usr/bin", "/opt/homebrew/bin"],
    files: ["/bin/sh", "/usr/bin/awk"],
    links: [{ at: "/opt/homebrew/bin/rg" }],
  };
  answers(
    program({ only }),
    `allow process-exec /bin/sh /usr/bin/awk /opt/homebrew/bin/rg
    deny process-exec /bin/ls /usr/bin/git
    deny file-read-data /bin/ls`,
  );
  const hidden = { ...NOTHING.closed, hidden: ["/usr/bin/awk"] };
  answers(program({ only, closed: hidden }), "deny process-exec /usr/bin/awk");
});

Deno.test("profiles take each path as a text, whatever signs it has", () => {
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
    const held = { read: [path], write: [path] };
    const more = { links: [`${path}2`], scratch: `${path}3`, only, closed };
    const forProgram = readProfile(program({ ...held, ...more }));
    const forRoom = readProfile(seatbeltProfile({ ...EMPTY_ROOM, ...held, closed }));
    for (const { rules, decide } of [forProgram, forRoom]) {
      assertEquals(rules.filter(({ operations }) => operations.includes("default")).length, 1, name);
      const asked = ["/a", "/h", "/f"].map((part) => decide("file-write-data", path + part));
      assertEquals(asked, ["allow", "deny", "deny"], name);
      const others = [decide("network-outbound", "1.2.3.4:443"), decide("file-read-data", "/ws/other")];
      assertEquals(others, ["deny", "deny"], name);
    }
    const { decide } = forProgram;
    assertEquals(decide("file-read-data", `${path}/h/o`), "allow");
    assertEquals(decide("file-write-data", `${path}/f/t`), "allow");
    assertEquals(decide("file-write-unlink", `${path}/p`), "deny");
    assertEquals(decide("file-write-data", `${path}3/a`), "allow");
    assertEquals(decide("process-exec", `${path}1/x`), "allow");
  }
});

Deno.test("no rule of a profile holds for everything, but what a process does to itself", () => {
  const open = (profile: string) =>
    readProfile(profile).rules.filter(({ verb, filters }) => verb === "allow" && filters.length === 0)
      .flatMap(({ operations }) => operations);
  const own = ["process-fork", "dynamic-code-generation", "ipc-posix-sem", "pseudo-tty"];
  for (const network of ["none", "machine", { port: 1 }] as const) {
    assertEquals(open(program({ network })), own);
  }
  assertEquals(open(seatbeltProfile(EMPTY_ROOM)), ["sysctl-read", "dynamic-code-generation"]);
});

Deno.test("what macOS shows to all programs holds no folder of data, and no service of keys", () => {
  const data = /^\/(?:Users|private|System)?$|\/(?:etc|var)$/;
  assertEquals(MAC_PROGRAM_FOLDERS.filter((path) => data.test(path)), []);
  const keys = /securit|keychain|pasteboard|cfprefs|launchservices/i;
  assertEquals([...SERVICES, ...WEB_SERVICES].filter((name) => keys.test(name)), []);
});

Deno.test("seatbeltProfile() denies what it does not name", () => {
  const { rules } = readProfile(seatbeltProfile(EMPTY_ROOM));
  assertEquals(rules[0], { verb: "deny", operations: ["default"], filters: [] });
  answers(
    seatbeltProfile(EMPTY_ROOM),
    `deny file-read-data /Users/me/notes.md /private/etc/passwd /System/Volumes/Data/Users/me/notes.md
    allow file-read-data /System/Library/Frameworks/a /opt/bulkhead /usr/lib/libSystem.B.dylib
    allow file-read-data /private/var/db/timezone/zoneinfo/Europe/Paris
    deny file-write-data /private/tmp/x /usr/lib/libSystem.B.dylib
    allow file-write-data /dev/null
    deny network-outbound /private/var/run/x
    deny network-bind
    deny process-fork
    deny process-exec /bin/sh
    allow process-exec /opt/bulkhead
    deny mach-lookup com.apple.securityd
    allow system-socket AF_UNIX
    deny system-socket AF_ROUTE AF_INET`,
  );
});

Deno.test("rules without a filter, which would hold for everything, are left out, and filters keep a text a text", () => {
  assertEquals(seatbeltRule("allow file-read*", []), "");
  assertEquals(seatbeltRule("allow file-read*", ["(a)", "(b)", "(a)"]), "(allow file-read* (a) (b))");
  const rule = "(allow signal (target self))";
  assertEquals(profileText(["", rule, ""]), `(version 1)\n(deny default)\n${rule}\n`);
  assertEquals(literalFilter('/a"b'), '(literal "/a\\"b")');
  assertEquals(subpathFilter("/a\\b"), '(subpath "/a\\\\b")');
  assertEquals(textFilter("global-name", "a\nb"), '(global-name "a\\x0ab")');
  assertEquals(pathsAbove(["/a/b/c", "/a/d", "/e"]), ["/a", "/a/b"]);
  // The homes have a second name.
  answers(
    profileText(libraryRules()),
    `allow file-read-data /System/Library/a
    allow file-map-executable /usr/lib/libSystem.B.dylib
    deny file-read-data /System/Volumes/Data/Users/me/a /System/Volumes/Data/private/a
    deny file-map-executable /System/Volumes/Data/Users/me/a
    deny file-read-metadata /System/Volumes/Data/Users/me/a`,
  );
});

/** What a trial of a profile starts, and that it does not work for what is said. */
function trial(why: string | null) {
  const runs: (readonly string[])[] = [];
  return { runs, run: (words: readonly string[]) => Promise.resolve((runs.push(words), why)) };
}

Deno.test("tryProgramProfile() starts a program from a shell under a profile that grants nothing, and tries that it holds", async () => {
  const { run, runs } = trial(null);
  assertEquals(await tryProgramProfile({ run }), null);
  const [words = []] = runs;
  assertEquals([runs.length, words[0], words[1]], [1, "/usr/bin/sandbox-exec", "-p"]);
  const tried = "/usr/bin/true || exit 3; ! /bin/ls /private/var/log 2>/dev/null";
  assertEquals(words.slice(3), ["/bin/sh", "-c", tried]);
  answers(words[2]!, "allow process-exec /usr/bin/true /bin/ls\n deny file-read-data /private/var/log");
  // It fails where no program starts, and where what is closed can be read.
  const codeOf = async (script: string) =>
    (await new Deno.Command("/bin/sh", { args: ["-c", script], stdout: "null", stderr: "null" }).output())
      .code;
  const script = tried.replace("/private/var/log", "/no/such/folder");
  assertEquals(await codeOf(script), 0);
  assertEquals(await codeOf(script.replace("/usr/bin/true", "/no/such/program")), 3);
  assertEquals(await codeOf(tried.replace("/private/var/log", "/")), 1);
  const why = "sandbox-exec: Operation not permitted";
  assertEquals(await tryProgramProfile(trial(why)), `a trial of sandbox-exec failed: ${why}`);
});

Deno.test("tryRoomProfile() starts this program itself, and nothing else", async () => {
  const { run, runs } = trial("why");
  assertEquals(await tryRoomProfile({ run, self: () => ["/opt/bulkhead", "version"] }), "why");
  const [words = []] = runs;
  assertEquals(words.slice(3), ["/opt/bulkhead", "version"]);
  answers(words[2]!, "allow process-exec /opt/bulkhead\n deny process-exec /bin/sh");
});

Deno.test("a Mac's trial tells an end without a word, its last words, and a program that is not there", async () => {
  const sh = (script: string) => thisMac.run(["/bin/sh", "-c", script]);
  assertEquals([await sh("exit 0"), await sh("exit 7")], [null, "it failed without a word"]);
  assertEquals(await sh("echo why >&2; exit 1"), "why");
  assertEquals(typeof await thisMac.run(["/no/such/program"]), "string");
});
