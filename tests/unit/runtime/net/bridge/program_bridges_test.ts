import { assert, assertEquals } from "@std/assert";

import { descendants, isAlive, until } from "../../../../support/cli/processes.ts";
import { joinedNamespaces } from "../../../../../runtime/walls/box/joined_network.ts";
import { boxTest } from "../../../../support/box.ts";
import { networkScene } from "../../../../support/net/network_scene.ts";
import { listed } from "../../../../support/listed.ts";

const FETCH = "curl -s -p http://shop.example/";
const OPEN = { code: 0, stdout: "open all day\n", stderr: "" };

boxTest("a program in a box reaches the gate, one after another through one bridge", async () => {
  await using scene = networkScene();
  assertEquals(await scene.bash(FETCH), OPEN);
  const [first] = scene.pids();
  assertEquals(await scene.bash(FETCH), OPEN);
  assertEquals(scene.pids(), [first!, first!]);
  assertEquals(scene.gate.asked, ["bash", "bash"]);
  assertEquals(scene.warnings, []);
  const elsewhere = "curl -s -p -o /dev/null -w '%{http_connect}' http://else.example/";
  assertEquals(await scene.bash(elsewhere), { code: 56, stdout: "403", stderr: "" });
  assertEquals(scene.warnings, [
    "network: else.example:80 was refused: outside, pass --allow-net=else.example to grant it",
  ]);
});

boxTest("a program under a read-only policy reaches it, too, and makes no unix socket", async () => {
  await using scene = networkScene({ flags: { policy: "read-only" } });
  assertEquals(await scene.bash(FETCH), OPEN);
  const script = "import socket; socket.socket(socket.AF_UNIX)";
  const { stdout } = await scene.bash(`python3 -c '${script}' 2>&1 | tail -1`);
  assert(stdout.includes("Address family not supported"), stdout);
});

boxTest("a bridge is out of reach of its program, and not used after one that was ended", async () => {
  await using scene = networkScene();
  assertEquals(await scene.bash(`kill -9 -1 2>/dev/null; ${FETCH}`), OPEN);
  const look = "ls /run 2>&1; find / -type s 2>/dev/null; ls /proc | grep -c '^[0-9]'";
  const { stdout } = await scene.bash(look);
  assertEquals(stdout.replace(/\d+\n$/, ""), "ls: cannot access '/run': No such file or directory\n");
  await scene.host.run({ argv: ["sleep", "60"], timeoutMs: 300 }, scene.call());
  assertEquals(await scene.bash(FETCH), OPEN);
  const [one, two, three, four] = scene.pids();
  assert(one === two && two === three && three !== four, scene.pids().join(" "));
});

boxTest("a bridge that is killed or stopped fails what uses it, and the next has another", async () => {
  for (const signal of ["SIGKILL", "SIGSTOP"] as const) {
    await using scene = networkScene();
    const download = scene.bash("curl -sS -p http://shop.example/endless");
    await scene.asked;
    const bridge = bridgeOf(scene.pids()[0]!);
    Deno.kill(bridge, signal);
    const { code, stdout } = await download;
    assert(code !== 0 && stdout.length <= 10, signal);
    assertEquals(scene.warnings, [
      "network: the way of bash to the network broke off; the next program has a new one",
    ]);
    assertEquals(await scene.bash(FETCH), OPEN);
    assert(scene.pids()[0] !== scene.pids()[1]);
    await until("the end of the bridge", () => !isAlive(bridge));
  }
});

boxTest("a bridge that was stopped while it waited is replaced", async () => {
  await using scene = networkScene();
  assertEquals(await scene.bash(FETCH), OPEN);
  Deno.kill(bridgeOf(scene.pids()[0]!), "SIGSTOP");
  assertEquals([await scene.bash(FETCH), await scene.bash(FETCH)], [OPEN, OPEN]);
  const [first, second, third] = scene.pids();
  assertEquals([first === second, second === third, scene.warnings], [false, true, []]);
});

/** The process of a bridge below the first one of its box. */
function bridgeOf(pid: number): number {
  return descendants(pid)[0]!.pid;
}

const TERMINAL = { argv: ["bash", "--norc"], terminal: { rows: 24, cols: 80 } };

