import { assert, assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../../schemas/error.ts";
import { findProgram } from "../../../../runtime/walls/files/find_program.ts";
import { inOwnNetwork } from "../../../support/net/own_network.ts";
import { browserScene, browserTest, numberOf } from "../../../support/web/browser_scene.ts";
import { unreachedPlace, waysTo } from "../../../support/web/ways_out.ts";

const REBINDING = new URL("../../../fixtures/net/browser_rebinding.ts", import.meta.url).pathname;
/** An address of this machine that other machines can reach; `null` if it has none. */
const OUTER =
  Deno.networkInterfaces().find(({ family, address }) => family === "IPv4" && !address.startsWith("127."))
    ?.address ?? null;
/** How long pages may try, in milliseconds. */
const TRY_MS = 1_000;

/** Walks all ways of pages to a place that is not granted. */
async function attack(
  address: string,
  spellings: readonly string[],
  { boxed = true }: { boxed?: boolean } = {},
): Promise<void> {
  await using place = await unreachedPlace(address);
  const hosts = spellings.map((host) => `${host}:${place.port}`);
  for (const host of hosts) {
    await using scene = await browserScene(waysTo(host), { boxed });
    const { page } = await scene.open("/attack");
    assert(page.tabs.some(({ title }) => title === "tried"), JSON.stringify(page));
    await scene.act({ do: "wait", ms: TRY_MS });
    assertEquals(place.reached.count, 0, host);
    assert(scene.connections.some(({ decision }) => decision === "refused"), "nothing was tried");
  }
  const [host = ""] = hosts;
  await using scene = await browserScene(waysTo(host), { boxed });
  const refusal = await assertRejects(() => scene.act({ do: "open", url: `http://${host}/` }), ToolError);
  assertEquals([refusal.code, refusal.details.flag], ["permission_denied", `--allow-private-net=${host}`]);
  for (const path of ["/redirect", "/refresh", "/place"]) {
    const went = await scene.open(path);
    await scene.act({ do: "wait", ms: 100 });
    assert(
      scene.connections.some((one) => one.decision === "refused" && `${one.host}:${one.port}` === host),
      `${path} was not told: ${JSON.stringify(went.happened)}`,
    );
    scene.connections.length = 0;
  }
  for (const word of ["a link", "a tab", "a file", "its source", "a path", "a page of the browser", "send"]) {
    const page = await scene.open("/use");
    const used = await scene.act({ do: "click", element: numberOf(page, word) });
    assert(!/root:|Chromium/.test(JSON.stringify(used.page.lines)), JSON.stringify(used));
    assertEquals(used.files, undefined, word);
  }
  assertEquals(place.reached.count, 0);
}

browserTest(
  "a page reaches no loopback address that is not granted, whatever it tries",
  () => attack("127.0.0.1", ["127.0.0.1", "localhost", "2130706433", "[::ffff:127.0.0.1]"]),
);

browserTest("a page reaches no other address of this machine", async () => {
  if (OUTER !== null) await attack(OUTER, [OUTER]);
});

browserTest("without a sandbox a page reaches no address that is not granted either", async () => {
  await attack("127.0.0.1", ["127.0.0.1", "localhost"], { boxed: false });
  if (OUTER !== null) await attack(OUTER, [OUTER], { boxed: false });
}, { boxed: false });

browserTest("a page does not reach the gate's own door as a place", async () => {
  await using scene = await browserScene(waysTo("127.0.0.1:3128"));
  await scene.open("/attack");
  await scene.act({ do: "wait", ms: TRY_MS });
  assert(scene.connections.every(({ decision, port }) => decision === "refused" || port !== 3128));
  assert(scene.connections.some(({ decision, port }) => decision === "refused" && port === 3128));
});

browserTest("hosts beside those of --allow-net are refused, and what is granted works", async () => {
  await using place = await unreachedPlace("127.0.0.1");
  const host = `localhost:${place.port}`;
  await using scene = await browserScene({
    "/": `<img src="http://elsewhere.example/picture"><p>here</p>`,
  }, { grants: { policy: "read-only-no-net", allow: { net: ["good.example"] } } });
  const refused = await assertRejects(
    () => scene.act({ do: "open", url: "http://elsewhere.example/" }),
    ToolError,
  );
  assertEquals([refused.code, refused.details.flag], [
    "permission_denied",
    "--allow-net=elsewhere.example:80",
  ]);
  const { page, happened } = await scene.open("/");
  assertEquals(page.lines, [{ text: "here" }]);
  assertEquals(happened.length, 1);
  assert(happened[0]!.startsWith("The page asked for elsewhere.example:80, which was refused"), happened[0]);
  await assertRejects(() => scene.act({ do: "open", url: `http://${host}/` }), ToolError);
  assertEquals(place.reached.count, 0);
});

browserTest("a page whose name leads to this machine later does not reach it", async () => {
  const helpers = ["ip", "unshare"].map((name) => findProgram(name, Deno.env.get("PATH") ?? ""));
  if (helpers.includes(null)) return;
  const end = { title: "no no no", isRefused: true, isAskedAgain: true };
  assertEquals(await inOwnNetwork(REBINDING), {
    ends: { "boxed.example.com": end, "unboxed.example.com": end },
    pages: 2,
    reached: 0,
  });
});
