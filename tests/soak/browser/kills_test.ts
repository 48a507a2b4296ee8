import { assert, assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../schemas/error.ts";
import { isAlive, until } from "../../support/cli/processes.ts";
import { browserProcesses } from "../../support/web/browser_processes.ts";
import { browserScene, browserTest, numberOf } from "../../support/web/browser_scene.ts";

const PAGES = {
  "/": `<title>Start</title><button onclick="document.title='clicked'">Use</button>`,
  "/crash": `<title>Crash</title><iframe src="/"></iframe>`,
};
const ANEW = "The browser was started anew: the tabs that were open are gone";

browserTest("a browser that is killed in the middle of an action ends the action, and no more", async () => {
  await using scene = await browserScene(PAGES);
  await scene.open("/");
  const waiting = scene.act({ do: "wait", ms: 60_000 });
  const failed = assertRejects(() => waiting, ToolError, "The browser ended with code");
  for (const pid of browserProcesses(scene).main) Deno.kill(pid, "SIGKILL");
  const { code } = await failed;
  assertEquals(code, "unavailable");
  assertEquals((await scene.open("/")).happened, [ANEW]);
});

browserTest("a page whose process is killed is told, and the browser goes on", async () => {
  await using scene = await browserScene(PAGES);
  const before = await scene.open("/");
  for (const pid of browserProcesses(scene).renderers) Deno.kill(pid, "SIGKILL");
  const told = await scene.act({ do: "click", element: numberOf(before, "Use") }).then(
    ({ happened }) => happened.join(),
    (error: Error) => error.message,
  );
  assert(told.startsWith("The page has crashed"), told);
  const other = await scene.act({ do: "open", url: scene.url("/crash"), newTab: true });
  assertEquals(other.page.tabs.length, 2);
  const back = await assertRejects(() => scene.act({ do: "tab", tab: 0 }), ToolError, "has crashed");
  assertEquals(back.code, "external_failure");
  const after = await scene.act({ do: "reload" });
  assertEquals(after.page.title, "Start");
  const used = await scene.act({ do: "click", element: numberOf(after, "Use") });
  assertEquals(used.page.title, "clicked");
  assertEquals(scene.started.length, 1);
});

browserTest(
  "a tab opens although the process that waits for the next page is killed a moment before",
  async () => {
    await using scene = await browserScene(PAGES);
    await scene.open("/");
    for (const tabs of [2, 3, 4]) {
      for (const pid of browserProcesses(scene).renderers) killIfThere(pid);
      const { page } = await scene.act({ do: "open", url: scene.url("/crash"), newTab: true });
      assertEquals([page.title, page.tabs.length], ["Crash", tabs]);
    }
    assertEquals(scene.started.length, 1);
  },
);

const ROUNDS = 2;
/** Longest time from an action's begin to the kill, in milliseconds. */
const LATEST_MS = 250;

for (const boxed of [true, false]) {
  const where = boxed ? "in a sandbox" : "without a sandbox";
  browserTest(`${where}, after kills at any moment of an action the next one works`, async () => {
    const scene = await browserScene(PAGES, { boxed });
    const seen = new Set<number>();
    for (const kind of Array.from({ length: ROUNDS }, () => ["main", "renderers"] as const).flat()) {
      const page = await scene.open("/");
      const running = browserProcesses(scene);
      for (const pid of running.all) seen.add(pid);
      assertEquals(running.main.length, 1);
      let isOver = false;
      const use = async () => {
        while (!isOver) {
          await scene.act({ do: "click", element: numberOf(page, "Use") }).catch(() => {});
          await scene.open("/crash").catch(() => {});
        }
      };
      const used = use();
      await new Promise((resolve) => setTimeout(resolve, Math.random() * LATEST_MS));
      for (const pid of browserProcesses(scene)[kind]) killIfThere(pid);
      isOver = true;
      await used;
      assertEquals((await scene.open("/")).page.title, "Start", kind);
      if (kind === "main") await until("it is gone", () => !running.all.some(isAlive));
    }
    for (const pid of browserProcesses(scene).all) seen.add(pid);
    await scene[Symbol.asyncDispose]();
    await until("all processes are gone", () => ![...seen].some(isAlive));
    await until("no other is left", () => scene.mark.pids().length === 0);
  }, { boxed });
}

/** A page's process may have ended meanwhile. */
function killIfThere(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
