import { assert, assertEquals } from "@std/assert";

import { boxStart } from "../../../../../runtime/programs/launch/launch.ts";
import { boxTest } from "../../../../support/box.ts";
import { launchScene, start } from "../../../../support/launch_scene.ts";

boxTest("a box starts nothing if a link led what it mounts to another folder", async () => {
  using scene = launchScene({
    "outside/.git/config": "[core]\n",
    "ws/a b\\c/.git/config": "[core]\n",
    "ws/a b\\c/deep/.vscode/x": "",
  });
  const launch = await scene.prepare({ argv: ["sh", "-c", "echo ran; echo x > */.git/planted"] });
  assertEquals((await start(launch)).stdout, "ran\n");
  const bind = launch.argv.findIndex((word, at) =>
    word === "--bind" && launch.argv[at + 1]!.endsWith("c/.git")
  );
  // As if the folder above had been a link at the moment when bubblewrap looked for what to mount.
  const moved = launch.argv.with(bind + 1, scene.at("outside/.git"));
  const { code, stdout, stderr } = await start({ ...launch, argv: moved });
  assertEquals([code, stdout], [1, ""]);
  assertEquals(stderr, "bwrap: a folder was moved while the sandbox was made, try again\n");
  assertEquals(scene.exists("outside/.git/planted"), false);
});

boxTest("a box with a denied shell starts what it masks all the same", async () => {
  using scene = launchScene({ "ws/.git/config": "[core]\n" }, { flags: { deny: { run: ["sh"] } } });
  assertEquals((await start(await scene.prepare({ argv: ["echo", "ran"] }))).stdout, "ran\n");
});

const LOOK = `
grep -E '^Cap(Prm|Eff|Bnd|Amb)' /proc/self/status
for name in environ maps mem auxv fd/0 cwd root exe; do
  { exec 9<"/proc/1/$name" || readlink "/proc/1/$name"; } 2>/dev/null && echo "reached $name"
  exec 9<&-
done
{ : >>/proc/1/mem; } 2>/dev/null && echo "opened mem to write"
for signal in KILL STOP TERM HUP INT QUIT SEGV USR1 TSTP; do kill -s "$signal" 1; done
grep -E '^(State|Max (data|file|processes|core))' /proc/1/status /proc/1/limits | tr -s ' ' | sed 's/.*://; s/ $//'
echo still here
`;

boxTest("a program reaches nothing of its box's first process, and cannot stop it", async () => {
  using scene = launchScene({ "ws/.git/config": "[core]\n" }, {
    limits: { memory_mb: 512, file_mb: 64, processes: 60 },
  });
  for (const terminal of [false, true]) {
    const launch = await scene.prepare({ argv: ["bash", "-c", LOOK] }, { terminal });
    const { code, stdout } = await start(launch);
    const lines = stdout.split("\n").filter((line) => line !== "");
    assertEquals(lines.slice(0, 4).map((line) => /[1-9a-f]/.test(line.split(":")[1]!)), [
      false,
      false,
      false,
      false,
    ]);
    assertEquals(lines.at(-1), "still here", stdout);
    assertEquals(lines.filter((line) => /^(reached|opened)/.test(line)), []);
    for (const bound of ["data size 536870912", "file size 67108864", "processes 60", "core file size 0"]) {
      assert(
        lines.some((line) => line.includes(`Max ${bound}`) || line.includes(bound)),
        `${bound}: ${stdout}`,
      );
    }
    assertEquals(code, 0);
  }
});

boxTest("a box ends with its program's exit code, and says no more than the program said", async () => {
  using scene = launchScene({ "ws/.git/config": "[core]\n" });
  for (
    const [script, code] of [["exit 7", 7], ["kill -SEGV $$", 139], ["kill -TERM $$; sleep 9", 143]] as const
  ) {
    const ended = await scene.sh(`sleep 60 & ${script}`);
    assertEquals([ended.code, ended.stdout, ended.stderr], [code, "", ""]);
  }
});

const SOCKETS = `
perl -MSocket -e 'socket(S, AF_UNIX, SOCK_STREAM, 0) or print "no sockets with a path\\n"'
perl -MSocket -e 'socketpair(A, B, AF_UNIX, SOCK_STREAM, 0) and print "pairs\\n"'
timeout 1 sh -c 'echo x >pipe' 2>&1
`;

boxTest(
  "where nothing may be written, no pipe and no socket of the workspace is reached, and none that comes",
  async () => {
    using scene = launchScene({ "ws/a": "" }, { flags: { policy: "read-only" } });
    assertEquals((await new Deno.Command("mkfifo", { args: [scene.at("ws/pipe")] }).output()).code, 0);
    const process = new Deno.Command("cat", { args: [scene.at("ws/pipe")], stdout: "piped" })
      .spawn();
    const launch = await scene.prepare({ argv: ["bash", "-c", SOCKETS] });
    assertEquals(boxStart(launch)?.local, false);
    const { stdout } = await start(launch);
    assertEquals(stdout.includes("pairs"), true, stdout);
    assertEquals(stdout.includes("cannot create pipe") || stdout.includes("Permission denied"), true, stdout);
    process.kill("SIGKILL");
    assertEquals(new TextDecoder().decode((await process.output()).stdout), "");
  },
);
