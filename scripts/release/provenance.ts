import { type RuntimeVersions } from "./sbom.ts";
import { refOf } from "./sbom.ts";
import { type Package } from "./third_party.ts";

/** A file of the release. */
export interface Artifact {
  name: string;
  sha256: string;
}

/** What a release was made of. */
export interface Origin {
  version: string;
  targets: readonly string[];
  /** `null` outside of a repository. */
  commit: { id: string; isClean: boolean } | null;
  runtime: RuntimeVersions;
  /** The Deno that bundled. */
  bundler: string;
  packages: readonly Package[];
}

/** What this kind of build is, for those who check such statements: scripts/release.ts. */
const BUILD_TYPE = "urn:bulkhead:release:1";

/**
 * Returns where the files of a release come from, as a statement of in-toto with a predicate of SLSA 1. It is not signed, and
 * names no time: the same build makes the same statement.
 */
export function provenance(artifacts: readonly Artifact[], origin: Origin): Record<string, unknown> {
  const { version, targets, commit, runtime, bundler, packages } = origin;
  return {
    _type: "https://in-toto.io/Statement/v1",
    subject: artifacts.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: BUILD_TYPE,
        externalParameters: { version, targets },
        internalParameters: { deno: bundler, runtime },
        resolvedDependencies: [
          ...(commit === null ? [] : [{
            name: "bulkhead",
            uri: "urn:bulkhead:source",
            digest: { gitCommit: commit.id },
            annotations: { clean: commit.isClean },
          }]),
          ...packages.flatMap((found) => {
            const sha512 = found.integrity?.startsWith("sha512-") ? found.integrity.slice(7) : undefined;
            const digest = sha512 && { sha512: Array.from(atob(sha512), hexOf).join("") };
            return [{ uri: refOf(found), ...(digest && { digest }) }];
          }),
        ],
      },
      runDetails: { builder: { id: "urn:bulkhead:builder:local" }, metadata: {} },
    },
  };
}

function hexOf(char: string): string {
  return char.charCodeAt(0).toString(16).padStart(2, "0");
}
