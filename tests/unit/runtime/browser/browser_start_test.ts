import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { startBoxed, startUnboxed } from "../../../../runtime/browser/browser_start.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { browserScene, browserTest, CHROMIUM, numberOf } from "../../../support/web/browser_scene.ts";

const door = (port: number) => {
  const ended = { count: 0 };
  const open = () =>
    Promise.resolve({
      loopback: port,
      take: () => Promise.resolve([]),
      close: () => Promise.resolve(void ended.count++),
    });
  return { open, ended };
};

Deno.test("a browser in a sandbox has its place there, and no folder of this machine", () => {
  const { argv, env, folder, downloads, warnings } = startBoxed("/usr/bin/chromium");
  assertEquals([argv[0], env, folder, downloads, warnings], [
    "/usr/bin/chromium",
    {},
    undefined,
    undefined,
    [],
  ]);
  assert(argv.includes("--no-sandbox"));
});

Deno.test("a browser without one has a private folder each time, and a way of its own to the gate", async () => {
  const { open, ended } = door(4321);
  const one = await startUnboxed("/usr/bin/chromium", open);
  const other = await startUnboxed("/usr/bin/chromium", open);
  assert(one.folder !== undefined && one.folder !== other.folder);
  assert(one.argv.includes("--proxy-server=http://127.0.0.1:4321"));
  assert(one.argv.includes("--proxy-bypass-list=<-loopback>"));
  assert(one.argv.includes(`--user-data-dir=${one.folder}/profile`));
  assertEquals(one.env, { HOME: one.folder, TMPDIR: one.folder });
  // Its own sandbox takes any user but root.
  assertEquals(one.argv.includes("--no-sandbox"), Deno.uid() === 0);
  assertEquals(one.warnings.some((line) => line.includes("it runs as root")), Deno.uid() === 0);
  await one.end();
  assertEquals(ended.count, 1);
  const none = () => Promise.resolve({ take: () => Promise.resolve([]), close: () => Promise.resolve() });
  await assertRejects(() => startUnboxed("/usr/bin/chromium", none), ToolError, "no port");
});

browserTest("without a sandbox, its files are private, and go with it", async () => {
  let folder = "";
  {
    await using scene = await browserScene({
      "/": `<title>Shop</title><a href="/file" download>Get it</a>`,
      "/file": () => new Response("tea leaves"),
    }, { boxed: false });
    const { act, open, started, programs, warnings, connections } = scene;
    const page = await open("/");
    assertEquals(page.page.title, "Shop");
    const { files } = await act({ do: "click", element: numberOf(page, "Get it") });
    assertEquals(files?.map(({ base64 }) => atob(base64)), ["tea leaves"]);
    assertEquals(programs.map(({ boxed }) => boxed), [false]);
    assertStringIncludes(warnings.join("\n"), "ran without a sandbox");
    assertStringIncludes(warnings.join("\n"), "Only the browser's own settings");
    assert(connections.some(({ decision, host }) => decision === "allowed" && host === "127.0.0.1"));
    folder = folderOf(started[0]!.audited().argv);
    const { mode } = Deno.statSync(folder);
    assertEquals((mode ?? 0) & 0o777, 0o700);
  }
  await assertRejects(() => Deno.stat(folder), Deno.errors.NotFound);
}, { boxed: false });

browserTest("without a sandbox, a browser starts only if it is named", async () => {
  await using scene = await browserScene({ "/": "here" }, { boxed: false, grants: { allow: {} } });
  const refused = await assertRejects(() => scene.open("/"), ToolError, "there is no sandbox");
  assertEquals([refused.code, refused.details.flag], ["permission_denied", `--allow-run=${CHROMIUM}`]);
  assertEquals(scene.started, []);
}, { boxed: false });

function folderOf(argv: readonly string[]): string {
  const word = argv.find((word) => word.startsWith("--user-data-dir="));
  return word!.slice("--user-data-dir=".length).replace(/\/profile$/, "");
}
