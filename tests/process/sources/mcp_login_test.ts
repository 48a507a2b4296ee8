import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";

import { boxWorks } from "../../support/box.ts";
import { type AuthorizationOptions, authorizationServer } from "../../support/mcp/authorization_server.ts";
import { streamableServer } from "../../support/mcp/remote_servers.ts";
import type { Ended, Running } from "../../support/program.ts";
import { makeScene } from "../../support/cli/scene.ts";

/** Both streams in one, and files as open as the program leaves them. */
const OPEN_UMASK = ["/bin/sh", "-c", 'umask 0; exec "$@" 2>&1', "sh"];

/** A server that wants a login, and a user who has not logged in. */
function loginScene(options: AuthorizationOptions = {}) {
  const logins = authorizationServer(options);
  const remote = streamableServer({ before: logins.guard });
  const made = makeScene({ "home/x": "" });
  made.write("mcp.json", JSON.stringify({ mcpServers: { s: { type: "http", url: remote.mcp } } }));
  const net = `--allow-private-net=${remote.host},${logins.host}`;
  const flags = ["--mcp", "../mcp.json", `--allow-net=${remote.host},${logins.host}`, net];
  const logIn = () => made.start(["mcp", "login", "s", ...flags], { before: OPEN_UMASK });
  return {
    ...{ made, logins, flags, logIn, store: made.at("state/bulkhead/logins") },
    call: (more: readonly string[] = []) =>
      made.run(["call", "mcp_s_echo", '{"message":"hi"}', ...flags, ...more]),
    async [Symbol.asyncDispose]() {
      await remote[Symbol.asyncDispose]();
      await logins[Symbol.asyncDispose]();
      made[Symbol.dispose]();
    },
  };
}

/** The address that the program prints. */
async function address(running: Running): Promise<string> {
  for (let line = await running.nextLine(); line !== null; line = await running.nextLine()) {
    if (line.startsWith("http")) return line;
  }
  return (await running.ended()).stdout;
}

/** Does as a browser does: goes there, and where it is sent. Returns the last page. */
async function browse(url: string, change: (to: URL) => void = () => {}): Promise<string> {
  const first = await fetch(url, { redirect: "manual" });
  await first.body?.cancel();
  const to = new URL(first.headers.get("location")!);
  change(to);
  const page = await fetch(to);
  return `${page.status} ${await page.text()}`;
}

/** Nothing shows a login: no output, and no tool or program of a run that may read everything. */
async function tryToSee(
  { made, call, store }: ReturnType<typeof loginScene>,
  kept: string,
): Promise<Ended[]> {
  const seen = [await call(["--json", "--audit", made.at("audit.jsonl")])];
  assertStringIncludes(seen[0]!.stdout, "hi");
  const read = JSON.stringify({ path: kept });
  const shell = JSON.stringify({ command: `cat ${kept}; cp -r ${store} . ; grep -r token ..; true` });
  const all = ["--allow-all", `--allow-secrets=${store}`];
  seen.push(await made.run(["call", "Read", read, ...all]));
  // Programs without a sandbox do all that the user may: that is said to whoever turns it off.
  seen.push(await made.run(["call", "Read", read, ...all, "--sandbox=off"]));
  if (boxWorks) seen.push(await made.run(["call", "Bash", shell, ...all]));
  for (const at of [1, 2]) {
    assertEquals(seen[at]!.code, 3);
    assertStringIncludes(seen[at]!.stderr, "no flag opens it");
  }
  return seen;
}

