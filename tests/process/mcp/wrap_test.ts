import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { boxWorks } from "../../support/box.ts";
import { hasProgram } from "../../support/needed_programs.ts";
import { initialize } from "../../support/cli/mcp/client.ts";
import { makeScene, parseLines } from "../../support/cli/scene.ts";

const PROBE = await Deno.readTextFile(new URL("../../fixtures/mcp/probe_server.sh", import.meta.url));
const FILES = {
  "server/package.json": "{}",
  "server/server.sh": `cat notes/a.txt >&2; : "$SHOP_TOKEN" "$OTHER"\n${PROBE}`,
  "server/hello.json":
    '{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"p","version":"1"}}',
  "server/tools.json": '{"tools":[{"name":"probe","inputSchema":{"type":"object"}}]}',
  "notes/a.txt": "a note\n",
  "ws/a.txt": "",
};

function needing(name: string, programs: readonly string[], fn: () => Promise<void>): void {
  const ignore = !boxWorks || !programs.every(hasProgram);
  Deno.test({ name, ignore, fn });
}

needing("mcp wrap audits each call of a tool, and ends with its client", [], async () => {
  using scene = makeScene(FILES);
  const command = ["sh", scene.at("server/server.sh")];
  const running = scene.start(["mcp", "wrap", "shop", "--audit", scene.at("audit.jsonl"), "--", ...command]);
  {
    await using client = await initialize(running);
    await client.ask("tools/list");
    assertEquals(
      atob((await client.call("probe", { b64: btoa("echo hi; echo $SHOP_TOKEN") })).text),
      "hi\n\n",
    );
    const { error } = await client.ask("tools/call", { name: "other", arguments: {} });
    assertStringIncludes(error?.message ?? "", "bulkhead mcp accept shop");
  }
  assertEquals((await running.ended()).code, 0);
  const records = parseLines(scene.read("audit.jsonl")) as Record<string, unknown>[];
  assertEquals(records.map(({ tool, decision, ok }) => [tool, decision, ok]), [
    ["mcp/mcp_shop_probe", "allowed", true],
    ["mcp/mcp_shop_other", "refused", false],
    ["mcp/wrap", "allowed", true],
  ]);
  assertEquals((records[2]!.programs as { boxed: boolean }[]).map(({ boxed }) => boxed), [true]);
});

needing("mcp wrap says why a server does not start, ends by itself, or cannot be named", [], async () => {
  using scene = makeScene(FILES);
  const wrap = async (...words: string[]) => {
    const { code, stderr } = await scene.run(["mcp", "wrap", ...words], { stdin: "" });
    return { code, stderr };
  };
  const none = await wrap("--", "no-such-program");
  assertEquals(none.code, 1);
  assertStringIncludes(none.stderr, "no program of this name");
  const npx = await wrap("--", "npx", "-y", "no-such-package-here");
  assertStringIncludes(npx.stderr, 'run "npx -y no-such-package-here" once yourself');
  const failed = await wrap("x", "--", "sh", "-c", "exit 3");
  assertMatch(failed.stderr, /x did not start: it ended with code 3\n$/);
  assertEquals([failed.code, (await wrap("--", "cat")).code], [1, 0]);
  const share = await wrap("--share-net", "--", "true");
  assertEquals(share.code, 2);
  assertEquals((await wrap("../x", "--", "true")).code, 2);
  assertEquals((await wrap("x")).code, 2);
  const running = scene.start([
    "mcp",
    "wrap",
    "x",
    "--",
    "sh",
    "-c",
    "echo broken: getaddrinfo EAI_AGAIN a.test >&2; exit 7",
  ]);
  const { code, stderr } = await running.ended();
  assertEquals(code, 5);
  assertStringIncludes(stderr, "broken: getaddrinfo EAI_AGAIN a.test\n");
  assertStringIncludes(stderr, "x ended by itself, with code 7");
  // No flag that wrap refuses is advised.
  assertStringIncludes(stderr, "pass --allow-private-net=a.test");
  assert(!stderr.includes("--share-net"), stderr);
});

needing("mcp wrap holds a server that floods its stderr and never ends a line", [], async () => {
  using scene = makeScene(FILES);
  const flood = "yes loud | head -c 40000000 >&2; head -c 40000000 /dev/zero; sleep 1000";
  const running = scene.start(["mcp", "wrap", "x", "--", "sh", "-c", flood]);
  await running.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');
  const answer = JSON.parse(await running.nextLine() ?? "null");
  assertEquals([answer.id, answer.error.code], [1, -32000]);
  const { code, stderr } = await running.ended();
  assertEquals(code, 5);
  assert(stderr.length < 12 * 1024 * 1024);
  assertStringIncludes(stderr, "too long");
});

needing(
  "mcp wrap and audit say what a server misses, and audit prints no entry for one that did not start",
  [],
  async () => {
    using scene = makeScene(FILES);
    const running = scene.start([
      "mcp",
      "wrap",
      "shop",
      "--",
      "sh",
      scene.at("server/server.sh"),
      scene.at("notes"),
    ]);
    {
      await using client = await initialize(running);
      await client.ask("tools/list");
    }
    const { stderr } = await running.ended();
    const notes = scene.at("notes");
    assertStringIncludes(
      stderr,
      `it is given ${notes}, which it does not see: pass --allow-read=${notes} to grant it`,
    );
    const audited = await scene.run(["mcp", "audit", "x", "--", "sh", "-c", "exit 3"], { stdin: "" });
    assertEquals([audited.code, audited.stderr.includes("mcpServers")], [1, false], audited.stderr);
    assertStringIncludes(audited.stderr, "x: it ended with code 3\nbulkhead: x: it did not start");
  },
);

needing("mcp audit prints the smallest entry for what a server did", ["strace"], async () => {
  using scene = makeScene(FILES);
  const server = scene.at("server/server.sh");
  const running = scene.start(["mcp", "audit", "shop", "--", "sh", server], {
    env: { SHOP_TOKEN: "abc", UNREAD_TOKEN: "def" },
    cwd: scene.root,
  });
  {
    await using client = await initialize(running);
    await client.ask("tools/list");
    const { text } = await client.call("probe", {
      b64: btoa(`echo $SHOP_TOKEN; echo x > ${scene.at("notes/b.txt")}`),
    });
    assertEquals(atob(text), "abc\n");
  }
  const { code, stderr } = await running.ended();
  assertEquals(code, 0, stderr);
  assertMatch(stderr, /shop: seen: its start, 1 call, \d+ files? read, \d+ written, 0 connections\n\{/);
  const entry = JSON.parse(/^\{\n.*?^\}$/ms.exec(stderr)?.[0] ?? "null");
  assertEquals(entry?.mcpServers.shop.bulkhead, {
    read: [scene.at("notes/a.txt")],
    write: [scene.at("notes/b.txt")],
    env: ["SHOP_TOKEN"],
  });
  assertEquals(scene.read("notes/b.txt"), "x\n");
});
