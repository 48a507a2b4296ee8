import { assert, assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../schemas/error.ts";
import { browserScene, browserTest, elementsOf, numberOf } from "../../support/web/browser_scene.ts";
import { waysTo } from "../../support/web/ways_out.ts";

const PAGES = {
  "/": "<title>A form</title>",
  "/next": "<title>Next</title><p>the second page</p>",
  "/gone":
    `<button onclick="this.remove(); other.hidden = false">Once</button><button id=other hidden>Other</button>`,
};

browserTest(
  "a number means one element for the whole session, and an outdated one clicks nothing",
  async () => {
    await using scene = await browserScene(PAGES);
    const { act, open } = scene;
    const once = await open("/gone");
    const number = numberOf(once, "Once");
    const after = await act({ do: "click", element: number });
    assertEquals(elementsOf(after).map(({ text }) => text), ["Other"]);
    assert(numberOf(after, "Other") > number);
    const gone = await assertRejects(
      () => act({ do: "click", element: number }),
      ToolError,
      "not on the page any more",
    );
    assertEquals(gone.code, "conflict");
    await open("/");
    const left = await assertRejects(
      () => act({ do: "click", element: numberOf(after, "Other") }),
      ToolError,
    );
    assertEquals(left.code, "conflict");
    const never = await assertRejects(
      () => act({ do: "click", element: 999 }),
      ToolError,
      "There is no element 999",
    );
    assertEquals(never.code, "not_found");
  },
);

browserTest("a browser that no call uses is ended", async () => {
  await using scene = await browserScene(PAGES, { maxIdleMs: 50 });
  await scene.open("/next");
  await scene.started[0]!.ended;
  assertEquals((await scene.open("/")).happened.length, 1);
});

browserTest("a page does not reach the gate's own door as a place", async () => {
  await using scene = await browserScene(waysTo("127.0.0.1:3128"));
  await scene.open("/attack");
  await scene.act({ do: "wait", ms: 1_000 });
  assert(scene.connections.every(({ decision, port }) => decision === "refused" || port !== 3128));
  assert(scene.connections.some(({ decision, port }) => decision === "refused" && port === 3128));
});
