import { showPath } from "../bytes/odd_names.ts";
import { systemError } from "../../walls/files/system_error.ts";
import { instructionsChanged } from "../../walls/grants/protected_paths.ts";
import { changeMode } from "./change_mode.ts";
import { isRebase } from "./git_files.ts";
import { isUnnamed } from "../bytes/odd_change.ts";
import type { LookOptions, LookWhileRunning } from "./look_after.ts";
import { type Finding, OWNER_LOOKS } from "./scan_folder.ts";
import type { Afterwards, ScanOptions } from "./scan_walk.ts";
import { type AsideOptions, type Baseline, entryOf, idOf, setAside } from "./set_aside.ts";

/** What an inspection works with. */
export interface InspectorOptions extends AsideOptions {
  /** What was there before the program started. */
  baseline: Baseline;
  /** Scans again. */
  look(options: LookOptions): Promise<readonly Finding[]>;
}

/** How many paths that could not be looked at get a warning of their own. */
const MAX_TOLD = 20;

/**
 * Returns a function that moves away the files that a program may not leave. It warns once about each file. It does not
 * throw: what fails is a warning, and all else is still done. While the program is `running`, a file is moved at the
 * second look: tools that make such a file may be at work on it, or remove it themselves. What is looked at `at once` is
 * moved at the first one.
 */
export function makeInspector(
  options: InspectorOptions,
): (options?: { running?: LookWhileRunning }) => Promise<string[]> {
  const told = new Set<string>();
  let suspected: ReadonlySet<string> = new Set();
  let hasMoved = false;
  const glance = async (how: LookWhileRunning) => {
    const near = how === "near";
    const waits = how !== "at once" && !hasMoved;
    const seen = new Set<string>();
    const spares = ({ path }: Finding) => {
      seen.add(path);
      return isRebase(path) || waits && !suspected.has(path);
    };
    const present = await options.look({ ...optionsOf(options, { open: () => false, tell() {} }), near });
    const lines = await setAside(present, options.baseline, { ...options, spares });
    suspected = near ? suspected.union(seen) : seen;
    hasMoved ||= lines.length > 0;
    return lines;
  };
  return async ({ running } = {}) => {
    if (options.writable.length === 0) return [];
    const lines = running === undefined ? await inspect(options) : await glance(running);
    const fresh = lines.filter((line) => !told.has(line));
    for (const line of fresh) told.add(line);
    return fresh;
  };
}

async function inspect(options: InspectorOptions): Promise<string[]> {
  const lines = new Set<string>();
  try {
    const present = await lookEverywhere(options, lines);
    for (const line of await setAside(present, options.baseline, options)) lines.add(line);
    for (const line of changedInstructions(present, options.baseline)) lines.add(line);
  } catch (error) {
    lines.add(
      `Could not look for files that other programs would execute: ${systemError(error, "look", "").message}`,
    );
  }
  return [...lines];
}

/** Returns a line for each file that agents follow and a program made or changed. */
function changedInstructions(now: readonly Finding[], { entries }: Baseline): string[] {
  const changed = now.filter(({ kind }) => kind === "instructions")
    .filter((finding) => entries[finding.path]?.state !== entryOf(finding).state);
  const lines = changed.slice(0, MAX_TOLD).map(({ path }) => instructionsChanged(showPath(path)));
  const more = changed.length - lines.length;
  return more <= 0 ? lines : [...lines, `${more} more such files were made or changed`];
}

/** Opens again what a program has closed: the user's other programs may still find a way into it. */
async function lookEverywhere(options: InspectorOptions, lines: Set<string>) {
  const closed = new Set(options.baseline.closed);
  const unseen: string[] = [];
  const opened: string[] = [];
  const present = await options.look(optionsOf(options, {
    async open(folder) {
      if (!await opens(folder)) return false;
      opened.push(folder.path);
      return true;
    },
    tell: (path, why) =>
      void unseen.push(`"${showPath(path)}" could not be looked through for ${EXECUTED}: ${why}`),
  }));
  for (const path of opened.sort()) lines.add(`Made "${showPath(path)}" readable again: a program closed it`);
  for (const finding of present) {
    // What is too deep is moved as a whole.
    if (finding.kind === "closed" && !closed.has(idOf(finding)) && !isUnnamed(finding.path)) {
      unseen.push(`"${showPath(finding.path)}" could not be looked through for ${EXECUTED}`);
    }
  }
  for (const line of unseen.slice(0, MAX_TOLD)) lines.add(line);
  if (unseen.length > MAX_TOLD) {
    lines.add(`${unseen.length - MAX_TOLD} more folders could not be looked through`);
  }
  return present;
}

function optionsOf(
  { baseline }: InspectorOptions,
  acts: Pick<Afterwards, "open" | "tell">,
): ScanOptions {
  const hidden = new Set(baseline.hidden);
  const closed = new Set(baseline.closed);
  return {
    // What a program made is looked at whatever its name, and so is what it moved there.
    enters: (folder) => !hidden.has(idOf(folder)),
    afterwards: { since: baseline.since, wasClosed: (folder) => closed.has(idOf(folder)), ...acts },
  };
}

const EXECUTED = "files that other programs would execute";

async function opens(folder: Finding): Promise<boolean> {
  try {
    return await changeMode(folder, { more: OWNER_LOOKS });
  } catch {
    return false;
  }
}
