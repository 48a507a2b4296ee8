import type { Artifacts } from "../../../schemas/context.ts";
import type { Asker } from "./asker.ts";
import { type AskChecks, isText } from "./checks.ts";
import { toBase64 } from "./to_base64.ts";

/** Leaves a file; its bytes are base64. */
export type ArtifactAsk = { kind: "artifact.write"; name: string; bytes: string };

export const ARTIFACT_CHECKS: AskChecks<ArtifactAsk> = {
  "artifact.write": { name: isText, bytes: isText },
};

/** Returns what main keeps of the files that calls leave. */
export function askedArtifacts(ask: Asker<ArtifactAsk>): Artifacts {
  return {
    // Main answers with what the contract of `Artifacts` says.
    write: (name, bytes) =>
      ask({ kind: "artifact.write", name, bytes: toBase64(bytes) }) as ReturnType<Artifacts["write"]>,
  };
}