boxTest("a terminal keeps its bridge, and says what was refused", async () => {
  await using scene = networkScene();
  const { id } = await scene.host.open(TERMINAL, scene.call());
  for (const host of ["shop.example", "else.example", "shop.example"]) {
    await scene.host.write(id, `curl -s -p http://${host}/; echo "end $?"\n`, scene.call());
    const until = host === "shop.example" ? "end 0" : "end 56";
    assert((await scene.host.read(id, { waitMs: 20_000, until, tellRest: false }, scene.call())).found, host);
  }
  assertEquals(scene.warnings, [
    "network: else.example:80 was refused: outside, pass --allow-net=else.example to grant it",
  ]);
  assertEquals(scene.pids().length, 1);
});

boxTest("a terminal goes on with the next gate if the first one dies", async () => {
  await using scene = networkScene();
  const { id } = await scene.host.open(TERMINAL, scene.call());
  const ask = async (until: string) => {
    await scene.host.write(id, `${FETCH}; echo "end $?"\n`, scene.call());
    return (await scene.host.read(id, { waitMs: 20_000, until, tellRest: false }, scene.call())).found;
  };
  assert(await ask("end 0"));
  scene.gate.end();
  assert(await ask("end 0"));
  assertEquals(scene.gate.asked.length, 2);
});

boxTest("without hosts there is no bridge, and no program waits for one", async () => {
  await using scene = networkScene({ flags: { allow: {} } });
  const { stdout } = await scene.bash("echo $http_proxy-$npm_config_offline");
  assertEquals(stdout, "-true\n");
  assertEquals(scene.pids(), []);
});

boxTest("a program without a way to the network starts, with a warning", async () => {
  await using scene = networkScene({ bwrap: "/nowhere/bwrap" });
  assertEquals((await scene.bash("echo here")).stdout, "here\n");
  assert(scene.warnings[0]?.startsWith("bash has no network: "), scene.warnings[0]);
});

boxTest("a closed network has its loopback alone, and ends with whoever holds it", async () => {
  await using scene = networkScene();
  const way = await scene.network.takeClosed();
  const inside = (words: readonly string[]) =>
    new Deno.Command("/usr/bin/nsenter", { args: [...joinedNamespaces(way.pid), ...words] }).output();
  const { stdout } = await inside(["sh", "-c", "sed 1,2d /proc/net/dev | cut -d: -f1; cat /proc/net/route"]);
  const [device, ...routes] = new TextDecoder().decode(stdout).trim().split("\n").map((line) => line.trim());
  assertEquals([device, routes.length <= 1], ["lo", true]);
  assertEquals([way.isWhole, await way.connections()], [true, []]);
  const second = await scene.network.takeClosed();
  assertEquals(await way.end(), { connections: [], isWhole: true });
  assertEquals([isAlive(second.pid), way.isWhole], [true, false]);
  // Its helper has ended; the system ends what the helper held a moment later.
  await until("the end of the first network", () => !isAlive(way.pid));
  await scene.network.end();
  await until("the end of the second network", () => !isAlive(second.pid));
});

boxTest("a program reaches a host that is admitted until it is over, and no port beside it", async () => {
  await using scene = networkScene();
  const way = await scene.network.take("bash");
  const ask = async (host: string) => {
    const words = listed("curl, -s, -p, -x, http://127.0.0.1:3128, -o, /dev/null, -w, %{http_connect}");
    const { stdout } = await new Deno.Command("/usr/bin/nsenter", {
      args: [...joinedNamespaces(way.pid), ...words, `http://${host}/`],
    }).output();
    return new TextDecoder().decode(stdout);
  };
  const own = `127.0.0.1:${scene.port}`;
  const over = Promise.withResolvers<void>();
  assertEquals(await ask(own), "403");
  await way.admit(own, { until: over.promise });
  const beside = `127.0.0.1:${scene.port + 1}`;
  assertEquals([await ask(own), await ask(beside), await ask("shop.example")], ["200", "403", "200"]);
  await way.admit(own, { until: over.promise });
  over.resolve();
  await over.promise;
  // They are told once the way has changed.
  const earlier = await way.connections();
  assertEquals([await ask(own), way.isWhole], ["403", true]);
  const { connections, isWhole } = await way.end({ clean: true });
  const decisions = [...earlier, ...connections].map(({ decision }) => decision);
  assertEquals([isWhole, decisions.join(" ")], [true, "refused allowed refused allowed refused"]);
});
