import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { automationService } from "../../support/desktop/automation_service.ts";
import { desktopTest, EMPTY } from "../../support/desktop/desktop_scene.ts";
import { changed, decodePicture } from "../../support/desktop/screen.ts";
import { boxTest } from "../../support/box.ts";
import { descendantsNaming, isAlive, until } from "../../support/cli/processes.ts";
import { type Call, makeScene } from "../../support/cli/scene.ts";

const tool = "manus/computer_use";
const calls = (...inputs: readonly Record<string, unknown>[]): Call[] =>
  inputs.map((input) => ({ tool, arguments: input }));

desktopTest("computer_use writes in an editor, and saves", async () => {
  using scene = makeScene({ "ws/notes.txt": "before\n" });
  const wait = { action: "wait", duration: 5 };
  const { answers, code } = await scene.batch(
    calls(
      { action: "screenshot" },
      wait,
      { action: "hotkey", keys: "ctrl+End" },
      { action: "typing", text: "after: ½ 茶\n" },
      { action: "hotkey", keys: "ctrl+s" },
      { action: "screenshot" },
      { action: "click", x: 1024, y: 3 },
      wait,
    ),
    [],
    { env: { BULKHEAD_DESKTOP_START: "mousepad notes.txt" }, timeoutMs: 120_000 },
  );
  assertEquals(code, 2);
  assertEquals(answers.map(({ ok }) => ok), [true, true, true, true, true, true, false, true]);
  assertEquals(scene.read("ws/notes.txt"), "before\nafter: ½ 茶\n");
  const [first, , , typed, , second, outside] = answers;
  assertMatch(
    first!.text,
    /^Screenshot saved as \/.*\/screenshot_\d{8}_\d{6}\.png\nThe desktop was started; a click on its empty part opens a menu: /,
  );
  assertEquals(second!.images.map(({ mime_type }) => mime_type), ["image/png"]);
  assertEquals(second!.artifacts.length, 1);
  assertEquals(typed!.text, "Typed: after: ½ 茶\n");
  assertEquals(outside!.error?.code, "invalid_input");
});

desktopTest("the first click opens the menu, with what --allow-run names before all else", async () => {
  using scene = makeScene();
  const inputs = calls({ action: "click", x: 900, y: 600 }, { action: "screenshot" });
  const { answers } = await scene.batch(inputs, ["--allow-run=sheet"]);
  assertMatch(answers[0]!.text, /opens a menu: sheet, Terminal, Text editor/);
  const [picture] = answers[1]!.images;
  const menu = changed(EMPTY, await decodePicture({ base64: picture!.data }));
  assert(menu !== null && menu.left >= 890 && menu.top >= 540, JSON.stringify(menu));
});

desktopTest("nothing is left of a desktop after kill -9", async () => {
  using scene = makeScene({ "ws/calls.jsonl": "" });
  scene.write(
    "ws/calls.jsonl",
    calls({ action: "screenshot" }, ...Array.from({ length: 30 }, () => ({ action: "wait", duration: 9 })))
      .map((call) => `${JSON.stringify(call)}\n`).join(""),
  );
  const running = scene.start(["batch", "calls.jsonl"], {
    env: { BULKHEAD_DESKTOP_START: `mousepad ${scene.ws}/mark.txt` },
  });
  const ended = running.ended();
  let all: number[] = [];
  await until("the editor", () => {
    all = descendantsNaming(running.pid, scene.ws);
    return all.length > 2;
  });
  running.kill("SIGKILL");
  await ended.catch(() => {});
  await until("the end of all", () => !all.some(isAlive));
});

