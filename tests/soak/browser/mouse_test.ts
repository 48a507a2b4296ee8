import { assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../schemas/error.ts";
import { browserScene, browserTest, numberOf } from "../../support/web/browser_scene.ts";

const PAGES = {
  // Parts that pages let go of over others, by the system's own way of dragging.
  "/list":
    `<title>-</title><div draggable=true ondragstart="event.dataTransfer.setData('text', 'tea')">Tea</div>
    <button ondragover="event.preventDefault()" style="margin-top:300px"
      ondrop="event.preventDefault(); document.title = 'dropped ' + event.dataTransfer.getData('text')">Basket</button>`,
  // And by events of the mouse alone.
  "/board": `<title>-</title><button style="position:absolute;left:20px;top:20px">Card</button>
    <script>const card = document.querySelector("button"); let held = false;
      card.onmousedown = () => held = true;
      document.onmousemove = (e) => { if (held) card.style.left = (e.clientX - 10) + "px" };
      document.onmouseup = () => { held = false; document.title = "at " + card.style.left };</script>`,
  "/slider":
    `<title>-</title><input type=range min=0 max=100 value=0 style="position:absolute;left:0;top:0;width:400px"
    onchange="document.title = this.value > 40 ? 'moved' : 'little'">`,
  "/far": `<button draggable=true>Top</button><div style="height:4000px"></div><button>Bottom</button>`,
};

browserTest("a drag between parts that are never in view together does nothing, and says so", async () => {
  await using scene = await browserScene(PAGES);
  const far = await scene.open("/far");
  const error = await assertRejects(async () => {
    const low = await scene.act({ do: "scroll", to: "down", pixels: 9000 });
    await scene.act({
      do: "drag",
      from: { element: numberOf(far, "Top") },
      to: { element: numberOf(low, "Bottom") },
    });
  }, ToolError);
  assertEquals([error.code, /not in view at once/.test(error.message)], ["conflict", true]);
});

browserTest("the mouse drags between elements and points, whichever way the page listens", async () => {
  await using scene = await browserScene(PAGES);
  const list = await scene.open("/list");
  const [tea, basket] = [numberOf(list, "Tea"), numberOf(list, "Basket")];
  const dropped = await scene.act({ do: "drag", from: { element: tea }, to: { element: basket } });
  assertEquals(dropped.page.title, "dropped tea");
  await scene.open("/board");
  const moved = await scene.act({ do: "drag", from: { x: 30, y: 30 }, to: { x: 310, y: 30 } });
  assertEquals(moved.page.title, "at 300px");
  await scene.open("/slider");
  const slid = await scene.act({ do: "drag", from: { x: 8, y: 10 }, to: { x: 300, y: 10 } });
  assertEquals(slid.page.title, "moved");
});
