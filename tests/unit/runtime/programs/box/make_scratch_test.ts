import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { makeScratch, placesIn } from "../../../../../runtime/programs/box/make_scratch.ts";
import type { Launch, ScratchFolder } from "../../../../../runtime/programs/launch/launch.ts";
import { exists } from "../../../../../runtime/walls/files/file_facts.ts";
import { ToolError } from "../../../../../schemas/error.ts";
import { programScene } from "../../../../support/program_scene.ts";

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

Deno.test("makeScratch() makes a private home and a place for temporary files, and removes both", async () => {
  const scratch = nameOf();
  const remove = await makeScratch({ scratch, text: "[user]\n" }, makeFolder);
  const { home, tmp } = placesIn(scratch);
  const modes = [scratch, home, tmp].map((path) => Deno.statSync(path).mode! & 0o777);
  assertEquals(modes, [0o700, 0o700, 0o700]);
  assertEquals(Deno.readTextFileSync(`${home}/.gitconfig`), "[user]\n");
  assertEquals(await remove(), null);
  assertEquals(exists(scratch), false);
});

Deno.test("makeScratch() takes no folder that is there, and tells of one that stays", async () => {
  const scratch = nameOf();
  await Deno.mkdir(scratch);
  try {
    const { code, message } = await assertRejects(
      () => makeScratch({ scratch, text: "" }, makeFolder),
      ToolError,
    );
    assertEquals([code, message], ["conflict", `Cannot make "${scratch}": it exists already`]);
    await Deno.remove(scratch);
    const remove = await makeScratch({ scratch, text: "" }, async (path) => {
      await Deno.mkdir(path);
      return () => Promise.reject(new Error("it is in use"));
    });
    assertEquals(
      await remove(),
      `The private folder ${scratch} of a program is still there: it is in use; remove it`,
    );
    assertEquals(Array.from(Deno.readDirSync(placesIn(scratch).home)), []);
  } finally {
    await Deno.remove(scratch, { recursive: true });
  }
});

Deno.test("a program under a profile has its folder from its start to its end, and counts as enclosed", async () => {
  const scratch = nameOf();
  await using scene = programScene({ boxed: false, change: underProfile(scratch, { text: "[user]\n" }) });
  const { stdout, exitCode } = await scene.sh(`cat ${scratch}/home/.gitconfig; ls ${scratch}; exit 3`);
  assertEquals([exitCode, stdout.head], [3, "[user]\nhome\ntmp\n"]);
  assertEquals(exists(scratch), false);
  assertEquals(scene.programs.map(({ boxed, exit_code }) => [boxed, exit_code]), [[true, 3]]);
});

Deno.test("a program under a profile is ended with all of its group, and its folder goes", async () => {
  const scratch = nameOf();
  await using scene = programScene({ boxed: false, change: underProfile(scratch) });
  const { reason, stdout } = await scene.sh("sleep 60 & echo $!; wait", { timeoutMs: 300 });
  assertEquals([reason, exists(scratch)], ["timeout", false]);
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
