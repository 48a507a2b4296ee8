import { assert, assertEquals, assertStringIncludes } from "@std/assert";

import { exists } from "../../../runtime/walls/files/file_facts.ts";
import { boxTest, boxWorks } from "../../support/box.ts";
import { testServer } from "../../support/net/gate_scene.ts";
import { program, type Running } from "../../support/program.ts";
import { descendants, descendantsNaming, isAlive, until } from "../../support/cli/processes.ts";
import { type Answer, makeScene, parseLines } from "../../support/cli/scene.ts";
import type { AuditRecord } from "../../../schemas/audit.ts";

const FETCH = "par/fetch_url";

/** A server whose `/endless` sends some bytes and then nothing. */
function endlessServer() {
  let asked = Promise.withResolvers<void>();
  const server = testServer(({ url }) => {
    if (!url.endsWith("/endless")) return new Response("fine");
    asked.resolve();
    return new Response(new ReadableStream({ start: (control) => control.enqueue(new Uint8Array(10)) }));
  });
  return {
    ...server,
    /** Settles with the next request for `/endless`. */
    async nextAsked() {
      await asked.promise;
      asked = Promise.withResolvers();
    },
  };
}

/** The folder with the sockets of a running program's gate. */
function gateFolder(pid: number): string {
  const { stdout } = new Deno.Command("/bin/sh", {
    args: ["-c", "readlink /proc/$0/fd/*; cat /proc/net/unix", String(pid)],
    stderr: "null",
  }).outputSync();
  const text = new TextDecoder().decode(stdout);
  const own = new Set([...text.matchAll(/^socket:\[(\d+)\]$/gm)].map(([, inode]) => inode));
  const [folder] = [...text.matchAll(/ (\d+) (\/tmp\/bulkhead-sockets-[^/\s]+)\/\S+$/gm)]
    .flatMap(([, inode, path]) => own.has(inode) ? [path!] : []);
  assert(folder !== undefined, "no socket of a gate");
  return folder;
}

async function ask(batch: Running, tool: string, input: unknown): Promise<void> {
  await batch.write(`${JSON.stringify({ tool, arguments: input })}\n`);
}

async function answerOf(batch: Running): Promise<Answer> {
  return JSON.parse(await batch.nextLine() ?? "null");
}

boxTest("a bridge that dies in the middle of a download fails it, and the next program goes on", async () => {
  await using server = endlessServer();
  using scene = makeScene();
  const batch = scene.start(["batch", "-", `--allow-private-net=${server.host}`]);
  await ask(batch, "Bash", { command: `curl -sS ${server.url}/endless -o part` });
  await server.nextAsked();
  const folder = gateFolder(batch.pid);
  const boxes = descendantsNaming(batch.pid, folder);
  const [bridge] = boxes.flatMap((pid) => descendants(pid));
  Deno.kill(bridge!.pid, "SIGKILL");
  const failed = await answerOf(batch);
  assertStringIncludes(JSON.stringify(failed.warnings), "broke off");
  assertStringIncludes(failed.text, "curl: (");
  await ask(batch, "Bash", { command: `curl -sS ${server.url}/` });
  assertStringIncludes((await answerOf(batch)).text, "fine");
  boxes.push(...descendantsNaming(batch.pid, folder));
  await batch.closeInput();
  await batch.ended();
  await until("the end of the bridges", () => !boxes.some(isAlive));
  assertEquals(exists(folder), false);
});

Deno.test("the run after one that was killed in the middle of a download removes what stayed", async () => {
  await using server = endlessServer();
  using scene = makeScene();
  const flag = `--allow-private-net=${server.host}`;
  const killed = scene.start(["call", FETCH, `url=${server.url}/endless`, flag]);
  await server.nextAsked();
  const folder = gateFolder(killed.pid);
  const below = descendants(killed.pid);
  killed.kill("SIGKILL");
  await killed.ended();
  await until("the end of its processes", () => !below.some(({ pid }) => isAlive(pid)));
  const { code, stdout } = await scene.run(["call", FETCH, `url=${server.url}/`, flag]);
  assertEquals([code, stdout.includes("fine"), exists(folder)], [0, true, false]);
});

Deno.test("a run that is stopped in the middle of a download and goes on later ends as any other", async () => {
  await using server = endlessServer();
  using scene = makeScene();
  const flags = [`--allow-private-net=${server.host}`, "--timeout=8"];
  const stopped = scene.start(["call", FETCH, `url=${server.url}/endless`, ...flags]);
  await server.nextAsked();
  const folder = gateFolder(stopped.pid);
  stopped.kill("SIGSTOP");
  stopped.kill("SIGCONT");
  assertEquals([(await stopped.ended()).code, exists(folder)], [124, false]);
});

Deno.test("a call that is only explained starts no gate, and names the hosts that it lacks", async () => {
  using scene = makeScene();
  const none = ["--policy=read-only-no-net", "--json"];
  const input = "url=https://shop.example/page";
  const explained = await scene.run(["explain", FETCH, input, ...none]);
  const called = await scene.run(["call", FETCH, input, ...none]);
  for (const { code, stdout } of [explained, called]) {
    assertEquals([code, JSON.parse(stdout).error.details.flag], [3, "--allow-net=shop.example:443"], stdout);
  }
  if (Deno.env.has("BULKHEAD_BIN")) return;
  // Where Deno itself lacks the network, a gate could not start, and is not missed.
  const words = program().filter((word) => word !== "--allow-net");
  const { code, stdout } = await scene.run(["explain", FETCH, input, "--json"], { program: words });
  assertEquals([code, JSON.parse(stdout).allowed], [0, true], stdout);
});

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
