import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { testServer } from "../../support/net/gate_scene.ts";
import { browserTest, CHROMIUM } from "../../support/web/browser_scene.ts";
import { descendants, isAlive, until } from "../../support/cli/processes.ts";
import { makeScene } from "../../support/cli/scene.ts";

const ROUNDS = 3;
/** Longest time from the first page to the kill, in milliseconds. */
const LATEST_MS = 700;
const PROFILES = "bulkhead-browser-";

const PAGE = `<!doctype html><title>Shop</title><input name=tea><button onclick="load()">More</button>
  <script>const load = () => fetch("/more").then(() => document.body.append("more tea"));</script>`;

/** Names of private folders of browsers without a sandbox; other tests have theirs. */
function profiles(): string[] {
  return [...Deno.readDirSync("/tmp")].map(({ name }) => name).filter((name) => name.startsWith(PROFILES));
}

/** Returns the folders that processes name in their command lines. */
function profilesOf(pids: readonly number[]): string[] {
  const words = pids.map((pid) => `/proc/${pid}/cmdline`);
  const { stdout } = new Deno.Command("cat", { args: words, stderr: "null" }).outputSync();
  return [...new Set(new TextDecoder().decode(stdout).match(/bulkhead-browser-[0-9a-f-]{36}/g) ?? [])];
}

async function killAtRandom(flags: readonly string[], { boxed }: { boxed: boolean }): Promise<void> {
  let pages = 0;
  await using server = testServer(() => {
    pages++;
    return new Response(PAGE, { headers: { "content-type": "text/html" } });
  });
  using scene = makeScene();
  const granted = [`--allow-private-net=${server.host}`, ...flags];
  const use = (input: Record<string, unknown>) =>
    `${JSON.stringify({ tool: "manus/browser_use", arguments: input })}\n`;
  for (let round = 0; round < ROUNDS; round++) {
    const before = pages;
    const running = scene.start(["batch", "-", ...granted]);
    const open = use({ action: "go_to_url", url: server.url });
    const busy = [use({ action: "click_element", index: 1 }), use({ action: "refresh" }), open];
    await running.write(open + busy.join("").repeat(20));
    await until("the browser asks for the page", () => pages > before, 60_000);
    const below = new Set<number>();
    const look = () => descendants(running.pid).forEach(({ pid }) => below.add(pid));
    look();
    const own = profilesOf([...below]);
    assertEquals(own.length, boxed ? 0 : 1);
    const at = Math.random() * LATEST_MS;
    await new Promise((resolve) => setTimeout(resolve, at));
    look();
    Deno.kill(running.pid, "SIGKILL");
    await running.ended();
    const told = `all is gone after a kill at ${Math.round(at)} ms`;
    await until(told, () => ![...below].some(isAlive) && !profiles().some((name) => own.includes(name)));
    assert(below.size > 3);
  }
  const again = await scene.call(
    "manus/browser_use",
    { action: "go_to_url", url: server.url },
    granted,
  );
  assertStringIncludes(again.text, "Title: Shop");
}

browserTest("kills of bulkhead at any moment leave no browser", () => killAtRandom([], { boxed: true }));

browserTest(
  "without a sandbox neither, and no profile",
  () => killAtRandom(["--sandbox=off", `--allow-run=${CHROMIUM},chromium`], { boxed: false }),
  { boxed: false },
);
