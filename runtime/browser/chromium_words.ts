import { PROXY } from "../walls/box/joined_network.ts";

/** Size of the window, in pixels. */
const WINDOW = { width: 1280, height: 1100 } as const;
/** Most bytes of the cache: it lies in the box's own memory. */
const CACHE_BYTES = 64 * 1024 * 1024;

/** Words that start a browser with pipes: its protocol goes through descriptors 3 and 4, and a program with pipes has 0 and 1. */
export const THROUGH_PIPES: readonly string[] = ["sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >&2', "sh"];

/** Returns the command line of a browser in a box, whose network leads to the gate alone, and with which all ends that it writes. */
export function chromiumWords(path: string): string[] {
  return [path, ...ALWAYS, ...BOXED, "about:blank"];
}

const ALWAYS = [
  "--headless",
  "--remote-debugging-pipe",
  "--user-data-dir=/tmp/bulkhead-browser",
  `--window-size=${WINDOW.width},${WINDOW.height}`,
  `--disk-cache-size=${CACHE_BYTES}`,
  "--disable-gpu",
  "--disable-smooth-scrolling",
  "--mute-audio",
  "--no-first-run",
  "--no-default-browser-check",
  "--password-store=basic",
  // A page that is gone back to is loaded, and has new numbers.
  "--disable-back-forward-cache",
  // What it would do for itself beside the pages.
  "--disable-background-networking",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-update",
  "--disable-crash-reporter",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-sync",
  "--metrics-recording-only",
  "--no-pings",
  "--disable-features=AutofillServerCommunication,DialMediaRouteProvider,MediaRouter,OptimizationHints,Translate",
];

/** In the box the gate resolves names, and is the only way out: the rest says so to the browser, so that it does not try. */
const BOXED = [
  // The box forbids the namespaces of which its own walls would be made; the box is the wall.
  "--no-sandbox",
  "--test-type",
  "--disable-quic",
  `--proxy-server=http://${PROXY.host}:${PROXY.port}`,
  // Without this, loopback addresses would be reached past the proxy.
  "--proxy-bypass-list=<-loopback>",
  `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${PROXY.host}`,
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
];
