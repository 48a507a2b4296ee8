import { assert, assertEquals, assertMatch, assertStringIncludes, assertThrows } from "@std/assert";
import { fromFileUrl } from "@std/path";

import { PROGRAM_ENTRIES } from "../../../../scripts/compile/compile_bundle.ts";
import { LICENCES, TERMS } from "../../../../scripts/release/make_release.ts";
import { bundledPackages, licenceText } from "../../../../scripts/release/third_party.ts";

const ROOT = fromFileUrl(new URL("../../../..", import.meta.url));

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
