import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { boxTest, SANDBOXES } from "../../support/box.ts";
import { REFUSED_HOSTS, REFUSED_URLS } from "../../support/net/spellings.ts";
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

for (const box of SANDBOXES) {
  Deno.test(`no spelling of a private host is reached without its grant, --sandbox=${box}`, async () => {
    await using open = makeServer();
    await using closed = makeServer();
    using scene = makeScene();
    const host = `127.0.0.1:${open.port}`;
    const spelled = REFUSED_HOSTS.map((name) => `http://${name}:${closed.port}/`);
    const led = [
      `http://127.1:${closed.port}/`,
      "file:///etc/passwd",
      `http://u:p@${host}/`,
      "http://localhost/",
    ];
    const urls = [
      ...spelled,
      ...REFUSED_URLS,
      ...led.map((url) => `http://${host}/to?${encodeURIComponent(url)}`),
    ];
    const flags = [`--sandbox=${box}`, `--allow-private-net=${host}`, "--audit=audit.jsonl"];
    const granted = [fetches(`http://${host}/a`), fetches(`http://0x7f.1:${open.port}/b`)];
    const { answers } = await scene.batch([...granted, ...urls.map(fetches)], flags);
    assertEquals(answers.slice(0, 2).map(({ ok }) => ok), [true, true], answers[0]!.text);
    for (const [at, { ok, error }] of answers.slice(2).entries()) {
      assert(!ok && error !== null, urls[at]);
      const isFailure = error.code === "external_failure" && urls[at]!.includes("/to?");
      assert(
        ["permission_denied", "invalid_input"].includes(error.code) || isFailure,
        `${urls[at]} ${error.message}`,
      );
    }
    assertEquals([open.seen.filter((path) => path !== "/to"), closed.seen], [["/a", "/b"], []]);
    const redirected = answers.at(-4)!.error!;
    assertEquals(redirected.details.flag, `--allow-private-net=127.0.0.1:${closed.port}`);
    const { stdout } = await scene.run(["audit", "audit.jsonl"]);
    assertStringIncludes(stdout, `  ${host} `);
    assertStringIncludes(stdout, "--policy=read-only-no-net");
  });
}

/** Asks the proxy of a program's sandbox for each host of a file, in its three forms; prints how it answers. */
const ASK_PROXY = String.raw`
at=${"$"}{http_proxy##*:}; at=${"$"}{at%/}
say() { exec 3<>/dev/tcp/127.0.0.1/$at; printf "$@" >&3; IFS= read -r -t 10 line <&3; exec 3>&- 3<&-; }
while IFS= read -r host; do
  say 'GET http://%s:%s/ HTTP/1.1\r\nHost: a\r\n\r\n' "$host" "$1"; echo "$line" | cut -c1-12
  say 'CONNECT %s:%s HTTP/1.1\r\n\r\n' "$host" "$1"; echo "$line" | cut -c1-12
done < hosts.txt
`;

boxTest("a program reaches no spelling of a private host by the proxy, and the named host", async () => {
  await using open = makeServer();
  await using closed = makeServer();
  using scene = makeScene({ "ws/ask.sh": ASK_PROXY, "ws/hosts.txt": `${REFUSED_HOSTS.join("\n")}\n` });
  const host = `127.0.0.1:${open.port}`;
  const flags = ["--allow-net", `--allow-private-net=${host}`, "--audit=audit.jsonl"];
  const bash = (command: string): Call => ({ tool: "Bash", arguments: { command } });
  const { answers } = await scene.batch([
    bash(`bash ask.sh ${closed.port}`),
    bash(`echo 127.0.0.1 > hosts.txt; bash ask.sh ${open.port}`),
  ], flags);
  const [refused, granted] = answers.map(({ text }) => text.match(/HTTP\/1\.1 \d{3}/g) ?? []);
  assertEquals(refused!.length, 2 * REFUSED_HOSTS.length, answers[0]!.text);
  assertEquals([...new Set(refused)].filter((line) => !/ 40[03]$/.test(line)), []);
  assertEquals(granted, ["HTTP/1.1 200", "HTTP/1.1 200"], answers[1]!.text);
  assertEquals(closed.seen, []);
  const { stdout } = await scene.run(["audit", "audit.jsonl"]);
  assertStringIncludes(stdout, `${host} 2 connections of bash`);
});

Deno.test("a word that is no host is refused at the start, by flag and by configuration", async () => {
  using scene = makeScene({ "ws/bad.json": JSON.stringify({ permissions: { deny: { net: ["*"] } } }) });
  const flag = await scene.run(["call", "par/fetch_url", "url=http://a.org", "--deny-net=10.0.0.1/8"]);
  assertEquals([flag.code, flag.stdout], [2, ""]);
  assertStringIncludes(flag.stderr, "its address is not the first of the range, write 10.0.0.0/8");
  const config = await scene.run(["call", "par/fetch_url", "url=http://a.org", "--config=bad.json"]);
  assertEquals([config.code, config.stdout], [6, ""]);
  assertStringIncludes(config.stderr, 'permissions.deny.net: Cannot use "*" as a host');
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
