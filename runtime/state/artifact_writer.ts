import { ToolError } from "../../schemas/error.ts";
import type { Artifact } from "../../schemas/result.ts";
import type { ArtifactFolder } from "./artifact_folder.ts";

const MAX_FILES = 1_000;
const MAX_BYTES = 512 * 1024 * 1024;
const NAME = /^(?!\.)[\w .-]{1,100}$/;

/** Writes the files of one call, in bounds: what a room asks for may be anything. */
export class ArtifactWriter {
  readonly #folder: ArtifactFolder;
  readonly #onArtifact: (artifact: Artifact) => void;
  #files = 0;
  #bytes = 0;

  constructor(folder: ArtifactFolder, onArtifact: (artifact: Artifact) => void) {
    this.#folder = folder;
    this.#onArtifact = onArtifact;
  }

  /**
   * Writes a file of the call, unless an earlier call left the same one. Needs `read` and `write` of the artifacts'
   * folder.
   *
   * @throws {ToolError} `limit_exceeded`; what the system says
   */
  async write(name: string, bytes: Uint8Array): Promise<Artifact> {
    if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is not a name for an artifact`);
    this.#files++;
    this.#bytes += bytes.length;
    if (this.#files > MAX_FILES || this.#bytes > MAX_BYTES) {
      throw new ToolError(
        "limit_exceeded",
        `One call may leave ${MAX_FILES} files of together ${MAX_BYTES} bytes: ask for fewer at a time`,
      );
    }
    const path = await this.#folder.find(name, bytes) ?? await this.#writeNew(name, bytes);
    const artifact = { name, path, bytes: bytes.length };
    this.#onArtifact(artifact);
    return artifact;
  }

  async #writeNew(name: string, bytes: Uint8Array): Promise<string> {
    const { path, file } = await this.#folder.open(name);
    using _file = file;
    for (let done = 0; done < bytes.length;) done += await file.write(bytes.subarray(done));
    return path;
  }
}
