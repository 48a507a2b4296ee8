import { assert, assertEquals } from "@std/assert";

import { connect, type Message } from "../../support/cli/mcp/client.ts";
import { makeScene, type Scene } from "../../support/cli/scene.ts";

const FILES = {
  "ws/top.txt": "top-word",
  "ws/a/in.txt": "inner-word",
  "ws/b/other.txt": "other-word",
  "outside/x.txt": "secret-word",
};

/** A client with these roots; the list may be changed. */
function rooted(scene: Scene, roots: unknown[]) {
  const answer = ({ method }: Message) => method === "roots/list" ? { roots } : undefined;
  return connect(scene, { capabilities: { roots: { listChanged: true } }, answer });
}

const root = (path: string) => ({ uri: `file://${path}` });

Deno.test("roots narrow what files and programs reach", async () => {
  using scene = makeScene(FILES);
  await using client = await rooted(scene, [root(scene.at("ws/a"))]);
  assert((await client.call("Read", { path: "in.txt" })).text.includes("inner-word"));
  for (
    const path of [
      "../top.txt",
      scene.at("ws/top.txt"),
      scene.at("ws/b/other.txt"),
      scene.at("outside/x.txt"),
    ]
  ) {
    const { isError, text } = await client.call("Read", { path });
    assertEquals([isError, /-word/.test(text)], [true, false], text);
  }
  assert((await client.call("Write", { path: scene.at("ws/b/new.txt"), content: "x" })).isError);
  await client.call("Bash", {
    command: `echo x > ${scene.at("ws/b/new.txt")}; cat ${scene.at("ws/top.txt")}`,
  });
  assertEquals(scene.exists("ws/b/new.txt"), false);
});

Deno.test("roots never widen: those outside of the grants, and links out of them, count for nothing", async () => {
  using scene = makeScene(FILES);
  scene.link("../../outside", "ws/a/link");
  const wide = [root("/"), root(scene.at("outside")), root(scene.at("ws"))];
  {
    await using client = await rooted(scene, wide);
    assert((await client.call("Read", { path: "top.txt" })).text.includes("top-word"));
    assert((await client.call("Read", { path: scene.at("outside/x.txt") })).isError);
  }
  const outside = [
    [root(scene.at("outside"))],
    [root(scene.at("ws/a/link"))],
    [root(`${scene.at("ws")}/../outside`)],
    [{ uri: "https://example.com/" }],
    [{ uri: `file://elsewhere${scene.at("ws")}` }],
    [{ uri: 7 }, null, "x"],
  ];
  for (const roots of outside) {
    await using client = await rooted(scene, roots);
    for (const path of ["top.txt", scene.at("outside/x.txt")]) {
      const { isError, text } = await client.call("Read", { path });
      assertEquals([isError, /-word/.test(text)], [true, false], JSON.stringify(roots) + text);
    }
  }
});

Deno.test("roots that change hold from the next call on", async () => {
  using scene = makeScene(FILES);
  const roots = [root(scene.at("ws/a"))];
  await using client = await rooted(scene, roots);
  assert((await client.call("Read", { path: scene.at("ws/b/other.txt") })).isError);
  roots[0] = root(scene.at("ws/b"));
  await client.send({ method: "notifications/roots/list_changed" });
  assert((await client.call("Read", { path: "other.txt" })).text.includes("other-word"));
  assert((await client.call("Read", { path: scene.at("ws/a/in.txt") })).isError);
});

Deno.test("a client that has roots and does not name them calls nothing that touches files", async () => {
  using scene = makeScene(FILES);
  const answer = ({ method }: Message) => method === "roots/list" ? { folders: [] } : undefined;
  await using client = await connect(scene, { capabilities: { roots: {} }, answer });
  const { isError, text } = await client.call("Read", { path: "top.txt" });
  assertEquals([isError, text.includes("roots")], [true, true], text);
});
