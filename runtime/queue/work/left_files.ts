import { basename, join } from "@std/path";

import type { ToolResult } from "../../../schemas/result.ts";
import type { Served } from "../../server/contract/served.ts";
import { artifactsOf, listArtifacts } from "../../state/kept_artifacts.ts";
import { stateFolder } from "../../state/state_folder.ts";
import { sessionFolder } from "../../state/tool_state.ts";
import { plural } from "../../text/plural.ts";
import { realOrNull } from "../../walls/files/file_facts.ts";
import { readPlainSlowly } from "../../walls/files/open_plain.ts";
import type { QueueEngine, TakenOrder } from "../contract/engine.ts";
import type { LeftFile } from "../orders/orders.ts";

/** Largest file that goes through the queue, in bytes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Most files of one order that do. */
const MAX_FILES = 100;

/**
 * Keeps the files that a call left with the queue, for whoever submitted it. What cannot be kept becomes a warning of the
 * result. Needs `read`.
 */
export async function keepLeftFiles(
  engine: Pick<QueueEngine, "putBlob">,
  taken: TakenOrder,
  { artifacts, warnings }: ToolResult,
): Promise<LeftFile[]> {
  const { kept, lost } = await keepAll(engine, taken, artifacts);
  if (lost.length > 0) {
    warnings.push(`${plural(lost.length, "file")} stayed on the worker: ${lost.slice(0, 5).join(", ")}`);
  }
  return kept;
}

/** Keeps the files that calls of a run left with its session. Needs `read`. */
export async function keepRunFiles(
  engine: Pick<QueueEngine, "putBlob">,
  taken: TakenOrder,
  { served: { host: { env } }, session }: { served: Pick<Served, "host">; session: unknown },
): Promise<LeftFile[]> {
  const state = stateFolder(env.XDG_STATE_HOME, env.HOME ?? "");
  if (state === null || typeof session !== "string") return [];
  const named = artifactsOf(sessionFolder(state, session));
  const folder = realOrNull(named) ?? named;
  const files = listArtifacts(folder).map(({ name, bytes }) => ({
    name,
    path: join(folder, name),
    bytes,
  }));
  return (await keepAll(engine, taken, files)).kept;
}

async function keepAll(
  engine: Pick<QueueEngine, "putBlob">,
  taken: TakenOrder,
  files: readonly LeftFile[],
): Promise<{ kept: LeftFile[]; lost: string[] }> {
  const kept: LeftFile[] = [];
  const lost: string[] = [];
  for (const [at, { name, path, bytes }] of files.entries()) {
    // Names that are alike in two folders stay apart.
    const key = `${at}-${basename(name)}`;
    try {
      if (at >= MAX_FILES || bytes > MAX_BYTES) throw new RangeError("too much for the queue");
      const content = await readPlainSlowly(path, { maxBytes: MAX_BYTES });
      if (content === null) throw new RangeError("it is no file of its own any more");
      await engine.putBlob(taken, key, content);
      kept.push({ name: key, path, bytes });
    } catch (error) {
      lost.push(`${path} (${error instanceof Error ? error.message : error})`);
    }
  }
  return { kept, lost };
}
