import type { Artifacts } from "../../../schemas/context.ts";
import type { Asker } from "./asker.ts";
import { type AskChecks, isBytes, isText } from "./checks.ts";

/** Leaves a file. */
export type ArtifactAsk = { kind: "artifact.write"; name: string; bytes: Uint8Array };

export const ARTIFACT_CHECKS: AskChecks<ArtifactAsk> = {
  "artifact.write": { name: isText, bytes: isBytes },
};

/** Returns what main keeps of the files that calls leave. */
export function askedArtifacts(ask: Asker<ArtifactAsk>): Artifacts {
  return {
    // Main answers with what the contract of `Artifacts` says.
    write: (name, bytes) => ask({ kind: "artifact.write", name, bytes }) as ReturnType<Artifacts["write"]>,
  };
}
