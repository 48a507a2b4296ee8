import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { toFileUrl } from "@std/path";

import { findSelf, OUTER_PERMISSIONS, V8_FLAGS } from "../../../../runtime/self/find_self.ts";
import { newestRelease } from "../../../../runtime/self/release/newest_release.ts";
import { LOADED } from "../../../../runtime/self/say_loaded.ts";
import { startWorker } from "../../../../runtime/self/start_worker.ts";
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

const ROOM = OUTER_PERMISSIONS.filter((word) => word !== "--allow-ffi");
const START = [
  ...["--no-prompt", "--cached-only", "--no-check", "--unstable-worker-options", `--v8-flags=${V8_FLAGS}`],
];
const program = Deno.realPathSync(Deno.execPath());
const env = (name: string) => ({ DENO_DIR: "/cache", HOME: "/home/me", TOKEN: "t" })[name];

Deno.test("findSelf() starts rooms with each permission named and linear patterns, and the launcher alone with native code", () => {
  assertEquals(OUTER_PERMISSIONS.map((word) => word.replace("--allow-", "")), [
    ...["read", "write", "net", "run", "env", "sys", "ffi"],
  ]);
  assertEquals(V8_FLAGS.split(",").slice(0, 2), [
    "--enable-experimental-regexp-engine-on-excessive-backtracks",
    "--regexp-backtracks-before-fallback=50000",
  ]);
  const source = findSelf("file:///src/main.ts", env);
  const raw = [...START, "--unstable-raw-imports", "/src/main.ts"];
  assertEquals(source.argv, [program, "run", ...ROOM, ...raw, "__room"]);
  assertEquals(source.launcher?.argv, [program, "run", ...OUTER_PERMISSIONS, ...raw, "__launch"]);
  assertEquals(source.env, { DENO_DIR: "/cache", DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" });
  const bundle = findSelf("file:///pkg/main.js", env);
  const closed = ["--no-config", "--no-lock", "--no-remote", "--no-npm"];
  assertEquals(bundle.argv, [program, "run", ...ROOM, ...START, ...closed, "/pkg/main.js", "__room"]);
  assertEquals(bundle.files, [program, "/pkg"]);
});

const MAIN = "file:///home/me/project/node_modules/bulkhead/program/main.js";

function selfWith(env: Record<string, string>, main = MAIN) {
  return findSelf(main, (name) => env[name]);
}

Deno.test("findSelf() shows boxes of a bundle its compiled code, once it is there and the user's alone", () => {
  using home = workspace();
  const self = selfWith({ HOME: home.path });
  const { compiled } = self;
  assert(compiled);
  assertEquals(compiled.own, `${home.path}/.cache/bulkhead`);
  assert(compiled.folder.startsWith(`${compiled.own}/rooms/`), compiled.folder);
  assertEquals(compiled.fill.slice(-2), ["__compile", compiled.folder]);
  const isShown = () => [self.files.includes(compiled.folder), self.boxEnv!.DENO_DIR === compiled.folder];
  const none = [false, false];

  assertEquals([isShown(), self.boxEnv], [none, { DENO_DIR: "/dev/null/none" }]);
  Deno.mkdirSync(compiled.folder, { recursive: true, mode: 0o700 });
  assertEquals(isShown(), [true, true]);
  for (const mode of [0o720, 0o702]) {
    Deno.chmodSync(compiled.folder, mode);
    assertEquals(isShown(), none);
  }
  Deno.chmodSync(compiled.folder, 0o700);
  Deno.renameSync(compiled.folder, `${home.path}/elsewhere`);
  Deno.symlinkSync(`${home.path}/elsewhere`, compiled.folder);
  assertEquals(isShown(), none);
});

Deno.test("findSelf() shows no box of a bundle what another user has compiled", {
  ignore: Deno.uid() !== 0,
}, () => {
  using home = workspace();
  const { compiled } = selfWith({ HOME: home.path });
  Deno.mkdirSync(compiled!.folder, { recursive: true, mode: 0o700 });
  Deno.chownSync(compiled!.folder, 1, null);
  assertEquals(compiled!.isThere(), false);
});

Deno.test("findSelf() keeps the compiled code of each bundle apart, in the user's folder for caches", () => {
  const folderOf = (env: Record<string, string>, main?: string) => selfWith(env, main).compiled?.folder;
  const usual = folderOf({ HOME: "/home/me" });
  assert(usual !== folderOf({ HOME: "/home/me" }, MAIN.replace("project", "other")));
  if (Deno.build.os === "linux") {
    assert(folderOf({ HOME: "/home/me", XDG_CACHE_HOME: "/caches" })?.startsWith("/caches/bulkhead/rooms/"));
  }
  // Relative folders mean nothing, as XDG specifies.
  assertEquals(folderOf({ HOME: "/home/me", XDG_CACHE_HOME: "caches" }), usual);
  assertEquals(folderOf({ HOME: "" }), undefined);
  assertEquals(selfWith({}).boxEnv, { DENO_DIR: "/dev/null/none" });
});

Deno.test("findSelf() gives a room outside of a box the user's own cache of Deno, and never one that others share", () => {
  assertEquals(selfWith({ HOME: "/home/me", DENO_DIR: "/deno" }).env.DENO_DIR, "/deno");
});

/** How many later workers may come and go before the worker that still loaded must have been heard. */
const LATER = 50;

/** What a worker does once it may go on. */
const ENDINGS = {
  "says that it is loaded": `postMessage("too late"); postMessage(${JSON.stringify(LOADED)});`,
  "says something else": `postMessage("too late");`,
  "fails": `throw new Error("too late");`,
};

for (const [what, ending] of Object.entries(ENDINGS)) {
  Deno.test(`startWorker() ends a worker only after it has loaded, and nothing is heard of it: it ${what}`, async () => {
    using scene = loadingScene(ending);
    const heard: string[] = [];
    scene.worker.onmessage = ({ data }) => void heard.push(data);
    scene.worker.onerror = (event) => {
      event.preventDefault();
      heard.push(event.message);
    };
    await scene.loads;
    scene.worker.terminate();
    scene.post("go on");
    for (let at = 0; at < LATER && !scene.wentOn(); at++) await laterWorker();
    scene.post("end");
    await laterWorker();
    assertEquals([scene.wentOn(), heard], [true, []]);
  });
}

Deno.test("startWorker() keeps its own word, and passes everything else on", async () => {
  const words = ["first", LOADED, "second"];
  const worker = startWorker(moduleOf(words.map((word) => `postMessage("${word}");`).join("")), "none");
  const heard: string[] = [];
  await new Promise<void>((resolve) => {
    worker.onmessage = ({ data }) => {
      heard.push(data);
      if (data === "second") resolve();
    };
  });
  worker.terminate();
  assertEquals(heard, ["first", "second"]);
});

Deno.test("startWorker() ends a worker that is loaded at once, and posts nothing to one that has ended", async () => {
  const name = crypto.randomUUID();
  using channel = channelOf(name);
  const code = `const told = new BroadcastChannel("${name}");
    onmessage = ({ data }) => told.postMessage(data); postMessage("here");`;
  const worker = startWorker(moduleOf(code), "none");
  await new Promise((resolve) => worker.onmessage = resolve);
  worker.postMessage("before");
  await channel.first;
  worker.terminate();
  worker.postMessage("after");
  await laterWorker();
  assertEquals(channel.said, ["before"]);
});

Deno.test("workers that are ended while they load keep no later one from starting, nor the process from its end", async () => {
  const fixture = new URL("../../../fixtures/ended_workers.ts", import.meta.url).href;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "--no-lock", "--unstable-worker-options", "--allow-read", fixture],
  }).output();
  const text = new TextDecoder();
  assertEquals([text.decode(stdout), text.decode(stderr), code], ["12 of 12", "", 0]);
});