Deno.test("mcp login proves who one is, calls renew it, and mcp logout forgets it", async () => {
  const late: { page?: string; back?: URL } = {};
  await using scene = loginScene({
    sendBack: (to) => late.back = to,
    // The browser comes a second time, while the first one counts.
    beforeCode: async () => {
      const page = await fetch(late.back!);
      late.page = `${page.status} ${await page.text()}`;
    },
  });
  const { made, logins, store } = scene;
  const before = await scene.call();
  assertStringIncludes(before.stderr, "it wants a login: bulkhead mcp login s");
  const running = scene.logIn();
  const url = await address(running);
  const pages = [await browse(url, (to) => to.searchParams.set("state", "other")), await browse(url)];
  assertMatch(pages[0]!, /^400 .*belongs to another login/);
  assertMatch(pages[1]!, /^200 .*You can close this page/);
  const done = await running.ended();
  assertEquals([done.code, done.stdout.split("\n").at(-2)], [0, 'bulkhead: logged in at server "s"']);
  assertMatch(late.page!, /^410 .*This login is over/);
  const asked = new URL(url).searchParams;
  const [exchange] = logins.asked.filter(({ body }) => body.grant_type === "authorization_code");
  assertEquals(asked.get("code_challenge_method"), "S256");
  assertEquals([exchange?.body.resource, exchange?.body.redirect_uri], [
    asked.get("resource"),
    asked.get("redirect_uri"),
  ]);
  const [kept] = [...Deno.readDirSync(store)].map(({ name }) => `${store}/${name}`);
  const modes = [store, kept!].map((path) => (Deno.lstatSync(path).mode! & 0o777).toString(8));
  assertEquals(modes, ["700", "600"]);

  const seen = await tryToSee(scene, kept!);
  const tokens = () => JSON.parse(Deno.readTextFileSync(kept!)).tokens as Record<string, string>;
  const old = tokens();
  logins.expire();
  assertStringIncludes((await scene.call()).stdout, "hi");
  assert(tokens().access_token !== old.access_token);
  const secrets = [old, tokens()].flatMap((
    { access_token, refresh_token },
  ) => [access_token!, refresh_token!]);
  const text = JSON.stringify([seen, done, before]) + made.read("audit.jsonl");
  assertEquals(secrets.filter((secret) => text.includes(secret)), []);

  // It is revoked: what the message says to do helps.
  logins.expire();
  logins.forget();
  const revoked = await scene.call();
  assertStringIncludes(revoked.stderr, "its login does not hold any longer: bulkhead mcp login s");
  const again = scene.logIn();
  await browse(await address(again));
  assertEquals((await again.ended()).code, 0);
  assertStringIncludes((await scene.call()).stdout, "hi");
  const out = await made.run(["mcp", "logout", "s", ...scene.flags]);
  assertEquals([out.code, out.stderr], [0, 'bulkhead: the login at server "s" is forgotten\n']);
  assertEquals([...Deno.readDirSync(store)], []);
  assertStringIncludes((await scene.call()).stderr, "it wants a login");
});

/** What comes back, and what is said. */
const REFUSED: readonly (readonly [what: string, options: AuthorizationOptions, said: string])[] = [
  ["that was refused", {
    sendBack(to) {
      to.searchParams.delete("code");
      to.searchParams.set("error", "access_denied");
    },
  }, "refused the login: access_denied"],
  [
    "with the code of another server",
    { sendBack: (to) => to.searchParams.set("code", "other") },
    "refused the login: invalid_grant",
  ],
  [
    "of another login server",
    { sendBack: (to) => to.searchParams.set("iss", "https://evil.example") },
    "came back from another login server",
  ],
  ["of nobody", { sendBack: (to) => to.searchParams.delete("iss") }, "came back from another login server"],
];

for (const [what, options, said] of REFUSED) {
  Deno.test(`mcp login refuses a login ${what}`, async () => {
    await using scene = loginScene(options);
    const running = scene.logIn();
    assertMatch(await browse(await address(running)), /^200 /);
    const { code, stdout } = await running.ended();
    assertStringIncludes(stdout, said);
    assert(code !== 0);
    const kept = [...Deno.readDirSync(scene.store)].map(({ name }) =>
      scene.made.read(`state/bulkhead/logins/${name}`)
    );
    assert(!kept.join("").includes("access_token"), kept.join(""));
  });
}

Deno.test("mcp login shows no address that goes over an open wire, and Ctrl-C ends it without a rest", async () => {
  await using open = loginScene({ logInAt: "http://login.example/authorize" });
  const refused = await open.logIn().ended();
  assertStringIncludes(refused.stdout, 'it logs in at "http://login.example"');
  assert(refused.code !== 0 && !refused.stdout.includes("open this address"));

  await using scene = loginScene();
  const running = scene.logIn();
  assertStringIncludes(await address(running), "redirect_uri=");
  running.kill("SIGINT");
  assertEquals((await running.ended()).code, 130);
  // The system's lock ended with the process: the next one takes it, and leaves nothing.
  assertEquals((await scene.made.run(["mcp", "logout", "s", ...scene.flags])).code, 0);
  assertEquals([...Deno.readDirSync(scene.store)], []);
});

Deno.test("mcp login and mcp logout say that there is no such server, also where there is none", async () => {
  using made = makeScene();
  for (const action of ["login", "logout"]) {
    const { code, stderr } = await made.run(["mcp", action, "nosuch"]);
    assertEquals(code, 1, stderr);
    assertStringIncludes(stderr, 'Unknown server "nosuch": no server is named at all, pass --mcp FILE');
  }
});
