import { assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import { fromFileUrl, join } from "@std/path";

import { filesBelow } from "../../../scripts/compile/files_below.ts";
import { makeArchive } from "../../../scripts/release/archive.ts";
import { TARGETS } from "../../../scripts/release/targets.ts";
import { programTest } from "../../support/needed_programs.ts";
import { run } from "../../support/program.ts";

const SCRIPT = fromFileUrl(new URL("../../../scripts/release/install.sh", import.meta.url));
const TEXTS = [
  "man/bulkhead.1",
  "completions/bulkhead.bash",
  "completions/_bulkhead",
  "completions/bulkhead.fish",
];
/** What the script runs where there is no curl. */
const FEW = "mktemp rm sed tar gzip uname cut sha256sum mkdir cp chmod mv wget".split(" ");
const NEEDED = ["sh", "tar", "gzip", "sha256sum", "wget"];

/** A release whose program says its words, a server of it, and a user. Remove its folder with `using`. */
async function makeInstall() {
  const home = await Deno.makeTempDir({ prefix: "bulkhead-install-" });
  const release = join(home, "release");
  for (const name of ["release", "user", "tmp"]) await Deno.mkdir(join(home, name));
  const binary = join(home, "program");
  await Deno.writeTextFile(binary, '#!/bin/sh\necho "bulkhead 9.9.9 $1"\n');
  const target = TARGETS.find(({ triple }) => triple === Deno.build.target)!;
  const texts = Object.fromEntries(
    [...TEXTS, "LICENSE", "THIRD_PARTY.txt"].map((name) => [name, `${name}\n`]),
  );
  const pack = (folder: string) => makeArchive({ target, version: "9.9.9", binary, texts, folder });
  const name = await pack(release);
  const bytes = await Deno.readFile(join(release, name));
  const sums = (sum: string) =>
    Deno.writeTextFile(
      join(release, "SHA256SUMS"),
      `${"0".repeat(64)}  bulkhead-9.9.9.tgz\n${sum}  ${name}\n`,
    );
  const sum = createHash("sha256").update(bytes).digest("hex");
  await sums(sum);
  const server = serveFolder(release);
  return {
    ...{ home, release, name, bytes, sum, sums, pack, url: server.url, prefix: join(home, "user/.local") },
    install: (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
      run([...words], {
        program: ["/bin/sh", SCRIPT],
        env: { HOME: join(home, "user"), TMPDIR: join(home, "tmp"), ...env },
      }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await Deno.remove(home, { recursive: true });
    },
  };
}

programTest("the script installs a release, and nothing of one with a wrong sum", NEEDED, async () => {
  await using made = await makeInstall();
  const { home, release, name, bytes, sum, sums, prefix, url, install } = made;
  assertEquals(await made.pack(home), name);
  assertEquals(await Deno.readFile(join(home, name)), bytes, "the same files make the same archive");

  await sums("1".repeat(64));
  const wrong = await install(["--from", url, "--prefix", join(home, "prefix")]);
  assertEquals([wrong.code, wrong.stdout], [1, ""]);
  assertMatch(wrong.stderr, /^bulkhead: the checksum of .* is wrong: .*; nothing was installed\n$/);
  assertEquals([...Deno.readDirSync(home)].some(({ name }) => name === "prefix"), false);
  assertEquals([...Deno.readDirSync(join(home, "tmp"))], []);

  await sums(sum);
  for (
    const [flag, said] of [["--version=9.9.8", /version 9\.9\.8 is wanted/], [
      "--sha256=00",
      /and 00 is wanted/,
    ]] as const
  ) {
    const other = await install(["--from", url, flag]);
    assertEquals([other.code, other.stdout], [1, ""], flag);
    assertMatch(other.stderr, said);
  }
  const good = await install([`--from=${url}/`, "--version", "9.9.9", `--sha256=${sum}`]);
  assertEquals([good.code, good.stderr], [0, ""]);
  assertEquals(good.stdout.split("\n")[0], `installed bulkhead 9.9.9 version as ${prefix}/bin/bulkhead`);
  assertEquals(filesBelow(prefix), [
    "bin/bulkhead",
    "share/bash-completion/completions/bulkhead",
    "share/doc/bulkhead/LICENSE",
    "share/doc/bulkhead/THIRD_PARTY.txt",
    "share/fish/vendor_completions.d/bulkhead.fish",
    "share/man/man1/bulkhead.1",
    "share/zsh/site-functions/_bulkhead",
  ]);
  assertEquals([...Deno.readDirSync(join(home, "tmp"))], []);

  assertMatch((await install([])).stderr, /knows no release; name its folder with --from/);
  assertEquals((await install(["--nope"])).code, 2);
  await Deno.writeTextFile(join(release, "SHA256SUMS"), "");
  assertMatch((await install(["--from", url])).stderr, /has no program for /);
  assertEquals((await install(["--from", `${url}/none`])).code, 1);
});

programTest("the script leaves an older program where it is until all is well", NEEDED, async () => {
  await using made = await makeInstall();
  const { home, release, name, bytes, prefix, url, install } = made;
  const program = join(prefix, "bin/bulkhead");
  await Deno.mkdir(join(prefix, "bin"), { recursive: true });
  await Deno.writeTextFile(program, "older");

  await Deno.mkdir(join(prefix, "share/man"), { recursive: true });
  await Deno.writeTextFile(join(prefix, "share/man/man1"), "in the way");
  const blocked = await install(["--from", url]);
  assertEquals([blocked.code, blocked.stdout, Deno.readTextFileSync(program)], [1, "", "older"]);
  assertMatch(blocked.stderr, /man1\/bulkhead\.1; the program was not installed\n$/);
  await Deno.remove(join(prefix, "share/man/man1"));

  await Deno.mkdir(join(home, "other/bin/bulkhead"), { recursive: true });
  const folder = await install(["--from", url, "--prefix", join(home, "other")]);
  assertEquals([folder.code, folder.stdout], [1, ""]);
  assertMatch(
    folder.stderr,
    /a folder is in the way: .*\/other\/bin\/bulkhead; the program was not installed/,
  );

  // A download that ended early is not the file of the sum.
  await Deno.writeFile(join(release, name), bytes.subarray(0, bytes.length - 100));
  const cut = await install(["--from", url]);
  assertEquals([cut.code, cut.stdout, Deno.readTextFileSync(program)], [1, "", "older"]);
  assertMatch(cut.stderr, /^bulkhead: the checksum of .* is wrong/);
  await Deno.writeFile(join(release, name), bytes);
  assertEquals((await install(["--from", url])).code, 0);
  assertMatch(Deno.readTextFileSync(program), /9\.9\.9/);
});

programTest("the script needs no curl", NEEDED, async () => {
  await using made = await makeInstall();
  const few = join(made.home, "few");
  await Deno.mkdir(few);
  for (const tool of FEW) await Deno.symlink(await pathOf(tool), join(few, tool));
  for (const from of [made.url, `file://${made.release}`]) {
    const { code, stderr } = await made.install(["--from", from], { PATH: few });
    assertEquals([code, stderr], [0, ""], from);
    await Deno.remove(join(made.prefix, "bin/bulkhead"));
  }
});

function serveFolder(folder: string): AsyncDisposable & { url: string } {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const path = join(folder, new URL(request.url).pathname.replace(/^\/+/, ""));
    try {
      return new Response(await Deno.readFile(path));
    } catch {
      return new Response(null, { status: 404 });
    }
  });
  return { url: `http://127.0.0.1:${server.addr.port}`, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function pathOf(program: string): Promise<string> {
  const { stdout } = await new Deno.Command("sh", { args: ["-c", `command -v ${program}`] }).output();
  return new TextDecoder().decode(stdout).trim();
}
