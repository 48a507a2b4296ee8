import { createHash } from "node:crypto";
import { fromFileUrl, join, toFileUrl } from "@std/path";

import { bundle } from "../../scripts/compile/bundle.ts";
import { PROGRAM_ENTRIES } from "../../scripts/compile/compile_bundle.ts";
import { filesBelow } from "../../scripts/compile/files_below.ts";
import { denoCache, findSelf, type Self } from "../../runtime/self/find_self.ts";
import { exists } from "../../runtime/walls/files/file_facts.ts";

const ROOT = fromFileUrl(new URL("../..", import.meta.url));
/** What a bundle is made of. */
const FOLDERS = ["runtime", "schemas", "tools", "scripts/compile", "scripts/demo"];
const FILES = ["main.ts", "deno.json", "deno.lock", "scripts/demo_steps.json"];
/** How many bundles stay, the newest ones. */
const KEPT = 3;

/** Nothing of the developer's own may change in a test. */
const CACHES = join(
  Deno.env.get("XDG_CACHE_HOME") || join(Deno.env.get("HOME") || "/tmp", ".cache"),
  "bulkhead-tests",
);

/** Where the bundle of the sources as they are now stands; it is made once, however many tests ask at the same time. */
export async function testBundle(): Promise<string> {
  const name = `bundle-${sourcesHash()}`;
  const folder = join(CACHES, name);
  if (exists(folder)) return folder;
  await Deno.mkdir(CACHES, { recursive: true, mode: 0o700 });
  using lock = await Deno.open(join(CACHES, "lock"), { create: true, write: true });
  await lock.lock(true);
  if (!exists(folder)) await make(folder);
  return folder;
}

/** How rooms of that bundle are started. */
export function bundledSelf(folder: string): Self {
  const main = toFileUrl(join(folder, "main.js")).href;
  const getEnv = (name: string) => Deno.env.get(name);
  const own: Record<string, string> = { XDG_CACHE_HOME: CACHES, DENO_DIR: denoCache(getEnv) };
  return findSelf(main, (name) => own[name] ?? getEnv(name));
}

function sourcesHash(): string {
  const hash = createHash("sha256");
  const paths = [
    ...FILES,
    ...FOLDERS.flatMap((name) => filesBelow(join(ROOT, name), "").map((path) => join(name, path))),
  ];
  for (const path of paths) {
    hash.update(path).update("\0").update(Deno.readFileSync(join(ROOT, path))).update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/** In a process of its own: the bundler leaves one running in who calls it. */
async function make(folder: string): Promise<void> {
  const made = await Deno.makeTempDir({ dir: CACHES, prefix: ".made-" });
  await start([Deno.execPath(), "run", "--no-prompt", "--allow-all", fromFileUrl(import.meta.url), made]);
  await Deno.rename(made, folder);
  await start(bundledSelf(folder).compiled!.fill);
  const bundles = [...Deno.readDirSync(CACHES)].filter(({ name }) => /^(?:bundle|\.made)-/.test(name))
    .map(({ name }) => ({
      path: join(CACHES, name),
      time: Deno.lstatSync(join(CACHES, name)).mtime!.getTime(),
    }));
  const old = bundles.toSorted((a, b) => b.time - a.time).slice(KEPT);
  for (const { path } of old) await Deno.remove(path, { recursive: true });
}

async function start([program = "", ...args]: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, cwd: ROOT }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

if (import.meta.main) await bundle(ROOT, PROGRAM_ENTRIES, Deno.args[0]!);
