import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";

import { bundledPackages, licenceText } from "../../../scripts/release/third_party.ts";

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

Deno.test("licenceText() tells each text once, with all who share it", () => {
  const made = (name: string, text: string) => ({
    ...{ name, version: "1.0.0", license: "MIT", text, integrity: null, dependencies: [] },
  });
  const text = licenceText([made("a", "terms"), made("b", "terms"), made("c", "")], "ours\n");
  assertEquals(text.split("terms").length, 2);
  assertStringIncludes(text, "a@1.0.0 (MIT)\nb@1.0.0 (MIT)\n");
  assertStringIncludes(text, "c@1.0.0 (MIT)\n");
  assertEquals(text.startsWith("ours\n\n"), true);
});