/** A worker whose module waits until it may go on. */
function loadingScene(ending: string) {
  const name = crypto.randomUUID();
  const channel = channelOf(name);
  const code = `const told = new BroadcastChannel("${name}");
    const hears = (word) => new Promise((resolve) => {
      told.addEventListener("message", ({ data }) => data === word && resolve());
    });
    const [mayGoOn, mayEnd] = [hears("go on"), hears("end")];
    told.postMessage("loads");
    await mayGoOn;
    told.postMessage("went on");
    await mayEnd;
    ${ending}`;
  return {
    worker: startWorker(moduleOf(code), "none"),
    loads: channel.first,
    post: channel.post,
    wentOn: () => channel.said.includes("went on"),
    [Symbol.dispose]: () => channel[Symbol.dispose](),
  };
}

/** What workers say to each other: that is heard after their end, too. */
function channelOf(name: string) {
  const channel = new BroadcastChannel(name);
  const said: string[] = [];
  const first = Promise.withResolvers<void>();
  channel.onmessage = ({ data }) => {
    said.push(data);
    first.resolve();
  };
  return {
    said,
    first: first.promise,
    post: (word: string) => channel.postMessage(word),
    [Symbol.dispose]: () => channel.close(),
  };
}

/** Starts a worker and hears of it, which takes longer than a message on its way. */
async function laterWorker(): Promise<void> {
  const worker = startWorker(moduleOf(`postMessage("here");`), "none");
  await new Promise((resolve) => worker.onmessage = resolve);
  worker.terminate();
}

function moduleOf(code: string): URL {
  return new URL(`data:text/javascript,${encodeURIComponent(code)}`);
}
