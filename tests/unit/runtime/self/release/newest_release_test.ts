import { assertEquals, assertRejects } from "@std/assert";

import { newestRelease } from "../../../../../runtime/self/release/newest_release.ts";
import { ToolError } from "../../../../../schemas/error.ts";

/** What a host answers, by the folder that is asked for. */
const ANSWERS: Record<string, () => Response> = {
  new: () => Response.json({ name: "bulkhead", version: "1.10.0" }),
  same: () => Response.json({ name: "bulkhead", version: "1.9.0" }),
  early: () => Response.json({ name: "bulkhead", version: "1.9.0-rc.1" }),
  other: () => Response.json({ name: "another", version: "9.0.0" }),
  odd: () => Response.json({ name: "bulkhead", version: "newest" }),
  page: () => new Response("<html>"),
  long: () => new Response(new Uint8Array(300 * 1024)),
  away: () => Response.redirect("http://127.0.0.2:4411/release.json"),
  moved: () => new Response(null, { status: 302, headers: { location: "../new/release.json" } }),
  round: () => new Response(null, { status: 302, headers: { location: "/round/release.json" } }),
  never: () => new Response(new ReadableStream()),
};

Deno.test("newestRelease() compares the version of a release, and asks its host alone", async () => {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const [, folder = ""] = /^\/(\w+)\/release\.json$/.exec(new URL(url).pathname) ?? [];
    return ANSWERS[folder]?.() ?? new Response(null, { status: 404 });
  });
  const base = `http://127.0.0.1:${server.addr.port}`;
  const { signal } = new AbortController();
  const ask = (from: string) => newestRelease(from, { than: "1.9.0", signal });
  assertEquals(await ask(`${base}/new`), { version: "1.10.0", newer: true, url: `${base}/new/` });
  assertEquals((await ask(`${base}/same/`)).newer, false);
  assertEquals((await ask(`${base}/early`)).newer, false);
  assertEquals((await ask(`${base}/moved`)).version, "1.10.0");
  const late = newestRelease(`${base}/never`, { than: "1.9.0", signal, timeoutMs: 200 });
  await assertRejects(() => late, ToolError, "it did not answer in 0.2 s");
  const faults: [from: string, code: string, part: string][] = [
    [`${base}/other`, "external_failure", "is not the index of a release"],
    [`${base}/odd`, "external_failure", "is not the index of a release"],
    [`${base}/page`, "external_failure", "Broken JSON"],
    [`${base}/long`, "external_failure", "larger than 256 KB"],
    [`${base}/none`, "external_failure", "status 404"],
    [`${base}/away`, "external_failure", "it sends to http://127.0.0.2:4411, which is not asked"],
    [`${base}/round`, "external_failure", "it sends on more than 5 times"],
    ["http://get.example", "invalid_input", "begins with https://"],
    ["file:///tmp", "invalid_input", "begins with https://"],
    ["nothing", "invalid_input", "begins with https://"],
  ];
  for (const [from, code, part] of faults) {
    const error = await assertRejects(() => ask(from), ToolError, part);
    assertEquals(error.code, code, from);
  }
  const stopped = await assertRejects(
    () => newestRelease(`${base}/new`, { than: "1.0.0", signal: AbortSignal.abort() }),
    ToolError,
  );
  assertEquals(stopped.code, "cancelled");
});
