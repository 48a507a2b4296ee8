import { Buffer } from "node:buffer";
import { join } from "@std/path";
import type { z } from "zod";

import { ToolError } from "../../../../schemas/error.ts";
import { MAX_PICTURE_BYTES, pictureType, tooLarge } from "../../../state/keep_picture.ts";
import { systemError } from "../../../walls/files/system_error.ts";
import type { PictureInput } from "../../api/run_schemas.ts";

const DATA_URL = /^data:[\w.+/-]{0,80}(?:;[\w.+=-]{1,80})*;base64,/;

/** A picture of a request that was found to be one. */
export interface CheckedPicture {
  name: string;
  bytes: Uint8Array;
}

/**
 * Reads the pictures of a request and checks that their bytes are pictures.
 *
 * @param used Names that other pictures of the run have
 * @throws {ToolError} `invalid_input`, `limit_exceeded`
 */
export function readPictures(
  given: readonly z.infer<typeof PictureInput>[],
  used: readonly string[] = [],
): CheckedPicture[] {
  const taken = new Set(used);
  return given.map(({ name = "picture", data_url: url }) => {
    const [head] = DATA_URL.exec(url.slice(0, 400)) ?? [];
    if (head === undefined) {
      throw new ToolError(
        "invalid_input",
        `Cannot read ${JSON.stringify(name)}: write data:image/png;base64,…`,
      );
    }
    const bytes = Buffer.from(url.slice(head.length), "base64");
    if (bytes.length > MAX_PICTURE_BYTES) throw tooLarge(name, bytes.length);
    const type = pictureType(bytes);
    if (type === null) {
      throw new ToolError(
        "invalid_input",
        `Cannot use ${JSON.stringify(name)} as a picture: its content is not PNG, JPEG, WebP or GIF`,
      );
    }
    return { name: freeName(name, type, taken), bytes };
  });
}

/**
 * Writes pictures into a folder that is made for them. Needs `write`.
 *
 * @returns Their paths
 * @throws {ToolError} What the system says
 */
export function writePictures(pictures: readonly CheckedPicture[], folder: string): string[] {
  if (pictures.length === 0) return [];
  try {
    Deno.mkdirSync(folder, { recursive: true, mode: 0o700 });
    return pictures.map(({ name, bytes }) => {
      const path = join(folder, name);
      Deno.writeFileSync(path, bytes, { mode: 0o600 });
      return path;
    });
  } catch (error) {
    throw systemError(error, "write", folder);
  }
}

function freeName(name: string, type: string, taken: Set<string>): string {
  const stem = name.replace(/\.[^.]*$/, "").replace(/[^\w-]+/g, "_").slice(0, 60) || "picture";
  const end = type === "image/jpeg" ? "jpg" : type.slice("image/".length);
  for (let at = 1;; at++) {
    const free = at === 1 ? `${stem}.${end}` : `${stem}_${at}.${end}`;
    if (taken.has(free)) continue;
    taken.add(free);
    return free;
  }
}
