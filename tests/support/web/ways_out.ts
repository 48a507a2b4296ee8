import { createSocket } from "node:dgram";
import { once } from "node:events";

/** Ways of a page to an address of its own accord. `%URL%` is that address, `%HOST%` its host and port. */
const WAYS = `<base target=_self>
<img src="%URL%/img"><img srcset="%URL%/srcset 1x"><link rel=stylesheet href="%URL%/css"><link rel=icon href="%URL%/icon">
<link rel=prefetch href="%URL%/prefetch"><link rel=preconnect href="%URL%"><link rel=dns-prefetch href="%URL%">
<link rel=preload as=script href="%URL%/preload"><link rel=manifest href="%URL%/manifest"><script src="%URL%/js"></script>
<iframe src="%URL%/frame"></iframe><embed src="%URL%/embed"><object data="%URL%/object"></object><video src="%URL%/video"></video>
<audio src="%URL%/audio"></audio><iframe src="/redirect"></iframe><img src="/redirect"><div style="background:url(%URL%/bg)">x</div>
<iframe srcdoc="<img src='%URL%/srcdoc'>"></iframe><form id=f action="%URL%/form" method=post target=g></form><iframe name=g></iframe>
<iframe srcdoc="<meta http-equiv=refresh content='0;url=%URL%/refresh'>"></iframe><iframe src="view-source:%URL%/source"></iframe>
<iframe src="file:///etc/passwd"></iframe><iframe src="data:text/html,<img src='%URL%/data'>"></iframe>
<style>@import "%URL%/import.css"; @font-face { font-family: f; src: url(%URL%/font) } p { font-family: f }</style><p>words</p>
<svg><image href="%URL%/svg"/><use href="%URL%/use#a"/></svg><a id=p href="#" ping="%URL%/ping">p</a>
<script type=speculationrules>{"prefetch":[{"source":"list","urls":["%URL%/spec"]}],"prerender":[{"source":"list","urls":["/redirect?2"]}]}</script>
<script>
const no = () => {};
const tries = [
  () => fetch("%URL%/fetch", { mode: "no-cors" }), () => fetch("/redirect", { mode: "no-cors" }),
  () => fetch("%URL%/keep", { mode: "no-cors", keepalive: true }), () => p.click(),
  () => navigator.sendBeacon("%URL%/beacon", "x"), () => new EventSource("%URL%/events"),
  () => new WebSocket("ws://%HOST%/ws"), () => new WebSocket("wss://%HOST%/wss"), () => f.submit(),
  () => new Worker(URL.createObjectURL(new Blob(["fetch('%URL%/worker',{mode:'no-cors'});importScripts('%URL%/import')"]))),
  () => new SharedWorker(URL.createObjectURL(new Blob(["fetch('%URL%/shared',{mode:'no-cors'})"]))),
  () => navigator.serviceWorker.register("/sw.js"), () => open("%URL%/popup"), () => import("%URL%/module.js"),
  () => new WebTransport("https://%HOST%/wt").ready, () => CSS.paintWorklet?.addModule("%URL%/worklet"),
  () => { const x = new XMLHttpRequest(); x.open("GET", "%URL%/xhr"); x.send(); },
  async () => {
    const pc = new RTCPeerConnection({ iceServers: [{ urls: ["stun:%HOST%", "turn:%HOST%?transport=tcp", "turn:%HOST%", "turns:%HOST%"], username: "u", credential: "c" }] });
    pc.createDataChannel("x");
    await pc.setLocalDescription(await pc.createOffer());
  },
  async () => {
    const [pc, other] = [new RTCPeerConnection(), new RTCPeerConnection()];
    pc.createDataChannel("x");
    await pc.setLocalDescription(await pc.createOffer());
    await other.setRemoteDescription(pc.localDescription);
    await other.setLocalDescription(await other.createAnswer());
    await pc.setRemoteDescription(other.localDescription);
    const [host, port] = "%HOST%".split(/:(?=[0-9]+$)/);
    for (const kind of ["udp", "tcp"]) {
      const tcp = kind === "tcp" ? " tcptype passive" : "";
      await pc.addIceCandidate({ candidate: "candidate:1 1 " + kind + " 2122260223 " + host + " " + port + " typ host" + tcp, sdpMid: "0" }).catch(no);
    }
  },
];
for (const one of tries) { try { Promise.resolve(one()).catch(no); } catch {} }
document.title = "tried";
</script>`;

/** The answers of a server of such a page, by their paths: the page itself is at `page`. */
export function waysTo(host: string, page = "/attack") {
  const text = WAYS.replaceAll("%URL%", `http://${host}`).replaceAll("%HOST%", host);
  const script = `fetch("http://${host}/sw", { mode: "no-cors" });
    onfetch = (event) => event.respondWith(fetch("http://${host}/sw2", { mode: "no-cors" }))`;
  return {
    [page]: text,
    "/redirect": () =>
      new Response(null, { status: 302, headers: { location: `http://${host}/redirected` } }),
    "/sw.js": () => new Response(script, { headers: { "content-type": "text/javascript" } }),
    "/refresh": `<meta http-equiv=refresh content="0;url=http://${host}/refreshed">going on`,
    "/place": `<script>location = "http://${host}/placed"</script>going on`,
    "/use": `<a href="http://${host}/link">a link</a><a href="http://${host}/link" target=_blank>a tab</a>
      <a href="http://${host}/file" download>a file</a><a href="view-source:http://${host}/">its source</a>
      <a href="file:///etc/passwd">a path</a><a href="chrome://version">a page of the browser</a>
      <form action="http://${host}/form" method=post><button>send</button></form>`,
  };
}

/** A place on this machine that a browser must not reach: counts connections and datagrams. */
export async function unreachedPlace(hostname: string) {
  const tcp = Deno.listen({ hostname, port: 0 });
  const reached = { count: 0 };
  const accepting = (async () => {
    for await (const conn of tcp) {
      reached.count++;
      conn.close();
    }
  })();
  const udp = createSocket(hostname.includes(":") ? "udp6" : "udp4");
  udp.on("message", () => void reached.count++);
  udp.bind(tcp.addr.port, hostname);
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
