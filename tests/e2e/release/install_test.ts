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
const FEW = [
  ...[
    "mktemp",
    "rm",
    "sed",
    "tar",
    "gzip",
    "uname",
    "cut",
    "sha256sum",
    "mkdir",
    "cp",
    "chmod",
    "mv",
    "wget",
  ],
];
const NEEDED = ["sh", "tar", "gzip", "sha256sum", "wget"];

programTest("the script installs a release, and nothing of one with a wrong sum", NEEDED, async () => {
  const home = await Deno.makeTempDir({ prefix: "bulkhead-install-" });
  const release = join(home, "release");
  await using server = serveFolder(release);
  const install = (...words: string[]) =>
    run(words, {
      program: ["/bin/sh", SCRIPT],
      env: { HOME: join(home, "user"), TMPDIR: join(home, "tmp") },
    });
  try {
    for (const name of ["release", "user", "tmp"]) await Deno.mkdir(join(home, name));
    const binary = join(home, "program");
    await Deno.writeTextFile(binary, '#!/bin/sh\necho "bulkhead 9.9.9 $1"\n');
    const target = TARGETS.find(({ triple }) => triple === Deno.build.target)!;
    const texts = Object.fromEntries(
      [...TEXTS, "LICENSE", "THIRD_PARTY.txt"].map((name) => [name, `${name}\n`]),
    );
    const name = await makeArchive({ target, version: "9.9.9", binary, texts, folder: release });
    const bytes = await Deno.readFile(join(release, name));
    assertEquals(await makeArchive({ target, version: "9.9.9", binary, texts, folder: home }), name);
    assertEquals(await Deno.readFile(join(home, name)), bytes, "the same files make the same archive");
    const sum = createHash("sha256").update(bytes).digest("hex");
    const sums = (found: string) =>
      Deno.writeTextFile(
        join(release, "SHA256SUMS"),
        `${"0".repeat(64)}  bulkhead-9.9.9.tgz\n${found}  ${name}\n`,
      );

    await sums("1".repeat(64));
    const wrong = await install("--from", server.url, "--prefix", join(home, "prefix"));
    assertEquals([wrong.code, wrong.stdout], [1, ""]);
    assertMatch(wrong.stderr, /^bulkhead: the checksum of .* is wrong: .*; nothing was installed\n$/);
    assertEquals([...Deno.readDirSync(home)].some(({ name }) => name === "prefix"), false);
    assertEquals([...Deno.readDirSync(join(home, "tmp"))], []);

    await sums(sum);
    const prefix = join(home, "user/.local");
    const good = await install(`--from=${server.url}/`);
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

    await Deno.writeTextFile(join(prefix, "bin/bulkhead"), "older");
    const old = () => Deno.readTextFileSync(join(prefix, "bin/bulkhead"));
    const man = join(prefix, "share/man/man1");
    await Deno.remove(man, { recursive: true });
    await Deno.writeTextFile(man, "in the way");
    const blocked = await install("--from", server.url);
    assertEquals([blocked.code, blocked.stdout, old()], [1, "", "older"]);
    assertMatch(blocked.stderr, /man1\/bulkhead\.1; the program was not installed\n$/);
    await Deno.remove(man);
    await Deno.mkdir(join(home, "other/bin/bulkhead"), { recursive: true });
    const folder = await install("--from", server.url, "--prefix", join(home, "other"));
    assertEquals([folder.code, folder.stdout], [1, ""]);
    assertMatch(
      folder.stderr,
      /a folder is in the way: .*\/other\/bin\/bulkhead; the program was not installed/,
    );
    // A download that ends early: what came of it is not the file of the sum.
    await Deno.writeFile(join(release, name), bytes.subarray(0, bytes.length - 100));
    const cut = await install("--from", server.url);
    assertEquals([cut.code, cut.stdout, old()], [1, "", "older"]);
    assertMatch(cut.stderr, /^bulkhead: the checksum of .* is wrong/);
    await Deno.writeFile(join(release, name), bytes);
    const few = join(home, "few");
    await Deno.mkdir(few);
    for (const tool of FEW) await Deno.symlink(await pathOf(tool), join(few, tool));
    for (const from of [server.url, `file://${release}`]) {
      await Deno.writeTextFile(join(prefix, "bin/bulkhead"), "older");
      const again = await run(["--from", from], {
        program: ["/bin/sh", SCRIPT],
        env: { HOME: join(home, "user"), TMPDIR: join(home, "tmp"), PATH: few },
      });
      assertEquals([again.code, again.stderr, old() === "older"], [0, "", false], `without curl, ${from}`);
    }
    assertEquals([...Deno.readDirSync(join(home, "tmp"))], []);

    assertMatch((await install()).stderr, /knows no release; name its folder with --from/);
    assertEquals((await install("--nope")).code, 2);
    await Deno.writeTextFile(join(release, "SHA256SUMS"), "");
    assertMatch((await install("--from", server.url)).stderr, /has no program for /);
    assertEquals((await install("--from", `${server.url}/none`)).code, 1);
  } finally {
    await Deno.remove(home, { recursive: true });
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
