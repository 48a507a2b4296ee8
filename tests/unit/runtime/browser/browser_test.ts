import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";

import { browserBinary } from "../../../../runtime/browser/browser_binary.ts";
import { browserNeeds } from "../../../../runtime/browser/browser_needs.ts";
import { startBoxed, startUnboxed } from "../../../../runtime/browser/browser_start.ts";
import { THROUGH_PIPES } from "../../../../runtime/browser/chromium_words.ts";
import { findChromium } from "../../../../runtime/browser/find_chromium.ts";
import { settle } from "../../../../runtime/browser/inside/settle.ts";
import { checkAddress, refusedHosts, whyUnreached } from "../../../../runtime/browser/reached.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { boxTest } from "../../../support/box.ts";
import { workspace } from "../../../support/run_tool.ts";
import { sourceHost } from "../../../support/sources/source_host.ts";
import type { Tab } from "../../../../runtime/browser/inside/tab.ts";
import type { Connection } from "../../../../schemas/net.ts";

const installed = (...names: string[]) => (name: string) => names.includes(name) ? `/usr/bin/${name}` : null;

Deno.test("the browser that the user names wins, and is not replaced by another one", () => {
  const find = installed("chromium", "brave");
  const named = (BULKHEAD_CHROMIUM: string) => findChromium({ BULKHEAD_CHROMIUM }, find);
  assertEquals(named("/opt/chrome/chrome"), { path: "/opt/chrome/chrome", named: true });
  assertEquals(named("brave"), { path: "/usr/bin/brave", named: true });
  assertEquals(named("missing"), null);
  assertEquals(named(" "), { path: "/usr/bin/chromium", named: false });
});

Deno.test("without a name the usual ones are looked for, in order", () => {
  assertEquals(findChromium({}, installed("google-chrome", "chromium"))?.path, "/usr/bin/chromium");
  assertEquals(findChromium({}, installed("google-chrome"))?.path, "/usr/bin/google-chrome");
  assertEquals(findChromium({}, installed("firefox")), null);
});

Deno.test("a package's script is replaced by the program that it starts, a user's own script is not", () => {
  const scripts = ["bin/chromium", "chrome/google-chrome", "mine/chromium"];
  using ws = workspace({
    ...Object.fromEntries(scripts.map((path) => [path, "#!/bin/sh\n"])),
    ...{ "chromium/chromium": "\x7fELF", "chrome/chrome": "\x7fELF", "bin/chromium-real": "\x7fELF" },
  });
  Deno.symlinkSync(ws.at("chrome/google-chrome"), ws.at("bin/google-chrome"));
  const binaries = ["chromium/chromium", "chrome/chrome", "edge/edge"].map(ws.at);
  const started = (path: string) => browserBinary(ws.at(path), { binaries, scripts: ws.at("bin") });
  assertEquals([started("bin/chromium"), started("bin/google-chrome")], binaries.slice(0, 2));
  for (const path of ["mine/chromium", "bin/chromium-real", "bin/missing"]) {
    assertEquals(started(path), ws.at(path));
  }
});

Deno.test("a browser needs the network, its own folder and no file of the user", () => {
  const { net, read, write, packages } = browserNeeds("/usr/bin/env");
  assertEquals([net, read, write, packages], [true, undefined, undefined, []]);
  using own = workspace({ chrome: "" });
  assertEquals(browserNeeds(own.at("chrome")).packages, [own.path]);
  assertEquals(browserNeeds(own.at("missing")).packages, []);
});

boxTest("what speaks through descriptors 3 and 4 is reached by the pipes, and sees no file", async () => {
  await using ws = workspace({ "a.txt": "mine" });
  await using opened = await sourceHost(ws.path, { grants: { toolchains: "off" } });
  const programs = opened.host.programsFor(browserNeeds(null));
  const script = `cat ${ws.path}/a.txt >&2; echo "$http_proxy" >&2; cat <&3 >&4`;
  const program = await programs.pipe({ argv: ["sh", "-c", script] }, {
    isNamed: true,
    before: THROUGH_PIPES,
  });
  await program.write(new TextEncoder().encode("hello\0"));
  const reader = program.stdout.getReader();
  const { value } = await reader.read();
  assertEquals(new TextDecoder().decode(value), "hello\0");
  await program.close();
  assert(!program.stderr.includes("mine"), program.stderr);
  assert(program.stderr.includes("http://127.0.0.1:3128"), program.stderr);
  assertEquals(program.audited().argv, ["sh", "-c", script]);
});

const CONNECTION: Connection = {
  ...{ who: "chromium", host: "shop.example", port: 443, address: "203.0.113.5", decision: "allowed" },
  ...{ rule: "public", sentBytes: 1, receivedBytes: 1 },
};
const LOOPBACK: Connection = {
  ...{ ...CONNECTION, host: "127.0.0.1", port: 8080, address: null, decision: "refused", reason: "private" },
  ...{ rule: "it is an address of this machine", flag: "--allow-private-net=127.0.0.1:8080" },
};

