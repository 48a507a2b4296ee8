import { assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../schemas/error.ts";
import { browserScene, browserTest, numberOf, textsOf } from "../../support/web/browser_scene.ts";

const PAGES = {
  "/point":
    `<title>-</title><style>body{margin:0}canvas{display:block}</style><canvas width=400 height=300></canvas>
    <script>document.querySelector("canvas").onclick = (e) => document.title = e.clientX + " " + e.clientY</script>`,
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

browserTest("a point of the window is clicked; one outside of it is refused", async () => {
  await using scene = await browserScene(PAGES);
  await scene.open("/point");
  assertEquals((await scene.act({ do: "point", at: { x: 123, y: 45 } })).page.title, "123 45");
  const error = await assertRejects(() => scene.act({ do: "point", at: { x: 5000, y: 45 } }), ToolError);
  assertEquals([error.code, /outside of the window/.test(error.message)], ["invalid_input", true]);
});

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

browserTest("a tab is closed by its id, and the current one stays", async () => {
  await using scene = await browserScene(PAGES);
  await scene.open("/list");
  const two = await scene.act({ do: "open", url: scene.url("/board"), newTab: true });
  const [first] = two.page.tabs;
  const one = await scene.act({ do: "close", tab: first!.id });
  assertEquals(one.page.tabs.map(({ current, url }) => [current, url]), [[true, scene.url("/board")]]);
  const error = await assertRejects(() => scene.act({ do: "close", tab: first!.id }), ToolError);
  assertEquals([error.code, textsOf(one)], ["not_found", []]);
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
