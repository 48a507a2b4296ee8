import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import * as z from "zod";

import { COMMAND_NAMES } from "../../../runtime/cli/args/command_table.ts";
import { flagOf, OPTION_NAMES } from "../../../runtime/cli/args/options/option_table.ts";
import { ToolError } from "../../../schemas/error.ts";
import { makeLock } from "../../../schemas/json/lock.ts";
import type { Manifest } from "../../../schemas/manifest.ts";
import { PROGRAM_ENTRIES } from "../../../scripts/compile/compile_bundle.ts";
import { checkVersion, versionFault } from "../../../scripts/release/contract.ts";
import { LICENCES, TERMS } from "../../../scripts/release/make_release.ts";
import { manPage } from "../../../scripts/release/man_page.ts";
import { checkOutput, moveRelease } from "../../../scripts/release/output_folder.ts";
import { provenance } from "../../../scripts/release/provenance.ts";
import { billOfMaterials } from "../../../scripts/release/sbom.ts";
import { systemOf, TARGETS, targetsOf } from "../../../scripts/release/targets.ts";
import { bundledPackages, licenceText, type Package } from "../../../scripts/release/third_party.ts";
import { entryOf, schemaOf } from "../../support/manifest_entry.ts";
import { hasProgram, programTest } from "../../support/needed_programs.ts";
import manifest from "../../../tools/manifest.json" with { type: "json" };

const INPUT = z.object({ path: z.string(), limit: z.int().default(3) });
const lockOf = (input: z.ZodType, ...more: string[]) =>
  makeLock(["a/T", ...more].map((name) => entryOf(name, { input_schema: schemaOf(input) })));
const LAST = lockOf(INPUT);

/** What changed, and the least version after 1.4.2 and after 0.4.2. */
const CASES: [what: string, now: ReturnType<typeof lockOf>, stable: string, early: string][] = [
  ["nothing", LAST, "1.4.3", "0.4.3"],
  ["a tool more", lockOf(INPUT, "a/U"), "1.5.0", "0.4.3"],
  ["an optional argument more", lockOf(INPUT.extend({ glob: z.string().optional() })), "1.5.0", "0.4.3"],
  ["a required argument more", lockOf(INPUT.extend({ glob: z.string() })), "2.0.0", "0.5.0"],
  ["an argument less", lockOf(INPUT.omit({ limit: true })), "2.0.0", "0.5.0"],
  ["another default", lockOf(INPUT.extend({ limit: z.int().default(4) })), "2.0.0", "0.5.0"],
  ["a tool less", makeLock([]), "2.0.0", "0.5.0"],
];

Deno.test("versionFault() asks for the version that a change of the tools needs", () => {
  for (const [what, lock, stable, early] of CASES) {
    for (const [since, least] of [["1.4.2", stable], ["0.4.2", early]] as const) {
      const fault = (version: string) => versionFault({ version: since, lock: LAST }, { version, lock });
      assertEquals(fault(least), null, `${what} after ${since}`);
      const before = fault(since) ?? "";
      assertMatch(
        before,
        new RegExp(`^Version ${since} is too small after ${since}: the least is ${least}`),
        what,
      );
    }
  }
  const told = versionFault({ version: "1.4.2", lock: LAST }, { version: "1.4.3", lock: makeLock([]) });
  assertEquals(told?.split("\n")[1], "  a/T was removed");
});

