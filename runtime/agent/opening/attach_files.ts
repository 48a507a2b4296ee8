import { isAbsolute, relative, resolve } from "@std/path";

import type { Part } from "../../../schemas/agent/chat.ts";
import type { Files } from "../../../schemas/context.ts";
import type { RunEvent } from "../../../schemas/agent/events.ts";
import { ToolError } from "../../../schemas/error.ts";
import type { ArtifactFolder } from "../../state/artifact_folder.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { stripControls } from "../../text/strip_controls.ts";
import { keepPicture, MAX_PICTURE_BYTES, pictureType, tooLarge } from "../../state/keep_picture.ts";
import { markBlock } from "../../text/mark_block.ts";
import { readBounded, readStart } from "./read_bounded.ts";

/** Largest text that a prompt attaches, in bytes. */
const MAX_TEXT_BYTES = 256 * 1024;
/** Most files that one prompt attaches. */
const MAX_FILES = 50;

/** Where a prompt's files are looked for. */
export interface AttachPlace {
  /** The files that may be read. */
  files: Files;
  /** The user's folder: paths start here, or in the workspace if no file is here. */
  cwd: string;
  workspace: string;
  /** Hears what goes with the prompt, and what names no file. */
  tell?: (event: RunEvent & { type: "attached" | "warning" }) => void;
  /** The folder for pictures. */
  pictures: ArtifactFolder;
}

// An `@` that names a file does not follow a part of an address or of a path such as "node_modules/@types".
const MENTION = /(?<![\w.%+\-@/\\])@(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"'<>]+))/g;
/** A word with an ending or in a folder; other words behind an `@` are names of people or decorators. */
const LIKE_A_FILE = /[\w-]\/[\w.-]|[\w-]\.\w/;
const LAST_MARK = /[.,;:!?)\]}`…、。，；：！？）」』】》]$/;

/**
 * Reads the files that a prompt names as `@path` or `@"path with blanks"`: texts become marked blocks,
 * pictures stay pictures. If a word names no file, or another kind of file, it stays text. Needs `read` of
 * the files, `write` of the pictures' folder.
 *
 * @throws {ToolError} `permission_denied` for an existing file that must not be read; `limit_exceeded` for a
 * file that is too large, or for too many files
 */
export async function attachFiles(prompt: string, place: AttachPlace): Promise<Part[]> {
  const found = new Map<string, string>();
  for (const [, quoted, single, word] of prompt.matchAll(MENTION)) {
    const file = await findFile(quoted ?? single ?? null, word ?? "", place);
    if (file !== null && !found.has(file.real)) found.set(file.real, file.path);
    const name = quoted ?? single ?? word ?? "";
    if (file === null && (word === undefined || LIKE_A_FILE.test(word))) {
      const message = `@${name} in the prompt names no file here: it stays a word`;
      place.tell?.({ type: "warning", message });
    }
  }
  if (found.size > MAX_FILES) {
    throw new ToolError(
      "limit_exceeded",
      `The prompt attaches ${found.size} files, the limit is ${MAX_FILES}`,
    );
  }
  const parts: Part[] = [];
  for (const path of found.values()) parts.push(...await attach(path, place));
  return parts;
}

async function findFile(quoted: string | null, word: string, place: AttachPlace) {
  if (quoted !== null) return await findNamed(quoted, place);
  // "Look at @a.txt." ends with a full stop.
  for (let name = word; name !== ""; name = name.slice(0, -1)) {
    const file = await findNamed(name, place);
    if (file !== null || !LAST_MARK.test(name)) return file;
  }
  return null;
}

async function findNamed(name: string, { files, cwd, workspace }: AttachPlace) {
  let refused: unknown = null;
  for (const folder of new Set(isAbsolute(name) ? ["/"] : [cwd, workspace])) {
    const path = resolve(folder, name);
    if (!isThere(path)) continue;
    try {
      const { real, info } = await files.locate(path, "read");
      if (info?.isFile) return { path, real };
    } catch (error) {
      refused ??= error;
    }
  }
  if (refused !== null) throw refused;
  return null;
}

/** Says whether a file exists, without reading it: only an existing file can be refused. */
function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

async function attach(path: string, { files, workspace, pictures, tell }: AttachPlace): Promise<Part[]> {
  const shown = isInside(workspace, path) ? relative(workspace, path) : path;
  using opened = await files.open(path);
  const head = await readStart(opened.file, 16);
  await opened.file.seek(0, Deno.SeekMode.Start);
  if (pictureType(head) !== null) {
    const bytes = await readBounded(opened.file, MAX_PICTURE_BYTES);
    if (bytes === null) throw tooLarge(shown, opened.info.size);
    const name = path.slice(path.lastIndexOf("/") + 1);
    tell?.({ type: "attached", path: shown, lines: null });
    return labelPicture(shown, await keepPicture(bytes, { name, folder: pictures }));
  }
  const bytes = await readBounded(opened.file, MAX_TEXT_BYTES);
  if (bytes === null) {
    // Tools can read what a prompt cannot hold: naming a document is enough.
    if (isBinary(await restart(opened.file))) return [];
    throw tooLong(shown, opened.info.size);
  }
  if (isBinary(bytes)) return [];
  const text = stripControls(new TextDecoder().decode(bytes));
  const lines = text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
  tell?.({ type: "attached", path: shown, lines });
  return [{ type: "text", text: markBlock("attached-file", text, { path: shown }) }];
}

/** Puts the name of a picture before it. */
export function labelPicture(name: string, picture: Part & { type: "image" }): Part[] {
  return [{ type: "text", text: `Picture ${JSON.stringify(name)}:` }, picture];
}

async function restart(file: Deno.FsFile): Promise<Uint8Array> {
  await file.seek(0, Deno.SeekMode.Start);
  return await readStart(file, 8192);
}

function isBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0) || new TextDecoder().decode(bytes.subarray(0, 5)) === "%PDF-";
}

function tooLong(name: string, bytes: number): ToolError {
  return new ToolError(
    "limit_exceeded",
    `Cannot attach "${name}": it has ${bytes} bytes, the limit is ${MAX_TEXT_BYTES}; name it without "@" for the tools ` +
      "to read",
  );
}
