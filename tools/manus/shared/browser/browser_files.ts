import { basename } from "@std/path";

import type { BrowserFile } from "../../../../schemas/browser/browser.ts";
import type { ToolContext } from "../../../../schemas/context.ts";
import { ToolError } from "../../../../schemas/error.ts";
import { readBytes } from "../../../engine/file/read_bytes.ts";

/** Folder of the workspace for what pages give. */
const FOLDER = "downloads";
/** Files of one name. */
const MOST_OF_A_NAME = 100;
/** Most bytes of a file that is given to a page. */
export const MOST_GIVEN_BYTES = 16 * 1024 * 1024;

/** Keeps a file that a page gave: in the workspace if that may be written, else among the files that calls leave. */
export async function keepDownload(file: BrowserFile, context: ToolContext): Promise<string> {
  const bytes = Uint8Array.from(atob(file.base64), (char) => char.charCodeAt(0));
  return await underFreeName(file.name, async (path) => {
    try {
      return (await context.files.write(path, bytes, { createDirs: true, mustNotExist: true })).path;
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== "permission_denied") throw error;
      return (await context.artifacts.write(plainName(file.name), bytes)).path;
    }
  });
}

/**
 * Keeps something below {@linkcode FOLDER} under the first name that is free: `list.csv`, `list (2).csv` and so on.
 *
 * @param keep Throws `conflict` if the name is taken
 */
export async function underFreeName<T>(name: string, keep: (path: string) => Promise<T>): Promise<T> {
  const dot = name.lastIndexOf(".");
  const [stem, end] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ""];
  for (let count = 1; count <= MOST_OF_A_NAME; count++) {
    try {
      return await keep(`${FOLDER}/${count === 1 ? name : `${stem} (${count})${end}`}`);
    } catch (error) {
      if (!(error instanceof ToolError) || error.code !== "conflict") throw error;
    }
  }
  throw new ToolError(
    "conflict",
    `The folder ${FOLDER} has ${MOST_OF_A_NAME} files named ${JSON.stringify(name)}`,
  );
}

/**
 * Reads the files that a field of a page is given.
 *
 * @param text Their paths, one a line
 */
export async function readUploads(text: string, context: ToolContext): Promise<BrowserFile[]> {
  const files: BrowserFile[] = [];
  for (const path of pathsOf(text)) {
    using open = await context.files.open(path);
    const { size } = open.info;
    if (size > MOST_GIVEN_BYTES) {
      throw new ToolError(
        "limit_exceeded",
        `"${path}" has ${size} bytes: a page is given ${MOST_GIVEN_BYTES} at most`,
      );
    }
    const bytes = await readBytes(open.file, { size, maxBytes: MOST_GIVEN_BYTES, signal: context.signal });
    files.push({ name: basename(open.path), base64: toBase64(bytes) });
  }
  return files;
}

/** Returns the paths that a text names, one a line. */
export function pathsOf(text: string): string[] {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/** Names of files that calls leave have few kinds of characters. */
function plainName(name: string): string {
  return name.replace(/[^\w.\- ]/g, "_");
}

/** Returns bytes as base64. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}
