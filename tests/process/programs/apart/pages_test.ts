import { assert, assertEquals, assertMatch } from "@std/assert";

import { boxTest } from "../../../support/box.ts";
import type { Running } from "../../../support/program.ts";
import { descendantsNaming, isAlive, until } from "../../../support/cli/processes.ts";
import { type Answer, makeScene, type Scene } from "../../../support/cli/scene.ts";

const FOLDER = "state/bulkhead/sessions/s/apart";
const MAKE = { action: "create_file", file_path: "index.html", file_contents: "<h1>tea</h1>" };
const WAIT = { action: "execute_command", command: "while ! [ -e go ]; do sleep 0.05; done", blocking: true };

/** A batch that makes a page, and then waits until the test says that it may go on. */
async function serving(scene: Scene): Promise<{ batch: Running; text: string; url: URL }> {
  const batch = scene.start(["batch", "-", "--session=s"], { timeoutMs: 120_000 });
  const calls = [{ tool: "sandbox_files", arguments: MAKE }, { tool: "sandbox_shell", arguments: WAIT }];
  await batch.write(calls.map((call) => `${JSON.stringify(call)}\n`).join(""));
  await batch.closeInput();
  const { text } = JSON.parse(await batch.nextLine() ?? "{}") as Answer;
  const [, url = "none"] = /available at: (\S+)\]/.exec(text) ?? [];
  return { batch, text, url: new URL(url) };
}

/** One request, word for word. */
async function raw(url: URL, request: string): Promise<string> {
  using connection = await Deno.connect({ hostname: url.hostname, port: Number(url.port) });
  await connection.write(new TextEncoder().encode(request));
  return await new Response(connection.readable).text();
}

boxTest(
  "a page of the sandbox is served on this machine until the run ends, and nothing else is",
  async () => {
    using scene = makeScene({ "ws/mine.txt": "mine" });
    const { batch, text, url } = await serving(scene);
    assertMatch(
      text,
      /^File 'index\.html' created successfully\.\n\n\[Auto-detected index\.html - HTTP server available at: http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/\]\n\[Note: /,
    );
    const get = async (path: string) => {
      const answer = await fetch(new URL(path, url));
      return [answer.status, await answer.text()];
    };
    assertEquals(await get(""), [200, "<h1>tea</h1>"]);
    scene.write(`${FOLDER}/sub/a.txt`, "a");
    scene.link(scene.ws, `${FOLDER}/ws`);
    scene.link("/etc/passwd", `${FOLDER}/passwd`);
    scene.link("/proc/self/environ", `${FOLDER}/environ`);
    assertEquals(await get("sub/a.txt"), [200, "a"]);
    for (const path of ["ws/mine.txt", "passwd", "environ", "sub/", "/", "/index.html", "/0/index.html"]) {
      assertEquals(await get(path), [404, "404\n"], path);
    }
    const line = `GET ${url.pathname} HTTP/1.1\r\nConnection: close\r\n`;
    assertMatch(await raw(url, `${line}Host: ${url.host}\r\n\r\n`), /^HTTP\/1\.1 200 /);
    assertMatch(await raw(url, `${line}Host: evil.example:${url.port}\r\n\r\n`), /^HTTP\/1\.1 403 /);
    scene.write(`${FOLDER}/go`, "");
    assertEquals((await batch.ended()).code, 0);
    await assertClosed(url);
  },
);

boxTest("the server of a page ends with a run that is killed, and tells nobody its secret", async () => {
  using scene = makeScene();
  const { batch, url } = await serving(scene);
  const [, token = ""] = url.pathname.split("/");
  assertEquals(descendantsNaming(batch.pid, token), []);
  const servers = descendantsNaming(batch.pid, scene.at(FOLDER));
  assert(servers.length > 0);
  batch.kill("SIGKILL");
  await batch.ended();
  await until("the server ends", () => !servers.some(isAlive));
  await assertClosed(url);
});

boxTest("a single call serves nothing: nobody could open it", async () => {
  using scene = makeScene();
  const { text } = await scene.call("sandbox_files", MAKE, ["--session=s"]);
  assertEquals(text, "File 'index.html' created successfully.");
});

/** Somebody else may listen on the port by now; the page is not there any more. */
async function assertClosed(url: URL): Promise<void> {
  const there = await fetch(url).then((answer) => answer.text(), () => "");
  assertEquals(there.includes("tea"), false);
}
