// Makes dist/release: archives, packages of npm, checksums, bill of materials, provenance, the script that installs.
//   deno task release [--target NAME]... [--allow-missing] [--url URL] [--previous LOCK] [--output DIR]
//     [--deno PATH] [--runtime NAME=PATH]... [--binary NAME=PATH]...
// NAME is linux-x64, linux-arm64, darwin-x64, darwin-arm64 or win32-x64; all are wanted unless some are named.
// --deno names the Deno that compiles, --runtime its runtime for a system where it cannot be fetched (DENORT_BIN is that of
// this machine), --binary a binary that another machine made. --previous names tools.lock.json of the last release; one in
// scripts/release is found without it.
import { parseArgs } from "node:util";
import { fromFileUrl, join, resolve } from "@std/path";

import config from "../deno.json" with { type: "json" };
import { ToolError } from "../schemas/error.ts";
import { makeLock } from "../schemas/json/lock.ts";
import type { Manifest } from "../schemas/manifest.ts";
import manifestJson from "../tools/manifest.json" with { type: "json" };
import { bundleForBinary } from "./compile/bundle.ts";
import { PROGRAM_ENTRIES } from "./compile/compile_bundle.ts";
import { type Binary, makeBinary } from "./release/binaries.ts";
import { checkVersion } from "./release/contract.ts";
import { makeRelease } from "./release/make_release.ts";
import { checkOutput, moveRelease } from "./release/output_folder.ts";
import type { RuntimeVersions } from "./release/sbom.ts";
import { type Target, targetsOf } from "./release/targets.ts";
import { bundledPackages } from "./release/third_party.ts";

const root = fromFileUrl(new URL("..", import.meta.url));
const manifest = manifestJson as unknown as Manifest;
const here = Deno.env.get("INIT_CWD") ?? Deno.cwd();
const { values } = parseArgs({
  args: Deno.args,
  options: {
    target: { type: "string", multiple: true, default: [] },
    "allow-missing": { type: "boolean", default: false },
    url: { type: "string" },
    previous: { type: "string" },
    output: { type: "string", default: join(root, "dist", "release") },
    deno: { type: "string", default: Deno.execPath() },
    runtime: { type: "string", multiple: true, default: [] },
    binary: { type: "string", multiple: true, default: [] },
  },
});

const staging = await Deno.makeTempDir({ prefix: "bulkhead-release-" });
try {
  Deno.exitCode = await release();
} catch (error) {
  if (!(error instanceof ToolError)) throw error;
  Deno.exitCode = fail(error.message);
} finally {
  await Deno.remove(staging, { recursive: true });
}

async function release(): Promise<number> {
  const output = resolve(here, values.output);
  checkOutput(output);
  checkVersion({ root, version: config.version, lock: makeLock(manifest.tools) }, {
    previous: values.previous === undefined ? null : resolve(here, values.previous),
  });
  const binaries = await makeBinaries();
  const made = binaries.flatMap((binary) => "path" in binary ? [binary] : []);
  const missing = binaries.flatMap((binary) => "reason" in binary ? [binary] : []);
  const told = missing.map(({ target, reason }) => `\n  ${target.name}: ${reason}`).join("");
  if (made.length === 0 || (missing.length > 0 && !values["allow-missing"])) {
    return fail(
      `Not all binaries could be made:${told}\nName a runtime of Deno with --runtime, a binary of another machine ` +
        "with --binary, only some systems with --target, or pass --allow-missing",
    );
  }
  if (missing.length > 0) tell(`The release is without these binaries:${told}`);
  const folder = join(staging, "release");
  await Deno.mkdir(folder);
  await makeRelease({
    ...{ root, config, manifest, binaries: made, folder, url: values.url ?? null },
    missing: missing.map(({ target }) => target.name),
    origin: {
      commit: await commitOf(),
      runtime: await runtimeOf(made),
      bundler: Deno.version.deno,
      packages: await bundledPackages(root, [
        ...PROGRAM_ENTRIES,
        "runtime/server/page/app.ts",
        "runtime/server/page/reader.ts",
      ]),
    },
  });
  await moveRelease(folder, output);
  tell(output);
  return 0;
}

async function makeBinaries(): Promise<Binary[]> {
  const ready = pairs(values.binary);
  const own = Deno.env.get("DENORT_BIN");
  const runtimes = { ...(own && { [hostName()]: own }), ...pairs(values.runtime) };
  let bundled: Promise<string> | undefined;
  const makeBundle = async () => {
    await bundleForBinary(root, PROGRAM_ENTRIES, join(staging, "bundle"));
    return join(staging, "bundle");
  };
  const sources = { deno: values.deno, ready, runtimes, bundle: () => bundled ??= makeBundle() };
  const binaries: Binary[] = [];
  for (const target of targetsOf(values.target)) {
    const folder = join(staging, target.name);
    await Deno.mkdir(folder);
    binaries.push(await makeBinary(target, folder, sources));
  }
  return binaries;
}

function hostName(): string {
  const os = Deno.build.os === "windows" ? "win32" : Deno.build.os;
  return `${os}-${Deno.build.arch === "aarch64" ? "arm64" : "x64"}`;
}

/** `linux-x64=PATH`, by the names. */
function pairs(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(words.map((word) => {
    const at = word.indexOf("=");
    if (at < 1 || at === word.length - 1) {
      throw new ToolError("invalid_input", `Cannot use ${JSON.stringify(word)}: write it as NAME=PATH`);
    }
    const name = word.slice(0, at);
    targetsOf([name]);
    return [name, resolve(here, word.slice(at + 1))];
  }));
}

/** The binary of this system knows best what it runs on; else it is what the Deno that compiles says of itself. */
async function runtimeOf(made: readonly { target: Target; path: string }[]): Promise<RuntimeVersions> {
  const own = made.find(({ target }) => target.name === hostName());
  const said = own && await outputOf(own.path, ["version", "--json"]) ||
    await outputOf(values.deno, ["eval", "console.log(JSON.stringify(Deno.version))"]);
  const { deno: version, v8 } = JSON.parse(said ?? "{}");
  return { deno: version, v8 };
}

async function commitOf(): Promise<{ id: string; isClean: boolean } | null> {
  const id = await outputOf("git", ["rev-parse", "HEAD"]).catch(() => null);
  if (id === null) return null;
  return { id: id.trim(), isClean: await outputOf("git", ["status", "--porcelain"]) === "" };
}

async function outputOf(program: string, args: string[]): Promise<string | null> {
  const { success, stdout } = await new Deno.Command(program, { args, cwd: root, stderr: "null" }).output();
  return success ? new TextDecoder().decode(stdout) : null;
}

function fail(message: string): number {
  tell(message);
  return 1;
}

function tell(message: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${message}\n`));
}
