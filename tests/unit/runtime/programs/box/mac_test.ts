import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { makeScratch, placesIn } from "../../../../../runtime/programs/box/make_scratch.ts";
import { seatbeltWall } from "../../../../../runtime/programs/box/seatbelt_program.ts";
import {
  boxStart,
  type Launch,
  leadToPort,
  type ScratchFolder,
  scratchFolder,
} from "../../../../../runtime/programs/launch/launch.ts";
import { exists } from "../../../../../runtime/walls/files/file_facts.ts";
import { covers } from "../../../../../runtime/walls/grants/path_access.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { launchScene, type SceneOptions } from "../../../../support/launch_scene.ts";
import { programScene } from "../../../../support/program_scene.ts";
import { readProfile } from "../../../../support/walls/seatbelt_profile.ts";
import type { GrantFlags } from "../../../../../runtime/walls/grants/make_grants.ts";

const FILES = {
  "ws/a.txt": "",
  "ws/.env": "KEY=1",
  "ws/lib/.env": "KEY=2",
  "ws/.git/HEAD": "ref: refs/heads/main\n",
  "ws/.git/objects/": "",
  "ws/.git/refs/": "",
  "ws/.git/config": "[core]\n",
  "ws/.git/hooks/pre-commit": "#!/bin/sh\n",
  "home/notes.md": "",
  "books/b.txt": "",
};

function macScene(options: SceneOptions = {}, files: Record<string, string> = FILES) {
  return launchScene(files, { ...options, boxed: "mac" });
}

function profileOf({ argv }: Launch) {
  return readProfile(argv[2]!);
}

Deno.test("a program on macOS starts under a profile, in its folder, with private places", async () => {
  using scene = macScene({ env: { LANG: "de_DE.UTF-8" }, gitSettings: "[user]\n\tname = Me\n" });
  const launch = await scene.prepare({ argv: ["sh", "-c", "exit 1"], env: { OWN: "1" } });
  const { argv, env, boxed, cwd, startIn, warnings } = launch;
  assertEquals(argv.toSpliced(2, 1), ["/usr/bin/sandbox-exec", "-p", "/usr/bin/sh", "-c", "exit 1"]);
  assertEquals([boxed, cwd, startIn, warnings], [true, scene.at("ws"), scene.at("ws"), []]);
  // It is no box: bubblewrap reports nothing, and no network is joined.
  assertEquals(boxStart(launch), null);
  const { scratch, text, who } = scratchFolder(launch)!;
  assertEquals([text, who], ["[user]\n\tname = Me\n", undefined]);
  assert(/^\/tmp\/bulkhead-[0-9a-f]{16}$/.test(scratch), scratch);
  const { HOME, TMPDIR, TMP, TEMP, CFFIXED_USER_HOME, LANG, OWN } = env;
  assertEquals([HOME, CFFIXED_USER_HOME], [`${scratch}/home`, `${scratch}/home`]);
  assertEquals([TMPDIR, TMP, TEMP], Array(3).fill(`${scratch}/tmp`));
  assertEquals([LANG, OWN], ["de_DE.UTF-8", "1"]);
  // Nothing is made before it starts, and each program has its own.
  assertEquals(exists(scratch), false);
  const other = scratchFolder(await scene.prepare({ argv: ["true"] }))!;
  assert(other.scratch !== scratch);
});

Deno.test("a profile of macOS closes what a box would mask", async () => {
  using scene = macScene();
  const launch = await scene.prepare({ argv: ["true"] });
  const { decide } = profileOf(launch);
  const answers: [operation: string, name: string, answer: string][] = [
    ["file-read-data", "ws/a.txt", "allow"],
    ["file-write-create", "ws/new.txt", "allow"],
    ["file-read-data", "ws/.env", "deny"],
    ["file-read-data", "ws/lib/.env", "deny"],
    ["file-write-create", "ws/.git/hooks/pre-push", "deny"],
    ["file-write-data", "ws/.git/config", "deny"],
    ["file-write-create", "ws/.git/index", "allow"],
    ["file-write-unlink", "ws/.git", "deny"],
    ["file-write-unlink", "ws/lib", "deny"],
    ["file-read-data", "home/notes.md", "deny"],
    ["file-read-data", "books/b.txt", "deny"],
    ["file-write-create", "aside/x", "deny"],
  ];
  for (const [operation, name, answer] of answers) {
    assertEquals(decide(operation, scene.at(name)), answer, `${operation} ${name}`);
  }
  assertEquals(launch.outlook?.closed.hidden.toSorted(), [scene.at("ws/.env"), scene.at("ws/lib/.env")]);
});

