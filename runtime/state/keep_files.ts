import { Buffer } from "node:buffer";

import type { Artifact, ResultAudio, ResultResource } from "../../schemas/result.ts";
import type { ArtifactFolder } from "./artifact_folder.ts";
import { ArtifactWriter } from "./artifact_writer.ts";

/** Bytes of a result that no conversation takes. */
export interface ResultBytes {
  audio: readonly ResultAudio[];
  resources: readonly ResultResource[];
}

/**
 * Keeps the sounds of a result, and its documents that are no text, with the session's files. Needs `read` and `write`
 * of the folder.
 *
 * @param place `name` is what a file is called that has no name of its own; letters that no file name should have are
 * replaced
 * @returns The files, and why others could not be kept
 */
export async function keepFiles(
  { audio, resources }: ResultBytes,
  { name, folder }: { name: string; folder: ArtifactFolder },
): Promise<{ files: Artifact[]; lost: string[] }> {
  const writer = new ArtifactWriter(folder, () => {});
  const files: Artifact[] = [];
  const lost: string[] = [];
  const keep = async (what: string, fileName: string, data: string) => {
    try {
      files.push(await writer.write(fileName, Buffer.from(data, "base64")));
    } catch (error) {
      lost.push(`${what} of the result is left out: ${error instanceof Error ? error.message : error}`);
    }
  };
  for (const { mime_type, data } of audio) await keep("a sound", nameOf(name, mime_type), data);
  for (const resource of resources) {
    if (!("data" in resource)) continue;
    const [own = ""] = /[^/?#]*$/.exec(resource.uri.replace(/[?#].*$/s, "")) ?? [];
    await keep("a document", nameOf(own || name, resource.mime_type), resource.data);
  }
  return { files, lost };
}

/** The stem of a name, with the ending that the type calls for. */
function nameOf(name: string, mimeType = "application/octet-stream"): string {
  const stem = name.replace(/\.[^.]*$/, "").replace(/[^\w-]+/g, "_").slice(0, 60);
  const [, ending = "bin"] = /^(?!application\/octet-stream)\w+\/(?:x-)?([a-z0-9]{1,12})$/i.exec(mimeType) ??
    [];
  return `${stem || "file"}.${ending.toLowerCase()}`;
}
