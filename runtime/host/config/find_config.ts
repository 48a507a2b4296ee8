import { isAbsolute, join, resolve } from "@std/path";

import type { Config } from "../../../schemas/config.ts";
import { ToolError } from "../../../schemas/error.ts";
import { parseJsonc } from "../../../schemas/json/jsonc.ts";
import { isInside } from "../../walls/grants/inside.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { readNamedText } from "../../walls/files/open_plain.ts";

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
  text: string;
  /** Unchecked until {@linkcode checkConfig} has seen it. */
  config: Config;
}

/** Names of the user's file, below the folder of configuration. */
const USER_FILES = ["bulkhead/config.json", "bulkhead/config.jsonc"];
/** Names of a project's file, below its workspace. */
const PROJECT_FILES = [
  ...[".bulkhead/config.json", ".bulkhead/config.jsonc"],
  ...["bulkhead.json", "bulkhead.jsonc"],
];
/** Longest file, in bytes. */
const MAX_BYTES = 256 * 1024;

/** Where a configuration file is looked for. */
export interface ConfigPlace {
  whose: "user" | "project";
  path: string;
  /** What names the place: a flag, a variable, or nothing for the usual places. */
  named?: "--config" | "BULKHEAD_CONFIG";
}

/** Returns where configuration is looked for, the user's first. Looks at no file. */
export function configPlaces({ file, cwd, workspace, env }: ConfigPlaces): ConfigPlace[] {
  const variable = env("BULKHEAD_CONFIG") || undefined;
  const named = file ?? variable;
  const folder = configFolder(env);
  const usual = folder === null ? [] : USER_FILES.map((name) => join(folder, name));
  const users: ConfigPlace[] = named === undefined ? usual.map((path) => ({ whose: "user", path })) : [{
    whose: "user",
    path: resolve(cwd, named),
    named: file === undefined ? "BULKHEAD_CONFIG" : "--config",
  }];
  const projects = workspace === null ? [] : PROJECT_FILES.map((name) => join(workspace, name));
  return [...users, ...projects.map((path): ConfigPlace => ({ whose: "project", path }))];
}

/** Returns the folder of the user's configuration, `null` if the user has no home. */
export function ownConfigFolder(env: ConfigPlaces["env"]): string | null {
  const folder = configFolder(env);
  return folder && join(folder, "bulkhead");
}

/** The XDG specification says to ignore a relative folder. */
function configFolder(env: ConfigPlaces["env"]): string | null {
  const xdg = env("XDG_CONFIG_HOME") ?? "";
  const home = env("HOME") ?? "";
  return isAbsolute(xdg) ? xdg : isAbsolute(home) ? join(home, ".config") : null;
}

/**
 * Reads the user's file: the one that is named, or the one in its usual place, if there is one.
 *
 * @throws {ToolError} `configuration` if it cannot be read, is named and not there, or if there are two
 */
export function findUserFile(places: ConfigPlaces): ConfigFile | null {
  const users = configPlaces(places).filter(({ whose }) => whose === "user");
  const [first] = users;
  if (first?.named !== undefined) return readConfig(first.path) ?? raise(first.path, "no such file");
  const path = onlyOne(users);
  return path === null ? null : readConfig(path);
}

/**
 * Reads the project's file, if there is one. It comes with the workspace, from anywhere. Of two the first is read: a
 * checkout that brings a second one must not stop every run.
 *
 * @param options `user` is the real path of the user's own file, wherever it lies; `warn` hears of each that is not read
 * @throws {ToolError} `configuration` if it leads out of the workspace
 */
export function findProjectFile(
  places: ConfigPlaces,
  { user, warn }: { user: string | null; warn(message: string): void },
): ConfigFile | null {
  const { workspace } = places;
  if (workspace === null) return null;
  const [path, ...others] = configPlaces(places).filter(({ whose }) => whose === "project")
    .map((place) => place.path).filter((path) =>
      isThere(path) && (user === null || realOrNull(path) !== user)
    );
  if (path === undefined) return null;
  for (const other of others) {
    warn(`project configuration ${other}: not read, because there is "${path}" as well; keep one of them`);
  }
  return readConfig(path, workspace) ?? raise(path, "it is a link that leads nowhere");
}

/** Says whether a file has one of the names that projects give theirs. */
export function isProjectsName(path: string): boolean {
  return PROJECT_FILES.some((name) => path.endsWith(`/${name}`));
}

/** `null` if no file is there. */
function onlyOne(places: readonly ConfigPlace[]): string | null {
  const [path, other] = places.map(({ path }) => path).filter(isThere);
  if (path !== undefined && other !== undefined) {
    raise(path, `there is "${other}" as well, keep one of them`);
  }
  return path ?? null;
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

/**
 * Reads a configuration file; `null` if nothing is there.
 *
 * @param inside The folder that it must not lead out of
 * @throws {ToolError} `configuration` if it cannot be read
 */
export function readConfig(path: string, inside?: string): ConfigFile | null {
  const file = readSettings(path, inside);
  if (file === null) return null;
  try {
    if (OTHER_FORMS.test(path)) throw otherForm(path);
    return { path, ...file, config: parseJsonc(file.text, `configuration "${path}"`) as Config };
  } catch (error) {
    throw unreadable(path, error);
  }
}

/**
 * Reads the text of a file with settings; `null` if nothing is there.
 *
 * @param inside The folder that it must not lead out of
 * @throws {ToolError} `configuration` if it cannot be read
 */
export function readSettings(path: string, inside?: string): Pick<ConfigFile, "real" | "text"> | null {
  try {
    const real = Deno.realPathSync(path);
    if (inside !== undefined && !isInside(inside, real)) {
      raise(path, `it leads out of the workspace, to "${real}"`);
    }
    // Opening a pipe would wait for its writer.
    const info = Deno.statSync(real);
    if (!info.isFile) raise(path, info.isDirectory ? "it is a folder" : "it is not a regular file");
    if (info.size > MAX_BYTES) raise(path, `it has more than ${MAX_BYTES} bytes`);
    return { real, text: readNamedText(real, { maxBytes: MAX_BYTES }) };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return null;
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

/** Endings of what other systems call their configuration. */
const OTHER_FORMS = /\.(?:toml|ya?ml)$/;

function otherForm(path: string): ToolError {
  return new ToolError(
    "configuration",
    `Cannot use configuration "${path}": a configuration is JSON; --agents FILE reads config.toml of OpenManus and ` +
      "config.yaml of SGR Agent Core",
    { details: { file: path } },
  );
}
