import { assertEquals, assertStringIncludes } from "@std/assert";

import { makeScene } from "../../support/cli/scene.ts";

// A wrong value must be told before anything else is done with it, and a command must not take what is another's.

Deno.test("values of options that cannot be understood are refused with the option's name", async () => {
  using scene = makeScene();
  const table: [words: string[], says: string][] = [
    [["serve", "--stream-style=loud"], "--stream-style"],
    [["serve", "--host="], "--host"],
    [["serve", "--names="], "--names"],
    [["serve", "--cors=chat.example"], "write an origin, such as https://chat.example"],
    [["worker", "--queue=nats://127.0.0.1:4222", "--drain=soon"], "--drain"],
    [["call", "Read", "a.txt", "--independent"], "--independent"],
    [["batch", "none.jsonl", "--independent=yes"], "--independent"],
  ];
  for (const [words, says] of table) {
    const { code, stdout, stderr } = await scene.run(words);
    assertEquals([code, stdout], [2, ""], `${words.join(" ")}: ${stderr}`);
    assertStringIncludes(stderr, says);
  }
});

Deno.test("tools --offered lists what a run with the same options gives to a model, and nothing else", async () => {
  using scene = makeScene();
  const { code, stdout, stderr } = await scene.run([
    "tools",
    "--offered",
    "--tool=Read",
    "--tool=par/bash=par_bash",
  ]);
  assertEquals(code, 0, stderr);
  const names = stdout.split("\n").slice(1).map((line) => line.split(" ")[0]).filter(Boolean);
  assertEquals(names, ["harness/Read", "par/bash=par_bash"]);
});

Deno.test("explain says that tools use the screen of the user, where they are let", async () => {
  using scene = makeScene();
  const line = "display  your own screen";
  for (const words of [["explain"], ["explain", "manus/computer_use", "action=screenshot"]]) {
    assertStringIncludes((await scene.run([...words, "--display"])).stdout, line);
    assertEquals((await scene.run(words)).stdout.includes(line), false);
  }
  const json = await scene.run(["explain", "--display", "--json"]);
  assertEquals(JSON.parse(json.stdout).own_display, true);
});

Deno.test("explain and doctor say what holds the browser of the user, and only a flag names it", async () => {
  using scene = makeScene({ "ws/.bulkhead.json": JSON.stringify({ browserUrl: "http://127.0.0.1:1" }) });
  const flag = ["--browser-url", "http://127.0.0.1:1"];
  for (const words of [["explain"], ["explain", "manus/browser_use", "action=wait"]]) {
    assertStringIncludes((await scene.run([...words, ...flag])).stdout, "browser  your own browser");
  }
  assertStringIncludes((await scene.run(["serve", ...flag])).stderr, "has no meaning");
  const refused = async (address: string) => {
    const { stdout, stderr } = await scene.run([
      ...[
        "call",
        "manus/browser_use",
        "action=go_to_url",
        "url=https://shop.example",
        "--browser-url",
        address,
      ],
    ]);
    return stdout + stderr;
  };
  assertStringIncludes(await refused("http://shop.example:9222"), "--allow-net=shop.example:9222");
  assertStringIncludes(await refused("http://127.0.0.1:1"), "cannot be reached");
  assertStringIncludes(await refused("file:///x"), "write the debugging address");
});