Deno.test("a program on macOS need not be named, and never starts if it is denied", async () => {
  using reader = macScene({ flags: { policy: "read-only", allow: { run: ["git"] } } });
  assertEquals((await reader.prepare({ argv: ["ls"] })).boxed, true);
  using denied = macScene({ flags: { deny: { run: ["ls"] } } });
  const { code } = await assertRejects(() => denied.prepare({ argv: ["ls"] }), ToolError);
  assertEquals(code, "permission_denied");
  // Nor does another program start it.
  const ls = Deno.realPathSync("/usr/bin/ls");
  const { decide } = profileOf(await denied.prepare({ argv: ["true"] }));
  assertEquals([decide("process-exec", ls), decide("process-exec", "/usr/bin/cat")], ["deny", "allow"]);
  using only = macScene({ only: ["cat"] });
  const some = profileOf(await only.prepare({ argv: ["cat"] }));
  assertEquals(some.decide("process-exec", Deno.realPathSync("/usr/bin/cat")), "allow");
  assertEquals(some.decide("process-exec", ls), "deny");
});

Deno.test("a denied program is closed wherever the system of macOS has programs", async () => {
  const { folders, bins } = seatbeltWall().system;
  assertEquals(bins.filter((bin) => !covers(folders, bin)), [], "each is shown, so it must be closed");
  assert(bins.includes("/Library/Developer/CommandLineTools/usr/bin"), bins.join());
  // One of these folders is here, too.
  const isOne = ({ isFile, name }: Deno.DirEntry) => isFile && name !== "coreutils";
  for (const { name } of Array.from(Deno.readDirSync("/usr/libexec")).filter(isOne).slice(0, 1)) {
    using scene = macScene({ flags: { deny: { run: [name] } } });
    const { decide } = profileOf(await scene.prepare({ argv: ["true"] }));
    assertEquals(decide("process-exec", `/usr/libexec/${name}`), "deny", name);
  }
});

Deno.test("a program on macOS has no network, that of the machine, or a port that leads to the gate", async () => {
  const startOf = async (flags: GrantFlags) => {
    using scene = macScene({ flags, env: { http_proxy: "http://mine:1" } });
    return await scene.prepare({ argv: ["curl", "x"] });
  };
  const reaches = (launch: Launch, ...addresses: string[]) =>
    addresses.map((address) => profileOf(launch).decide("network-outbound", address));
  const closed = await startOf({});
  assertEquals(reaches(closed, "1.2.3.4:443", "localhost:3128"), ["deny", "deny"]);
  assertEquals([closed.env.PIP_NO_INDEX, scratchFolder(closed)?.who], ["1", undefined]);

  const open = await startOf({ shareNet: true });
  assertEquals(reaches(open, "1.2.3.4:443", "localhost:3128"), ["allow", "allow"]);
  assertEquals([open.env.PIP_NO_INDEX, scratchFolder(open)?.who], [undefined, undefined]);

  const led = await startOf({ allow: { net: ["shop.example"] } });
  assertEquals(scratchFolder(led)?.who, "curl");
  // Without a way it has none.
  assertEquals(leadToPort(led, null), led);
  assertEquals(reaches(led, "localhost:4711", "localhost:3128"), ["deny", "deny"]);
  assertEquals([led.env.https_proxy, led.env.PIP_NO_INDEX], [undefined, "1"]);
  const there = leadToPort(led, 4711);
  assertEquals(reaches(there, "localhost:4711", "localhost:3128", "1.2.3.4:443"), ["allow", "deny", "deny"]);
  assertEquals(there.argv.slice(3), led.argv.slice(3));
  const { https_proxy, http_proxy, JAVA_TOOL_OPTIONS = "", PIP_NO_INDEX, HOME } = there.env;
  assertEquals(https_proxy, "http://127.0.0.1:4711");
  assertEquals(http_proxy, "http://127.0.0.1:4711");
  assertEquals(PIP_NO_INDEX, undefined);
  assertStringIncludes(JAVA_TOOL_OPTIONS, "-Dhttps.proxyPort=4711");
  assertEquals(HOME, led.env.HOME);
});

Deno.test("settings of git that hold a login are hidden on macOS, with a warning", async () => {
  const config = '[remote "o"]\n\turl = https://me:secret@shop.example/x.git\n';
  using scene = macScene({}, { ...FILES, "ws/.git/config": config });
  const launch = await scene.prepare({ argv: ["true"] });
  assertEquals(profileOf(launch).decide("file-read-data", scene.at("ws/.git/config")), "deny");
  const why =
    "it holds a password or a token, and the sandbox of macOS cannot show it without; leave the login to a " +
    "credential helper";
  assertEquals(launch.warnings, [`Programs do not see "${scene.at("ws/.git/config")}": ${why}`]);
});

Deno.test("a path that is not UTF-8 cannot be closed on macOS, and so no program starts", async () => {
  using scene = macScene();
  const { success } = await new Deno.Command("/bin/bash", {
    args: ["-c", `mkdir -p "$1"/$'\\xff' && echo KEY=1 >"$1"/$'\\xff'/.env`, "bash", scene.at("ws")],
  }).output();
  assert(success);
  const { code, message } = await assertRejects(() => scene.prepare({ argv: ["true"] }), ToolError);
  assertEquals(code, "unavailable");
  assertStringIncludes(message, "whose name is not UTF-8: rename it");
});

function nameOf(): string {
  return `${Deno.realPathSync("/tmp")}/bulkhead-${crypto.randomUUID()}`;
}