desktopTest("--display uses the user's own display, and nothing else does", async () => {
  using scene = makeScene({ "ws/empty": "" });
  const authority = scene.at("authority");
  const name = "MIT-MAGIC-COOKIE-1";
  const sized = (text: string) => [0, text.length, ...new TextEncoder().encode(text)];
  /** The cookie of a display; the server itself takes it whatever the number is. */
  const writeAuthority = (number: string) =>
    scene.write(
      "authority",
      Uint8Array.from([
        ...[1, 0, ...sized(""), ...sized(number)],
        ...[...sized(name), ...sized("0123456789abcdef")],
      ]),
    );
  writeAuthority("");
  const child = new Deno.Command("Xvfb", {
    args: ["-displayfd", "1", "-screen", "0", "800x600x24", "-auth", authority],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  try {
    const number = new TextDecoder().decode((await reader.read()).value).trim();
    writeAuthority(number);
    const env = { DISPLAY: `:${number}`, XAUTHORITY: authority };
    const inputs = calls({ action: "move_to", x: 700, y: 500 }, { action: "screenshot" }, {
      action: "typing",
      text: "a茶",
    });
    const { answers } = await scene.batch(inputs, ["--display"], { env });
    assertEquals(answers.map(({ text }) => text.split("\n")[0]!.split(" ")[0]), [
      "Moved",
      "Screenshot",
      "Typed:",
    ]);
    assertStringIncludes(answers[0]!.text, "the user's own screen");
    const sizes = (answers[1]!.result as { screen: unknown }).screen;
    assertEquals(sizes, { width: 800, height: 600 });
    const own = await scene.batch(inputs.slice(0, 1), [], { env });
    assertEquals((own.answers[0]!.result as { screen: unknown }).screen, { width: 1024, height: 768 });
    const without = { ...env, XAUTHORITY: scene.at("nothing") };
    const refused = await scene.batch(inputs.slice(0, 1), ["--display"], { env: without });
    assertEquals(refused.answers[0]?.error?.code, "unavailable");
    const none = await scene.batch(inputs.slice(0, 1), ["--display"], { env: { DISPLAY: undefined } });
    assertStringIncludes(none.answers[0]!.error!.message, "DISPLAY is not set");
  } finally {
    child.kill("SIGTERM");
    await child.status;
    await reader.cancel();
  }
});

desktopTest("without a sandbox there is no desktop", async () => {
  using scene = makeScene();
  const { error, code } = await scene.call(tool, { action: "screenshot" }, ["--sandbox=off", "--allow-run"]);
  assertEquals([error?.code, code], ["unavailable", 1]);
  assertStringIncludes(error!.message, "run without --sandbox off");
});

boxTest("computer_use asks a service that COMPUTER_USE_URL names, if its address is allowed", async () => {
  using scene = makeScene();
  await using service = automationService();
  const options = { env: { COMPUTER_USE_URL: service.url } };
  const inputs = calls(
    { action: "move_to", x: 10.4, y: 20 },
    { action: "click" },
    { action: "drag_to", x: 30, y: 40 },
    { action: "mouse_down" },
    { action: "scroll", amount: -3 },
    { action: "typing", text: "tea" },
    { action: "press", key: "enter" },
    { action: "hotkey", keys: "ctrl+c" },
    { action: "screenshot" },
  );
  const refused = await scene.batch(inputs.slice(0, 1), [], options);
  assertEquals(refused.answers[0]?.error?.code, "permission_denied");
  assertStringIncludes(refused.answers[0]!.error!.message, `--allow-private-net=${service.host}`);
  assertEquals(service.asked, []);
  const { answers } = await scene.batch(inputs, [`--allow-private-net=${service.host}`], options);
  assertEquals(answers.slice(0, -1).map(({ text }) => text), [
    "Moved to (10, 20)",
    "1 left click(s) performed at (10, 20)",
    "Dragged from (10, 20) to (30, 40)",
    "left button pressed at (30, 40)",
    "Scrolled down 3 step(s) at position (30, 40)",
    "Typed: tea",
    "Pressed key: enter",
    "Pressed key combination: ctrl+c",
  ]);
  const shot = answers.at(-1)!;
  assertEquals(shot.images.length, 1);
  assertStringIncludes(shot.text, "multiply places in the picture by 1.276");
  assertEquals(
    service.asked.map(({ path, body }) => [path.replace("/api/automation/", ""), body]),
    [
      ["mouse/move", { x: 10, y: 20 }],
      ["mouse/click", { x: 10, y: 20, clicks: 1, button: "left" }],
      ["mouse/drag", { x: 30, y: 40, duration: 0.3, button: "left" }],
      ["mouse/down", { x: 30, y: 40, button: "left" }],
      ["mouse/scroll", { clicks: -3, x: 30, y: 40 }],
      ["keyboard/write", { message: "tea", interval: 0.01 }],
      ["keyboard/press", { keys: "enter", presses: 1 }],
      ["keyboard/hotkey", { keys: ["ctrl", "c"], interval: 0.01 }],
      ["screenshot", null],
    ],
  );
});

boxTest("what a service cannot do is told in the document's words", async () => {
  using scene = makeScene();
  const failing = (error: string) => () => Response.json({ success: false, error });
  await using service = automationService({
    "/api/automation/mouse/move": failing("no screen"),
    "/api/automation/mouse/click": () => Response.json({ success: false }),
    "/api/automation/keyboard/write": () => new Response("<h1>busy</h1>", { status: 503 }),
    "/api/automation/mouse/drag": () => Response.redirect("http://169.254.169.254/"),
    "/api/automation/screenshot": () => Response.json({ image: btoa("<svg>") }),
  });
  const { answers } = await scene.batch(
    calls(
      { action: "move_to", x: 1, y: 1 },
      { action: "click" },
      { action: "typing", text: "a" },
      { action: "drag_to", x: 1, y: 1 },
      { action: "screenshot" },
    ),
    [`--allow-private-net=${service.host}`],
    { env: { COMPUTER_USE_URL: `${service.url}/` } },
  );
  const told = answers.map(({ error }) => error?.message ?? "");
  assertEquals(told.slice(0, 4), [
    "Failed to move: no screen",
    "Failed to click: Unknown error",
    "Failed to type: it answers HTTP 503: <h1>busy</h1>",
    "Failed to drag: it answers HTTP 302",
  ]);
  assert(answers[4]?.ok === false, answers[4]?.text);
  const wrong = await scene.batch(calls({ action: "click" }), [], {
    env: { COMPUTER_USE_URL: "my desktop" },
  });
  assertEquals(wrong.answers[0]?.error?.code, "configuration");
});
