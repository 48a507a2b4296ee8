import { dirname, fromFileUrl, join, resolve } from "@std/path";

import { ToolError } from "../../schemas/error.ts";
import { MAIN_URL } from "./entry_urls.ts";
import { readNamedText } from "../walls/files/open_plain.ts";

const FLAG = "--unstable-worker-options";
const CONFIG_NAMES = ["deno.json", "deno.jsonc"];

let isAllowed: boolean | undefined;

/**
 * Makes sure that a worker may be given permissions of its own. Without its flag Deno would end the whole process,
 * which may be another program that embeds this one. This program itself always has the flag.
 *
 * @throws {ToolError} `configuration` that names the flag
 */
export function requireWorkerOptions(): void {
  isAllowed ??= Deno.build.standalone || isOwnProcess() || mayMakeWorkers(startWords(), Deno.mainModule);
  if (isAllowed) return;
  throw new ToolError(
    "configuration",
    `Cannot start a worker with permissions of its own: start Deno with ${FLAG}, or write ` +
      `"unstable": ["worker-options"] into the deno.json at the root of your project`,
    { details: { flag: FLAG } },
  );
}

/**
 * Says whether Deno was started so that workers may be given permissions.
 *
 * @param words The words that it was started with, `[]` if they are not known
 * @param mainModule URL of its main module
 */
export function mayMakeWorkers(words: readonly string[], mainModule: string): boolean {
  if (words.includes(FLAG) || words.includes("--unstable")) return true;
  if (words.includes("--no-config")) return false;
  const config = configFlag(words) ?? foundConfig(mainModule);
  return config !== null && /"unstable"\s*:\s*\[[^\]]*"worker-options"/.test(textOrNull(config) ?? "");
}

/** Rooms and the command line run the program's own main module, and its tests run in its folder. */
function isOwnProcess(): boolean {
  return Deno.mainModule === MAIN_URL;
}

/** Deno itself does not tell, and does not let the system's file be read. */
function startWords(): string[] {
  try {
    const { success, stdout } = new Deno.Command("cat", {
      args: [`/proc/${Deno.pid}/cmdline`],
      stderr: "null",
    }).outputSync();
    const words = success ? new TextDecoder().decode(stdout).split("\0") : [];
    // The script's own words begin after it.
    const script = words.findIndex((word, at) =>
      at > 1 && !word.startsWith("-") && /\.[cm]?[jt]sx?$/.test(word)
    );
    return script < 0 ? words : words.slice(0, script);
  } catch {
    // Without a PATH, Deno throws an error of no class.
    return [];
  }
}

function configFlag(words: readonly string[]): string | null {
  const at = words.findIndex((word) => /^(?:-c|--config)(?:=|$)/.test(word));
  if (at < 0) return null;
  const path = words[at]!.includes("=") ? words[at]!.replace(/^[^=]*=/, "") : words[at + 1] ?? "";
  return resolve(Deno.cwd(), path);
}

/** The nearest configuration above the main module, or the one of the workspace that it belongs to. */
function foundConfig(mainModule: string): string | null {
  if (!mainModule.startsWith("file:")) return null;
  let found: string | null = null;
  for (let folder = dirname(fromFileUrl(mainModule));; folder = dirname(folder)) {
    const config = CONFIG_NAMES.map((name) => join(folder, name)).find((path) => textOrNull(path) !== null);
    if (config !== undefined) {
      if (found === null || /"workspace"\s*:/.test(textOrNull(config) ?? "")) found = config;
    }
    if (folder === dirname(folder)) return found;
  }
}

function textOrNull(path: string): string | null {
  try {
    return readNamedText(path);
  } catch {
    return null;
  }
}
