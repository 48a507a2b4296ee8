import { assertEquals } from "@std/assert";

import { chromiumWords } from "../../../../runtime/browser/chromium_words.ts";

/** What keeps pages to the gate; the rest of the words is about looks and habits. */
const HOLDS =
  /^--(?:no-sandbox|disable-quic|proxy-|host-resolver|.*webrtc|user-data-dir|remote-debugging|disable-background-networking)/;
const heldBy = (...given: Parameters<typeof chromiumWords>) =>
  chromiumWords(...given).filter((word) => HOLDS.test(word));

Deno.test(
  "chromiumWords() leads every page through the gate, and keeps the browser's own walls where no box is one",
  { permissions: "none" },
  () => {
    const gate = (host: string, port: number) => [
      "--disable-quic",
      `--proxy-server=http://${host}:${port}`,
      "--proxy-bypass-list=<-loopback>",
      `--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE ${host}`,
      "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
      "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    ];
    const always = ["--remote-debugging-pipe", "--disable-background-networking"];
    assertEquals(heldBy("/c"), [
      ...always,
      "--user-data-dir=/tmp/bulkhead-browser",
      "--no-sandbox",
      ...gate("127.0.0.1", 3128),
    ]);
    const outside = { port: 4000, profile: "/p", isRoot: false };
    assertEquals(heldBy("/c", outside), [...always, "--user-data-dir=/p", ...gate("127.0.0.1", 4000)]);
    assertEquals(heldBy("/c", { ...outside, isRoot: true }).includes("--no-sandbox"), true);
  },
);
