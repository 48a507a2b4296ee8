import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import type { AuditRecord } from "../../../schemas/audit.ts";
import { exists } from "../../../runtime/walls/files/file_facts.ts";
import { boxWorks } from "../../support/box.ts";
import { testServer } from "../../support/net/gate_scene.ts";
import { makeScene, parseLines } from "../../support/cli/scene.ts";

const FETCH = "par/fetch_url";

/** The folder in which a process has the sockets of its gate. */
function gateFolder(pid: number): string {
  const sockets = `ls -l /proc/${pid}/fd | sed -n 's/.*socket:\\[\\(.*\\)\\]/\\1/p'`;
  const script = `${sockets} | grep -wFf - /proc/net/unix | grep -o '/tmp/bulkhead-sockets-[^/]*' | sort -u`;
  const { stdout } = new Deno.Command("sh", { args: ["-c", script] }).outputSync();
  return new TextDecoder().decode(stdout).trim();
}

Deno.test("a tool reaches what is granted and nothing else, in the sandbox and without it", async () => {
  await using inner = testServer(() => new Response("inner"));
  await using server = testServer((request) =>
    request.url.endsWith("/away")
      ? new Response(null, { status: 302, headers: { location: inner.url } })
      : new Response(`hello ${new URL(request.url).pathname}`)
  );
  using scene = makeScene();
  for (const sandbox of ["off", "auto"]) {
    const flags = [`--allow-private-net=${server.host}`, `--sandbox=${sandbox}`, "--audit=../audit.jsonl"];
    const { answers, code } = await scene.batch([
      { tool: FETCH, arguments: { url: `${server.url}/page` } },
      { tool: FETCH, arguments: { url: `${server.url}/away` } },
      { tool: FETCH, arguments: { url: inner.url } },
      { tool: FETCH, arguments: { url: `http://[::ffff:127.0.0.1]:${inner.port}/` } },
      { tool: FETCH, arguments: { url: "file:///etc/passwd" } },
    ], flags);
    assertEquals(code, 3);
    assertEquals(answers.map(({ error }) => error?.code ?? null), [
      null,
      "permission_denied",
      "permission_denied",
      "permission_denied",
      "invalid_input",
    ]);
    const [page, away] = answers;
    // Main has given up the network, and cannot give it on to a worker.
    assertEquals(page?.metadata.place, sandbox === "auto" && boxWorks ? "sandbox" : "process");
    assertEquals((page?.result as { content: string }).content, "hello /page");
    assertStringIncludes(page?.text ?? "", "<web-content");
    assertEquals(away?.error?.details.flag, `--allow-private-net=${inner.host}`);
    assert(!answers.some(({ text }) => text.includes("inner")), sandbox);
  }
  const records = parseLines(scene.read("audit.jsonl")) as AuditRecord[];
  assertEquals(records.map(({ connections }) => connections?.length ?? 0).slice(0, 2), [1, 2]);
});

Deno.test("the policy without a network, denied hosts and proxies of the user hold for tools", async () => {
  await using server = testServer((request) => new Response(`by ${request.url}`));
  using scene = makeScene();
  const call = async (url: string, flags: string[], env = {}) => {
    const { code, stdout, stderr } = await scene.run(["call", FETCH, `url=${url}`, "--json", ...flags], {
      env,
    });
    assert(stdout !== "", stderr);
    return { code, ...JSON.parse(stdout) };
  };
  const open = `--allow-private-net=${server.host}`;
  assertEquals((await call(server.url, ["--policy=read-only-no-net"])).error.code, "permission_denied");
  assertEquals((await call(server.url, [open, `--deny-net=${server.host}`])).error.code, "permission_denied");
  const viaProxy = await call("http://shop.example/page", ["--allow-net=shop.example"], {
    HTTP_PROXY: server.url,
    NO_PROXY: "other.example",
  });
  assertEquals([viaProxy.code, viaProxy.result.status], [0, 200]);
});

Deno.test("the gate leaves no folder behind, also when the program is interrupted", async () => {
  const asked = Promise.withResolvers<void>();
  await using server = testServer(() => {
    asked.resolve();
    return new Response(new ReadableStream({ start: (control) => control.enqueue(new Uint8Array(1)) }));
  });
  using scene = makeScene();
  const running = scene.start(["call", FETCH, `url=${server.url}`, `--allow-private-net=${server.host}`]);
  await asked.promise;
  const folder = gateFolder(running.pid);
  assertEquals(exists(folder), true);
  running.kill("SIGINT");
  assertEquals((await running.ended()).code, 130);
  assertEquals(exists(folder), false);
});
