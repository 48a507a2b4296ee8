import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { type Call, makeScene } from "../../support/cli/scene.ts";

/** A server on this machine that counts what reaches it; `/to?URL` redirects. */
function makeServer() {
  const seen: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const { pathname, search } = new URL(request.url);
    seen.push(pathname);
    if (pathname !== "/to") return new Response("reached");
    return new Response(null, { status: 302, headers: { location: decodeURIComponent(search.slice(1)) } });
  });
  return { seen, port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

const fetches = (url: string): Call => ({ tool: "par/fetch_url", arguments: { url } });

// Every spelling stands in tests/unit/runtime/walls/net/decide_net_test.ts, and some of them in tests/attacks/programs.
Deno.test("no private host is reached without its grant, by its name nor by a redirect", async () => {
  await using open = makeServer();
  await using closed = makeServer();
  using scene = makeScene();
  const host = `127.0.0.1:${open.port}`;
  const targets = [`http://127.1:${closed.port}/`, "file:///etc/passwd", `http://u:p@${host}/`];
  const urls = [
    ...["127.1", "[::ffff:7f00:1]", "localhost", "169.254.169.254"].map((name) =>
      `http://${name}:${closed.port}/`
    ),
    ...["http://127.0.0.1\\@example.com/", "file:///etc/passwd", "ws://example.com/", ""],
    ...targets.map((url) => `http://${host}/to?${encodeURIComponent(url)}`),
  ];
  const flags = [`--allow-private-net=${host}`, "--audit=audit.jsonl"];
  const granted = [fetches(`http://${host}/a`), fetches(`http://0x7f.1:${open.port}/b`)];
  const { answers } = await scene.batch([...granted, ...urls.map(fetches)], flags);
  assertEquals(answers.slice(0, 2).map(({ ok }) => ok), [true, true], answers[0]!.text);
  for (const [at, { ok, error }] of answers.slice(2).entries()) {
    assert(!ok && error !== null, urls[at]);
    const isFailure = error.code === "external_failure" && urls[at]!.includes("/to?");
    const isRefusal = ["permission_denied", "invalid_input"].includes(error.code);
    assert(isRefusal || isFailure, `${urls[at]} ${error.message}`);
  }
  assertEquals([open.seen.filter((path) => path !== "/to"), closed.seen], [["/a", "/b"], []]);
  const redirected = answers.at(-targets.length)!.error!;
  assertEquals(redirected.details.flag, `--allow-private-net=127.0.0.1:${closed.port}`);
  const { stdout } = await scene.run(["audit", "audit.jsonl"]);
  assertStringIncludes(stdout, `  ${host} `);
  assertStringIncludes(stdout, "--policy=read-only-no-net");
});

Deno.test("a project's file denies hosts, and grants none", async () => {
  await using server = makeServer();
  const host = `127.0.0.1:${server.port}`;
  const permissions = { allow: { net: true }, private_net: true, deny: { net: ["*.example.com"] } };
  using scene = makeScene({ "ws/bulkhead.json": JSON.stringify({ permissions }) });
  const calls = [fetches(`http://${host}/`), fetches("https://a.example.com/")];
  const { answers, stderr } = await scene.batch(calls, ["--policy=read-only-no-net", "--allow-net=b.org"]);
  assertEquals(answers.map(({ error }) => error?.details.flag), [
    `--allow-private-net=${host}`,
    "--deny-net",
  ]);
  assertEquals(server.seen, []);
  assertStringIncludes(stderr, "permissions.allow ignored: not trusted");
  assertStringIncludes(stderr, "permissions.private_net ignored: not trusted");
});