Deno.test("checkVersion() compares with the lock of the last release, and wants a chapter of the changes", async () => {
  const root = await Deno.makeTempDir({ prefix: "bulkhead-contract-" });
  try {
    const write = (name: string, text: string) => Deno.writeTextFileSync(join(root, name), text);
    const now = { root, version: "1.4.3", lock: lockOf(INPUT.omit({ limit: true })) };
    const check = (previous: string | null = null) => checkVersion(now, { previous });
    const refuses = (told: string, previous?: string) => assertThrows(() => check(previous), ToolError, told);
    Deno.mkdirSync(join(root, "scripts/release"), { recursive: true });
    write("scripts/release/CHANGELOG.md", "# Changes\n\n## 1.4.30\n");
    refuses('add a chapter "## 1.4.3"');
    write("scripts/release/CHANGELOG.md", "# Changes\n\n## 1.4.3\n\nBetter.\n");
    // Before the first release there is nothing to compare with.
    check();
    refuses("none.json is not there", join(root, "none.json"));
    write("same.json", JSON.stringify({ release: "1.4.2", ...now.lock }));
    check(join(root, "same.json"));
    const last = JSON.stringify({ release: "1.4.2", ...LAST });
    write("last.json", last);
    refuses("Version 1.4.3 is too small after 1.4.2: the least is 2.0.0", join(root, "last.json"));
    write("scripts/release/tools.lock.json", last);
    refuses("Version 1.4.3 is too small after 1.4.2: the least is 2.0.0");
    write("scripts/release/tools.lock.json", JSON.stringify(LAST));
    refuses("is not the tools.lock.json of a release");
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

const PAGE = manPage("1.2.3", (manifest as unknown as Manifest).command_examples);

Deno.test("manPage() names every command and every option, in ASCII", () => {
  const text = PAGE.replaceAll("\\-", "-");
  for (const name of COMMAND_NAMES) assertStringIncludes(text, `\n.SS "${name}"\n`);
  for (const name of OPTION_NAMES) assertStringIncludes(text, flagOf(name));
  assertEquals(/[^\n -~]/.exec(PAGE)?.[0], undefined);
  assertStringIncludes(PAGE, '"bulkhead 1.2.3"');
});

// Systems have one of these; an image of a container may have none.
const formatter = ["groff", "nroff"].find(hasProgram);
if (formatter !== undefined) {
  programTest("manPage() is shown without a warning", [formatter], async () => {
    const child = new Deno.Command(formatter, {
      args: ["-man", "-Tascii", "-P-c", "-P-b", "-P-u", "-ww", "-"],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(PAGE));
    await writer.close();
    const { code, stdout, stderr } = await child.output();
    const text = new TextDecoder();
    assertEquals([code, text.decode(stderr)], [0, ""]);
    assertStringIncludes(text.decode(stdout), "EXIT STATUS");
  });
}

Deno.test("a release takes the place of an earlier one, and of nothing else", async () => {
  const home = await Deno.makeTempDir({ prefix: "bulkhead-output-" });
  try {
    const release = (name: string, files: readonly string[]) => {
      Deno.mkdirSync(join(home, name));
      const sums = files.map((file) => `${"0".repeat(64)}  ${file}\n`).join("");
      Deno.writeTextFileSync(join(home, name, "SHA256SUMS"), sums);
      for (const file of files) Deno.writeTextFileSync(join(home, name, file), file);
      return join(home, name);
    };
    const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    const output = join(home, "out/release");
    await moveRelease(release("first", ["a.tgz", "b.tgz"]), output);
    await moveRelease(release("second", ["c.tgz"]), output);
    assertEquals(names(output), ["SHA256SUMS", "c.tgz"]);
    assertEquals(names(join(home, "out")), ["release"]);

    const third = release("third", ["d.tgz"]);
    Deno.writeTextFileSync(join(output, "notes.md"), "mine");
    const refused = 'it holds "notes.md", which is no part of one; name another folder with --output';
    assertThrows(() => checkOutput(output), ToolError, refused);
    await assertRejects(() => moveRelease(third, output), ToolError, refused);
    assertEquals(names(output), ["SHA256SUMS", "c.tgz", "notes.md"]);
    assertThrows(() => checkOutput(home), ToolError);
    Deno.mkdirSync(join(home, "empty"));
    checkOutput(join(home, "empty"));
    checkOutput(join(home, "nowhere"));

    // One that breaks off half way leaves the earlier one as it was.
    Deno.removeSync(join(output, "notes.md"));
    Deno.mkdirSync(join(third, "folder"));
    await assertRejects(() => moveRelease(third, output));
    assertEquals([names(output), names(join(home, "out"))], [["SHA256SUMS", "c.tgz"], ["release"]]);
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

const made = (name: string, license: string, dependencies: string[] = []): Package => ({
  ...{ name, version: "1.0.0", license, text: "", dependencies },
  author: "",
  integrity: `sha512-${btoa("\x01\xff")}`,
});
const PACKAGES = [
  made("@a/b", "MIT", ["c@1.0.0"]),
  made("c", "(MIT OR Apache-2.0)"),
  made("d", "NOASSERTION"),
  made("e", "see file"),
];
const ORIGIN = { version: "0.1.0", runtime: { deno: "2.6.10", v8: "14.5" }, packages: PACKAGES };

Deno.test("billOfMaterials() tells of all packages, their terms and who needs whom", () => {
  const bill = billOfMaterials({ ...ORIGIN, license: "MIT" });
  assertEquals([bill.bomFormat, bill.specVersion, bill.version], ["CycloneDX", "1.6", 1]);
  assertMatch(
    String(bill.serialNumber),
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  const components = bill.components as Record<string, unknown>[];
  assertEquals(components.map(({ group, name }) => group ? `${group}/${name}` : name), [
    "deno",
    "v8",
    "@a/b",
    "c",
    "d",
    "e",
  ]);
  assertEquals(components.slice(2).map(({ licenses }) => licenses), [
    [{ license: { id: "MIT" } }],
    [{ expression: "(MIT OR Apache-2.0)" }],
    [],
    [{ license: { name: "see file" } }],
  ]);
  assertEquals(components[2]!.hashes, [{ alg: "SHA-512", content: "01ff" }]);
  const ref = "pkg:npm/%40a/b@1.0.0";
  assertEquals(components[2]!["bom-ref"], ref);
  const dependencies = bill.dependencies as { ref: string; dependsOn: string[] }[];
  assertEquals(dependencies[0]!.dependsOn.includes(ref), true);
  assertEquals(dependencies[0]!.dependsOn.includes("pkg:npm/c@1.0.0"), false, "it is another package's");
  assertEquals(dependencies[1], { ref, dependsOn: ["pkg:npm/c@1.0.0"] });
  const refs = new Set([...components.map((component) => component["bom-ref"]), "pkg:npm/bulkhead@0.1.0"]);
  for (const { ref, dependsOn } of dependencies) {
    assertEquals([ref, ...dependsOn].filter((name) => !refs.has(name)), []);
  }
  assertEquals(billOfMaterials({ ...ORIGIN, license: "MIT" }), bill, "the same materials, the same bill");
});

Deno.test("provenance() says which files were made of what", () => {
  const statement = provenance([{ name: "a.tgz", sha256: "00" }], {
    ...ORIGIN,
    targets: ["linux-x64"],
    commit: { id: "abc", isClean: true },
    bundler: "2.9.6",
  });
  assertEquals(statement._type, "https://in-toto.io/Statement/v1");
  assertEquals(statement.subject, [{ name: "a.tgz", digest: { sha256: "00" } }]);
  assertEquals(statement.predicateType, "https://slsa.dev/provenance/v1");
  const { buildDefinition } = statement.predicate as { buildDefinition: Record<string, unknown> };
  const inputs = buildDefinition.resolvedDependencies as { uri: string; digest: unknown }[];
  assertEquals(inputs[0]!.digest, { gitCommit: "abc" });
  assertEquals(inputs[1], { uri: "pkg:npm/%40a/b@1.0.0", digest: { sha512: "01ff" } } as typeof inputs[1]);
});

/** The first bytes of programs: where a number stands, in which order, and what it is. */
function head(parts: readonly [at: number, bytes: readonly number[]][]): Uint8Array {
  const bytes = new Uint8Array(256);
  for (const [at, values] of parts) bytes.set(values, at);
  return bytes;
}

Deno.test("systemOf() reads for which system a program was made", () => {
  const ELF = [0x7f, 0x45, 0x4c, 0x46];
  const MACH = [0xcf, 0xfa, 0xed, 0xfe];
  const PE: [number, number[]][] = [[0, [0x4d, 0x5a]], [60, [0x80]], [0x80, [0x50, 0x45]]];
  const heads: [Uint8Array, string | null][] = [
    [head([[0, ELF], [18, [0x3e]]]), "linux-x64"],
    [head([[0, ELF], [18, [0xb7]]]), "linux-arm64"],
    [head([[0, ELF], [18, [0x28]]]), null],
    [head([[0, MACH], [4, [7, 0, 0, 1]]]), "darwin-x64"],
    [head([[0, MACH], [4, [12, 0, 0, 1]]]), "darwin-arm64"],
    [head([...PE, [0x84, [0x64, 0x86]]]), "win32-x64"],
    [head([[0, [0x4d, 0x5a]], [60, [0xff, 0xff]]]), null],
    [new TextEncoder().encode("#!/bin/sh\n"), null],
  ];
  for (const [bytes, system] of heads) assertEquals(systemOf(bytes), system);
  using file = Deno.openSync(Deno.execPath());
  const own = new Uint8Array(256);
  file.readSync(own);
  assertEquals(TARGETS.find(({ name }) => name === systemOf(own))?.triple, Deno.build.target);
});

Deno.test("targetsOf() takes names of systems, and none means all", () => {
  assertEquals(targetsOf(["win32-x64", "linux-x64"]).map(({ archive }) => archive), ["tar.gz", "zip"]);
  assertEquals(targetsOf([]), TARGETS);
  assertThrows(() => targetsOf(["linux-x86"]), Error, 'Unknown target "linux-x86": there are linux-x64, ');
});

const ROOT = fromFileUrl(new URL("../../..", import.meta.url));

Deno.test("bundledPackages() finds what a module needs, with licences and sums", async () => {
  const packages = await bundledPackages(ROOT, ["tools/readers/office.ts"]);
  const found = packages.find(({ name }) => name === "fflate");
  assertEquals(found?.license, "MIT");
  assert(found?.integrity?.startsWith("sha512-") && found.text.includes("Permission is hereby granted"));
  assertEquals(packages.some(({ name }) => name === "esbuild"), false, "the program does not hold it");
  const parser = packages.find(({ name }) => name === "htmlparser2");
  assertEquals(
    parser?.dependencies.some((id) => packages.some((other) => id.startsWith(`${other.name}@`))),
    true,
  );
});

Deno.test("each package of the program brings its licence, or the release has the text of it", async () => {
  const packages = await bundledPackages(ROOT, PROGRAM_ENTRIES);
  assert(packages.length > 50);
  const terms = Object.fromEntries(
    TERMS.map((name) => [name, Deno.readTextFileSync(`${ROOT}/${LICENCES}/${name}.txt`)]),
  );
  const text = licenceText(packages, "ours", terms);
  for (const { name } of packages) assertStringIncludes(text, `\n${name}@`);
});

Deno.test("licenceText() tells each text once, with all who share it, and that of the licence for those without", () => {
  const made = (name: string, text: string, license = "MIT") => ({
    ...{ name, version: "1.0.0", license, text, author: `${name.toUpperCase()} Inc`, integrity: null },
    dependencies: [],
  });
  const text = licenceText([made("a", "terms"), made("b", "terms"), made("c", "")], "ours\n", {
    MIT: "usual\n",
  });
  assertEquals(text.split("terms").length, 2);
  assertStringIncludes(text, "a@1.0.0 (MIT)\nb@1.0.0 (MIT)\n");
  assertMatch(text, /\nc@1\.0\.0 \(MIT\), Copyright C Inc\n-+\n\nusual\n$/);
  assertEquals(text.startsWith("ours\n\n"), true);
  const odd = () => licenceText([made("d", "", "ISC")], "ours", { MIT: "usual" });
  assertThrows(odd, Error, "d@1.0.0 brings no text of its licence, ISC: add it");
});
