import { basename, dirname, extname, join } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { namedFileError } from "../../walls/files/system_error.ts";
import { isInside } from "../../walls/grants/inside.ts";

/** A file with tools of one's own. */
export interface ToolFile {
  /** Real path. */
  path: string;
  /** Real path of the folder that it may import from; the file itself if it stands alone. */
  root: string;
}

/** What bounds the files of tools. */
export interface ToolPlaces {
  /** Real path of the user's home. */
  home: string;
  /** Real path. @default files may lie anywhere */
  within?: string | undefined;
}

const EXTENSIONS = [".ts", ".mts", ".js", ".mjs"];
/** What makes a folder a package. */
const PACKAGES = ["deno.json", "deno.jsonc", "package.json"];
/** Most files of one folder. */
const MAX_FILES = 200;

/**
 * Finds the files of tools that a path means: the file itself, or those directly in the folder, but for tests,
 * declarations, and names that begin with `_` or `.`. Needs `read`.
 *
 * @param places `home` is the user's home folder: a package is never all of it; `within` is a folder that the path, and
 *   the package, must not lead out of
 * @throws {ToolError} `invalid_input` if there are none
 */
export function findToolFiles(path: string, { home, within }: ToolPlaces): ToolFile[] {
  let real: string;
  let info: Deno.FileInfo;
  try {
    real = Deno.realPathSync(path);
    info = Deno.statSync(real);
  } catch (error) {
    throw namedFileError(error, "read", path);
  }
  if (within !== undefined && !isInside(within, real)) throw outside(path, real);
  const names = info.isFile ? [basename(real)] : [...Deno.readDirSync(real)].map(({ name }) => name).sort();
  const folder = info.isFile ? dirname(real) : real;
  const paths = (info.isFile ? names : names.filter(isToolName)).map((name) => join(folder, name));
  const wrong = paths.find((one) => !EXTENSIONS.includes(extname(one)));
  if (wrong !== undefined || paths.length === 0) throw noTools(path, info.isFile);
  if (paths.length > MAX_FILES) {
    throw new ToolError(
      "limit_exceeded",
      `Cannot take tools from "${path}": it has more than ${MAX_FILES} files`,
    );
  }
  const mayHold = (root: string) => mayBeRoot(root, home) && (within === undefined || isInside(within, root));
  const root = packageOf(folder, mayHold);
  return paths.map((one) => ({ path: one, root: root ?? (mayHold(folder) ? folder : one) }));
}

function isToolName(name: string): boolean {
  return EXTENSIONS.includes(extname(name)) && !/^[._]|\.d\.m?ts$|[._]test\.m?[jt]s$/.test(name);
}

/** The nearest folder that is a package, `null` if there is none. */
function packageOf(from: string, mayHold: (folder: string) => boolean): string | null {
  for (let folder = from; mayHold(folder); folder = dirname(folder)) {
    if (PACKAGES.some((name) => isThere(join(folder, name)))) return folder;
  }
  return null;
}

/** Neither the whole disk nor a whole home is read for a tool. */
function mayBeRoot(folder: string, home: string): boolean {
  return dirname(folder) !== folder && (home === "" || !isInside(folder, home));
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) return false;
    throw error;
  }
}

function outside(path: string, real: string): ToolError {
  return new ToolError(
    "invalid_input",
    `Cannot take tools from "${path}": it leads out of the project, to "${real}"`,
    {
      details: { path },
    },
  );
}

/** Endings of programs in other languages, and of files that do not define tools but name them. */
const SCRIPTS = [".py", ".sh", ".bash", ".rb", ".pl", ".php", ".lua", ".r", ".ml", ".go", ".java", ".jl"];
const ENTRIES = [".json", ".jsonc", ".toml", ".yaml", ".yml"];

function noTools(path: string, isFile: boolean): ToolError {
  const ending = extname(path).toLowerCase();
  const why = isFile
    ? `a file of tools ends with ${EXTENSIONS.join(", ")}${
      SCRIPTS.includes(ending)
        ? "; a program in another language becomes a tool by an entry of script_tools in the configuration, see: " +
          "bulkhead help scripts"
        : ENTRIES.includes(ending)
        ? "; scripts and MCP servers are named in the configuration, see: bulkhead help config"
        : ""
    }`
    : `no file directly in it ends with ${EXTENSIONS.join(", ")}`;
  return new ToolError("invalid_input", `Cannot take tools from "${path}": ${why}`, { details: { path } });
}
