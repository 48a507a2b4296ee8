import { createHash } from "node:crypto";

import { idOf, type Package } from "./third_party.ts";

/** What a binary runs on. */
export interface RuntimeVersions {
  deno: string;
  v8: string;
}

/** What the bill of materials tells of. */
export interface Materials {
  version: string;
  license: string;
  runtime: RuntimeVersions;
  packages: readonly Package[];
}

/** Licences that have a name in the list of SPDX, as packages of ours say them. */
const SPDX_NAME = /^[A-Za-z0-9.-]+\+?$/;

/**
 * Returns the bill of materials of a release, as CycloneDX 1.6. The same materials give the same text: it names no time, and
 * its serial number is made of what it says.
 */
export function billOfMaterials({ version, license, runtime, packages }: Materials): Record<string, unknown> {
  const own = `pkg:npm/bulkhead@${version}`;
  const ids = new Set(packages.map(idOf));
  const within = new Set(packages.flatMap(({ dependencies }) => dependencies));
  const components = [
    part("framework", "deno", runtime.deno, "pkg:github/denoland/deno@v" + runtime.deno, "MIT"),
    part("framework", "v8", runtime.v8, `pkg:generic/v8@${runtime.v8}`, "BSD-3-Clause"),
    ...packages.map(componentOf),
  ];
  const direct = packages.filter((found) => !within.has(idOf(found))).map(refOf);
  const dependencies = [
    { ref: own, dependsOn: [...components.slice(0, 2).map((made) => made["bom-ref"]), ...direct] },
    ...packages.map((found) => ({
      ref: refOf(found),
      dependsOn: found.dependencies.filter((id) => ids.has(id)).map((id) => refOf(splitId(id))),
    })),
  ];
  const content = {
    metadata: {
      component: part("application", "bulkhead", version, own, license),
    },
    components,
    dependencies,
  };
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
}

/** The address of a package for tools that read such bills. */
export function refOf({ name, version }: Pick<Package, "name" | "version">): string {
  return `pkg:npm/${name.replace(/^@/, "%40")}@${version}`;
}

function splitId(id: string): { name: string; version: string } {
  const at = id.lastIndexOf("@");
  return { name: id.slice(0, at), version: id.slice(at + 1) };
}

function part(type: string, name: string, version: string, purl: string, license: string) {
  return { type, "bom-ref": purl, name, version, purl, licenses: termsOf(license) };
}

function componentOf(found: Package) {
  const { name, version, license, integrity } = found;
  const [scope, own] = name.startsWith("@") ? name.split("/") as [string, string] : [undefined, name];
  return {
    ...part("library", own, version, refOf(found), license),
    ...(scope && { group: scope }),
    ...(integrity?.startsWith("sha512-") && {
      hashes: [{ alg: "SHA-512", content: hexOf(integrity.slice("sha512-".length)) }],
    }),
  };
}

function termsOf(license: string) {
  if (license === "NOASSERTION") return [];
  if (SPDX_NAME.test(license)) return [{ license: { id: license } }];
  return / (?:AND|OR|WITH) /.test(license) ? [{ expression: license }] : [{ license: { name: license } }];
}

function hexOf(base64: string): string {
  return [...atob(base64)].map((char) => char.charCodeAt(0).toString(16).padStart(2, "0")).join("");
}

/** A number in the form of version 5: made of a text, and no other. */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  const variant = "89ab"[parseInt(hex[16]!, 16) % 4];
  return [
    ...[hex.slice(0, 8), hex.slice(8, 12), `5${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`],
    hex.slice(20, 32),
  ].join("-");
}
