// Each way to have a command run stands behind the same walls: here one thing of each kind is tried by all of them. All that
// can be tried is tried by Bash, in tests/attacks.
import { assert, assertEquals } from "@std/assert";

import { boxTest } from "../../support/box.ts";
import {
  all,
  type Attack,
  attackFiles,
  POWER_ATTACKS,
  type Prey,
  readingAttacks,
  results,
  TRY_ALL,
  writingAttacks,
} from "../../support/cli/attacks.ts";
import { isAlive } from "../../support/cli/processes.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";
import { startAbstractServer, startServers } from "../../support/cli/servers.ts";
import { snapshot } from "../../support/cli/snapshot.ts";
import { said, SURFACE_CONFIG, SURFACES } from "../../support/cli/surfaces.ts";

const SECRET = "hunter2-do-not-show";
const TOKEN = "planted-0123456789abcdef";
const ENV = { PLANTED_SECRET_TOKEN: TOKEN };
const CONNECT =
  "use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0); connect(S, pack_sockaddr_un($ARGV[0])) or exit 1";

/** What lies around the workspace. */
const OUTSIDE = {
  "outside/secret.txt": `${SECRET}\n`,
  "outside/append.txt": "kept\n",
  "outside/remove.txt": "kept\n",
  "outside/move.txt": "kept\n",
  "home/.ssh/id_rsa": `${SECRET}\n`,
  "home/.bashrc": "kept\n",
  "config.json": SURFACE_CONFIG,
};

/** What the user's own tools would execute, and a secret. */
const PROTECTED = {
  "ws/.git/HEAD": "ref: refs/heads/main\n",
  "ws/.git/config": "[core]\n\trepositoryformatversion = 0\n\tbare = false\n",
  "ws/.git/hooks/pre-commit": "#!/bin/sh\n",
  "ws/.envrc": "kept\n",
  "ws/deep/.env": `${SECRET}\n`,
};

function preyOf(scene: Scene): Prey {
  return { outside: scene.at("outside"), home: scene.at("home"), secret: SECRET, token: TOKEN };
}

function plant(scene: Scene, attacks: readonly Attack[]): void {
  for (const [name, content] of Object.entries(attackFiles(attacks))) scene.write(name, content);
}

const named = (attacks: readonly Attack[], ...names: string[]) =>
  attacks.filter(({ name }) => names.includes(name));

/** One attack of each kind, on what really is there. */
function oneOfEach(
  scene: Scene,
  there: { address: { hostname: string; port: number }; socket: string; abstract: string; pid: number },
): Attack[] {
  const prey = preyOf(scene);
  const toName = `perl -e '${CONNECT.replace("$ARGV[0]", '"\\0$ARGV[0]"')}' ${there.abstract}`;
  return [
    ...named(readingAttacks(prey), "read-absolute", "environment-of-any", "environment", "ssh-key"),
    ...named(writingAttacks(prey), "write-absolute", "home", "move-workspace"),
    ...named(POWER_ATTACKS, "mount", "user-namespace", "capabilities"),
    { name: "tcp", script: `exec 3<>/dev/tcp/${there.address.hostname}/${there.address.port}` },
    { name: "socket", script: `perl -e '${CONNECT}' ${there.socket}` },
    { name: "abstract", script: toName },
    { name: "signal", script: `kill -KILL ${there.pid}` },
    { name: "see", script: `test -e /proc/${there.pid}` },
    { name: "open-file", script: "cat /proc/self/fd/*/secret.txt <&77" },
    { name: "hook", script: "echo x > .git/hooks/pre-commit" },
    { name: "envrc", script: "rm -f .envrc" },
    { name: "secret", script: `grep -q ${SECRET} deep/.env` },
  ];
}

