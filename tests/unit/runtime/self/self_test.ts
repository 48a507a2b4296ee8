import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { toFileUrl } from "@std/path";

import { newestRelease } from "../../../../runtime/self/release/newest_release.ts";
import {
  checkArgv,
  currentFolder,
  readVariable,
  readVariables,
} from "../../../../runtime/self/surroundings.ts";
import { mayMakeWorkers, requireWorkerOptions } from "../../../../runtime/self/worker_options.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { workspace } from "../../../support/run_tool.ts";

const invalid = (): never => {
  throw new Deno.errors.InvalidData("not valid unicode");
};

Deno.test("readVariables() names a known variable that is not UTF-8, and passes over others", () => {
  const read = (name: string) => ["HOME", "OTHER"].includes(name) ? invalid() : undefined;
  const error = assertThrows(() => readVariables({ list: () => ({}), read }), ToolError);
  assertEquals([error.code, error.details.variable], ["configuration", "HOME"]);
  assertEquals(error.message.includes("unset HOME"), true);
  // One that is there was decoded.
  assertEquals(readVariables({ list: () => ({ HOME: "/h" }), read }), { HOME: "/h" });
  assertEquals(assertThrows(() => readVariable("OTHER", read), ToolError).code, "configuration");
});

Deno.test("currentFolder() is a clear error where its path is not UTF-8, or it is gone", () => {
  const gone = () => {
    throw new Deno.errors.NotFound("No such file or directory");
  };
  for (const [read, why] of [[invalid, "not UTF-8"], [gone, "it is gone"]] as const) {
    const error = assertThrows(() => currentFolder(read), ToolError, why);
    assertEquals(error.code, "configuration");
  }
  assertEquals(currentFolder(() => "/x"), "/x");
});

Deno.test("checkArgv() refuses words that are not UTF-8, by their place", () => {
  checkArgv(["call", "Read", "ä"]);
  const error = assertThrows(() => checkArgv(["call", "Read", "a\ufffd"]), ToolError, "word 3 ");
  assertEquals(error.code, "invalid_input");
});

const DENO = ["/usr/bin/deno", "run", "--allow-read"];
const UNSTABLE = '{"unstable": ["raw-imports", "worker-options"]}';

Deno.test("mayMakeWorkers() finds the flag, or the configuration that has it", () => {
  using ws = workspace({
    "plain/app.ts": "",
    "plain/deno.json": "{}",
    "nearest/deno.jsonc": `// notes\n${UNSTABLE}`,
    "nearest/app/main.ts": "",
    "root/deno.json": `{"workspace": ["./app"], "unstable": ["worker-options"]}`,
    "root/app/deno.json": "{}",
    "member/deno.json": `{"workspace": ["./app"]}`,
    "member/app/deno.json": UNSTABLE,
    "named.json": UNSTABLE,
  });
  const main = (path: string) => toFileUrl(ws.at(path)).href;
  const table: readonly (readonly [words: string[], path: string, allowed: boolean])[] = [
    [[], "plain/app.ts", false],
    [[...DENO, "--unstable-worker-options"], "plain/app.ts", true],
    [[...DENO, "--config", ws.at("named.json")], "plain/app.ts", true],
    [[...DENO, `--config=${ws.at("plain/deno.json")}`], "nearest/app/main.ts", false],
    [DENO, "nearest/app/main.ts", true],
    [[...DENO, "--no-config"], "nearest/app/main.ts", false],
    [DENO, "root/app/main.ts", true],
    // Deno heeds the root of a workspace alone.
    [DENO, "member/app/main.ts", false],
  ];
  for (const [words, path, allowed] of table) {
    assertEquals(mayMakeWorkers(words, main(path)), allowed, `${words.join(" ")} ${path}`);
  }
});

Deno.test("requireWorkerOptions() throws in a program without the flag, before Deno would end it", async () => {
  using ws = workspace();
  const at = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  Deno.writeTextFileSync(
    ws.at("app.ts"),
    `import { requireWorkerOptions } from ${at("../../../../runtime/self/worker_options.ts")};
     try { requireWorkerOptions(); console.log("fine"); } catch (error) { console.log(error.code, error.message); }`,
  );
  const imports = new URL("../../../../deno.json", import.meta.url);
  const { "@std/path": path } = JSON.parse(Deno.readTextFileSync(imports)).imports;
  Deno.writeTextFileSync(ws.at("map.json"), JSON.stringify({ imports: { "@std/path": path } }));
  const run = async (...flags: string[]) => {
    const map = `--import-map=${ws.at("map.json")}`;
    const args = ["run", "-q", "--no-lock", "--no-config", "--allow-all", map, ...flags, ws.at("app.ts")];
    const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
    return new TextDecoder().decode(stdout);
  };
  const told = await run();
  assertEquals(told.startsWith("configuration ") && told.includes("--unstable-worker-options"), true, told);
  assertEquals(await run("--unstable-worker-options"), "fine\n");
  requireWorkerOptions();
});

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
