import { Buffer } from "node:buffer";

import { basename, dirname } from "@std/path";

import type { Part } from "../../schemas/agent/chat.ts";
import { ToolError } from "../../schemas/error.ts";
import { readArtifact } from "../state/kept_artifacts.ts";
import { pictureType } from "../state/keep_picture.ts";
import { realOrNull } from "../walls/files/file_facts.ts";
import { onOneLine } from "../text/strip_controls.ts";
import { type Html, markup } from "./html.ts";

/** Largest picture that is put into a page, in bytes, and how many all have together. */
const MAX_PICTURE = 8 * 1024 * 1024;
const MAX_PICTURES = 32 * 1024 * 1024;

type Picture = Part & { type: "image" };

/** Puts pictures of a session into a page, in bounds. */
export class InlinePictures {
  readonly #folder: string;
  #left = MAX_PICTURES;

  /** @param folder The session's folder of files */
  constructor(folder: string) {
    this.#folder = realOrNull(folder) ?? folder;
  }

  /** Returns a picture with its bytes, or a note in its place: a trace may name any file. Needs `read`. */
  async show({ path, bytes }: Picture): Promise<Html> {
    const name = onOneLine(basename(path));
    const found = bytes > MAX_PICTURE || bytes > this.#left ? null : await this.#read(path);
    if (found === null) {
      return markup`<p class="note">[picture ${name}, ${bytes} bytes: not part of this file]</p>`;
    }
    this.#left -= found.bytes.length;
    return markup`<img alt="${name}" src="data:${found.type};base64,${
      Buffer.from(found.bytes).toString("base64")
    }">`;
  }

  async #read(path: string): Promise<{ bytes: Uint8Array; type: string } | null> {
    if ((realOrNull(dirname(path)) ?? "") !== this.#folder) return null;
    try {
      const maxBytes = Math.min(MAX_PICTURE, this.#left);
      const { bytes } = await readArtifact(this.#folder, basename(path), { maxBytes });
      const type = pictureType(bytes);
      return type === null ? null : { bytes, type };
    } catch (error) {
      if (error instanceof ToolError) return null;
      throw error;
    }
  }
}
