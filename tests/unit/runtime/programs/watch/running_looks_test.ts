import { assertEquals } from "@std/assert";

import { RunningLooks } from "../../../../../runtime/programs/watch/running_looks.ts";
import { makeProgramHost } from "../../../../../runtime/programs/process/make_program_host.ts";
import { boxTest } from "../../../../support/box.ts";
import { programCall } from "../../../../support/program_scene.ts";
import { launchScene, start } from "../../../../support/launch_scene.ts";

Deno.test("add() looks while a program runs, one look at a time, and stop() waits for the last", async () => {
  const looks = new RunningLooks({ pauseMs: 1 });
  const { promise: third, resolve } = Promise.withResolvers<void>();
  let count = 0;
  let atOnce = 0;
  const inspect = async ({ running }: { running?: string } = {}) => {
    assertEquals([running, ++atOnce], ["near", 1]);
    await new Promise((done) => setTimeout(done));
    atOnce--;
    if (++count === 3) resolve();
    return [`line ${count}`];
  };
  const look = looks.add({ inspect });
  // A look alone keeps no process alive.
  const alive = setInterval(() => {}, 1_000);
  await third;
  clearInterval(alive);
  const lines = [...look.take(), ...await look.stop()];
  assertEquals(lines.slice(0, 3), ["line 1", "line 2", "line 3"]);
  assertEquals([look.take(), atOnce], [[], 0]);
});

boxTest("inspect() moves at the second look what a running program made, but for its rebase", async () => {
  using scene = launchScene({ "ws/.git/HEAD": "" });
  const make = "mkdir -p .vscode .git/rebase-merge; echo exec true > .git/rebase-merge/git-rebase-todo";
  const launch = await scene.prepare({ argv: ["sh", "-c", make] });
  await start(launch);
  assertEquals([await launch.inspect({ running: "near" }), scene.aside()], [[], []]);
  assertEquals([(await launch.inspect({ running: "near" })).length, scene.aside()], [1, [".vscode"]]);
  // What makes such files again and again gets no more time.
  Deno.writeTextFileSync(scene.at("ws/.envrc"), "");
  Deno.mkdirSync(scene.at("ws/a/b/c/.husky"), { recursive: true });
  assertEquals((await launch.inspect({ running: "near" })).length, 1);
  assertEquals((await launch.inspect({ running: "everywhere" })).length, 1);
  assertEquals((await launch.inspect()).length, 1);
  assertEquals(scene.aside().toSorted(), [".envrc", ".husky", ".vscode", "rebase-merge"]);
});

Deno.test("atOnce() waits for the look that goes on, and looks with what began last alone", async () => {
  const looks = new RunningLooks({ pauseMs: 5 });
  const order: string[] = [];
  let goOn = () => {};
  const began = Promise.withResolvers<void>();
  const first = looks.add({
    inspect({ running = "" } = {}) {
      order.push(`first ${running}`);
      return Promise.resolve([]);
    },
  });
  const look = looks.add({
    async inspect({ running = "" } = {}) {
      order.push(running);
      began.resolve();
      if (running === "near") await new Promise<void>((resolve) => goOn = resolve);
      order.push("done");
      return [];
    },
  });
  const alive = setInterval(() => {}, 1_000);
  await began.promise;
  const atOnce = looks.atOnce();
  goOn();
  await atOnce;
  clearInterval(alive);
  await Promise.all([first.stop(), look.stop()]);
  assertEquals(order, ["first near", "near", "done", "at once", "done"]);
});

boxTest("a program starts when what open ones have made is moved away", async () => {
  using scene = launchScene({ "ws/.git/config": "[core]\n", "ws/.git/HEAD": "" });
  const host = makeProgramHost({
    launcher: scene,
    judge: () => Promise.resolve(),
    limits: { processes: 64, free_disk_mb: 0 },
    searchPath: "/usr/bin:/bin",
  });
  const call = programCall();
  try {
    const { id } = await host.open({ argv: ["sh"] }, call);
    const script =
      "mkdir .git/info; echo x > .git/info/attributes; echo .. > .git/commondir; echo made; echo made >&2";
    await host.write(id, `${script}\n`, call);
    await host.read(id, { waitMs: 10_000, until: "made" }, call);
    const { stdout } = await host.run({ argv: ["ls", "-A", ".git", ".git/info"] }, call);
    assertEquals(stdout.head, ".git:\nHEAD\nconfig\ninfo\n\n.git/info:\n");
    assertEquals(scene.aside().toSorted(), ["attributes", "commondir"]);
  } finally {
    await host.end();
  }
});
