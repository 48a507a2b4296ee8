import { assertEquals, assertMatch } from "@std/assert";

import { provenance } from "../../../../scripts/release/provenance.ts";
import { billOfMaterials } from "../../../../scripts/release/sbom.ts";
import type { Package } from "../../../../scripts/release/third_party.ts";

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
