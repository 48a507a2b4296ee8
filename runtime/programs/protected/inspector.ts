import { basename, dirname } from "@std/path";

import { ToolError } from "../../../schemas/error.ts";
import { inFolder } from "./in_folder.ts";
import { type AsideOptions, type Baseline, setAside } from "./set_aside.ts";
import { type Finding, OWNER_LOOKS } from "./scan_folder.ts";

/** What an inspection works with. */
export interface InspectorOptions extends AsideOptions {
  /** What was there before the program started. */
  baseline: Baseline;
  /** Scans again. */
  look(): Promise<readonly Finding[]>;
}

/** How many times closed folders inside closed folders are opened. */
const MAX_ROUNDS = 64;

/**
 * Returns a function that moves away the files that a program may not leave. It warns once about each file.
 */
export function makeInspector(options: InspectorOptions): () => Promise<string[]> {
  const told = new Set<string>();
  return async () => {
    if (options.writable.length === 0) return [];
    const lines = await inspect(options);
    const fresh = lines.filter((line) => !told.has(line));
    for (const line of fresh) told.add(line);
    return fresh;
  };
}

async function inspect(options: InspectorOptions): Promise<string[]> {
  try {
    const { present, lines } = await lookEverywhere(options);
    return [...lines, ...await setAside(present, options.baseline, options)];
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return [`Could not look for files that other programs would execute: ${error.message}`];
  }
}

/** Opens again what a program has closed: the user's other programs may still find a way into it. */
async function lookEverywhere({ baseline, look }: InspectorOptions) {
  const before = new Set(baseline.closed);
  const lines = new Map<string, string>();
  for (let round = 0;; round++) {
    const present = await look();
    const closed = present.filter((finding) => isClosed(finding) && !before.has(finding.path));
    const opened = round < MAX_ROUNDS ? closed.filter((finding) => open(finding)) : [];
    for (const { path } of opened) lines.set(path, `Made "${path}" readable again: a program closed it`);
    if (opened.length > 0) continue;
    const left = closed.map(({ path }) =>
      `"${path}" could not be looked through for files that other programs would execute`
    );
    return { present, lines: [...lines.values(), ...left] };
  }
}

function isClosed({ kind }: Finding): boolean {
  return kind === "closed";
}

/** Returns whether anything changed. */
function open({ path, info }: Finding): boolean {
  if (((info.mode ?? OWNER_LOOKS) & OWNER_LOOKS) === OWNER_LOOKS) return false;
  try {
    return inFolder(dirname(path), () => {
      const name = `./${basename(path)}`;
      const { dev, ino, mode } = Deno.lstatSync(name);
      if (dev !== info.dev || ino !== info.ino) return false;
      Deno.chmodSync(name, ((mode ?? 0) & 0o7777) | OWNER_LOOKS);
      return true;
    });
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) throw error;
    return false;
  }
}
