import { PROXY } from "../walls/box/joined_network.ts";

/** Size of the window, in pixels. */
const WINDOW = { width: 1280, height: 1100 } as const;
/** Most bytes of the cache: it lies in the box's own memory. */
const CACHE_BYTES = 64 * 1024 * 1024;

/** Words that start a browser with pipes: its protocol goes through descriptors 3 and 4, and a program with pipes has 0 and 1. */
export const THROUGH_PIPES: readonly string[] = ["sh", "-c", 'exec "$@" 3<&0 4>&1 </dev/null >&2', "sh"];

/** A place for a browser without a box. */
export interface Outside {
  /** The port of the gate on this machine's loopback. */
  port: number;
  /** An empty folder. Absolute. */
  profile: string;
  /** It runs as root, which its own sandbox does not take. */
  isRoot: boolean;
}

/**
 * Returns the command line of a browser.
 *
 * @param outside `null` in a box, whose network leads to the gate alone, and with which all ends that it writes
 */
export function chromiumWords(path: string, outside: Outside | null = null): string[] {
  const profile = outside?.profile ?? "/tmp/bulkhead-browser";
  const proxy = outside === null ? PROXY : { host: "127.0.0.1", port: outside.port };
  // The box forbids the namespaces of which its own walls would be made; the box is the wall.
  const unheld = outside === null || outside.isRoot ? ["--no-sandbox", "--test-type"] : [];
  return [path, ...ALWAYS, `--user-data-dir=${profile}`, ...unheld, ...gateWords(proxy), "about:blank"];
}

const ALWAYS = [
  "--headless",
  "--remote-debugging-pipe",
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
  "--disable-features=AutofillServerCommunication,DialMediaRouteProvider,MediaRouter,NetworkTimeServiceQuerying,OptimizationHints,Translate",
];

/**
 * The gate resolves names, and is the only way out. In the box that holds, and this says so to the browser, so that it does
 * not try; without a box, this alone holds its pages.
 */
function gateWords({ host, port }: { host: string; port: number }): string[] {
  return [
    "--disable-quic",
    `--proxy-server=http://${host}:${port}`,
    // Without this, loopback addresses would be reached past the proxy.
    "--proxy-bypass-list=<-loopback>",
    `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${host}`,
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  ];
}