Deno.test("only addresses of pages can be opened", () => {
  for (const url of ["https://shop.example/a?b#c", "http://[::1]/", "about:blank", "data:text/html,hello"]) {
    checkAddress({ do: "open", url });
  }
  const refused = [
    ...["shop.example", "file:///etc/passwd", "chrome://version", "about:version", "javascript:alert(1)"],
    ...["", "view-source:https://shop.example", "https://ann:secret@shop.example/"],
  ];
  for (const url of refused) {
    const { code } = assertThrows(() => checkAddress({ do: "open", url }), ToolError);
    assertEquals(code, "invalid_input", url);
  }
});

Deno.test("a page that the gate refused is refused with the flag that grants it", () => {
  const refusal = whyUnreached("http://127.0.0.1:8080/a", [CONNECTION, LOOPBACK]);
  assertEquals([refusal?.code, refusal?.details.flag], ["permission_denied", LOOPBACK.flag]);
  assertEquals(whyUnreached("http://127.0.0.1:9090/a", [LOOPBACK]), null);
  const unreached = { ...CONNECTION, decision: "failed", rule: "connection refused" } as const;
  assertEquals(whyUnreached("https://shop.example/", [unreached])?.code, "external_failure");
  assertEquals(whyUnreached("https://shop.example/", [unreached, CONNECTION]), null);
});

Deno.test("hosts that a page asked for and was refused are told, each once and not too many", () => {
  const others = Array.from({ length: 8 }, (_, at) => ({ ...LOOPBACK, port: 9000 + at }));
  const [first, ...rest] = refusedHosts([LOOPBACK, CONNECTION, LOOPBACK, ...others]);
  assertEquals(
    first,
    "The page asked for 127.0.0.1:8080, which was refused: it is an address of this machine, pass " +
      "--allow-private-net=127.0.0.1:8080 to grant it",
  );
  assertEquals([rest.length, rest.at(-1)], [5, "The page was refused 4 more hosts"]);
});

/** A tab whose page answers when it is told to. */
function slowTab() {
  const answer = Promise.withResolvers<unknown>();
  const asked = Promise.withResolvers<void>();
  const frame = { isolatedRealm: () => ({ hasContext: () => false }), detached: true };
  const tab = {
    page: { isClosed: () => false, mainFrame: () => frame },
    session: {
      send: () => {
        asked.resolve();
        return answer.promise;
      },
    },
    loading: false,
    expectedUntil: 0,
    asked: null,
    hasCrashed: false,
    crash: Promise.withResolvers<void>(),
  };
  return { tab: tab as unknown as Tab, asked: asked.promise, answer };
}

Deno.test("a page that an action wants is waited for, also where that is told late", async () => {
  const { tab, asked, answer } = slowTab();
  let looks = 0;
  const settling = settle(tab);
  await asked;
  Object.defineProperty(tab, "loading", { get: () => ++looks < 3 });
  answer.resolve({});
  await settling;
  assertEquals(looks, 3);
});

Deno.test("a page that hangs, crashes or was only looked at keeps nobody", async () => {
  await settle(slowTab().tab);
  const { tab, asked } = slowTab();
  const settling = settle(tab);
  await asked;
  tab.hasCrashed = true;
  tab.crash.resolve();
  await settling;
  const looked = slowTab();
  let isAsked = false;
  void looked.asked.then(() => isAsked = true);
  await settle(looked.tab, { hasActed: false });
  assertEquals(isAsked, false);
});

const door = (port: number) => {
  const ended = { count: 0 };
  const open = () =>
    Promise.resolve({
      loopback: port,
      take: () => Promise.resolve([]),
      close: () => Promise.resolve(void ended.count++),
    });
  return { open, ended };
};

Deno.test("a browser in a sandbox has its place there, and no folder of this machine", () => {
  const { argv, env, folder, downloads, warnings } = startBoxed("/usr/bin/chromium");
  const told = ["/usr/bin/chromium", {}, undefined, undefined, []];
  assertEquals([argv[0], env, folder, downloads, warnings], told);
  assert(argv.includes("--no-sandbox"));
});

Deno.test("a browser without one has a private folder each time, and a way of its own to the gate", async () => {
  const { open, ended } = door(4321);
  const one = await startUnboxed("/usr/bin/chromium", open);
  const other = await startUnboxed("/usr/bin/chromium", open);
  assert(one.folder !== undefined && one.folder !== other.folder);
  assert(one.argv.includes("--proxy-server=http://127.0.0.1:4321"));
  assert(one.argv.includes("--proxy-bypass-list=<-loopback>"));
  assert(one.argv.includes(`--user-data-dir=${one.folder}/profile`));
  assertEquals(one.env, { HOME: one.folder, TMPDIR: one.folder });
  // Its own sandbox takes any user but root.
  assertEquals(one.argv.includes("--no-sandbox"), Deno.uid() === 0);
  assertEquals(one.warnings.some((line) => line.includes("it runs as root")), Deno.uid() === 0);
  await one.end();
  assertEquals(ended.count, 1);
  const none = () => Promise.resolve({ take: () => Promise.resolve([]), close: () => Promise.resolve() });
  await assertRejects(() => startUnboxed("/usr/bin/chromium", none), ToolError, "no port");
});
