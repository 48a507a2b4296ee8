import { readSettingsText } from "../../../walls/files/open_plain.ts";
import { type EntryCommand, MAX_CODE, type StartedFiles, startedFiles } from "./started_files.ts";

/** What a command starts of a folder, as it is now. */
export interface StartedPrint extends StartedFiles {
  /** Equal for two looks if and only if it starts the same. `""` if it starts nothing of the folder. */
  print: string;
}

/** Looks at what a command starts of a folder. Needs `read`. */
export async function startedPrint(command: EntryCommand, folder: string): Promise<StartedPrint> {
  const started = startedFiles(command, folder);
  const lines = await Promise.all(started.files.map(async (file) => `${file} ${await hashOf(file)}`));
  return { ...started, print: lines.join("\n") };
}

/** What cannot be read as code counts by its size and time. */
async function hashOf(file: string): Promise<string> {
  const text = readSettingsText(file, { maxBytes: MAX_CODE });
  if (text === null) {
    const { size, mtime } = await Deno.lstat(file);
    return `${size} ${mtime?.getTime()}`;
  }
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
