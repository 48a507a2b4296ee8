import { assertEquals, assertMatch } from "@std/assert";

import { VERSION } from "../../../runtime/self/version.ts";
import { run } from "../../support/program.ts";

Deno.test("upgrade --check tells of a newer version by its exit code, and asks when it is told to", async () => {
  let version = "999.0.0";
  const asked: string[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    asked.push(new URL(url).pathname);
    return Response.json({ name: "bulkhead", version });
  });
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const [newer, silent] = await Promise.all([
    run(["upgrade", "--check", "--from", url]),
    run(["upgrade", "--check"], { env: { BULKHEAD_RELEASE_URL: undefined } }),
  ]);
  assertEquals(newer, {
    code: 1,
    stdout: `bulkhead 999.0.0 is there, and this is ${VERSION}: see ${url}\n`,
    stderr: "",
  });
  assertEquals([silent.code, asked], [2, ["/release.json"]]);
  assertMatch(silent.stderr, /--from URL, or set BULKHEAD_RELEASE_URL/);
  version = VERSION;
  const same = await run(["upgrade", "--check", "--json"], { env: { BULKHEAD_RELEASE_URL: url } });
  assertEquals([same.code, JSON.parse(same.stdout)], [0, {
    version: VERSION,
    newest: VERSION,
    newer: false,
    url,
  }]);
  const bare = await run(["upgrade", "--from", url]);
  assertEquals([bare.code, asked.length], [2, 2]);
});
