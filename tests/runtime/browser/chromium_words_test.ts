import { createSocket } from "node:dgram";
import { once } from "node:events";
import { assert, assertEquals, assertRejects } from "@std/assert";

import { ToolError } from "../../../schemas/error.ts";
import { browserScene, browserTest } from "../../support/web/browser_scene.ts";

/** Ways of a page to an address. `%URL%` is that address, `%HOST%` its host and port. */
const WAYS = `<base target=_self>
<img src="%URL%/img"><img srcset="%URL%/srcset 1x"><link rel=stylesheet href="%URL%/css"><link rel=icon href="%URL%/icon">
<link rel=prefetch href="%URL%/prefetch"><link rel=preconnect href="%URL%"><link rel=dns-prefetch href="%URL%">
<link rel=preload as=script href="%URL%/preload"><link rel=manifest href="%URL%/manifest"><script src="%URL%/js"></script>
<iframe src="%URL%/frame"></iframe><embed src="%URL%/embed"><object data="%URL%/object"></object><video src="%URL%/video"></video>
<audio src="%URL%/audio"></audio><iframe src="/redirect"></iframe><img src="/redirect"><div style="background:url(%URL%/bg)">x</div>
<iframe srcdoc="<img src='%URL%/srcdoc'>"></iframe><form id=f action="%URL%/form" method=post target=g></form><iframe name=g></iframe>
<svg><image href="%URL%/svg"/></svg>
<script type=speculationrules>{"prefetch":[{"source":"list","urls":["%URL%/spec"]}]}</script>
<script>
const no = () => {};
const tries = [
  () => fetch("%URL%/fetch", { mode: "no-cors" }), () => fetch("/redirect", { mode: "no-cors" }),
  () => navigator.sendBeacon("%URL%/beacon", "x"), () => new EventSource("%URL%/events"),
  () => new WebSocket("ws://%HOST%/ws"), () => new WebSocket("wss://%HOST%/wss"), () => f.submit(),
  () => new Worker(URL.createObjectURL(new Blob(["fetch('%URL%/worker',{mode:'no-cors'});importScripts('%URL%/import')"]))),
  () => navigator.serviceWorker.register("/sw.js"), () => open("%URL%/popup"), () => import("%URL%/module.js"),
  () => new WebTransport("https://%HOST%/wt").ready,
  () => { const x = new XMLHttpRequest(); x.open("GET", "%URL%/xhr"); x.send(); },
  async () => {
    const pc = new RTCPeerConnection({ iceServers: [{ urls: ["stun:%HOST%", "turn:%HOST%?transport=tcp", "turn:%HOST%"], username: "u", credential: "c" }] });
    pc.createDataChannel("x");
    await pc.setLocalDescription(await pc.createOffer());
  },
];
for (const one of tries) { try { Promise.resolve(one()).catch(no); } catch {} }
document.title = "tried";
</script>`;

/** A place on this machine that a browser must not reach: counts connections and datagrams. */
async function listener() {
  const tcp = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const reached = { count: 0 };
  const accepting = (async () => {
    for await (const conn of tcp) {
      reached.count++;
      conn.close();
    }
  })();
  const udp = createSocket("udp4");
  udp.on("message", () => void reached.count++);
  udp.bind(tcp.addr.port, "127.0.0.1");
  await once(udp, "listening");
  return {
    port: tcp.addr.port,
    reached,
    async [Symbol.asyncDispose]() {
      tcp.close();
      udp.close();
      await accepting.catch(() => {});
    },
  };
}

browserTest("a page reaches no address of this machine that is not granted, whatever it tries", async () => {
  await using target = await listener();
  const host = `127.0.0.1:${target.port}`;
  const spellings = [host, `localhost:${target.port}`, `[::1]:${target.port}`, `2130706433:${target.port}`];
  const spelled = (host: string) => WAYS.replaceAll("%URL%", `http://${host}`).replaceAll("%HOST%", host);
  const pages = Object.fromEntries(spellings.map((host, at) => [`/attack${at}`, spelled(host)]));
  await using scene = await browserScene({
    ...pages,
    "/redirect": () =>
      new Response(null, { status: 302, headers: { location: `http://${host}/redirected` } }),
    "/sw.js": () =>
      new Response(`fetch("http://${host}/sw", { mode: "no-cors" })`, {
        headers: { "content-type": "text/javascript" },
      }),
  });
  for (const [at] of spellings.entries()) {
    const { page } = await scene.open(`/attack${at}`);
    assert(page.title === "tried" || page.tabs.some(({ title }) => title === "tried"), JSON.stringify(page));
    await scene.act({ do: "wait", ms: 1_000 });
  }
  assertEquals(target.reached.count, 0);
  assert(scene.connections.some(({ decision }) => decision === "refused"), "nothing was tried");
  const refusal = await assertRejects(() => scene.act({ do: "open", url: `http://${host}/` }), ToolError);
  assertEquals([refusal.code, refusal.details.flag], ["permission_denied", `--allow-private-net=${host}`]);
  const redirected = await scene.open("/redirect").catch((error: unknown) => error);
  assertEquals(target.reached.count, 0, String(redirected));
});
