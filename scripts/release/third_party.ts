import { join } from "@std/path";

/** A package of npm that is in the binary, or was looked at to make it. */
export interface Package {
  /** With its scope. */
  name: string;
  version: string;
  /** As npm says it: `MIT`, or an expression. */
  license: string;
  /** Its own licence and notice, `""` if it brings none. */
  text: string;
  /** Who made it, as npm says it, `""` if it does not. */
  author: string;
  /** Of its archive, as the lock file says it: `sha512-…` in base64. */
  integrity: string | null;
  /** Names with versions: `zod@4.6.7`. */
  dependencies: readonly string[];
}

interface Info {
  modules: readonly { kind?: string; npmPackage?: string }[];
  npmPackages: Readonly<
    Record<string, { name: string; version: string; dependencies: readonly string[]; localPath: string }>
  >;
}

const NOTICES = /^(?:licen[cs]e|copying|notice|copyright)(?:[-.].*)?$/i;

/**
 * Returns the packages that modules import, with all that these depend on, sorted. Needs `--allow-run` and `--allow-read`.
 *
 * @param root Folder of the configuration file
 * @param entries Paths below it
 */
export async function bundledPackages(root: string, entries: readonly string[]): Promise<Package[]> {
  const found = await Promise.all(entries.map((entry) => look(root, entry)));
  const { npm } = JSON.parse(await Deno.readTextFile(join(root, "deno.lock")));
  const packages = new Map<string, Package>();
  for (const { modules, npmPackages } of found) {
    const add = (id: string) => {
      const known = npmPackages[id];
      if (known === undefined || packages.has(id)) return;
      const { name, version, dependencies, localPath } = known;
      packages.set(id, {
        name,
        version,
        ...termsOf(localPath),
        integrity: npm[id]?.integrity ?? null,
        dependencies: dependencies.map((inner) => plainId(npmPackages, inner)),
      });
      dependencies.forEach(add);
    };
    for (const { npmPackage } of modules) if (npmPackage !== undefined) add(npmPackage);
  }
  return uniqueById([...packages.values()]);
}

/** The names of Deno say also which peers a package got: the same package may stand there twice. */
function uniqueById(packages: readonly Package[]): Package[] {
  const byId = new Map(packages.map((found) => [idOf(found), found]));
  return [...byId.values()].sort((a, b) => idOf(a) < idOf(b) ? -1 : 1);
}

/** A package's name with its version: `zod@4.6.7`. */
export function idOf({ name, version }: Pick<Package, "name" | "version">): string {
  return `${name}@${version}`;
}

function plainId(packages: Info["npmPackages"], id: string): string {
  const known = packages[id];
  return known === undefined ? id : idOf(known);
}

async function look(root: string, entry: string): Promise<Info> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", entry],
    cwd: root,
  }).output();
  const text = new TextDecoder();
  if (!success) throw new Error(`deno info ${entry} failed: ${text.decode(stderr)}`);
  return JSON.parse(text.decode(stdout));
}

function termsOf(folder: string): Pick<Package, "license" | "text" | "author"> {
  const { license, licenses, author } = JSON.parse(Deno.readTextFileSync(join(folder, "package.json")));
  const names = [...Deno.readDirSync(folder)].filter(({ name, isFile }) => isFile && NOTICES.test(name))
    .map(({ name }) => name).sort();
  const said = license ?? licenses?.[0];
  return {
    license: typeof said === "string" ? said : said?.type ?? "NOASSERTION",
    text: names.map((name) => Deno.readTextFileSync(join(folder, name)).trim()).join("\n\n"),
    author: typeof author === "string" ? author : author?.name ?? "",
  };
}

/**
 * Returns the licences of all that is in a binary as one text. Packages with the same text stand together.
 *
 * @param notice What the repository itself says of what it holds, and of the runtime
 * @param terms The texts of licences by their names in the list of SPDX, for packages that bring none
 * @throws {Error} If a package brings no text, and there is none of its licence
 */
export function licenceText(
  packages: readonly Package[],
  notice: string,
  terms: Readonly<Record<string, string>>,
): string {
  const groups = new Map<string, string[]>();
  for (const found of packages) {
    const { license, author } = found;
    const text = found.text || terms[license];
    if (text === undefined) {
      throw new Error(`${idOf(found)} brings no text of its licence, ${license}: add it`);
    }
    const by = found.text === "" && author !== "" ? `, Copyright ${author}` : "";
    groups.set(text, [...groups.get(text) ?? [], `${idOf(found)} (${license})${by}`]);
  }
  const parts = [...groups].map(([text, heads]) =>
    `${RULE}\n${heads.join("\n")}\n${RULE}\n\n${text.trim()}\n`
  );
  return `${notice.trim()}\n\n${parts.join("\n")}`;
}

const RULE = "-".repeat(80);