/** A program under a profile, as it is on macOS, but for the profile. */
function underProfile(scratch: string, more: Partial<ScratchFolder> = {}) {
  return (launch: Launch): Launch => ({
    ...launch,
    boxed: true,
    box: { scratch, text: "", lead: () => launch, ...more },
  });
}

async function makeFolder(path: string): Promise<() => Promise<void>> {
  await Deno.mkdir(path, { mode: 0o700 });
  return () => Deno.remove(path, { recursive: true });
}

Deno.test("makeScratch() takes no folder that is there, and tells of one that stays", async () => {
  const scratch = nameOf();
  await Deno.mkdir(scratch);
  try {
    const make = () => makeScratch({ scratch, text: "" }, makeFolder);
    const { code, message } = await assertRejects(make, ToolError);
    assertEquals([code, message], ["conflict", `Cannot make "${scratch}": it exists already`]);
    await Deno.remove(scratch);
    const remove = await makeScratch({ scratch, text: "" }, async (path) => {
      await Deno.mkdir(path);
      return () => Promise.reject(new Error("it is in use"));
    });
    const said = `The private folder ${scratch} of a program is still there: it is in use; remove it`;
    assertEquals(await remove(), said);
    assertEquals(Array.from(Deno.readDirSync(placesIn(scratch).home)), []);
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
});

Deno.test("a program under a profile has its folder from its start to its end, and counts as enclosed", async () => {
  const scratch = nameOf();
  await using scene = programScene({ boxed: false, change: underProfile(scratch, { text: "[user]\n" }) });
  const script = `cd ${scratch} && cat home/.gitconfig; stat -c "%a %n" . home tmp; exit 3`;
  const { stdout, exitCode } = await scene.sh(script);
  assertEquals([exitCode, stdout.head], [3, "[user]\n700 .\n700 home\n700 tmp\n"]);
  assertEquals(exists(scratch), false);
  assertEquals(scene.programs.map(({ boxed, exit_code }) => [boxed, exit_code]), [[true, 3]]);
});

Deno.test("a program under a profile is ended with all of its group, and its folder goes", async () => {
  const scratch = nameOf();
  await using scene = programScene({ boxed: false, change: underProfile(scratch) });
  const control = new AbortController();
  const call = { signal: control.signal, onOutput: () => control.abort() };
  const { reason, stdout } = await scene.sh("sleep 60 & echo $!; wait", {}, call);
  assertEquals([reason, exists(scratch)], ["cancelled", false]);
  const child = stdout.head.trim();
  assert(/^\d+$/.test(child), child);
  assertEquals(await isAlive(child), false);
});

Deno.test("a program under a profile starts as its way to the gate says, and gives the way back", async () => {
  const scratch = nameOf();
  const ends: string[] = [];
  const ports = [4711, undefined];
  const change = (launch: Launch) =>
    underProfile(scratch, {
      who: "sh",
      lead: (port) => ({ argv: ["/bin/sh", "-c", `echo led to ${port}`], env: {} }),
    })(launch);
  const network = {
    expect() {},
    take(who: string) {
      const port = ports.shift();
      if (port === undefined) return Promise.reject(new Error("the gate is gone"));
      return Promise.resolve({
        ...{ pid: null, port, isWhole: true },
        connections: () => Promise.resolve([]),
        admit: () => Promise.resolve(),
        end: () => (ends.push(who), Promise.resolve({ connections: [], isWhole: true })),
      });
    },
    takeClosed: () => Promise.reject(new Error("not asked")),
    end: () => Promise.resolve(),
  };
  await using scene = programScene({ boxed: false, change, network });
  assertEquals((await scene.sh("echo alone")).stdout.head, "led to 4711\n");
  assertEquals([ends, scene.warnings], [["sh"], []]);
  assertEquals((await scene.sh("echo alone")).stdout.head, "alone\n");
  assertStringIncludes(scene.warnings.join(), "sh has no network: the gate is gone");
});

Deno.test("a profile that does not start its program is told as that, and other ends are the program's own", async () => {
  const scratch = nameOf();
  await using scene = programScene({ boxed: false, change: underProfile(scratch) });
  const fails = async (said: string, code: number) => {
    const run = () => scene.sh(`echo "sandbox-exec: ${said}" >&2; exit ${code}`);
    const error = await assertRejects(run, ToolError);
    return [error.code, error.message];
  };
  assertEquals(await fails("execvp() of '/no/x' failed: No such file or directory", 71), [
    "not_found",
    'Cannot start "sh": No such file or directory',
  ]);
  assertEquals(await fails("invalid profile", 65), [
    "unavailable",
    'The sandbox of "sh" cannot be made: invalid profile; see bulkhead doctor',
  ]);
  assertEquals((await scene.sh("echo 'sandbox-exec: x' >&2; exit 1")).exitCode, 1);
  assertEquals((await scene.sh("echo 'bwrap: x' >&2; exit 1")).exitCode, 1);
});

async function isAlive(pid: string): Promise<boolean> {
  const script = 'case "$(cut -d" " -f3 "/proc/$1/stat" 2>/dev/null)" in "" | [ZX]) exit 1 ;; esac';
  return (await new Deno.Command("/bin/sh", { args: ["-c", script, "sh", pid] }).output()).success;
}