for (const { name, calls } of SURFACES) {
  boxTest(`a command of ${name} is held by every wall`, async () => {
    using scene = makeScene({ ...OUTSIDE, ...PROTECTED });
    const socket = scene.at("outside/agent.sock");
    await using servers = startServers([socket]);
    const abstract = `bulkhead-test-${crypto.randomUUID()}`;
    await using abstractServer = await startAbstractServer(abstract);
    const victim = new Deno.Command("/bin/sleep", { args: ["600"] }).spawn();
    try {
      const [address] = servers.addresses as [Deno.NetAddr];
      const attacks = oneOfEach(scene, { address, socket, abstract, pid: victim.pid });
      plant(scene, attacks);
      const planted = "mkdir -p new/.vscode; echo x > new/.vscode/tasks.json; echo x > done";
      const lookAround =
        () => [snapshot(scene.at("outside")), snapshot(scene.at("home")), snapshot(scene.at("ws/.git"))];
      const around = lookAround();
      const before = ["/bin/bash", "-c", 'exec 9<"$0" 77<"$0/secret.txt"; exec "$@"', scene.at("outside")];
      const { answers } = await scene.batch(
        [
          ...calls(`${planted}; ${TRY_ALL}`),
          // What is open tells when it ends.
          { tool: "TerminalKill", arguments: { session_id: "term_1" } },
          { tool: "manus/bash", arguments: { restart: true } },
        ],
        ["--config", scene.at("config.json"), "--audit", scene.at("audit.jsonl")],
        { before, env: ENV },
      );
      const told = said(answers.slice(0, -2));
      assertEquals(results(told), all("refused", attacks), told);
      assertEquals([servers.accepted(), await abstractServer.accepted(), isAlive(victim.pid)], [0, 0, true]);
      assertEquals([lookAround(), scene.read("ws/.envrc")], [around, "kept\n"]);
      assertEquals([scene.exists("ws/new/.vscode"), scene.exists("ws/done")], [false, true]);
      const warnings = answers.flatMap(({ warnings }) => warnings);
      assert(
        warnings.some((line) => line.startsWith(`Moved "${scene.ws}/new/.vscode" to `)),
        warnings.join(),
      );
      const kept = JSON.stringify([answers, scene.read("audit.jsonl"), snapshot(scene.at("state"))]);
      assert(!kept.includes(TOKEN) && !kept.includes(SECRET));
    } finally {
      victim.kill("SIGKILL");
      await victim.status;
    }
  });
}

boxTest("--share-net gives the machine's network, but no container engine and nothing outside", async () => {
  using scene = makeScene({ "outside/here": "" });
  const sockets = ["ws/app.sock", "ws/docker.sock", "outside/agent.sock"];
  await using servers = startServers(sockets.map((name) => scene.at(name)));
  const attacks = [
    ...servers.addresses.map(({ hostname, port }, at) => ({
      name: `tcp-${at}`,
      script: `exec 3<>/dev/tcp/${hostname}/${port}`,
    })),
    ...sockets.map((path) => ({
      name: path.replace(/\W/g, "-"),
      script: `perl -e '${CONNECT}' ${scene.at(path)}`,
    })),
    // The host of a virtual machine.
    { name: "vsock", script: "perl -e 'socket(S, 40, 1, 0) or exit 1'" },
  ];
  plant(scene, attacks);
  const { answers } = await scene.batch([{ tool: "Bash", arguments: { command: TRY_ALL } }], ["--share-net"]);
  const closed = { "ws-docker-sock": "refused", "outside-agent-sock": "refused", "vsock": "refused" };
  assertEquals(results(said(answers)), { ...all("BREACHED", attacks), ...closed });
});

boxTest("with everything granted, secrets and the machine stay out of reach", async () => {
  using scene = makeScene(OUTSIDE);
  const wanted = ["ssh-key", "environment-of-any", "command-of-any", "environment", "environment-of-shell"];
  const open = ["system-folder", "root-folder", "authorized-keys"];
  const attacks = [
    ...named(readingAttacks(preyOf(scene)), ...wanted),
    ...POWER_ATTACKS.filter(({ name }) => !open.includes(name)),
  ];
  plant(scene, attacks);
  const command = `${TRY_ALL}; ls -d /var/lib`;
  const { answers } = await scene.batch([{ tool: "Bash", arguments: { command } }], ["-A"], { env: ENV });
  assertEquals(results(said(answers)), all("refused", attacks), said(answers));
  // The control: all else is granted.
  assert(answers[0]!.text.endsWith("/var/lib\n"), answers[0]!.text);
});
