import { assert, assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import { programTest } from "../../support/needed_programs.ts";
import { all, type Attack, attackFiles, results, TRY_ALL } from "../../support/cli/attacks.ts";
import { isAlive } from "../../support/cli/processes.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";
import {
  type AbstractServer,
  type Servers,
  startAbstractServer,
  startServers,
} from "../../support/cli/servers.ts";
import { said, SURFACE_CONFIG, SURFACES } from "../../support/cli/surfaces.ts";

const SECRET = "hunter2-do-not-show";
const CONNECT =
  "use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un($ARGV[0])) or exit 1";
/** Files of servers: in the workspace, beside it, and by the name of a container engine. */
const SOCKETS = ["ws/app.sock", "ws/docker.sock", "outside/agent.sock"];

interface Reachable extends AsyncDisposable {
  servers: Servers;
  abstract: AbstractServer;
  attacks: readonly Attack[];
}

/** Starts servers of all kinds, with an attack on each. */
async function makeReachable(scene: Scene): Promise<Reachable> {
  scene.write("outside/here", "");
  const servers = startServers(SOCKETS.map((name) => scene.at(name)));
  const name = `bulkhead-test-${crypto.randomUUID()}`;
  const abstract = await startAbstractServer(name);
  const attacks = [
    ...servers.addresses.map(({ hostname, port }, at) => ({
      name: `tcp-${at}`,
      script: `exec 3<>/dev/tcp/${hostname}/${port}`,
    })),
    ...SOCKETS.map((path) => ({
      name: path.replace(/\W/g, "-"),
      script: `perl -e '${CONNECT}' ${scene.at(path)}`,
    })),
    { name: "abstract", script: `perl -e '${CONNECT.replace("$ARGV[0]", '"\\0$ARGV[0]"')}' ${name}` },
  ];
  for (const [file, content] of Object.entries(attackFiles(attacks))) scene.write(file, content);
  return {
    servers,
    abstract,
    attacks,
    async [Symbol.asyncDispose]() {
      await servers[Symbol.asyncDispose]();
      await abstract[Symbol.asyncDispose]();
    },
  };
}

programTest("without walls, a command reaches every server of the machine", ["perl"], async () => {
  using scene = makeScene();
  await using there = await makeReachable(scene);
  const { stdout } = await new Deno.Command("bash", { args: ["-c", TRY_ALL], cwd: scene.ws }).output();
  assertEquals(results(new TextDecoder().decode(stdout)), all("BREACHED", there.attacks));
});

for (const { name, calls } of SURFACES) {
  boxTest(`no command reaches a server of the machine, by ${name}`, async () => {
    using scene = makeScene({ "config.json": SURFACE_CONFIG });
    await using there = await makeReachable(scene);
    const { answers } = await scene.batch(calls(TRY_ALL), ["--config", scene.at("config.json")]);
    assertEquals(results(said(answers)), all("refused", there.attacks), said(answers));
    assertEquals([there.servers.accepted(), await there.abstract.accepted()], [0, 0]);
  });
}

boxTest("--share-net gives the machine's network, but no container engine and nothing outside", async () => {
  using scene = makeScene();
  await using there = await makeReachable(scene);
  const { answers } = await scene.batch([{ tool: "Bash", arguments: { command: TRY_ALL } }], ["--share-net"]);
  const told = results(said(answers));
  const expected = all("BREACHED", there.attacks);
  assertEquals(told, { ...expected, "ws-docker-sock": "refused", "outside-agent-sock": "refused" });
});

boxTest("open files that bulkhead was started with do not lead out of the box", async () => {
  using scene = makeScene({ "outside/secret.txt": SECRET });
  const command = "ls -l /proc/self/fd; cat /proc/self/fd/*/secret.txt; for fd in 9 10 77; do " +
    'echo x > /proc/self/fd/$fd/made; cat <&"$fd"; done; cat /proc/1/fd/*/secret.txt';
  const before = [
    "/bin/bash",
    "-c",
    'exec 9<"$0" 10</ 77<"$0/secret.txt"; exec "$@"',
    scene.at("outside"),
  ];
  for (const { calls, name } of SURFACES) {
    const { answers } = await scene.batch(calls(`(${command}) > said 2>&1; cat said`), [], { before });
    const text = said(answers);
    assert(!text.includes(SECRET) && !scene.exists("outside/made"), `${name}: ${text}`);
    // The shell of manus keeps its own streams at hand.
    const open = [...text.matchAll(/ (\d+) -> (?!\/proc\/)/g)].map(([, fd]) => Number(fd));
    assertEquals(open.filter((fd) => fd < 100), [0, 1, 2], `${name}: ${text}`);
  }
});

/** Numbers of the system calls that perl has no names for. */
const CALLS: Record<string, { addKey: number; keyctl: number; ptrace: number }> = {
  x86_64: { addKey: 248, keyctl: 250, ptrace: 101 },
  aarch64: { addKey: 217, keyctl: 219, ptrace: 117 },
};
const numbers = CALLS[Deno.build.arch];

boxTest("kernel keys of the user's session stay in it", async () => {
  if (!numbers) return;
  using scene = makeScene({
    "ws/search.pl": `
      my ($type, $name, $other, $value) = ("user", "planted", "other", "\\0" x 100);
      my $key = syscall(${numbers.keyctl}, 10, -3, $type, $name, 0);
      syscall(${numbers.keyctl}, 11, $key, $value, 100) if $key >= 0;
      print $key < 0 ? "refused" : $value;
      print syscall(${numbers.addKey}, $type, $other, $value, 1, -3) < 0 ? " refused" : " added";
    `,
  });
  const plant = `
    my ($type, $name, $key) = ("user", "planted", "${SECRET}");
    syscall(${numbers.keyctl}, 1, $name) >= 0 or die $!;
    syscall(${numbers.addKey}, $type, $name, $key, length $key, -3) >= 0 or die $!;
    exec @ARGV;
  `;
  const before = ["/usr/bin/perl", "-e", plant];
  const control = await new Deno.Command(before[0]!, {
    args: [...before.slice(1), "perl", "ws/search.pl"],
    cwd: scene.root,
  }).output();
  assertEquals(new TextDecoder().decode(control.stdout).replaceAll("\0", ""), `${SECRET} added`);
  for (const { name, calls } of SURFACES) {
    const { answers } = await scene.batch(calls("perl search.pl > said; cat said; echo"), [], { before });
    assert(said(answers).includes("refused refused"), `${name}: ${said(answers)}`);
  }
});

boxTest("no socket leads to the host of a virtual machine", async () => {
  using scene = makeScene();
  const command = `perl -e 'print socket(S, 40, 1, 0) ? "open" : "refused: $!", "\\n"'`;
  for (const flags of [[], ["--share-net"]]) {
    const { answers } = await scene.batch([{ tool: "Bash", arguments: { command } }], flags);
    assert(answers[0]!.text.includes("refused: Address family not supported"), answers[0]!.text);
  }
});

boxTest("no command signals or traces a process outside", async () => {
  using scene = makeScene({ "config.json": SURFACE_CONFIG });
  const victim = new Deno.Command("/bin/sleep", { args: ["600"] }).spawn();
  try {
    const attacks = [
      { name: "kill", script: `kill -KILL ${victim.pid}` },
      { name: "kill-group", script: `kill -KILL -${victim.pid}` },
      { name: "signal-zero", script: `kill -0 ${victim.pid}` },
      { name: "see", script: `test -e /proc/${victim.pid}` },
      ...(numbers
        ? [{
          name: "trace",
          script: `perl -e 'exit(syscall(${numbers.ptrace}, 16, ${victim.pid}, 0, 0) == 0 ? 0 : 1)'`,
        }]
        : []),
      { name: "kill-all", script: `pkill -KILL sleep || kill -STOP ${victim.pid}` },
    ];
    for (const [file, content] of Object.entries(attackFiles(attacks))) scene.write(file, content);
    // Even all of them together, with their own shell.
    scene.write("ws/kill-all", "kill -KILL -1; kill -KILL 1 $PPID; kill -KILL $$");
    for (const { name, calls } of SURFACES) {
      const { answers } = await scene.batch([
        ...calls(TRY_ALL),
        { tool: "par/bash", arguments: { argv: ["bash", "kill-all"] } },
        { tool: "Bash", arguments: { command: "echo still here" } },
      ], ["--config", scene.at("config.json")]);
      assertEquals(results(said(answers.slice(0, -2))), all("refused", attacks), name);
      assertEquals((answers.at(-2)!.result as { exit_code: number }).exit_code, 137);
      assertEquals(answers.at(-1)!.text, "exit_code: 0\nstdout:\nstill here\n");
    }
    assert(isAlive(victim.pid));
  } finally {
    victim.kill("SIGKILL");
    await victim.status;
  }
});
