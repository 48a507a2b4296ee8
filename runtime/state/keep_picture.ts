import type { Part } from "../../schemas/agent/chat.ts";
import { ToolError } from "../../schemas/error.ts";
import { formatOf } from "../../schemas/first_bytes.ts";
import type { ArtifactFolder } from "./artifact_folder.ts";
import { systemError } from "../walls/files/system_error.ts";

/** Largest picture of a conversation, in bytes. */
export const MAX_PICTURE_BYTES = 25 * 1024 * 1024;

/** Formats that models take. */
const FORMATS: ReadonlySet<string> = new Set(["png", "jpeg", "gif", "webp"]);

/**
 * Keeps a picture with the session's files, for the conversation and its trace to refer to. Needs `write` of the folder.
 *
 * @param name What it is called, for people; letters that no file name should have are replaced
 * @throws {ToolError} `invalid_input` if the bytes are not PNG, JPEG, WebP or GIF; `limit_exceeded` if there
 * are too many
 */
export async function keepPicture(
  bytes: Uint8Array,
  { name, folder }: { name: string; folder: ArtifactFolder },
): Promise<Part & { type: "image" }> {
  if (bytes.length > MAX_PICTURE_BYTES) throw tooLarge(name, bytes.length);
  const mime_type = pictureType(bytes);
  if (mime_type === null) {
    const what = bytes.length === 0 ? "it is empty" : "its content is not PNG, JPEG, WebP or GIF";
    throw new ToolError("invalid_input", `Cannot use "${name}" as a picture: ${what}`);
  }
  const { path, file } = await folder.open(fileName(name, mime_type));
  using _file = file;
  try {
    for (let done = 0; done < bytes.length;) done += await file.write(bytes.subarray(done));
  } catch (error) {
    throw systemError(error, "write", path);
  }
  return { type: "image", path, mime_type, bytes: bytes.length };
}

/** Returns the MIME type of a picture that models take, by its first bytes; `null` for anything else. */
export function pictureType(bytes: Uint8Array): string | null {
  const kind = formatOf(bytes);
  return kind !== null && FORMATS.has(kind.format) ? kind.mime : null;
}

/** Returns the error for a picture of too many bytes. */
export function tooLarge(name: string, bytes: number): ToolError {
  return new ToolError(
    "limit_exceeded",
    `Cannot use "${name}" as a picture: it has ${bytes} bytes, the limit is ${MAX_PICTURE_BYTES}; make it smaller`,
  );
}

function fileName(name: string, mime: string): string {
  const stem = name.replace(/\.[^.]*$/, "").replace(/[^\w-]+/g, "_").slice(0, 60);
  return `${stem || "picture"}.${mime === "image/jpeg" ? "jpg" : mime.slice("image/".length)}`;
}
