import { assertEquals } from "@std/assert";

import { startWorker } from "../../../../runtime/self/start_worker.ts";
import { LOADED } from "../../../../runtime/self/say_loaded.ts";

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
