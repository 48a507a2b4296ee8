import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";

import { ToolError } from "../../../schemas/error.ts";
import {
  desktopScene,
  desktopTest,
  EMPTY,
  eventually,
  textOrNull,
} from "../../support/desktop/desktop_scene.ts";
import { changed } from "../../support/desktop/screen.ts";

const WINDOW = { width: 200, height: 150 };

desktopTest(
  "an editor is opened by the menu, written in, and saved by its dialog, by pictures and input alone",
  async () => {
    await using scene = await desktopScene();
    const { look, seen, click, press, type, ws } = scene;
    const empty = await look();
    await click({ x: 900, y: 600 });
    const menu = await seen(empty, { width: 40, height: 20 });
    // The first entry.
    const { left, top, right } = menu.area;
    await click({ x: Math.round((left + right) / 2), y: top + 9 });
    const editor = await seen(empty, WINDOW);
    const text = 'Grüße: "tea" & {milk}, 你好 – ½ €\n\tΣ = 42; ~^`\'\\|@#%';
    await type(text);
    const written = await seen(editor.screen, { width: 60, height: 15 });
    await press("ctrl", "s");
    await seen(written.screen, WINDOW);
    await press("ctrl", "a");
    await type(`${ws.path}/from the dialog.txt`);
    // A dialog that completes the name meanwhile does not take the first one.
    const saved = await eventually("the file", async () => {
      await press("enter");
      await look();
      return textOrNull(`${ws.path}/from the dialog.txt`) || null;
    });
    assertEquals(saved.trimEnd(), text);
    assertEquals(scene.programs.map(({ argv, boxed }) => [argv[0]?.endsWith("Xvfb"), boxed]), [[true, true]]);
  },
);

desktopTest("dragging, pressing and releasing, double clicks and the wheel do what they do", async () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line${index}`).join("\n");
  await using scene = await desktopScene({ files: { "lines.txt": lines }, start: ["mousepad", "lines.txt"] });
  const { act, look, seen, press, click, ws } = scene;
  const { screen, area } = await seen(EMPTY, WINDOW);
  const middle = { x: Math.round((area.left + area.right) / 2), y: Math.round((area.top + area.bottom) / 2) };
  await act({ do: "scroll", at: middle, steps: -5 });
  const down = await seen(screen, { width: 20, height: 40 });
  await act({ do: "scroll", at: middle, steps: 5 });
  await seen(down.screen, { width: 20, height: 40 });
  await act({ do: "click", at: { x: area.left + 30, y: middle.y }, button: "left", times: 2 });
  await press("ctrl", "x");
  await press("ctrl", "s");
  const shorter = await eventually("a word less", () => {
    const lines = textOrNull(`${ws.path}/lines.txt`)?.split("\n") ?? [];
    return lines.length >= 200 && lines.slice(0, 200).filter((line) => line === "").length === 1
      ? lines
      : null;
  });
  assert(shorter.includes("line0"));
  const title = { x: middle.x, y: area.top + 8 };
  const before = await look();
  await act({ do: "move", at: title });
  const dragged = await act({ do: "drag", to: { x: title.x + 90, y: title.y + 60 } });
  assertEquals([dragged.before, dragged.pointer], [title, { x: title.x + 90, y: title.y + 60 }]);
  const moved = await seen(before, WINDOW);
  assertEquals(moved.area.right > area.right + 60, true);
  await act({ do: "down", at: dragged.pointer, button: "left" });
  await act({ do: "move", at: { x: title.x + 60, y: title.y + 40 } });
  await act({ do: "move", at: title });
  await act({ do: "up", button: "left" });
  const back = await seen(moved.screen, WINDOW);
  const difference = changed(before, back.screen);
  assert(difference === null || difference.right <= area.right + 2, JSON.stringify(difference));
  await click(middle);
});

desktopTest("what cannot be done is refused, and the desktop goes on", async () => {
  await using scene = await desktopScene();
  const { act, click, press, type, look } = scene;
  for (const at of [{ x: 1024, y: 0 }, { x: 0, y: 768 }, { x: -1, y: 5 }]) {
    const error = await assertRejects(
      () => click(at),
      ToolError,
      "outside of the screen: x goes from 0 to 1023",
    );
    assertEquals(error.code, "invalid_input");
  }
  await assertRejects(() => act({ do: "drag", to: { x: 5000, y: 5 } }), ToolError, "outside of the screen");
  await assertRejects(() => press("ctrl", "nokey"), ToolError, 'There is no key "nokey"');
  await assertRejects(() => type("a\u0007"), ToolError, 'Cannot type "\\u0007"');
  await assertRejects(() => type("a".repeat(4001)), ToolError, "only 4000: type them in parts");
  const first = await act({ do: "move", at: { x: 1023, y: 767 } });
  assertEquals([first.pointer, first.screen], [{ x: 1023, y: 767 }, { width: 1024, height: 768 }]);
  assertEquals((await look()).width, 1024);
  assertEquals(scene.started.length, 1);
});

desktopTest("a call that ends stops what it types, and the desktop goes on", async () => {
  await using scene = await desktopScene({ start: ["stterm", "-e", "bash", "-c", "cat > typed.txt"] });
  const { act, seen, press, ws } = scene;
  await seen(EMPTY, WINDOW);
  const stop = new AbortController();
  const typing = act({ do: "type", text: "x\n".repeat(1500) }, { signal: stop.signal });
  const ended = assertRejects(() => typing, Error, "enough");
  await eventually("the first lines", () => textOrNull(ws.at("typed.txt")) || null);
  stop.abort(new Error("enough"));
  await ended;
  await act({ do: "type", text: "\nafter\n" });
  await press("ctrl", "d");
  const text = await eventually(
    "the text",
    () => textOrNull(ws.at("typed.txt"))?.includes("after") ? ws.read("typed.txt") : null,
  );
  assert(text.split("\n").length < 1500);
  assertEquals(scene.started.length, 1);
});

desktopTest("a desktop that is killed is told of, and the next call gets a new one", async () => {
  await using scene = await desktopScene();
  const first = await scene.act({ do: "look" });
  assertEquals(first.happened, [
    "The desktop was started; a click on its empty part opens a menu: mousepad, Terminal",
  ]);
  assertEquals((await scene.act({ do: "look" })).happened, []);
  await scene.type("a");
  await scene.started[0]!.close({ graceMs: 0 });
  const again = await eventuallyActs(() => scene.act({ do: "look" }));
  assertStringIncludes(
    again.happened[0]!,
    "The desktop was started anew, and the programs of the earlier one are gone",
  );
  assertEquals(scene.started.length, 2);
  await scene.desktop.end();
  const over = await assertRejects(() => scene.act({ do: "look" }), ToolError, "The run is over");
  assertEquals(over.code, "cancelled");
});

desktopTest("a desktop that nobody uses is ended", async () => {
  await using scene = await desktopScene({ maxIdleMs: 50 });
  await scene.act({ do: "look" });
  const { exitCode } = await scene.started[0]!.ended;
  assert(exitCode !== 0);
});

/** The end of a desktop may be heard by the call after it. */
async function eventuallyActs<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    assert(error instanceof ToolError && error.code === "unavailable", String(error));
    return await act();
  }
}
