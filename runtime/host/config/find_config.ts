import { isAbsolute, join, resolve } from "@std/path";

import type { Config } from "../../../schemas/config.ts";
import { ToolError } from "../../../schemas/error.ts";
import { parseJson } from "../../../schemas/json/json_text.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { systemError } from "../../walls/files/system_error.ts";

/** Where configuration may lie. */
export interface ConfigPlaces {
  /** `--config`, as the user wrote it. */
  file?: string | undefined;
  /** The user's folder: relative paths start here. */
  cwd: string;
  /** Real path; `null` if there is no such folder. */
  workspace: string | null;
  env(name: string): string | undefined;
}

/** A configuration file, read but not checked. */
export interface ConfigFile {
  /** For messages. */
  path: string;
  /** Behind all links. */
  real: string;
  /** Unchecked until {@linkcode checkConfig} has seen it. */
  config: Config;
}

/** Names of a project's file, below its workspace. */
const PROJECT_FILES = [".bulkhead/config.json", "bulkhead.json"];
/** Longest file, in bytes. */
const MAX_BYTES = 256 * 1024;

/**
 * Reads the user's file: the one that is named, or the one in its usual place, if there is one.
 *
 * @throws {ToolError} `configuration` if it cannot be read, or is named and not there
 */
export function findUserFile({ file, cwd, env }: ConfigPlaces): ConfigFile | null {
  const named = file ?? (env("BULKHEAD_CONFIG") || undefined);
  if (named !== undefined) {
    const path = resolve(cwd, named);
    return readConfig(path) ?? raise(path, "no such file");
  }
  const xdg = env("XDG_CONFIG_HOME") ?? "";
  const home = env("HOME") ?? "";
  // The XDG specification says to ignore a relative folder.
  const folder = isAbsolute(xdg) ? xdg : isAbsolute(home) ? join(home, ".config") : null;
  return folder === null ? null : readConfig(join(folder, "bulkhead/config.json"));
}

/**
 * Reads the project's file, if there is one. It comes with the workspace, from anywhere.
 *
 * @throws {ToolError} `configuration` if there are two, or one that leads out of the workspace
 */
export function findProjectFile(workspace: string | null): ConfigFile | null {
  if (workspace === null) return null;
  const paths = PROJECT_FILES.map((name) => join(workspace, name)).filter(isThere);
  const [path, other] = paths;
  if (path === undefined) return null;
  if (other !== undefined) raise(path, `there is "${other}" as well, keep one of them`);
  const file = readConfig(path, workspace);
  return file ?? raise(path, "it is a link that leads nowhere");
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
    throw unreadable(path, error);
  }
}

/** `null` if nothing is there. */
function readConfig(path: string, inside?: string): ConfigFile | null {
  let text: string;
  let real: string;
  try {
    real = Deno.realPathSync(path);
    if (inside !== undefined && !isInside(inside, real)) {
      raise(path, `it leads out of the workspace, to "${real}"`);
    }
    // Opening a pipe would wait for its writer.
    const info = Deno.statSync(real);
    if (!info.isFile) raise(path, info.isDirectory ? "it is a folder" : "it is not a regular file");
    if (info.size > MAX_BYTES) raise(path, `it has more than ${MAX_BYTES} bytes`);
    text = Deno.readTextFileSync(real);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return null;
    throw unreadable(path, error);
  }
  try {
    return { path, real, config: parseJson(text, `configuration "${path}"`) as Config };
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): ToolError {
  const { message } = systemError(error, "read", path);
  return new ToolError("configuration", message, { details: { file: path }, cause: error });
}

function raise(path: string, reason: string): never {
  throw new ToolError("configuration", `Cannot use configuration "${path}": ${reason}`, {
    details: { file: path },
  });
}
