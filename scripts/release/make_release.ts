import { createHash } from "node:crypto";
import { join } from "@std/path";

import { completedCall, renderCompletions } from "../../runtime/cli/help/render_completions.ts";
import { SHELLS } from "../../runtime/cli/args/command_table.ts";
import { makeLock } from "../../schemas/json/lock.ts";
import type { Manifest } from "../../schemas/manifest.ts";
import { makeBinaryPackage, makePackage } from "../package/make_package.ts";
import { packageOf, type ProgramConfig } from "../package/package_json.ts";
import { makeArchive } from "./archive.ts";
import { manPage } from "./man_page.ts";
import { type Artifact, type Origin, provenance } from "./provenance.ts";
import { billOfMaterials } from "./sbom.ts";
import type { Target } from "./targets.ts";
import { licenceText } from "./third_party.ts";

/** What a release is made of. */
export interface ReleaseRequest {
  /** Folder of the configuration file. */
  root: string;
  config: ProgramConfig;
  manifest: Manifest;
  binaries: readonly { target: Target; path: string }[];
  /** Systems that are wanted, and not made. */
  missing: readonly string[];
  origin: Omit<Origin, "version" | "targets">;
  /** Where the files will be found, for the script that installs. */
  url: string | null;
  /** An empty folder. */
  folder: string;
}

/** Where texts of licences lie, below the folder of the configuration file. */
export const LICENCES = "scripts/release/licences";
/** Licences whose texts lie there, for packages that bring none. */
export const TERMS = ["Apache-2.0", "MIT", "MPL-2.0"];

/** What stands in the script that installs until the address is known. */
const NO_URL = "@RELEASE_URL@";

/**
 * Writes all files of a release but the binaries themselves into a folder. The same request makes the same bytes. Needs
 * `--allow-run`, `tar` and `gzip`.
 */
export async function makeRelease(request: ReleaseRequest): Promise<void> {
  const { root, config, manifest, binaries, missing, origin, url, folder } = request;
  const { version, license } = config;
  const read = (path: string) => Deno.readTextFileSync(join(root, path));
  const write = (name: string, text: string) => Deno.writeTextFile(join(folder, name), text);
  const notice = `${read("NOTICE")}\n${read(`${LICENCES}/runtime.txt`)}`;
  const terms = TERMS.map((name) => [name, read(`${LICENCES}/${name}.txt`)]);
  const licences = licenceText(origin.packages, notice, Object.fromEntries(terms));
  const texts = {
    "README.md": read("README.md"),
    "CHANGELOG.md": read("scripts/release/CHANGELOG.md"),
    "LICENSE": read("LICENSE"),
    "THIRD_PARTY.txt": licences,
    "man/bulkhead.1": manPage(version, manifest.command_examples),
    ...completions(manifest),
  };
  for (const { target, path } of binaries) {
    await makeArchive({ target, version, binary: path, texts, folder });
    const output = join(folder, `bulkhead-${target.name}-${version}.tgz`);
    const notices = { "LICENSE": texts.LICENSE, "THIRD_PARTY.txt": licences };
    await makeBinaryPackage({ config, system: target, binary: path, notices, output });
  }
  const names = binaries.map(({ target }) => packageOf(target));
  await makePackage({ root, config, output: join(folder, `bulkhead-${version}.tgz`), binaries: names });
  await write("install.sh", read("scripts/release/install.sh").replace(NO_URL, url ?? ""));
  await write("tools.lock.json", json({ release: version, ...makeLock(manifest.tools) }));
  await write(`bulkhead-${version}.cdx.json`, json(billOfMaterials({ version, license, ...origin })));
  const made = artifactsIn(folder);
  const targets = binaries.map(({ target }) => target.name);
  await write(`bulkhead-${version}.intoto.json`, json(provenance(made, { version, targets, ...origin })));
  await write(
    "release.json",
    json({ name: "bulkhead", version, targets, missing, files: artifactsIn(folder) }),
  );
  const sums = artifactsIn(folder).map(({ name, sha256 }) => `${sha256}  ${name}\n`);
  await write("SHA256SUMS", sums.join(""));
}

function completions({ tools, agents }: Manifest): Record<string, string> {
  const names = tools.flatMap((tool) => [tool.name, tool.full_name]);
  const calls = tools.map((tool) => completedCall(tool, [tool.full_name]));
  const more = { calls, agents: Object.keys(agents) };
  const files = { bash: "bulkhead.bash", zsh: "_bulkhead", fish: "bulkhead.fish" };
  return Object.fromEntries(
    SHELLS.map((shell) => [`completions/${files[shell]}`, renderCompletions(shell, names, more)]),
  );
}

function artifactsIn(folder: string): Artifact[] {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  return names.map((name) => ({
    name,
    sha256: createHash("sha256").update(Deno.readFileSync(join(folder, name))).digest("hex"),
  }));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
