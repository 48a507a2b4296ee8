import { dirname, join, SEPARATOR } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import type { Scope } from "../../../schemas/grants.ts";
import { covers } from "../grants/path_access.ts";
import { isInside } from "../grants/inside.ts";
import { lstat } from "./file_facts.ts";
import { followLinks } from "./follow_links.ts";

/** Whose links an output of the user does not follow. */
export interface OutputRules {
  /** Real folders that calls may write; `true` for all. */
  calls: Scope;
  /** Real path; `null` if there is no such folder. */
  workspace: string | null;
}

/** An output that the user names, and that is opened when it is known what calls can write. */
export interface NamedOutput {
  /** Absolute. */
  path: string;
  /** Opens it, before any call begins. */
  open(placed: PlacedOutput): void;
}

/** Where an output of the user goes. */
export interface PlacedOutput {
  /** As the user named it, absolute. */
  asked: string;
  /** The path behind all links. */
  real: string;
  /** `stream` for a pipe or a device: it is written as it is, and never replaced. */
  kind: "missing" | "file" | "stream";
}

/** They hold no links that a call could have made, and Deno does not open what their links lead to. */
const KERNEL = ["/dev", "/proc"];
/** Folders whose links are the system's own, also for a run that may write everything. */
const SYSTEM = [SEPARATOR, "/var"];

/**
 * Finds the file that an output of the user goes to. The user's own links are followed; one in a folder that calls can
 * write, or that everybody can, or in the repository of the workspace, is not: a call or a checkout may have made it.
 * Needs `read`.
 *
 * @param path Absolute
 * @throws {ToolError} `permission_denied` for such a link
 */
export function placeOutput(path: string, rules: OutputRules): PlacedOutput {
  if (path.includes("\0")) {
    throw new ToolError("invalid_input", `Cannot write ${JSON.stringify(path)}: embedded null byte`);
  }
  const isPlanted = plantedLinks(rules);
  const real = follow(path, (link) => {
    if (isPlanted(link)) throw planted(path, link);
  });
  if (isOfKernel(real)) return { asked: path, real, kind: "stream" };
  const info = lstat(real);
  const isStream = info !== null && !info.isFile && !info.isDirectory;
  // Opening a folder fails by itself.
  return { asked: path, real, kind: info === null ? "missing" : isStream ? "stream" : "file" };
}

/** @param onLink Gets the real place of each link before it is followed */
function follow(path: string, onLink: (link: string) => void): string {
  const real = followLinks(path, [SEPARATOR], {
    lstat: (at) => isOfKernel(at) ? null : lstat(at),
    readLink(at) {
      onLink(at);
      return Deno.readLinkSync(at);
    },
  });
  if (real !== null) return real;
  throw new ToolError("invalid_input", `Cannot write "${path}": its links lead in a circle`);
}

function plantedLinks({ calls, workspace }: OutputRules): (link: string) => boolean {
  let repository: string | null | undefined;
  return (link) => {
    const folder = dirname(link);
    if (workspace !== null && isInside(workspace, folder)) return true;
    if (calls === true ? !SYSTEM.includes(folder) : covers(calls, link)) return true;
    if (((lstat(folder)?.mode ?? 0) & 0o002) !== 0) return true;
    repository ??= workspace === null ? null : repositoryOf(workspace);
    return repository !== null && isInside(repository, folder);
  };
}

/** The nearest folder above that holds a repository: a checkout makes links in all of it. */
function repositoryOf(folder: string): string | null {
  if (lstat(join(folder, ".git")) !== null) return folder;
  return dirname(folder) === folder ? null : repositoryOf(dirname(folder));
}

function planted(path: string, link: string): ToolError {
  const target = Deno.readLinkSync(link);
  const real = follow(path, () => {});
  return new ToolError(
    "permission_denied",
    `Cannot write "${path}": "${link}" is a link to "${target}", and calls or a checkout can make links there; ` +
      `if you mean the file behind it, name that: "${real}"`,
    { details: { link, target, real } },
  );
}

function isOfKernel(path: string): boolean {
  return KERNEL.some((folder) => isInside(folder, path));
}
