import { basename } from "@std/path";

import type { BrowserFile } from "../../../../schemas/browser/browser.ts";
import type { ToolContext } from "../../../../schemas/context.ts";
import { changeFile, readSandboxFile } from "../sandbox_file.ts";
import { sandboxPath } from "../sandbox_path.ts";
import { MOST_GIVEN_BYTES, pathsOf, toBase64, underFreeName } from "./browser_files.ts";

const MODE = "644";

/** Keeps a file that a page gave in the sandbox, and returns its path there. */
export async function keepInSandbox({ name, base64 }: BrowserFile, context: ToolContext): Promise<string> {
  return await underFreeName(name, async (path) => {
    const whole = sandboxPath(path);
    await changeFile(context, whole, { action: "make", content: base64, mode: MODE, isBase64: true });
    return whole;
  });
}

/**
 * Reads the files of the sandbox that a field of a page is given.
 *
 * @param text Their paths, one a line
 */
export async function readSandboxUploads(text: string, context: ToolContext): Promise<BrowserFile[]> {
  const files: BrowserFile[] = [];
  for (const path of pathsOf(text).map(sandboxPath)) {
    const { bytes } = await readSandboxFile(context, path, { maxBytes: MOST_GIVEN_BYTES });
    files.push({ name: basename(path), base64: toBase64(bytes) });
  }
  return files;
}
