import { assertEquals } from "@std/assert";

import { unreachedPlace, waysTo } from "../support/web/ways_out.ts";
import { type AttackCall, attackTests, type Expected } from "./attack.ts";

/** What no page may reach, on all addresses of this machine; it lasts as long as the tests of this file. */
const place = await unreachedPlace("0.0.0.0");
const closed = `127.0.0.1:${place.port}`;
const address =
  Deno.networkInterfaces().find(({ family, address }) => family === "IPv4" && !address.startsWith("127."))
    ?.address ?? "127.0.0.1";
/** How long pages may try, in seconds. */
const TRY_SECONDS = 1;

/** The server that pages come from. */
const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
  const page = pages[new URL(request.url).pathname];
  if (page === undefined) return new Response("nothing here", { status: 404 });
  if (typeof page !== "string") return page();
  return new Response(`<!doctype html>${page}`, { headers: { "content-type": "text/html" } });
});
server.unref();
const pages: Readonly<Record<string, string | (() => Response)>> = {
  ...waysTo(closed),
  ...waysTo(`${address}:${place.port}`, "/outer"),
  "/upload": `<input type=file name=own onchange="document.title = 'taken'">`,
};
const open = `http://127.0.0.1:${server.addr.port}`;

/** The same walls hold in a sandbox and where the user lets the browser run without one. */
const flags = [`--allow-private-net=127.0.0.1:${server.addr.port}`, "--allow-run=chromium"];
const needs = ["program chromium"] as const;
const after = () => assertEquals(place.reached.count, 0);

const use = (input: Record<string, unknown>, refusal: Expected = "any", says?: string): AttackCall => ({
  tool: "manus/sandbox_browser",
  arguments: input,
  refusal,
  ...says !== undefined && { says },
});
const go = (url: string, refusal: Expected = "permission_denied", says?: string) =>
  use({ action: "navigate_to", url }, refusal, says);
const wait = use({ action: "wait", seconds: TRY_SECONDS }, "ok");

attackTests(18, [{
  id: "18-01",
  title: "addresses of this machine, in all spellings",
  calls: ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", address]
    .map((host) => go(`http://${host}:${place.port}/`)),
  ...{ flags, needs, after },
}, {
  id: "18-02",
  quick: true,
  title: "private addresses, and those of clouds",
  calls: ["10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "[fd00::1]", "[fe80::1]"]
    .map((host) => go(`http://${host}/`)),
  ...{ flags, needs, after },
}, {
  id: "18-03",
  title: "a host that is denied, and names of this machine's network",
  calls: ["elsewhere.example", "router", "printer.local", "db.internal"].map((host) => go(`http://${host}/`)),
  flags: [...flags, "--deny-net=elsewhere.example"],
  ...{ needs, after },
}, {
  id: "18-04",
  title: "by a link",
  calls: [go(`${open}/use`, "ok"), use({ action: "click_element", index: 0 }, "any"), wait],
  alone: true,
  ...{ flags, needs, after },
}, {
  id: "18-05",
  title: "by a redirect, a refresh, and a script that goes on",
  calls: [go(`${open}/redirect`, "any"), go(`${open}/refresh`, "any"), go(`${open}/place`, "any"), wait],
  ...{ flags, needs, after },
}, {
  id: "18-06",
  title: "by all that a page loads, opens and connects to, WebSocket and WebRTC among it",
  calls: [go(`${open}/attack`, "ok", closed), wait],
  ...{ flags, needs, after },
}, {
  id: "18-07",
  title: "the same to another address of this machine",
  calls: [go(`${open}/outer`, "ok", "was refused"), wait],
  // The worker of the page before would answer for this one.
  alone: true,
  ...{ flags, needs, after },
}, {
  id: "18-08",
  title: "files of the user and pages of the browser, by their addresses",
  calls: ["file:///etc/passwd", "view-source:file:///etc/passwd", "chrome://version", "javascript:alert(1)"]
    .map((url) => go(url, "invalid_input")),
  ...{ flags, needs, after },
}, {
  id: "18-09",
  title: "files of the user, given to a page",
  files: { "ws/mine.txt": "mine" },
  calls: [
    go(`${open}/upload`, "ok"),
    use({ action: "input_text", index: 0, text: "<ws>/mine.txt" }, [
      "permission_denied",
      "invalid_input",
      "not_found",
      "unavailable",
    ]),
    use({ action: "input_text", index: 0, text: "/etc/passwd" }, [
      "permission_denied",
      "invalid_input",
      "not_found",
      "unavailable",
    ]),
  ],
  alone: true,
  unchanged: ["."],
  ...{ flags, needs },
}]);
